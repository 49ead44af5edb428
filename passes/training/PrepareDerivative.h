//===- PrepareDerivative.h - straight-line code to differentiate -*- C++ -*-==//
#ifndef ATTNRES_PASSES_PREPAREDERIVATIVE_H
#define ATTNRES_PASSES_PREPAREDERIVATIVE_H

#include "passes/training/Activity.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace attnres {

/// Replaces what depends on a parameter and has control flow by straight-line
/// operations: calls by the body of the callee, loops of constant trip count by
/// their iterations, conditions that are constants by the branch taken, gathers
/// and generated tensors by linalg, and maxima of computed values by the values
/// and their maximum. Fills `activity` on the way. Fails after a diagnostic at
/// what cannot be replaced, and at operations that write a value that depends
/// on a parameter to memory.
llvm::LogicalResult prepareDerivative(mlir::func::FuncOp function,
                                      Activity &activity);

/// The name of a parameter in quotes, for messages.
std::string nameOfParameter(mlir::Value parameter);

} // namespace attnres

#endif
