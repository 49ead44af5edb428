//===- RaiseActivations.cpp - gates and GELU in linalg --------------------===//
//
// At every position of the root, all tensors f32 or bf16 and of static shape:
//
//   SwiGLU  A sigmoid(A) B, where sigmoid(A) is 1 / (1 + exp(-A)), and nothing
//           else
//   GELU    X (1 + erf(X / sqrt 2)) / 2, and nothing else; the sum may be
//           written as erfc(-X / sqrt 2). The approximation by tanh is another
//           function and stays.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/Layouts.h"
#include "passes/import/RowMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

namespace {

class GateMatcher : public RowMatcher {
public:
  using RowMatcher::RowMatcher;

  bool match() {
    if (!collect(accessRoot()) || !argument || factors.size() != 2)
      return false;
    for (unsigned i : {0, 1})
      if (same(factors[i], argument) && asRows(factors[i], gate) &&
          asRows(factors[1 - i], up))
        return true;
    return false;
  }

  void replace() {
    replaceInStorage(
        root, gate.isBF16() && up.isBF16(), [&](OpBuilder &b, Type storage) {
          return SwigluOp::create(b, root.getLoc(), inLayout(b, gate, storage),
                                  inLayout(b, up, storage));
        });
  }

private:
  bool collect(const PointExpr *expr) {
    const PointExpr *resolved = exprs.resolve(expr);
    if (resolved->isApply<arith::MulFOp>())
      return collect(resolved->operands[0]) && collect(resolved->operands[1]);
    if (resolved->isApply<arith::DivFOp>()) {
      const PointExpr *found = sigmoidArgument(resolved->operands[1]);
      if (!found || std::exchange(argument, found))
        return false;
      return numberOf(resolved->operands[0]) == 1.0 ||
             collect(resolved->operands[0]);
    }
    factors.push_back(expr);
    return factors.size() <= 2;
  }

  /// y of 1 + exp(-y), or null.
  const PointExpr *sigmoidArgument(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (!expr->isApply<arith::AddFOp>())
      return nullptr;
    for (unsigned i : {0, 1}) {
      const PointExpr *power = exprs.resolve(expr->operands[1 - i]);
      if (numberOf(expr->operands[i]) != 1.0 || !power->isApply<math::ExpOp>())
        continue;
      const PointExpr *negated = exprs.resolve(power->operands[0]);
      if (negated->isApply<arith::NegFOp>())
        return negated->operands[0];
    }
    return nullptr;
  }

  RowOperand gate, up;
  const PointExpr *argument = nullptr; ///< of the sigmoid
  SmallVector<const PointExpr *> factors;
};

class GeluMatcher : public RowMatcher {
public:
  using RowMatcher::RowMatcher;

  bool match() {
    if (!findArgument(accessRoot()))
      return false;
    return collect(accessRoot()) && numValues == 1 && numHalves == 1 &&
           factor == 0.5 && asRows(values, x);
  }

  void replace() {
    replaceInStorage(root, x.isBF16(), [&](OpBuilder &b, Type storage) {
      return GeluOp::create(b, root.getLoc(), inLayout(b, x, storage));
    });
  }

private:
  /// c of c (1 + erf(y)), setting y, which is negative in erfc(y).
  std::optional<double> half(const PointExpr *expr, const PointExpr *&y,
                             bool &isNegative) {
    expr = exprs.resolve(expr);
    isNegative = expr->isApply<math::ErfcOp>();
    if (isNegative) {
      y = expr->operands[0];
      return 1;
    }
    if (!expr->isApply<arith::AddFOp>())
      return std::nullopt;
    for (unsigned i : {0, 1}) {
      auto added = numberOf(expr->operands[i]);
      if (!added)
        continue;
      double scale = 1;
      const PointExpr *other =
          exprs.resolve(withoutNumbers(expr->operands[1 - i], scale));
      if (scale != *added || !other->isApply<math::ErfOp>())
        return std::nullopt;
      y = other->operands[0];
      return scale;
    }
    return std::nullopt;
  }

  /// `expr` without factors that are numbers, which go into `scale`.
  const PointExpr *withoutNumbers(const PointExpr *expr, double &scale) {
    const PointExpr *resolved = exprs.resolve(expr);
    if (resolved->isApply<arith::NegFOp>()) {
      scale = -scale;
      return withoutNumbers(resolved->operands[0], scale);
    }
    if (resolved->isApply<arith::DivFOp>())
      if (auto divisor = numberOf(resolved->operands[1])) {
        scale /= *divisor;
        return withoutNumbers(resolved->operands[0], scale);
      }
    if (resolved->isApply<arith::MulFOp>())
      for (unsigned i : {0, 1})
        if (auto number = numberOf(resolved->operands[i])) {
          scale *= *number;
          return withoutNumbers(resolved->operands[1 - i], scale);
        }
    return expr;
  }

  /// Sets X to what the argument of the error function is made of.
  bool findArgument(const PointExpr *expr) {
    const PointExpr *y = nullptr;
    bool isNegative;
    if (half(expr, y, isNegative)) {
      double scale = isNegative ? -1 : 1;
      values = withoutNumbers(y, scale);
      return isHalfRoot(scale);
    }
    expr = exprs.resolve(expr);
    if (!visited.insert(expr).second)
      return false;
    if (expr->isApply<arith::MulFOp>())
      return findArgument(expr->operands[0]) || findArgument(expr->operands[1]);
    return expr->isApply<arith::DivFOp>() && findArgument(expr->operands[0]);
  }

  /// 1 / sqrt 2, as it is rounded in f32.
  static bool isHalfRoot(double scale) {
    return std::fabs(scale * std::sqrt(2.0) - 1) < 2e-7;
  }

  bool collect(const PointExpr *expr) {
    if (auto number = numberOf(expr)) {
      factor *= *number;
      return true;
    }
    if (same(expr, values))
      return ++numValues == 1;
    const PointExpr *y = nullptr;
    bool isNegative;
    if (auto number = half(expr, y, isNegative)) {
      factor *= *number;
      return ++numHalves == 1;
    }
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return collect(expr->operands[0]) && collect(expr->operands[1]);
    if (expr->isApply<arith::DivFOp>())
      if (auto divisor = numberOf(expr->operands[1])) {
        factor /= *divisor;
        return collect(expr->operands[0]);
      }
    return false;
  }

  RowOperand x;
  const PointExpr *values = nullptr;
  double factor = 1;
  unsigned numValues = 0, numHalves = 0;
  DenseSet<const PointExpr *> visited; ///< by findArgument()
};

} // namespace

bool attnres::raiseGate(Value root) {
  return isStorage(root) && raiseBy<GateMatcher>(root);
}

bool attnres::raiseGelu(Value root) {
  return isStorage(root) && raiseBy<GeluMatcher>(root);
}
