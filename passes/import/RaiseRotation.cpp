//===- RaiseRotation.cpp - rotary position embedding in linalg ------------===//
//
// The root has columns i of its last dimension, an even number D of them, and
// one dimension t of tokens. Of a tensor X of the root's shape it is
//
//   Y[t,i]       = X[t,i] cos a(t,i) - X[t,i+D/2] sin a(t,i)
//   Y[t,i+D/2]   = X[t,i+D/2] cos a(t,i) + X[t,i] sin a(t,i)   for i < D/2
//
// with a(t,i) = t theta^(-2i/D), or the same of -a(t,i). Factors are compared
// by their values: computed from indices and constants in whatever way, they
// are evaluated for every t and i, and theta is what they say. Positions and
// angles rounded to bf16 are others; cosines and sines may be. Pairs of
// neighbouring columns are not raised, for attnres.rope rotates halves; nor are
// factors that are inputs.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "passes/analysis/PointValues.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/Layouts.h"
#include "passes/import/NormMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

namespace {

/// Expressions that are looked at, at most: those of a rotation are few.
constexpr unsigned kMostExprs = 256;

struct Rotation {
  double theta;
  bool isInverse;  ///< by -a(t,i)
  unsigned tokens; ///< the dimension t
};

class RotationMatcher {
public:
  explicit RotationMatcher(Value root)
      : root(root), context(root.getContext()), extents(halved(root)),
        columns(extents.size() - 1), half(extents.back()),
        exprs(context, extents), values(exprs) {
    lowMap = AffineMap::getMultiDimIdentityMap(extents.size(), context);
    SmallVector<AffineExpr> indices(lowMap.getResults());
    indices.back() = indices.back() + half;
    highMap = AffineMap::get(extents.size(), 0, indices, context);
  }

  /// X: in bf16 where the root stays in it and there is one, otherwise the
  /// nearest to the root.
  bool match() {
    low = exprs.access(root, lowMap);
    high = exprs.access(root, highMap);
    collectCandidates();
    for (Value candidate : candidates) {
      bool isBF16 = getElementTypeOrSelf(candidate.getType()).isBF16();
      if (x && !(isBF16 && staysNarrow(root)))
        continue;
      if (auto found = rotationOf(candidate)) {
        rotation = *found;
        x = candidate;
      }
    }
    return static_cast<bool>(x);
  }

  void replace() {
    bool isBF16 = getElementTypeOrSelf(x.getType()).isBF16();
    replaceInStorage(root, isBF16, [&](OpBuilder &b, Type storage) {
      auto type = cast<RankedTensorType>(root.getType());
      int64_t batch = 1, heads = 1;
      for (unsigned d = 0; d < columns; ++d)
        if (d != rotation.tokens)
          (d < rotation.tokens ? batch : heads) *= extents[d];
      Value rows = reshaped(b, converted(b, x, storage),
                            {batch, extents[rotation.tokens], heads, 2 * half});
      Value rope = RopeOp::create(
          b, root.getLoc(), rows, /*table=*/Value(), /*start=*/Value(),
          /*documents=*/Value(), b.getF64FloatAttr(rotation.theta),
          b.getI64IntegerAttr(0), /*positions=*/IntegerAttr(),
          rotation.isInverse ? b.getUnitAttr() : UnitAttr());
      return reshaped(b, rope, type.getShape());
    });
  }

private:
  static SmallVector<int64_t> halved(Value root) {
    SmallVector<int64_t> extents(
        cast<RankedTensorType>(root.getType()).getShape());
    extents.back() /= 2;
    return extents;
  }

  /// Whether `expr` is `value` at the position, or half a row behind it.
  bool isAt(const PointExpr *expr, Value value, AffineMap map) {
    return expr->kind == Kind::Access && expr->value == value &&
           expr == exprs.access(value, map);
  }

  /// Tensors of the root's shape that are read at the position.
  void collectCandidates() {
    SmallVector<const PointExpr *> worklist{low};
    DenseSet<const PointExpr *> visited;
    while (!worklist.empty() && visited.size() < kMostExprs) {
      const PointExpr *expr = worklist.pop_back_val();
      if (!visited.insert(expr).second)
        continue;
      if (expr->kind == Kind::Apply)
        worklist.append(expr->operands.begin(), expr->operands.end());
      if (expr->kind != Kind::Access)
        continue;
      if (expr->value != root && isStorage(expr->value) &&
          isAt(expr, expr->value, lowMap) &&
          cast<RankedTensorType>(expr->value.getType()).getShape() ==
              cast<RankedTensorType>(root.getType()).getShape())
        candidates.insert(expr->value);
      if (const PointExpr *next = exprs.expand(expr))
        worklist.push_back(next);
    }
  }

