//===- IntegerArithmetic.cpp - what arith makes of integers ---------------===//
#include "passes/analysis/IntegerArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace attnres;

unsigned attnres::integerWidth(Type type) {
  type = getElementTypeOrSelf(type);
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

static Interval whole(const IntegerValues &known) {
  Interval all{std::numeric_limits<int64_t>::max(),
               std::numeric_limits<int64_t>::min()};
  for (const Piece &piece : known) {
    Interval range = piece.values();
    all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  }
  return all;
}

/// x & y where one of them is not negative.
static std::optional<IntegerValues> masked(const IntegerValues &x,
                                           const IntegerValues &y) {
  Interval a = whole(x), b = whole(y);
  if (a.low < 0 && b.low < 0)
    return std::nullopt;
  int64_t high = a.low < 0   ? b.high
                 : b.low < 0 ? a.high
                             : std::min(a.high, b.high);
  return constantValue({0, high});
}

/// Numbers that may be negative get the greatest values of their type.
static IntegerValues withoutSign(Operation *op, const IntegerValues &known,
                                 unsigned width) {
  unsigned from = integerWidth(op->getOperand(0).getType());
  IntegerValues result;
  for (const Piece &piece : known) {
    Interval range = piece.values();
    if (range.low >= 0) {
      result.push_back(piece);
      continue;
    }
    Interval inside = insideFor(piece, {0, rangeOfWidth(64).high});
    auto push = [&](Interval when, bool isPlain) {
      if (when.empty())
        return;
      Piece part = piece;
      part.when = when;
      if (!isPlain) {
        part.slope = 0;
        part.offset = from < 64 && from < width
                          ? Interval{0, (int64_t{1} << from) - 1}
                          : rangeOfWidth(width);
      }
      result.push_back(part);
    };
    if (inside.empty()) {
      push(piece.when, false);
      continue;
    }
    push(inside, true);
    if (piece.when.low < inside.low)
      push({piece.when.low, inside.low - 1}, false);
    if (inside.high < piece.when.high)
      push({inside.high + 1, piece.when.high}, false);
  }
  return convert(result, width);
}

static IntegerValues signedComparison(arith::CmpIPredicate predicate,
                                      const IntegerValues &lhs,
                                      const IntegerValues &rhs) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return compare(Relation::Equal, lhs, rhs);
  case P::ne:
    return logicalNot(compare(Relation::Equal, lhs, rhs));
  case P::slt:
  case P::ult:
    return compare(Relation::Less, lhs, rhs);
  case P::sle:
  case P::ule:
    return compare(Relation::LessEqual, lhs, rhs);
  case P::sgt:
  case P::ugt:
    return compare(Relation::Less, rhs, lhs);
  case P::sge:
  case P::uge:
    return compare(Relation::LessEqual, rhs, lhs);
  }
  llvm_unreachable("unknown predicate");
}

/// As with signs where these agree, otherwise the negative one is greater.
static IntegerValues unsignedComparison(arith::CmpIPredicate predicate,
                                        const IntegerValues &lhs,
                                        const IntegerValues &rhs) {
  IntegerValues zero = constantValue({0, 0});
  IntegerValues lhsNegative = compare(Relation::Less, lhs, zero);
  IntegerValues rhsNegative = compare(Relation::Less, rhs, zero);
  IntegerValues agree = signedComparison(predicate, lhs, rhs);
  using P = arith::CmpIPredicate;
  bool isLess = predicate == P::ult || predicate == P::ule;
  IntegerValues one = constantValue({1, 1});
  return select(lhsNegative, select(rhsNegative, agree, isLess ? zero : one),
                select(rhsNegative, isLess ? one : zero, agree));
}

static std::optional<IntegerValues> comparison(arith::CmpIOp op,
                                               const IntegerValues &lhs,
                                               const IntegerValues &rhs) {
  using P = arith::CmpIPredicate;
  P predicate = op.getPredicate();
  if (integerWidth(op.getLhs().getType()) == 1 && predicate != P::eq &&
      predicate != P::ne)
    return std::nullopt;
  switch (predicate) {
  case P::ult:
  case P::ule:
  case P::ugt:
  case P::uge:
    // Without sign the numbers below 0 are the greatest.
    if (whole(lhs).low < 0 || whole(rhs).low < 0)
      return unsignedComparison(predicate, lhs, rhs);
    break;
  default:
    break;
  }
  return signedComparison(predicate, lhs, rhs);
}

std::optional<IntegerValues>
attnres::integerArithmetic(Operation *op,
                           function_ref<IntegerValues(unsigned)> operand) {
  unsigned width = integerWidth(op->getResult(0).getType());
  return TypeSwitch<Operation *, std::optional<IntegerValues>>(op)
      .Case<arith::AddIOp>(
          [&](auto) { return add(operand(0), operand(1), width); })
      .Case<arith::SubIOp>(
          [&](auto) { return subtract(operand(0), operand(1), width); })
      .Case<arith::MulIOp>(
          [&](auto) { return multiply(operand(0), operand(1), width); })
      .Case<arith::MaxSIOp>(
          [&](auto) { return maximum(operand(0), operand(1)); })
      .Case<arith::MinSIOp>(
          [&](auto) { return minimum(operand(0), operand(1)); })
      .Case<arith::TruncIOp>([&](auto) { return convert(operand(0), width); })
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](auto) {
        bool truth = integerWidth(op->getOperand(0).getType()) == 1;
        return truth ? subtract(constantValue({0, 0}), operand(0), width)
                     : convert(operand(0), width);
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [&](auto) { return withoutSign(op, operand(0), width); })
      .Case<arith::SelectOp>(
          [&](auto) { return select(operand(0), operand(1), operand(2)); })
      .Case([&](arith::CmpIOp o) {
        return comparison(o, operand(0), operand(1));
      })
      .Case<arith::AndIOp>([&](auto) -> std::optional<IntegerValues> {
        if (width == 1)
          return logicalAnd(operand(0), operand(1));
        return masked(operand(0), operand(1));
      })
      .Case<arith::OrIOp>([&](auto) -> std::optional<IntegerValues> {
        if (width != 1)
          return std::nullopt;
        return logicalNot(
            logicalAnd(logicalNot(operand(0)), logicalNot(operand(1))));
      })
      .Case<arith::XOrIOp>([&](auto) -> std::optional<IntegerValues> {
        if (width != 1)
          return std::nullopt;
        return select(operand(0), logicalNot(operand(1)), operand(1));
      })
      .Case<arith::RemUIOp, arith::RemSIOp>(
          [&](auto) -> std::optional<IntegerValues> {
            Interval divisor = whole(operand(1)), number = whole(operand(0));
            if (divisor.low < 1)
              return std::nullopt;
            bool isPlain = number.low >= 0;
            if (isa<arith::RemUIOp>(op) || isPlain)
              return constantValue({0, divisor.high - 1});
            return constantValue({-(divisor.high - 1), divisor.high - 1});
          })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp, arith::ShRUIOp,
            arith::ShRSIOp>([&](auto) -> std::optional<IntegerValues> {
        Interval divisor = whole(operand(1)), number = whole(operand(0));
        bool isShift = isa<arith::ShRUIOp, arith::ShRSIOp>(op);
        if (number.low < 0 || divisor.low < (isShift ? 0 : 1))
          return std::nullopt;
        return constantValue({0, number.high});
      })
      .Default([](Operation *) { return std::nullopt; });
}
