//===- LogitForm.cpp - logits as scores with a mask -----------------------===//
#include "passes/import/LogitForm.h"
#include "passes/analysis/PointValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

namespace {

/// Added to a logit, it hides the key: exp of it is 0 beside any other.
constexpr double kHiding = -9e8;

/// Values of an expression for one query and all keys; one element when they
/// are the same for all keys. Floating-point numbers are factor * S + offset.
struct Row {
  unsigned width = 0; ///< of integers, 64 for indices; 0: floating-point
  std::vector<double> factor, offset;
  std::vector<int64_t> integers; ///< extended by their sign; i1 is 0 or 1

  bool isInteger() const { return width > 0; }
  size_t size() const { return isInteger() ? integers.size() : offset.size(); }
};

template <typename T>
T at(const std::vector<T> &values, size_t i) {
  return values[values.size() == 1 ? 0 : i];
}

class RowEvaluator {
public:
  RowEvaluator(PointExpressions &exprs, const QueryAndKey &positions)
      : exprs(exprs), positions(positions) {}

  void setQuery(int64_t index) {
    query = index;
    rows.clear();
  }

  /// Null when the value is not known.
  const Row *evaluate(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    auto found = rows.find(expr);
    if (found == rows.end()) {
      std::optional<Row> row = compute(expr);
      if (!row)
        return nullptr;
      found = rows.emplace(expr, std::move(*row)).first;
    }
    return &found->second;
  }

  const PointExpr *scores() const { return core; }

private:
  std::optional<Row> compute(const PointExpr *expr) {
    switch (expr->kind) {
    case Kind::Constant:
      return constant(expr->attribute, /*isConstant=*/true, {});
    case Kind::Index:
      return index(expr->index);
    case Kind::Access:
      return access(expr);
    case Kind::Apply:
      return apply(expr);
    }
    return std::nullopt;
  }

