//===- SoftmaxMatcher.h - weighted sums whose weights are softmaxes -*- C++
//-*-//
//
// What matchers of attention, over a sequence or over depth, share. The root
// is a tensor; it and what it is made of are read as expressions at a symbolic
// position: the indices of the root, one index n that the weighted sum runs
// over, and one index k for columns that are summed before.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_SOFTMAXMATCHER_H
#define ATTNRES_PASSES_SOFTMAXMATCHER_H

#include "passes/analysis/PointExpressions.h"

#include "llvm/ADT/DenseSet.h"

namespace attnres {

/// A tensor and the position dimensions that each of its own dimensions is, in
/// row-major order; none for one of extent 1.
struct PointOperand {
  mlir::Value value;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> groups;

  /// The position dimensions of all its dimensions.
  llvm::SmallVector<unsigned> dims() const;
};

/// The extents of position dimensions: each dimension of the root is one, or
/// several where a change of shape divides it; then n and k, dynamic until they
/// are known.
struct PositionLayout {
  explicit PositionLayout(llvm::ArrayRef<int64_t> shape);

  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> root;
  int64_t n = mlir::ShapedType::kDynamic;
  int64_t k = mlir::ShapedType::kDynamic;
};

class SoftmaxMatcher {
public:
  SoftmaxMatcher(mlir::Value root, const PositionLayout &layout);

  /// The layout with what this matcher found out; nothing when it is the same.
  std::optional<PositionLayout> refined() const;

protected:
  using Factors = std::pair<const PointExpr *, const PointExpr *>;

  /// A softmax over n: of the logits, among those n for which `keep`, if there
  /// is one, is not 0.
  struct Softmax {
    const PointExpr *logits;
    const PointExpr *keep = nullptr;
  };

  /// One term of a sum.
  struct Term {
    const PointExpr *expr;
    bool isNegative;
    bool operator==(const Term &other) const {
      return expr == other.expr && isNegative == other.isNegative;
    }
    bool operator<(const Term &other) const {
      return std::make_pair(expr, isNegative) <
             std::make_pair(other.expr, other.isNegative);
    }
  };

  mlir::AffineExpr dim(unsigned index) const {
    return mlir::getAffineDimExpr(index, root.getContext());
  }
  /// The indices of the dimensions that the layout began with.
  llvm::SmallVector<mlir::AffineExpr> position() const;
  const PointExpr *accessRoot();

  /// The accessed tensor when every index of it runs over position dimensions
  /// of their own, from 0 to its end.
  bool asOperand(const PointExpr *expr, PointOperand &operand) const;
  /// The last tensor behind transposes, copies and changes of shape that is an
  /// operand; `behindRounding`: also behind conversions of the element type.
  bool lastOperand(const PointExpr *expr, PointOperand &operand,
                   bool behindRounding);
  /// The tensor behind transposes, copies and changes of shape.
  const PointExpr *skipCopies(const PointExpr *expr);

  /// What is summed over `index`, from zero. Where the extent of `index` is not
  /// known yet, it is now, and there is no result.
  std::optional<PointReduction> sum(const PointExpr *expr, unsigned index);
  /// Whether k has this extent. Where it has none yet, it has from now on, and
  /// the answer is no.
  bool isKnownColumn(int64_t extent);
  /// The same of n.
  bool isKnownTerm(int64_t extent);
  /// The factors of a sum of products over `index`, from zero.
  std::optional<Factors> product(const PointExpr *expr, unsigned index);
  bool same(const PointExpr *lhs, const PointExpr *rhs);
  /// What `weights` is the softmax over n of.
  std::optional<Softmax> softmax(const PointExpr *weights);
  /// The same of a quotient of exponentials and their sum.
  std::optional<Softmax> quotient(const PointExpr *exponentials,
                                  const PointExpr *total);
  /// y of the terms of y - ln sum exp(y), y being what is left without a
  /// maximum; null when these are not the terms.
  const PointExpr *logSoftmax(llvm::SmallVector<Term> terms);
  /// The terms of a sum, all that is in it expanded.
  void collectTerms(const PointExpr *expr, bool isNegative,
                    llvm::SmallVectorImpl<Term> &terms);
  /// A maximum without what it is guarded by: a lower bound of -inf, a
  /// replacement of infinite maxima.
  const PointExpr *withoutGuards(const PointExpr *maximum);

  static bool isZero(std::optional<llvm::APFloat> number) {
    return number && number->isZero();
  }
  /// -inf or the lowest finite number.
  static bool isLowest(std::optional<llvm::APFloat> number) {
    return number && number->isNegative() &&
           (number->isInfinity() || number->isLargest());
  }
  static double toDouble(llvm::APFloat number);

  mlir::Value root;
  /// The position dimensions of each dimension of the root.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> groups;
  unsigned n = 0, k = 0;
  llvm::SmallVector<int64_t> extents;
  PointExpressions exprs;

private:
  static llvm::SmallVector<int64_t> extentsOf(const PositionLayout &layout);
  /// The reduction over all of n that `expr` is, when it does not depend on n.
  std::optional<PointReduction> rowReduction(const PointExpr *expr);
  /// exp(logits - maximum) with or without the maximum, times `keep`.
  std::optional<Softmax> exponentials(const PointExpr *expr);
  const PointExpr *withoutMaximum(const PointExpr *exponent);
  bool isSumOf(const PointExpr *expr, const PointExpr *summand);
  bool isMaximumOf(const PointExpr *expr, const PointExpr *item);

  const PositionLayout layout;
  int64_t learnedN, learnedK;
};

/// Matches `root` by a matcher made of it and a layout, which is refined as
/// long as the matcher finds something out.
template <typename Matcher>
auto matchRefining(mlir::Value root)
    -> decltype(std::declval<Matcher>().match()) {
  PositionLayout layout(
      mlir::cast<mlir::RankedTensorType>(root.getType()).getShape());
  for (int attempt = 0; attempt < 16; ++attempt) {
    Matcher matcher(root, layout);
    if (auto match = matcher.match())
      return match;
    std::optional<PositionLayout> refined = matcher.refined();
    if (!refined)
      break;
    layout = *refined;
  }
  return {};
}

/// Lets a matcher that has matched the root replace it, and returns whether one
/// has.
template <typename Matcher>
bool raiseBy(mlir::Value root, PositionLayout layout) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    Matcher matcher(root, layout);
    if (matcher.match()) {
      matcher.replace();
      return true;
    }
    std::optional<PositionLayout> refined = matcher.refined();
    if (!refined)
      break;
    layout = *refined;
  }
  return false;
}

template <typename Matcher>
bool raiseBy(mlir::Value root) {
  return raiseBy<Matcher>(
      root, PositionLayout(
                mlir::cast<mlir::RankedTensorType>(root.getType()).getShape()));
}

/// Erases an operation that nothing uses and what only it used, and adds them
/// to `erased`.
void eraseDead(mlir::Operation *root,
               llvm::DenseSet<mlir::Operation *> &erased);

} // namespace attnres

#endif