  //===--- Factors --------------------------------------------------------===//

  /// A product of factors that follow from the position, with its sign.
  struct Product {
    SmallVector<const PointExpr *> factors;
    bool isNegative = false;
  };
  /// Of X here, and of X in the other half.
  struct Form {
    SmallVector<Product> here, there;
  };

  /// Whether the value of `expr` follows from the position.
  bool isTable(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (auto known = tables.find(expr); known != tables.end())
      return known->second;
    bool isKnown = expr->kind == Kind::Apply
                       ? llvm::all_of(expr->operands,
                                      [&](const PointExpr *operand) {
                                        return isTable(operand);
                                      })
                       : expr->kind != Kind::Access ||
                             expr->value.getDefiningOp<arith::ConstantOp>();
    tables[expr] = isKnown;
    return isKnown;
  }

  /// The dimensions that a table depends on.
  void addDims(const PointExpr *table, DenseSet<const PointExpr *> &visited,
               llvm::SetVector<unsigned> &dims) {
    table = exprs.resolve(table);
    if (!visited.insert(table).second)
      return;
    auto add = [&](AffineExpr index) {
      for (unsigned d = 0; d < extents.size(); ++d)
        if (index.isFunctionOfDim(d) && extents[d] > 1)
          dims.insert(d);
    };
    if (table->kind == Kind::Index)
      add(table->index);
    else if (table->kind == Kind::Access)
      llvm::for_each(table->map.getResults(), add);
    for (const PointExpr *operand : table->operands)
      addDims(operand, visited, dims);
  }

  /// The one dimension beside the columns that factors depend on.
  std::optional<unsigned> tokensOf(const Form &first, const Form &second) {
    llvm::SetVector<unsigned> dims;
    DenseSet<const PointExpr *> visited;
    for (const Form *form : {&first, &second})
      for (ArrayRef<Product> products :
           {ArrayRef<Product>(form->here), ArrayRef<Product>(form->there)})
        for (const Product &product : products)
          for (const PointExpr *factor : product.factors)
            addDims(factor, visited, dims);
    dims.remove(columns);
    return dims.size() == 1 ? std::optional<unsigned>(dims.front())
                            : std::nullopt;
  }

  /// Reads a half of the root as a sum of products with X.
  bool collect(const PointExpr *expr, Value candidate, Product product,
               Form &form, bool isHigh) {
    if (++numCollected > kMostExprs)
      return false;
    for (bool there : {false, true})
      if (isAt(expr, candidate, there != isHigh ? highMap : lowMap)) {
        (there ? form.there : form.here).push_back(std::move(product));
        return true;
      }
    const PointExpr *resolved =
        expr->kind == Kind::Access ? exprs.expand(expr) : expr;
    if (!resolved)
      return false;
    if (resolved->kind == Kind::Access)
      return collect(resolved, candidate, std::move(product), form, isHigh);
    auto next = [&](unsigned operand, Product with) {
      return collect(resolved->operands[operand], candidate, std::move(with),
                     form, isHigh);
    };
    if (resolved->isApply<arith::AddFOp>() ||
        resolved->isApply<arith::SubFOp>()) {
      Product second = product;
      second.isNegative ^= resolved->isApply<arith::SubFOp>();
      return next(0, std::move(product)) && next(1, std::move(second));
    }
    if (resolved->isApply<arith::NegFOp>()) {
      product.isNegative = !product.isNegative;
      return next(0, std::move(product));
    }
    if (!resolved->isApply<arith::MulFOp>())
      return false;
    for (unsigned i : {0, 1})
      if (isTable(resolved->operands[i])) {
        product.factors.push_back(resolved->operands[i]);
        return next(1 - i, std::move(product));
      }
    return false;
  }

  std::optional<double> valueOf(ArrayRef<Product> products) {
    double sum = 0;
    for (const Product &product : products) {
      double value = product.isNegative ? -1 : 1;
      for (const PointExpr *factor : product.factors) {
        auto number = values.evaluate(factor);
        if (!number || number->isInteger())
          return std::nullopt;
        value *= number->real;
      }
      sum += value;
    }
    return sum;
  }

