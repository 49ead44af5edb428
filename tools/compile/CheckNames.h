//===- CheckNames.h - names of a function's tensors -------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_CHECKNAMES_H
#define ATTNRES_TOOLS_COMPILE_CHECKNAMES_H

#include "mlir/IR/BuiltinOps.h"

namespace attnres {

/// Whether everything that is named after an argument or a result of a function
/// can be written: keys of safetensors and JSON, and the tensors that training
/// adds under names of its own. Otherwise a diagnostic at the argument: what
/// cannot be saved is refused before it is trained.
llvm::LogicalResult checkNames(mlir::ModuleOp module);

} // namespace attnres

#endif
