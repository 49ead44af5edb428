//===- NormMatcher.h - root mean squares in linalg --------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NORMMATCHER_H
#define ATTNRES_PASSES_NORMMATCHER_H

#include "passes/import/SoftmaxMatcher.h"

namespace attnres {

/// Finds 1 / sqrt(mean over k of V[r,k]^2 + eps), however it is written.
class NormMatcher : public SoftmaxMatcher {
public:
  using SoftmaxMatcher::SoftmaxMatcher;

protected:
  /// Whether the last dimension of the root is one of positions, which `d` is
  /// from now on.
  bool hasColumns();
  /// The tensor that V, an access at column d, is an access to, at column k.
  const PointExpr *atColumn(const PointExpr *values);
  /// Whether `expr` is V at column k.
  bool isSource(const PointExpr *expr);
  /// Whether an expanded expression is the normalizer of V. Sets eps. Where V
  /// is not known yet, it is what the normalizer is one of.
  bool isNormalizer(const PointExpr *expr);
  /// The same of what is divided by.
  bool isRoot(const PointExpr *expr);

  unsigned d = 0;                    ///< columns of the root
  const PointExpr *source = nullptr; ///< V at column k
  double eps = 0;
  unsigned numNormalizers = 0; ///< found so far

private:
  bool isMeanSquare(const PointExpr *expr);
  bool isMean(const PointExpr *expr);
  bool isSumOfSquares(const PointExpr *expr);
};

/// Whether a value is a tensor of f32 or bf16 that is not empty, of static
/// shape.
bool isStorage(mlir::Value value);

} // namespace attnres

#endif
