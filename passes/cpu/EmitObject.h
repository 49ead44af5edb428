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

/// One kernel in machine code.
struct CompiledKernel {
  std::string name;
  int64_t grid;         ///< number of work items
  int64_t scratchBytes; ///< per calling thread
  /// A relocatable ELF object for x86-64, position independent, that defines
  /// the function `name` (attnres_kernel_fn in attnres_kernel.h) and needs no
  /// symbol from outside but possibly memcpy, memset, sin, cos and sincos.
  std::string object;
};

/// Compiles every kernel of `module`, which are all of the cpu stage, in the
/// order they stand there. Kernels are compiled in parallel by
/// the threads of the module's context; the bytes do not depend on how many
/// there are. `module` is left as it is. Before each kernel `isCancelled`, if
/// there is one, is asked whether to fail without a diagnostic.
mlir::FailureOr<std::vector<CompiledKernel>>
compileKernels(mlir::ModuleOp module, const CpuTarget &target,
               const std::function<bool()> &isCancelled = {});

/// The assembly text of one kernel, for dumps and tests.
mlir::FailureOr<std::string> emitAssembly(KernelOp kernel,
                                          const CpuTarget &target);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_EMITOBJECT_H
