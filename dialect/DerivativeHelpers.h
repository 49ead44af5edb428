//===- DerivativeHelpers.h - for derivatives of operations ------*- C++ -*-===//
#ifndef ATTNRES_DIALECT_DERIVATIVEHELPERS_H
#define ATTNRES_DIALECT_DERIVATIVEHELPERS_H

#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace attnres {

/// `grad`, or zeros of the type of `like` where nothing flows back.
inline mlir::Value orZeros(mlir::OpBuilder &builder, mlir::Value grad,
                           mlir::Value like) {
  if (grad)
    return grad;
  return mlir::arith::ConstantOp::create(builder, like.getLoc(),
                                         builder.getZeroAttr(like.getType()));
}

/// `grad`, which is f32, in the storage type of `like`.
inline mlir::Value storedLike(mlir::OpBuilder &builder, mlir::Value grad,
                              mlir::Value like) {
  if (grad.getType() == like.getType())
    return grad;
  return mlir::arith::TruncFOp::create(builder, grad.getLoc(), like.getType(),
                                       grad);
}

/// The results of a backward operation as the gradients of the operands.
template <typename Backward>
llvm::LogicalResult append(llvm::SmallVectorImpl<mlir::Value> &grads,
                           Backward backward) {
  llvm::append_range(grads, backward->getResults());
  return llvm::success();
}

} // namespace attnres

#endif
