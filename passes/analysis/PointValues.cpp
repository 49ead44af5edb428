//===- PointValues.cpp - numbers that expressions are ---------------------===//
#include "passes/analysis/PointValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;
using Number = std::optional<PointNumber>;

PointNumber PointNumber::ofInteger(unsigned width, uint64_t value) {
  int64_t wrapped =
      width == 1
          ? static_cast<int64_t>(value & 1)
          : APInt(width, value, false, /*implicitTrunc=*/true).getSExtValue();
  return {width, wrapped, 0};
}

std::optional<unsigned> attnres::pointWidth(Type type) {
  unsigned width = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  return width > 0 && width <= 64 ? std::optional<unsigned>(width)
                                  : std::nullopt;
}

Number attnres::pointNumber(Attribute element) {
  if (auto real = dyn_cast<FloatAttr>(element))
    return PointNumber::ofReal(real.getValueAsDouble());
  auto integer = dyn_cast<IntegerAttr>(element);
  if (!integer)
    return std::nullopt;
  auto width = pointWidth(integer.getType());
  if (!width)
    return std::nullopt;
  return PointNumber::ofInteger(*width, integer.getValue().getZExtValue());
}

Number attnres::applyToIntegers(const PointExpr *expr,
                                ArrayRef<PointNumber> operands) {
  for (const PointNumber &operand : operands)
    if (!operand.isInteger())
      return std::nullopt;
  unsigned from = operands[0].width;
  if (expr->isApply<arith::CmpIOp>()) {
    auto predicate = static_cast<arith::CmpIPredicate>(
        cast<IntegerAttr>(expr->attribute).getInt());
    auto number = [&](int64_t value) {
      return APInt(from, static_cast<uint64_t>(value), false,
                   /*implicitTrunc=*/true);
    };
    return PointNumber::ofInteger(
        1, arith::applyCmpPredicate(predicate, number(operands[0].integer),
                                    number(operands[1].integer)));
  }
  auto type = dyn_cast_or_null<TypeAttr>(expr->attribute);
  auto width = type ? pointWidth(type.getValue()) : std::nullopt;
  if (!width)
    return std::nullopt;
  int64_t a = operands[0].integer;
  int64_t b = operands.size() > 1 ? operands[1].integer : 0;
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  // As a signed number, i1 is 0 or -1.
  auto isLess = [&](int64_t lhs, int64_t rhs) {
    return from == 1 ? lhs > rhs : lhs < rhs;
  };
  auto wrapped = [&](uint64_t value) {
    return PointNumber::ofInteger(*width, value);
  };
  if (expr->isApply<arith::AddIOp>())
    return wrapped(x + y);
  if (expr->isApply<arith::SubIOp>())
    return wrapped(x - y);
  if (expr->isApply<arith::MulIOp>())
    return wrapped(x * y);
  if (expr->isApply<arith::AndIOp>())
    return wrapped(x & y);
  if (expr->isApply<arith::OrIOp>())
    return wrapped(x | y);
  if (expr->isApply<arith::XOrIOp>())
    return wrapped(x ^ y);
  if (expr->isApply<arith::MaxSIOp>())
    return wrapped(isLess(a, b) ? y : x);
  if (expr->isApply<arith::MinSIOp>())
    return wrapped(isLess(a, b) ? x : y);
  if (expr->isApply<arith::ExtUIOp>() || expr->isApply<arith::IndexCastUIOp>())
    return wrapped(from == 64 ? x : x & ((uint64_t{1} << from) - 1));
  if (expr->isApply<arith::TruncIOp>())
    return wrapped(x);
  if (expr->isApply<arith::ExtSIOp>() || expr->isApply<arith::IndexCastOp>())
    return wrapped(from == 1 ? -x : x);
  return std::nullopt;
}

void PointValues::setPosition(ArrayRef<int64_t> indices) {
  position.assign(indices.begin(), indices.end());
  known.clear();
}

void PointValues::assign(const PointExpr *access, PointNumber value) {
  assigned[access] = value;
  known.clear();
}

static double roundedToBF16(double value) {
  APFloat number(value);
  bool isExact;
  number.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &isExact);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isExact);
  return number.convertToDouble();
}

Number PointValues::evaluate(const PointExpr *expr) {
  const PointExpr *resolved = exprs.resolve(expr);
  auto found = known.find(resolved);
  Number value = found != known.end() ? found->second : compute(resolved);
  if (!value)
    return value;
  known[resolved] = *value;
  value->isRounded |= exprs.isRounded(expr);
  return value;
}

Number PointValues::compute(const PointExpr *expr) {
  switch (expr->kind) {
  case Kind::Constant:
    return pointNumber(expr->attribute);
  case Kind::Index:
    if (auto index = indexAt(expr->index))
      return PointNumber::ofInteger(64, static_cast<uint64_t>(*index));
    return std::nullopt;
  case Kind::Access:
    return access(expr);
  case Kind::Apply:
    break;
  }
  // A sign or a choice is the same before and behind a rounding.
  bool keepsRounding =
      expr->isApply<arith::NegFOp>() || expr->isApply<arith::SelectOp>();
  SmallVector<PointNumber, 3> operands;
  for (const PointExpr *operand : expr->operands) {
    Number value = evaluate(operand);
    if (!value)
      return std::nullopt;
    if (value->isRounded && !keepsRounding)
      *value = PointNumber::ofReal(roundedToBF16(value->real));
    operands.push_back(*value);
  }
  Number result = apply(expr, operands);
  if (result && expr->isApply<arith::NegFOp>())
    result->isRounded = operands[0].isRounded;
  return result;
}