  /// The value of `expr` for each key; nothing when other positions count.
  std::optional<std::vector<int64_t>> indices(AffineExpr expr) {
    std::vector<int64_t> values;
    int64_t count = expr.isFunctionOfDim(positions.key) ? positions.keys : 1;
    for (int64_t key = 0; key < count; ++key) {
      std::optional<int64_t> value = indexAt(expr, key);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    return values;
  }

  std::optional<int64_t> indexAt(AffineExpr expr, int64_t key) {
    if (auto number = dyn_cast<AffineConstantExpr>(expr))
      return number.getValue();
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (dim.getPosition() == positions.query)
        return query;
      if (dim.getPosition() == positions.key)
        return key;
      return std::nullopt;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return std::nullopt;
    auto lhs = indexAt(binary.getLHS(), key),
         rhs = indexAt(binary.getRHS(), key);
    if (!lhs || !rhs)
      return std::nullopt;
    if (binary.getKind() == AffineExprKind::Add)
      return *lhs + *rhs;
    if (binary.getKind() == AffineExprKind::Mul)
      return *lhs * *rhs;
    return std::nullopt;
  }

  std::optional<Row> index(AffineExpr expr) {
    auto values = indices(expr);
    if (!values)
      return std::nullopt;
    Row row;
    row.width = 64;
    row.integers = std::move(*values);
    return row;
  }

  /// The elements of a constant at `places`, or the constant itself.
  std::optional<Row> constant(Attribute attribute, bool isConstant,
                              ArrayRef<int64_t> places) {
    Row row;
    auto append = [&](Attribute element) {
      std::optional<PointNumber> number = pointNumber(element);
      if (!number)
        return false;
      row.width = number->width;
      if (number->isInteger()) {
        row.integers.push_back(number->integer);
      } else {
        row.factor.push_back(0);
        row.offset.push_back(number->real);
      }
      return true;
    };
    if (isConstant)
      return append(attribute) ? std::optional<Row>(row) : std::nullopt;
    auto elements = cast<DenseElementsAttr>(attribute).getValues<Attribute>();
    for (int64_t place : places)
      if (!append(elements[place]))
        return std::nullopt;
    return row;
  }

  std::optional<Row> access(const PointExpr *expr) {
    DenseElementsAttr elements;
    if (isa<RankedTensorType>(expr->value.getType()) &&
        matchPattern(expr->value, m_Constant(&elements)))
      return constantTable(elements, expr->map);
    if (core && core != expr)
      return std::nullopt;
    core = expr;
    Row row;
    row.factor = {1};
    row.offset = {0};
    return row;
  }

  std::optional<Row> constantTable(DenseElementsAttr elements, AffineMap map) {
    int64_t count = map.isFunctionOfDim(positions.key) ? positions.keys : 1;
    std::vector<int64_t> places(count, 0);
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), elements.getType().getShape())) {
      std::vector<int64_t> values{0};
      // The index of a dimension of extent 1 is 0 whatever it is made of.
      if (size != 1) {
        auto known = indices(expr);
        if (!known)
          return std::nullopt;
        values = std::move(*known);
      }
      for (int64_t i = 0; i < count; ++i)
        places[i] = places[i] * size + at(values, i);
    }
    return constant(elements, /*isConstant=*/false, places);
  }

  std::optional<Row> apply(const PointExpr *expr) {
    SmallVector<const Row *, 3> operands;
    for (const PointExpr *operand : expr->operands) {
      operands.push_back(evaluate(operand));
      if (!operands.back())
        return std::nullopt;
    }
    size_t size = 1;
    for (const Row *operand : operands)
      size = std::max(size, operand->size());
    Row row;
    if (expr->isApply<arith::SelectOp>())
      return select(*operands[0], *operands[1], *operands[2], size);
    if (expr->isApply<arith::CmpIOp>() ||
        isa_and_nonnull<TypeAttr>(expr->attribute))
      return integers(expr, operands, size);
    if (expr->isApply<arith::UIToFPOp>() || expr->isApply<arith::SIToFPOp>())
      return converted(*operands[0], expr->isApply<arith::SIToFPOp>());
    for (size_t i = 0; i < size; ++i) {
      auto result = combine(expr, operands, i);
      if (!result)
        return std::nullopt;
      row.factor.push_back(result->first);
      row.offset.push_back(result->second);
    }
    return row;
  }

  /// One element of a floating-point operation as factor and offset.
  std::optional<std::pair<double, double>>
  combine(const PointExpr *expr, ArrayRef<const Row *> operands, size_t i) {
    for (const Row *operand : operands)
      if (operand->isInteger())
        return std::nullopt;
    double a = at(operands[0]->factor, i), b = at(operands[0]->offset, i);
    if (expr->isApply<arith::NegFOp>())
      return std::make_pair(-a, -b);
    if (operands.size() != 2)
      return std::nullopt;
    double c = at(operands[1]->factor, i), d = at(operands[1]->offset, i);
    if (expr->isApply<arith::AddFOp>())
      return std::make_pair(a + c, b + d);
    if (expr->isApply<arith::SubFOp>())
      return std::make_pair(a - c, b - d);
    // No score times infinity is no score.
    if (expr->isApply<arith::MulFOp>() && c == 0)
      return std::make_pair(a == 0 ? 0 : a * d, b * d);
    if (expr->isApply<arith::MulFOp>() && a == 0)
      return std::make_pair(c == 0 ? 0 : c * b, d * b);
    if (expr->isApply<arith::DivFOp>() && c == 0 && d != 0)
      return std::make_pair(a / d, b / d);
    return std::nullopt;
  }

  std::optional<Row> select(const Row &condition, const Row &whenTrue,
                            const Row &whenFalse, size_t size) {
    if (!condition.isInteger() || whenTrue.width != whenFalse.width)
      return std::nullopt;
    Row row;
    row.width = whenTrue.width;
    for (size_t i = 0; i < size; ++i) {
      const Row &taken = at(condition.integers, i) ? whenTrue : whenFalse;
      if (row.isInteger()) {
        row.integers.push_back(at(taken.integers, i));
      } else {
        row.factor.push_back(at(taken.factor, i));
        row.offset.push_back(at(taken.offset, i));
      }
    }
    return row;
  }

  /// An operation on integers, of one or two operands.
  std::optional<Row> integers(const PointExpr *expr,
                              ArrayRef<const Row *> operands, size_t size) {
    Row row;
    for (size_t i = 0; i < size; ++i) {
      SmallVector<PointNumber, 3> numbers;
      for (const Row *operand : operands) {
        if (!operand->isInteger())
          return std::nullopt;
        numbers.push_back({operand->width, at(operand->integers, i)});
      }
      auto result = applyToIntegers(expr, numbers);
      if (!result)
        return std::nullopt;
      row.width = result->width;
      row.integers.push_back(result->integer);
    }
    return row;
  }

  std::optional<Row> converted(const Row &from, bool isSigned) {
    if (!from.isInteger())
      return std::nullopt;
    Row row;
    for (int64_t value : from.integers) {
      double number = static_cast<double>(value);
      if (from.width == 1)
        number = isSigned ? -number : number;
      else if (!isSigned)
        number = APInt(from.width, static_cast<uint64_t>(value), false, true)
                     .roundToDouble(/*isSigned=*/false);
      row.factor.push_back(0);
      row.offset.push_back(number);
    }
    return row;
  }

  PointExpressions &exprs;
  const QueryAndKey positions;
  int64_t query = 0;
  const PointExpr *core = nullptr;
  std::map<const PointExpr *, Row> rows;
};

} // namespace

std::optional<LogitForm> attnres::analyzeLogits(PointExpressions &exprs,
                                                const PointExpr *logits,
                                                const PointExpr *keep,
                                                const QueryAndKey &positions) {
  RowEvaluator evaluator(exprs, positions);
  std::optional<double> scale;
  bool hides = false, isCausal = positions.keys >= positions.queries;
  int64_t offset = positions.keys - positions.queries;
  for (int64_t query = 0; query < positions.queries; ++query) {
    evaluator.setQuery(query);
    const Row *row = evaluator.evaluate(logits);
    const Row *kept = keep ? evaluator.evaluate(keep) : nullptr;
    if (!row || row->isInteger() || (keep && (!kept || kept->isInteger())))
      return std::nullopt;
    for (int64_t key = 0; key < positions.keys; ++key) {
      double a = at(row->factor, key), b = at(row->offset, key);
      double factor = kept ? at(kept->offset, key) : 1;
      if ((factor != 0 && factor != 1) || (kept && at(kept->factor, key) != 0))
        return std::nullopt;
      bool isHidden = b <= kHiding || factor == 0;
      if (!isHidden || (factor == 0 && b == 0)) {
        if (b != 0 || !std::isfinite(a) || (scale && a != *scale))
          return std::nullopt;
        scale = a;
      } else if (a != 0 && scale && a != *scale) {
        return std::nullopt;
      }
      hides |= isHidden;
      isCausal &= isHidden == (key > query + offset);
    }
    if (hides && !isCausal)
      return std::nullopt;
  }
  if (!scale || *scale == 0 || !evaluator.scores())
    return std::nullopt;
  return LogitForm{evaluator.scores(), *scale, hides};
}
