//===- RaiseNorms.cpp - norms in linalg -----------------------------------===//
//
// With rows r and columns d, the last dimension, of the root, all tensors f32
// or bf16 and of static shape:
//
//   RMS norm    V[r,d] times 1 / sqrt(mean over k of V[r,k]^2 + eps) once,
//               times one vector over d or none, and nothing else
//   layer norm  C[r,d] times 1 / sqrt(S + eps) once, times one vector over d or
//               none, plus one vector over d or none, and nothing else, where
//               C = V[r,d] - M and M = mean over k of V[r,k], and S is
//               mean over k of C[r,k]^2, or mean over k of V[r,k]^2 - M^2,
//               which may be guarded against rounding below 0
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/Layouts.h"
#include "passes/import/RowMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

namespace {

class RmsNormMatcher : public RowMatcher {
public:
  using RowMatcher::RowMatcher;

  struct Match {
    RowOperand x;
    Value gain; ///< or null
    double eps;
  };

  bool match() {
    if (!hasColumns() || !isKnownColumn(extents[d]) ||
        !findNormalizer(accessRoot()))
      return false;
    numNormalizers = 0;
    if (!collect(accessRoot()) || numNormalizers != 1 || !values ||
        !asRows(values, x))
      return false;
    return true;
  }

  void replace() {
    replaceInStorage(root, x.isBF16(), [&](OpBuilder &b, Type storage) {
      Location loc = root.getLoc();
      Value weight = vectorOrConstant(b, loc, gain, extents[d], 1);
      return RMSNormOp::create(b, loc, inLayout(b, x, storage), weight,
                               b.getF64FloatAttr(eps));
    });
  }

private:
  /// Sets V to what the first normalizer among the factors is one of.
  bool findNormalizer(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (!visited.insert(expr).second)
      return false;
    if (expr->isApply<arith::MulFOp>())
      return findNormalizer(expr->operands[0]) ||
             findNormalizer(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    return expr->isApply<arith::DivFOp>() &&
           (isRoot(expr->operands[1]) || findNormalizer(expr->operands[0]));
  }

  bool collect(const PointExpr *expr) {
    if (expr->kind == Kind::Access && atColumn(expr) == source)
      return !std::exchange(values, expr);
    Value vector;
    if (asVector(expr, vector))
      return !std::exchange(gain, vector);
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return collect(expr->operands[0]) && collect(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    return expr->isApply<arith::DivFOp>() && isRoot(expr->operands[1]) &&
           collect(expr->operands[0]);
  }

  RowOperand x;
  Value gain; ///< or null
  const PointExpr *values = nullptr;
  DenseSet<const PointExpr *> visited; ///< by findNormalizer()
};

class LayerNormMatcher : public RowMatcher {
public:
  using RowMatcher::RowMatcher;

  bool match() {
    if (!hasColumns() || !isKnownColumn(extents[d]))
      return false;
    const PointExpr *scaled = withoutBias(accessRoot());
    return findCentered(scaled) && collect(scaled) && numNormalizers == 1 &&
           numCentered == 1 && asRows(values, x);
  }

  void replace() {
    replaceInStorage(root, x.isBF16(), [&](OpBuilder &b, Type storage) {
      Location loc = root.getLoc();
      return LayerNormOp::create(b, loc, inLayout(b, x, storage),
                                 vectorOrConstant(b, loc, gain, extents[d], 1),
                                 vectorOrConstant(b, loc, bias, extents[d], 0),
                                 b.getF64FloatAttr(eps));
    });
  }

private:
  const PointExpr *withoutBias(const PointExpr *expr) {
    const PointExpr *sum = exprs.resolve(expr);
    if (sum->isApply<arith::AddFOp>())
      for (unsigned i : {0, 1})
        if (asVector(sum->operands[i], bias))
          return sum->operands[1 - i];
    return expr;
  }

  /// V of V - M, or null.
  const PointExpr *centeredValues(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (!expr->isApply<arith::SubFOp>() ||
        expr->operands[0]->kind != Kind::Access)
      return nullptr;
    const PointExpr *summand = meanOf(expr->operands[1]);
    return summand && same(summand, atColumn(expr->operands[0]))
               ? expr->operands[0]
               : nullptr;
  }

  /// Sets V to what the first centered factor is made of.
  bool findCentered(const PointExpr *expr) {
    if ((values = centeredValues(expr))) {
      source = atColumn(values);
      return true;
    }
    expr = exprs.resolve(expr);
    if (!visited.insert(expr).second)
      return false;
    if (expr->isApply<arith::MulFOp>())
      return findCentered(expr->operands[0]) || findCentered(expr->operands[1]);
    return expr->isApply<arith::DivFOp>() && findCentered(expr->operands[0]);
  }

  bool collect(const PointExpr *expr) {
    Value vector;
    if (asVector(expr, vector))
      return !std::exchange(gain, vector);
    if (const PointExpr *centered = centeredValues(expr);
        centered && same(centered, values))
      return ++numCentered == 1;
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return collect(expr->operands[0]) && collect(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    return expr->isApply<arith::DivFOp>() && isRoot(expr->operands[1]) &&
           collect(expr->operands[0]);
  }

  bool isMeanOfValues(const PointExpr *expr) {
    const PointExpr *summand = meanOf(expr);
    return summand && same(summand, source);
  }

  /// Whether `expr` is S.
  bool isSpread(const PointExpr *expr) override {
    expr = withoutBoundAtZero(expr);
    if (const PointExpr *squares = meanOf(expr)) {
      const PointExpr *factor = squared(squares);
      factor = factor ? exprs.resolve(factor) : nullptr;
      return factor && factor->isApply<arith::SubFOp>() &&
             same(factor->operands[0], source) &&
             isMeanOfValues(factor->operands[1]);
    }
    expr = exprs.resolve(expr);
    if (!expr->isApply<arith::SubFOp>())
      return false;
    const PointExpr *squares = meanOf(expr->operands[0]);
    const PointExpr *value = squares ? squared(squares) : nullptr;
    const PointExpr *mean = squared(expr->operands[1]);
    return value && same(value, source) && mean && isMeanOfValues(mean);
  }

  /// A variance without a lower bound of 0 and without a choice that is always
  /// the same.
  const PointExpr *withoutBoundAtZero(const PointExpr *variance) {
    while (true) {
      const PointExpr *expr = exprs.resolve(variance);
      const PointExpr *inner = nullptr;
      if (expr->isApply<arith::SelectOp>()) {
        auto condition = PointValues(exprs).evaluate(expr->operands[0]);
        if (condition && condition->isInteger())
          inner = expr->operands[condition->integer ? 1 : 2];
      } else if (expr->isApply<arith::MaximumFOp>() ||
                 expr->isApply<arith::MaxNumFOp>()) {
        for (unsigned i : {0, 1})
          if (numberOf(expr->operands[i]) == 0.0)
            inner = expr->operands[1 - i];
      }
      if (!inner)
        return variance;
      variance = inner;
    }
  }

  RowOperand x;
  Value gain, bias; ///< or null
  const PointExpr *values = nullptr;
  unsigned numCentered = 0;
  DenseSet<const PointExpr *> visited; ///< by findCentered()
};

} // namespace

bool attnres::raiseRmsNorm(Value root) {
  return isStorage(root) && raiseBy<RmsNormMatcher>(root);
}

bool attnres::raiseLayerNorm(Value root) {
  return isStorage(root) && raiseBy<LayerNormMatcher>(root);
}