std::optional<int64_t> PointValues::indexAt(AffineExpr index) const {
  if (auto number = dyn_cast<AffineConstantExpr>(index))
    return number.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(index)) {
    if (dim.getPosition() >= position.size())
      return std::nullopt;
    return position[dim.getPosition()];
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  if (!binary)
    return std::nullopt;
  auto lhs = indexAt(binary.getLHS()), rhs = indexAt(binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (binary.getKind() == AffineExprKind::Mul)
    return *lhs * *rhs;
  return std::nullopt;
}

Number PointValues::access(const PointExpr *expr) {
  auto given = assigned.find(expr);
  if (given != assigned.end())
    return given->second;
  DenseElementsAttr elements;
  if (isa<RankedTensorType>(expr->value.getType()) &&
      matchPattern(expr->value, m_Constant(&elements))) {
    int64_t place = 0;
    for (auto [index, size] : llvm::zip_equal(expr->map.getResults(),
                                              elements.getType().getShape())) {
      auto at = indexAt(index);
      if (size != 1 && (!at || *at < 0 || *at >= size))
        return std::nullopt;
      place = place * size + (size == 1 ? 0 : *at);
    }
    return pointNumber(elements.getValues<Attribute>()[place]);
  }
  // What is combined over a single element, as tests of index vectors are.
  AffineExpr first = getAffineConstantExpr(0, expr->map.getContext());
  auto reduction = exprs.reduction(expr, first);
  if (!reduction || reduction->extent != 1 ||
      !isa<arith::AndIOp>(reduction->combiner))
    return std::nullopt;
  Number value = evaluate(reduction->operand), init = evaluate(reduction->init);
  if (!value || !init || value->width != init->width)
    return std::nullopt;
  return PointNumber::ofInteger(
      value->width, static_cast<uint64_t>(value->integer & init->integer));
}

static std::optional<bool> compareReals(arith::CmpFPredicate predicate,
                                        double a, double b) {
  using P = arith::CmpFPredicate;
  if (std::isnan(a) || std::isnan(b))
    return std::nullopt;
  switch (predicate) {
  case P::OEQ:
  case P::UEQ:
    return a == b;
  case P::ONE:
  case P::UNE:
    return a != b;
  case P::OGT:
  case P::UGT:
    return a > b;
  case P::OGE:
  case P::UGE:
    return a >= b;
  case P::OLT:
  case P::ULT:
    return a < b;
  case P::OLE:
  case P::ULE:
    return a <= b;
  default:
    return std::nullopt;
  }
}

static std::optional<double> applyToReals(const PointExpr *expr, double a,
                                          double b) {
  if (expr->isApply<arith::AddFOp>())
    return a + b;
  if (expr->isApply<arith::SubFOp>())
    return a - b;
  if (expr->isApply<arith::MulFOp>())
    return a * b;
  if (expr->isApply<arith::DivFOp>())
    return a / b;
  if (expr->isApply<arith::NegFOp>())
    return -a;
  if (expr->isApply<math::PowFOp>())
    return std::pow(a, b);
  if (expr->isApply<math::ExpOp>())
    return std::exp(a);
  if (expr->isApply<math::LogOp>())
    return std::log(a);
  if (expr->isApply<math::SqrtOp>())
    return std::sqrt(a);
  if (expr->isApply<math::RsqrtOp>())
    return 1 / std::sqrt(a);
  if (expr->isApply<math::CosOp>())
    return std::cos(a);
  if (expr->isApply<math::SinOp>())
    return std::sin(a);
  return std::nullopt;
}

Number PointValues::apply(const PointExpr *expr,
                          ArrayRef<PointNumber> operands) {
  if (operands.empty())
    return std::nullopt;
  if (expr->isApply<arith::SelectOp>()) {
    if (!operands[0].isInteger())
      return std::nullopt;
    return operands[0].integer ? operands[1] : operands[2];
  }
  if (expr->isApply<arith::SIToFPOp>() || expr->isApply<arith::UIToFPOp>()) {
    const PointNumber &from = operands[0];
    bool isSigned = expr->isApply<arith::SIToFPOp>();
    if (!from.isInteger() || (!isSigned && from.integer < 0))
      return std::nullopt;
    double value = static_cast<double>(from.integer);
    return PointNumber::ofReal(isSigned && from.width == 1 ? -value : value);
  }
  if (expr->isApply<arith::CmpFOp>()) {
    if (operands[0].isInteger() || operands[1].isInteger())
      return std::nullopt;
    auto result = compareReals(static_cast<arith::CmpFPredicate>(
                                   cast<IntegerAttr>(expr->attribute).getInt()),
                               operands[0].real, operands[1].real);
    return result ? Number(PointNumber::ofInteger(1, *result)) : std::nullopt;
  }
  if (operands[0].isInteger())
    return applyToIntegers(expr, operands);
  if (operands.size() > 2 || operands.back().isInteger())
    return std::nullopt;
  auto result = applyToReals(expr, operands[0].real, operands.back().real);
  return result ? Number(PointNumber::ofReal(*result)) : std::nullopt;
}
