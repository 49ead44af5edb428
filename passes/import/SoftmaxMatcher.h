//===- SoftmaxMatcher.h - weighted sums whose weights are softmaxes -*- C++
//-*-//
//
// What matchers of attention, over a sequence or over depth, share. The root
// is a sum of products over one loop n; its factors and what they are made of
// are read as expressions at a symbolic position.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_SOFTMAXMATCHER_H
#define ATTNRES_PASSES_SOFTMAXMATCHER_H

#include "passes/analysis/PointExpressions.h"

namespace attnres {

/// A tensor and the position dimension that each of its own dimensions is.
struct PointOperand {
  mlir::Value value;
  llvm::SmallVector<unsigned> dims;
};

/// The loops of a root as position dimensions: one for each loop, several for a
/// loop over a dimension that a collapse_shape has made of several, and one
/// more, of unknown extent, for columns that are summed before.
struct Positions {
  explicit Positions(mlir::linalg::LinalgOp root);

  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::AffineExpr> indices;              ///< by loop
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> dimsOf; ///< by loop
};

class SoftmaxMatcher {
public:
  explicit SoftmaxMatcher(mlir::linalg::LinalgOp root)
      : root(root), positions(root),
        exprs(root.getContext(), positions.extents),
        extents(positions.extents) {}

protected:
  using Factors = std::pair<const PointExpr *, const PointExpr *>;

  /// The factors of the root when it is a sum of products over one loop, from
  /// zero, of static extents. Sets `n`. `dims` are the position dimensions of
  /// its result, `groups` how many each dimension of the result consists of.
  std::optional<Factors> rootFactors(llvm::SmallVectorImpl<unsigned> &dims,
                                     llvm::SmallVectorImpl<unsigned> &groups);

  /// The position dimension for columns that are summed before.
  unsigned columns() const { return extents.size() - 1; }
  mlir::AffineExpr dim(unsigned index) {
    return mlir::getAffineDimExpr(index, root.getContext());
  }

  /// The accessed tensor when its indices are distinct position dimensions.
  bool asOperand(const PointExpr *expr, PointOperand &operand);
  /// The first tensor behind changes of shape that is an operand.
  bool firstOperand(const PointExpr *expr, PointOperand &operand);
  /// The last tensor behind transposes, copies and changes of shape that is an
  /// operand; `behindRounding`: also behind conversions of the element type.
  bool lastOperand(const PointExpr *expr, PointOperand &operand,
                   bool behindRounding);
  /// The tensor behind transposes, copies and changes of shape.
  const PointExpr *skipCopies(const PointExpr *expr);

  /// What is summed over `index`, from zero.
  std::optional<PointReduction> sum(const PointExpr *expr, unsigned index);
  /// The factors of a sum of products over `index`, from zero.
  std::optional<Factors> product(const PointExpr *expr, unsigned index);
  bool same(const PointExpr *lhs, const PointExpr *rhs);
  /// What `weights`, a softmax over n, is the softmax of; null when it is none.
  const PointExpr *softmaxInput(const PointExpr *weights);

  static bool isZero(std::optional<llvm::APFloat> number) {
    return number && number->isZero();
  }
  static double toDouble(llvm::APFloat number);

  mlir::linalg::LinalgOp root;
  Positions positions;
  PointExpressions exprs;
  llvm::SmallVector<int64_t> extents;
  unsigned n = 0; ///< the position dimension that the root sums over

private:
  /// The reduction over all of n that `expr` is, when it does not depend on n.
  std::optional<PointReduction> rowReduction(const PointExpr *expr);
  bool isSumOf(const PointExpr *expr, const PointExpr *summand);
  bool isMaximumOf(const PointExpr *expr, const PointExpr *item);
};

/// Erases `roots` and what only they used.
void eraseDead(llvm::ArrayRef<mlir::Operation *> roots);

} // namespace attnres

#endif
