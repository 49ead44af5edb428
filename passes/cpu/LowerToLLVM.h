//===- LowerToLLVM.h - cpu-stage kernels to the LLVM dialect ----*- C++ -*-===//
//
// Vectors, math functions, loops and memrefs of cpu-stage kernels (see
// KernelFunction.h) become LLVM operations, and every kernel gets an entry
// point with the calling convention of runtime/include/attnres_kernel.h.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_LOWERTOLLVM_H
#define ATTNRES_PASSES_CPU_LOWERTOLLVM_H

#include "mlir/IR/BuiltinOps.h"
#include "passes/cpu/CpuTarget.h"

namespace attnres::cpu {

/// The dialects that cpu-stage kernels consist of and are lowered through.
void registerCpuDialects(mlir::DialectRegistry &registry);

/// Lowers everything in `module`, which must be cpu-stage kernels, for
/// `target`. Uses no pass manager, so that several threads can lower different
/// modules of one context; the dialects above must have been loaded.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module, const CpuTarget &target);

/// The same for functions of any signature whose arguments are pointers or
/// scalars; they may hold operations of the NVVM dialect, which stay.
mlir::LogicalResult lowerFunctionsToLLVM(mlir::ModuleOp module,
                                         const CpuTarget &target);

/// Loads the dialects that `lowerToLLVM` creates operations of.
void loadCpuDialects(mlir::MLIRContext &context);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_LOWERTOLLVM_H
