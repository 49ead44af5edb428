//===- Control.h - index arithmetic and loops of kernels --------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ROWS_CONTROL_H
#define ATTNRES_PASSES_ROWS_CONTROL_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace attnres::rows {

/// Builds `for i = from; i < to; i += step` around `body` and leaves the
/// insertion point behind the loop.
void forRange(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
              mlir::Value to, mlir::Value step,
              llvm::function_ref<void(mlir::Value i)> body);

/// The same with values carried around: `body` returns the next ones. Returns
/// the last ones.
llvm::SmallVector<mlir::Value> forRange(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
    mlir::Value to, mlir::Value step, mlir::ValueRange init,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value i,
                                                      mlir::ValueRange carried)>
        body);

/// Builds `if (condition)` around `body`.
void ifTrue(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
            llvm::function_ref<void()> body);

/// Index arithmetic that folds constants as it builds.
class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value) const;
  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  /// Operands are not negative, b is positive.
  mlir::Value div(mlir::Value a, mlir::Value b) const;
  mlir::Value rem(mlir::Value a, mlir::Value b) const;
  mlir::Value min(mlir::Value a, mlir::Value b) const;

  mlir::Value add(mlir::Value a, int64_t b) const {
    return add(a, constant(b));
  }
  mlir::Value mul(mlir::Value a, int64_t b) const {
    return mul(a, constant(b));
  }
  mlir::Value div(mlir::Value a, int64_t b) const {
    return div(a, constant(b));
  }
  mlir::Value rem(mlir::Value a, int64_t b) const {
    return rem(a, constant(b));
  }
  mlir::Value min(mlir::Value a, int64_t b) const {
    return min(a, constant(b));
  }

  /// Of indices or integers that are not negative.
  mlir::Value isLess(mlir::Value a, mlir::Value b) const;
  mlir::Value isDifferent(mlir::Value a, mlir::Value b) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;

  //===--- From integers in tensors ---------------------------------------===//

  /// An i64 constant.
  mlir::Value integer(int64_t value) const;
  /// An i64 as index, and back.
  mlir::Value cast(mlir::Value integer) const;
  mlir::Value toInteger(mlir::Value index) const;
  /// The index nearest to an i64 in [0, last].
  mlir::Value clamp(mlir::Value integer, int64_t last) const;
  /// An i64 as index where it is in [0, count), otherwise 0.
  mlir::Value within(mlir::Value integer, int64_t count) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace attnres::rows

#endif
