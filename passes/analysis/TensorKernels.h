//===- TensorKernels.h - kernels on tensors and their memory ----*- C++ -*-===//
//
// What targets ask of an attnres.kernel that they replace by code: whether it
// still computes on tensors, by what operation, and where in memory that
// operation's operands and results are.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ANALYSIS_TENSORKERNELS_H
#define ATTNRES_PASSES_ANALYSIS_TENSORKERNELS_H

#include "dialect/Attnres.h"

namespace attnres {

/// Whether `kernel` still computes on tensors, of element types that code can
/// have.
bool isTensorKernel(KernelOp kernel);

/// The only operation of a kernel on tensors, whose operands are arguments of
/// the kernel and which makes all of its results, each once; null for other
/// kernels.
mlir::Operation *getSoleOperation(KernelOp kernel);

/// Where the operands and results of a kernel's operation are: null for an
/// absent operand and for a result that is not returned.
class KernelMemory {
public:
  /// `inputs` and `outputs` are what code has for the arguments and results of
  /// `onTensors`; both have to outlive this.
  KernelMemory(KernelOp onTensors, mlir::ValueRange inputs,
               mlir::ValueRange outputs)
      : returned(onTensors.getReturned()), inputs(inputs), outputs(outputs) {}

  mlir::Value of(mlir::Value operand) const;
  mlir::Value of(mlir::OpResult result) const;

private:
  mlir::ValueRange returned, inputs, outputs;
};

/// An error at `kernel` unless its code takes values of these types.
mlir::LogicalResult expectCodeTypes(KernelOp kernel, mlir::TypeRange expected);

} // namespace attnres

#endif
