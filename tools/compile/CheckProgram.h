//===- CheckProgram.h - what a model in MLIR says about itself --*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_CHECKPROGRAM_H
#define ATTNRES_TOOLS_COMPILE_CHECKPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

namespace attnres {

/// Checks a module of the model stage before anything is compiled. `@main` has
/// a name for each argument and result, of types that programs can exchange.
/// Everything that is named after them can be written: keys of safetensors and
/// JSON, and the tensors that training adds under names of its own.
/// A model that will be `trained` takes tokens and targets, tensor<BxTxi64>,
/// returns the loss, tensor<f32>, and every other argument is a parameter of
/// f32. Errors are diagnostics at the place of the argument.
mlir::LogicalResult checkProgram(mlir::ModuleOp module, bool trained);

} // namespace attnres

#endif
