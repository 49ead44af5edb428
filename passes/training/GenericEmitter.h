//===- GenericEmitter.h - linalg.generic in few words -----------*- C++ -*-===//
#ifndef ATTNRES_PASSES_GENERICEMITTER_H
#define ATTNRES_PASSES_GENERICEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace attnres {

/// Emits operations of one location.
class GenericEmitter {
public:
  GenericEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : b(builder), loc(loc) {}

protected:
  using Body =
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

  /// One result, of the type of `init`; `emit` gives the value of a point.
  mlir::Value generic(llvm::ArrayRef<mlir::Value> inputs,
                      llvm::ArrayRef<mlir::AffineMap> maps,
                      llvm::ArrayRef<mlir::utils::IteratorType> iterators,
                      mlir::Value init, Body emit);
  mlir::Value number(mlir::OpBuilder &builder, mlir::Type type, double value);
  mlir::Value empty(mlir::RankedTensorType type);
  mlir::Value zeros(mlir::RankedTensorType type);

  /// Removes dead operations of the body, then inputs that nothing reads, as
  /// long as the extents of all loops stay known.
  mlir::linalg::GenericOp dropUnused(mlir::linalg::GenericOp generic);

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace attnres

#endif
