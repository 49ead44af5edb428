//===- Activity.h - values that depend on a parameter -----------*- C++ -*-===//
//
// A value is active when it is computed from a parameter by operations whose
// derivative is not zero everywhere. What a region captures counts as used by
// the operation that has the region.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ACTIVITY_H
#define ATTNRES_PASSES_ACTIVITY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace attnres {

/// Whether the result of `op` is constant wherever it has a derivative:
/// comparisons, roundings to integers, classifications, shapes.
bool hasZeroDerivative(mlir::Operation *op);

class Activity {
public:
  /// Makes `parameter` active.
  void add(mlir::Value parameter) { origins[parameter] = parameter; }

  /// Marks the results of `op` and, for structured linalg operations, the
  /// values of its body. Operands have to be known.
  void propagate(mlir::Operation *op);

  bool contains(mlir::Value value) const { return origins.contains(value); }

  /// The parameter that an active value depends on, one of them if several.
  mlir::Value parameterOf(mlir::Value value) const {
    return origins.lookup(value);
  }

  /// An active value that `op` or one of its regions uses, or null.
  mlir::Value activeUse(mlir::Operation *op) const;

private:
  void propagateBody(mlir::linalg::LinalgOp op);
  void mark(mlir::Value value, mlir::Value source) {
    origins.try_emplace(value, origins.lookup(source));
  }

  llvm::DenseMap<mlir::Value, mlir::Value> origins;
};

} // namespace attnres

#endif
