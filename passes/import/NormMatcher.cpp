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

std::optional<double> NormMatcher::numberOf(const PointExpr *expr) {
  auto number = PointValues(exprs).evaluate(expr);
  return number && !number->isInteger() ? std::optional<double>(number->real)
                                        : std::nullopt;
}

bool NormMatcher::isNormalizer(const PointExpr *expr) {
  if (expr->isApply<math::RsqrtOp>())
    return isSpreadPlusEps(expr->operands[0]);
  if (expr->isApply<math::PowFOp>())
    return numberOf(expr->operands[1]) == -0.5 &&
           isSpreadPlusEps(expr->operands[0]);
  return expr->isApply<arith::DivFOp>() && numberOf(expr->operands[0]) == 1.0 &&
         isRoot(expr->operands[1]);
}

bool NormMatcher::isRoot(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  return expr->isApply<math::SqrtOp>() && isSpreadPlusEps(expr->operands[0]);
}

bool NormMatcher::isSpreadPlusEps(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  if (!expr->isApply<arith::AddFOp>())
    return false;
  for (unsigned i : {0, 1}) {
    auto number = numberOf(expr->operands[i]);
    if (!number ||
        !(*number == 0 ||
          (*number > 0 && std::isnormal(static_cast<float>(*number)))) ||
        !isSpread(expr->operands[1 - i]))
      continue;
    eps = *number;
    ++numNormalizers;
    return true;
  }
  return false;
}

const PointExpr *NormMatcher::meanOf(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  auto extent = static_cast<double>(extents[d]);
  const PointExpr *total = nullptr;
  if (expr->isApply<arith::DivFOp>()) {
    if (numberOf(expr->operands[1]) == extent)
      total = expr->operands[0];
  } else if (expr->isApply<arith::MulFOp>()) {
    for (unsigned i : {0, 1})
      if (auto factor = numberOf(expr->operands[i]);
          factor &&
          static_cast<float>(*factor) == static_cast<float>(1 / extent))
        total = expr->operands[1 - i];
  }
  auto summed = total ? sum(total, k) : std::nullopt;
  return summed ? summed->operand : nullptr;
}

const PointExpr *NormMatcher::squared(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  if (expr->isApply<math::PowFOp>())
    return numberOf(expr->operands[1]) == 2.0 ? expr->operands[0] : nullptr;
  return expr->isApply<arith::MulFOp>() &&
                 same(expr->operands[0], expr->operands[1])
             ? expr->operands[0]
             : nullptr;
}

bool NormMatcher::isSpread(const PointExpr *expr) {
  const PointExpr *square = meanOf(expr);
  const PointExpr *factor = square ? squared(square) : nullptr;
  if (!factor || factor->kind != Kind::Access)
    return false;
  if (!source)
    source = skipCopies(factor);
  return isSource(factor);
}
