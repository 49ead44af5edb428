//===- NormMatcher.cpp - root mean squares in linalg ----------------------===//
#include "passes/import/NormMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

bool attnres::isStorage(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 0 && type.hasStaticShape() &&
         type.getNumElements() > 0 &&
         (type.getElementType().isF32() || type.getElementType().isBF16());
}

bool NormMatcher::hasColumns() {
  if (groups.empty() || groups.back().size() != 1)
    return false;
  d = groups.back().front();
  return true;
}

const PointExpr *NormMatcher::atColumn(const PointExpr *values) {
  values = skipCopies(values);
  SmallVector<AffineExpr> replacements;
  for (unsigned i = 0; i < extents.size(); ++i)
    replacements.push_back(dim(i == d ? k : i));
  return exprs.access(values->value, values->map.replaceDimsAndSymbols(
                                         replacements, {}, extents.size(), 0));
}

bool NormMatcher::isSource(const PointExpr *expr) {
  return expr->kind == Kind::Access && skipCopies(expr) == source;
}

bool NormMatcher::isNormalizer(const PointExpr *expr) {
  if (expr->isApply<math::RsqrtOp>())
    return isMeanSquare(expr->operands[0]);
  if (expr->isApply<math::PowFOp>()) {
    auto power = exprs.resolve(expr->operands[1])->floatConstant();
    return power && toDouble(*power) == -0.5 && isMeanSquare(expr->operands[0]);
  }
  if (!expr->isApply<arith::DivFOp>())
    return false;
  auto one = exprs.resolve(expr->operands[0])->floatConstant();
  return one && toDouble(*one) == 1 && isRoot(expr->operands[1]);
}

bool NormMatcher::isRoot(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  return expr->isApply<math::SqrtOp>() && isMeanSquare(expr->operands[0]);
}

/// mean(V^2) + eps.
bool NormMatcher::isMeanSquare(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  if (!expr->isApply<arith::AddFOp>())
    return false;
  for (unsigned i : {0, 1}) {
    auto number = exprs.resolve(expr->operands[i])->floatConstant();
    if (!number || !number->isFinite() || number->isNegative() ||
        !(number->isZero() ||
          std::isnormal(static_cast<float>(toDouble(*number)))) ||
        !isMean(expr->operands[1 - i]))
      continue;
    eps = toDouble(*number);
    ++numNormalizers;
    return true;
  }
  return false;
}

bool NormMatcher::isMean(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  auto extent = static_cast<double>(extents[d]);
  if (expr->isApply<arith::DivFOp>()) {
    auto divisor = exprs.resolve(expr->operands[1])->floatConstant();
    return divisor && toDouble(*divisor) == extent &&
           isSumOfSquares(expr->operands[0]);
  }
  if (!expr->isApply<arith::MulFOp>())
    return false;
  for (unsigned i : {0, 1}) {
    auto factor = exprs.resolve(expr->operands[i])->floatConstant();
    if (factor &&
        static_cast<float>(toDouble(*factor)) == static_cast<float>(1 / extent))
      return isSumOfSquares(expr->operands[1 - i]);
  }
  return false;
}

bool NormMatcher::isSumOfSquares(const PointExpr *expr) {
  auto squares = sum(expr, k);
  if (!squares)
    return false;
  const PointExpr *square = exprs.resolve(squares->operand);
  const PointExpr *factor = nullptr;
  if (square->isApply<math::PowFOp>()) {
    auto power = exprs.resolve(square->operands[1])->floatConstant();
    if (power && toDouble(*power) == 2)
      factor = square->operands[0];
  } else if (square->isApply<arith::MulFOp>() &&
             same(square->operands[0], square->operands[1])) {
    factor = square->operands[0];
  }
  if (!factor || factor->kind != Kind::Access)
    return false;
  if (!source)
    source = skipCopies(factor);
  return isSource(factor);
}
