//===- EmitProgram.h - planned IR to an executable program ------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_EMITPROGRAM_H
#define ATTNRES_TOOLS_COMPILE_EMITPROGRAM_H

#include "passes/Target.h"
#include "runtime/Program.h"
#include "support/Status.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace attnres {

/// Compiles the kernels of `module` for `target` and writes its launches down.
///
/// The module is planned (attnres-plan-memory) and its kernels are code of the
/// target. What a kernel needs for each tensor of its lists, and what it costs,
/// is that of its largest launch; bytes are those of the launch's tensors.
///
/// Bindings are named by attnres.name of @main's arguments and results.
/// Kernels are compiled by the threads of the module's context; before each,
/// `isCancelled` may ask for an end.
Result<runtime::Program>
compileProgram(mlir::ModuleOp module, const Target &target,
               const std::function<bool()> &isCancelled = {});

} // namespace attnres

#endif
