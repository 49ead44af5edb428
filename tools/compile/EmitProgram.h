//===- EmitProgram.h - planned IR to an executable program ------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_EMITPROGRAM_H
#define ATTNRES_TOOLS_COMPILE_EMITPROGRAM_H

#include "passes/cpu/CpuTarget.h"
#include "runtime/Program.h"
#include "support/Status.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace attnres {

/// Compiles the kernels of `module` for `target` and writes its launches down.
///
/// The module is planned (attnres-plan-memory) and its kernels are in cpu-stage
/// form (passes/cpu/KernelFunction.h) with their former type in
/// attnres.tensor_type. Further attributes of a kernel, all optional:
///
///   attnres.scratch_bytes_per_item  scratch for each element of its lists;
///                                   the longest launch decides
///   attnres.flops, attnres.bytes_read, attnres.bytes_written
///                                   of one launch, for reports; bytes are
///                                   by default those of the launch's tensors
///
/// Bindings are named by attnres.name of @main's arguments and results.
/// Kernels are compiled by the threads of the module's context; before each,
/// `isCancelled` may ask for an end.
Result<runtime::Program>
compileProgram(mlir::ModuleOp module, const cpu::CpuTarget &target,
               const std::function<bool()> &isCancelled = {});

} // namespace attnres

#endif
