//===- DifferentiateLinalg.h - derivatives of linalg operations -*- C++ -*-===//
//
// The gradient of a structured operation is structured again. Its body is
// differentiated by the same rules as a function, backwards from what it
// yields:
//
//   * the gradient of an input is a sum over the loops that do not index it;
//   * the gradient of a tensor that the body reads by tensor.extract is the sum
//     over all points that read an element: a comparison of indices where every
//     loop is an index of the tensor, otherwise attnres.embedding_backward,
//     which adds in the order of the points;
//   * the gradient of an initial value is that of the result where the body
//     adds to it, and zero where the body does not read it;
//   * maxima and minima give their gradient to the elements that they are,
//     in equal shares.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_DIFFERENTIATELINALG_H
#define ATTNRES_PASSES_DIFFERENTIATELINALG_H

#include "passes/training/Activity.h"

namespace attnres {

/// Emits the gradients of what `op` uses and that is active, and hands each to
/// `accumulate`. `resultGrads` has a null entry where nothing flows back. Fails
/// after a diagnostic when a derivative does not exist.
llvm::LogicalResult differentiateLinalg(
    mlir::linalg::LinalgOp op, mlir::OpBuilder &builder,
    const Activity &activity, llvm::ArrayRef<mlir::Value> resultGrads,
    llvm::function_ref<void(mlir::Value, mlir::Value)> accumulate);

/// The gradient of the input of a softmax.
mlir::Value differentiateSoftmax(mlir::linalg::SoftmaxOp op,
                                 mlir::OpBuilder &builder, mlir::Value grad);

/// The operand of a maximum or minimum other than `carried`, or null.
mlir::Value extremumOperand(mlir::Value yielded, mlir::Value carried);

} // namespace attnres

#endif
