//===- DifferentiateGather.h - tensors read by tensor.extract ---*- C++ -*-===//
#ifndef ATTNRES_PASSES_DIFFERENTIATEGATHER_H
#define ATTNRES_PASSES_DIFFERENTIATEGATHER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace attnres {

/// The gradient of the tensor that `extract`, in the body of `op`, reads, in
/// the element type of `updates`. These are the gradients of what is read at
/// every point of the loops. Where every loop is an index of the tensor, each
/// element is compared with the one point that may have read it; otherwise the
/// gradients are summed in the order of the points, which takes f32: null for
/// another type.
mlir::Value differentiateGather(mlir::linalg::LinalgOp op,
                                mlir::tensor::ExtractOp extract,
                                mlir::OpBuilder &builder, mlir::Value updates);

} // namespace attnres

#endif
