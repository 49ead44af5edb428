//===- EmitObject.h - Machine code of cpu-stage kernels ---------*- C++ -*-===//

#ifndef ATTNRES_PASSES_CPU_EMITOBJECT_H
#define ATTNRES_PASSES_CPU_EMITOBJECT_H

#include "dialect/Attnres.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cpu/CpuTarget.h"
#include <functional>
#include <string>
#include <vector>

namespace attnres::cpu {

/// The kernels of `module`, all of the cpu stage, as relocatable ELF objects
/// for x86-64, position independent, each of which defines the function of its
/// kernel's name (attnres_kernel_fn in attnres_kernel.h) and needs no symbol
/// from outside but possibly memcpy, memset, sin, cos and sincos. See
/// Target::compileKernels.
mlir::FailureOr<CompiledCode>
compileKernels(mlir::ModuleOp module, const CpuTarget &target,
               const std::function<bool()> &isCancelled = {});

/// The assembly text of one kernel, for dumps and tests.
mlir::FailureOr<std::string> emitAssembly(KernelOp kernel,
                                          const CpuTarget &target);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_EMITOBJECT_H