  //===--- Angles ---------------------------------------------------------===//

  std::optional<Rotation> rotationOf(Value candidate) {
    numCollected = 0;
    Form first, second;
    if (!collect(low, candidate, {}, first, /*isHigh=*/false) ||
        !collect(high, candidate, {}, second, /*isHigh=*/true))
      return std::nullopt;
    auto tokens = tokensOf(first, second);
    if (!tokens)
      return std::nullopt;
    Rotation found{1e4, false, *tokens};
    // The first token that is rotated says theta: of the slowest column.
    if (half > 1) {
      auto cosine = at(first.here, found.tokens, 1, half - 1);
      auto sine = at(second.there, found.tokens, 1, half - 1);
      if (!cosine || !sine)
        return std::nullopt;
      double angle = std::fabs(std::atan2(*sine, *cosine));
      double theta = std::pow(angle, -static_cast<double>(half) /
                                         static_cast<double>(half - 1));
      // As it was written, if that is it.
      for (double shown : {rounded(theta, 4), rounded(theta, 6), theta}) {
        found.theta = shown;
        if (std::isfinite(shown) && shown > 0 && confirm(found, first, second))
          return found;
      }
      return std::nullopt;
    }
    return confirm(found, first, second) ? std::optional<Rotation>(found)
                                         : std::nullopt;
  }

  /// To so many significant digits.
  static double rounded(double value, int digits) {
    if (!(value > 0) || !std::isfinite(value))
      return value;
    double unit = std::pow(10.0, digits - 1 - std::floor(std::log10(value)));
    return std::round(value * unit) / unit;
  }

  std::optional<double> at(ArrayRef<Product> products, unsigned tokens,
                           int64_t token, int64_t column) {
    moveTo(tokens, token, column);
    return valueOf(products);
  }

  void moveTo(unsigned tokens, int64_t token, int64_t column) {
    SmallVector<int64_t> position(extents.size(), 0);
    position[tokens] = token;
    position[columns] = column;
    values.setPosition(position);
  }

  /// Whether all factors are those of the rotation, as exactly as angles and
  /// tables in f32 are.
  bool confirm(Rotation &found, const Form &first, const Form &second) {
    std::optional<bool> isInverse;
    for (int64_t token = 0; token < extents[found.tokens]; ++token)
      for (int64_t column = 0; column < half; ++column) {
        moveTo(found.tokens, token, column);
        auto a = valueOf(first.here), b = valueOf(first.there),
             c = valueOf(second.here), d = valueOf(second.there);
        if (!a || !b || !c || !d)
          return false;
        double angle = static_cast<double>(token) *
                       std::pow(found.theta, -static_cast<double>(column) /
                                                 static_cast<double>(half));
        double cosine = std::cos(angle), sine = std::sin(angle);
        double tolerance = 5e-7 * (1 + angle);
        if (!isInverse && std::fabs(sine) > 4 * tolerance)
          isInverse = (*d > 0) != (sine > 0);
        if (isInverse.value_or(false))
          sine = -sine;
        auto isNear = [&](double value, double wanted) {
          return std::fabs(value - wanted) <= tolerance;
        };
        if (!isNear(*a, cosine) || !isNear(*c, cosine) || !isNear(*b, -sine) ||
            !isNear(*d, sine))
          return false;
      }
    found.isInverse = isInverse.value_or(false);
    return isInverse.has_value();
  }

  Value root;
  MLIRContext *context;
  SmallVector<int64_t> extents; ///< of the root, the last one halved
  unsigned columns;             ///< the last dimension
  int64_t half;
  PointExpressions exprs;
  PointValues values;
  AffineMap lowMap, highMap;
  const PointExpr *low = nullptr, *high = nullptr;
  llvm::SetVector<Value> candidates;
  llvm::DenseMap<const PointExpr *, bool> tables;
  unsigned numCollected = 0;
  Value x;
  Rotation rotation{};
};

} // namespace

bool attnres::raiseRotation(Value root) {
  auto type = cast<RankedTensorType>(root.getType());
  if (!isStorage(root) || type.getRank() < 2 || type.getShape().back() % 2 != 0)
    return false;
  RotationMatcher matcher(root);
  if (!matcher.match())
    return false;
  matcher.replace();
  return true;
}
