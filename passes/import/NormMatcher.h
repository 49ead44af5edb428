//===- NormMatcher.h - root mean squares in linalg --------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NORMMATCHER_H
#define ATTNRES_PASSES_NORMMATCHER_H

#include "passes/analysis/PointValues.h"
#include "passes/import/SoftmaxMatcher.h"

namespace attnres {

/// Finds 1 / sqrt(mean over k of V[r,k]^2 + eps), however it is written.
class NormMatcher : public SoftmaxMatcher {
public:
  using SoftmaxMatcher::SoftmaxMatcher;
  virtual ~NormMatcher() = default;

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
  /// Whether `expr` is what eps is added to: the mean of V^2.
  virtual bool isSpread(const PointExpr *expr);
  /// What `expr` is the mean over k of, or null.
  const PointExpr *meanOf(const PointExpr *expr);
  /// What `expr` is the square of, or null.
  const PointExpr *squared(const PointExpr *expr);
  /// The real number that `expr` is at every position.
  std::optional<double> numberOf(const PointExpr *expr);

  unsigned d = 0;                    ///< columns of the root
  const PointExpr *source = nullptr; ///< V at column k
  double eps = 0;
  unsigned numNormalizers = 0; ///< found so far

private:
  /// Sets eps.
  bool isSpreadPlusEps(const PointExpr *expr);
};

/// Whether a value is a tensor of f32 or bf16 that is not empty, of static
/// shape.
bool isStorage(mlir::Value value);

} // namespace attnres

#endif
