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

/// The code of a kernel's operation, which is built at the builder's place.
struct OperationCode {
  mlir::OpBuilder &builder;
  KernelFunction &kernel;
  const KernelMemory &memory;
};

/// Replaces every kernel of `module` that is one of `Ops` by its code, which
/// `build(code, op)` builds. Returns how many there were.
template <typename... Ops, typename Build>
unsigned lowerKernelsOf(mlir::ModuleOp module, Build build) {
  unsigned count = 0;
  for (KernelOp onTensors :
       llvm::make_early_inc_range(module.getOps<KernelOp>())) {
    mlir::Operation *op = getSoleOperation(onTensors);
    if (!llvm::isa_and_nonnull<Ops...>(op))
      continue;
    mlir::OpBuilder builder(onTensors);
    KernelFunction kernel = createKernel(builder, onTensors);
    KernelMemory memory(onTensors, kernel.inputs, kernel.outputs);
    OperationCode code{builder, kernel, memory};
    auto buildIf = [&](auto mine) {
      if (mine)
        build(code, mine);
    };
    (buildIf(llvm::dyn_cast<Ops>(op)), ...);
    onTensors.erase();
    ++count;
  }
  return count;
}

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_OPERATIONKERNEL_H
