//===- OperationKernel.h - Kernels of a single operation --------*- C++ -*-===//
//
// What passes need that turn a kernel in tensor form with one operation into a
// cpu-stage function.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_OPERATIONKERNEL_H
#define ATTNRES_PASSES_CPU_OPERATIONKERNEL_H

#include "passes/cpu/KernelFunction.h"

namespace attnres::cpu {

/// The only operation of a kernel in tensor form, whose operands are arguments
/// of the kernel and which makes all of its results; null for other kernels.
mlir::Operation *getSoleOperation(KernelOp kernel);

/// Where the operands and results of a kernel's operation are in its cpu-stage
/// function: null for an absent operand and for a result that is not returned.
class KernelMemory {
public:
  KernelMemory(KernelOp onTensors, const KernelFunction &kernel);

  mlir::Value of(mlir::Value operand) const;
  mlir::Value of(mlir::OpResult result) const;

private:
  mlir::Operation *returned;
  const KernelFunction &kernel;
};

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_OPERATIONKERNEL_H
