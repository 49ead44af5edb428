//===- RaiseAttention.cpp - softmax(Q K^T) V in linalg to attention -------===//
//
// Recognizes attention written with linalg on tensors and replaces it by
// `attnres.attention`. The root is the product with V; everything before it is
// read as scalar expressions at a symbolic position (PointExpressions.h), so
// named operations, generics, fused or separate bodies, transposes and
// broadcasts need no patterns of their own. Where a batch dimension of the root
// is several in the tensors before it, it counts as these.
//
// With batch dimensions b (two at most), query row m, key row n, head columns k
// and d, the conditions are:
//
//   1. the root is O[b,m,d] = sum over n of P[b,m,n] V[b,n,d], summed from 0;
//   2. P is `linalg.softmax` over n, or E / L with
//      a. E = exp(X - M),
//      b. L[b,m] = sum over all n of the same E, from 0,
//      c. M[b,m] = maximum over all n of the same X, from -inf or the lowest
//         finite number (any M gives the same quotient; this one keeps exp from
//         overflowing as attnres.attention does);
//   3. X is a product S with constants, under at most one causal mask. The mask
//      is outermost and is a selection of -inf, or the addition of 0 and -inf,
//      at n > m + (extent of n - extent of m), by a comparison of indices, of
//      which no step wraps in its type for these extents, or by a constant
//      tensor, every element of which is looked at;
//   4. a masked product has at least as many keys as queries, for a row that
//      sees no key would be NaN here and is 0 in attnres.attention;
//   5. S[b,m,n] = sum over k of Q[b,m,k] K[b,n,k], from 0; Q, K and S may be
//      multiplied or divided by finite constants, which make up the scale;
//   6. Q, K and V have the same element type, f32 or bf16, static shapes
//      without an extent of 0, and exactly these dimensions in any order. O has that type as well, or is
//      f32 where Q, K and V are bf16: then everything is computed in f32,
//      unless O is used only when rounded to bf16.
//
// Equality holds for finite Q, K and V: a hidden key with an infinite value is
// NaN in the product and not looked at in attnres.attention. A large negative
// number in place of -inf is not accepted: with very negative scores it gives
// another result.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/import/AttentionMatch.h"
#include "passes/import/RaiseDepthAttention.h"
#include "passes/import/SoftmaxMatcher.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

namespace attnres {
#define GEN_PASS_DEF_RAISEATTENTION
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;
using Match = AttentionMatch;
using Operand = PointOperand;

namespace {

/// Matches one root.
class Matcher : SoftmaxMatcher {
public:
  using SoftmaxMatcher::SoftmaxMatcher;

  std::optional<Match> match() {
    auto factors = rootFactors(result.output.dims, result.outputGroups);
    if (!factors)
      return std::nullopt;
    result.n = n;
    result.headDim = columns();
    result.output.value = root->getResult(0);
    auto [lhs, rhs] = *factors;
    if (matchFrom(lhs, rhs) || matchFrom(rhs, lhs))
      return result;
    return std::nullopt;
  }

private:
  /// Conditions 1 to 6 with P and V as given. Q, K and V are looked for before
  /// conversions of their element type, then behind.
  bool matchFrom(const PointExpr *weights, const PointExpr *values) {
    return matchFrom(weights, values, /*behindRounding=*/false) ||
           matchFrom(weights, values, /*behindRounding=*/true);
  }

  bool matchFrom(const PointExpr *weights, const PointExpr *values,
                 bool behindRounding) {
    Operand p;
    if (!firstOperand(weights, p) ||
        !lastOperand(values, result.v, behindRounding) ||
        !assignDims(p.dims, result.v.dims))
      return false;
    const PointExpr *logits = softmaxInput(exprs.resolve(weights));
    result.scale = 1;
    result.causal = false;
    return logits &&
           matchScores(unmask(exprs.resolve(logits)), behindRounding) &&
           elementTypesFit();
  }

  /// Splits the dimensions of the root by where they occur.
  bool assignDims(ArrayRef<unsigned> p, ArrayRef<unsigned> v) {
    SmallVector<unsigned> rows, columns;
    result.batch.clear();
    for (unsigned dim : result.output.dims) {
      bool inP = llvm::is_contained(p, dim), inV = llvm::is_contained(v, dim);
      if (!inP && !inV)
        return false;
      (inP && inV ? result.batch : inP ? rows : columns).push_back(dim);
    }
    if (rows.size() != 1 || columns.size() != 1 || result.batch.size() > 2)
      return false;
    result.m = rows.front();
    result.valueDim = columns.front();
    return hasDims(p, {result.m, result.n}) &&
           hasDims(v, {result.n, result.valueDim});
  }

  /// Whether `dims` are the batch dimensions and `others`, in any order.
  bool hasDims(ArrayRef<unsigned> dims, ArrayRef<unsigned> others) {
    auto contained = [&](unsigned dim) {
      return llvm::is_contained(dims, dim);
    };
    return dims.size() == result.batch.size() + others.size() &&
           llvm::all_of(result.batch, contained) &&
           llvm::all_of(others, contained);
  }

  /// Condition 3: removes the mask. An expression that is no mask stays.
  const PointExpr *unmask(const PointExpr *logits) {
    const PointExpr *scores = nullptr;
    if (logits->isApply<arith::SelectOp>()) {
      const PointExpr *whenTrue = logits->operands[1];
      const PointExpr *whenFalse = logits->operands[2];
      if (isMinusInfinity(whenFalse) &&
          isVisibility(logits->operands[0], /*negated=*/false))
        scores = whenTrue;
      else if (isMinusInfinity(whenTrue) &&
               isVisibility(logits->operands[0], /*negated=*/true))
        scores = whenFalse;
    } else if (logits->isApply<arith::AddFOp>()) {
      if (isAdditiveMask(logits->operands[1]))
        scores = logits->operands[0];
      else if (isAdditiveMask(logits->operands[0]))
        scores = logits->operands[1];
    }
    if (!scores || extents[result.n] < extents[result.m]) // condition 4
      return logits;
    result.causal = true;
    return exprs.resolve(scores);
  }

  bool isMinusInfinity(const PointExpr *expr) {
    auto number = exprs.resolve(expr)->floatConstant();
    return number && number->isInfinity() && number->isNegative();
  }

  /// Whether a condition is true exactly where the key is visible; `negated`:
  /// exactly where it is not.
  bool isVisibility(const PointExpr *condition, bool negated) {
    condition = exprs.resolve(condition);
    if (condition->kind == Kind::Access)
      return isConstantMask(condition, [&](Attribute value, bool visible) {
        auto flag = dyn_cast<IntegerAttr>(value);
        return flag && flag.getValue().isZero() == (visible == negated);
      });
    if (!condition->isApply<arith::CmpIOp>())
      return false;
    AffineExpr lhs = asIndex(condition->operands[0]);
    AffineExpr rhs = asIndex(condition->operands[1]);
    if (!lhs || !rhs)
      return false;
    using P = arith::CmpIPredicate;
    auto predicate =
        static_cast<P>(cast<IntegerAttr>(condition->attribute).getInt());
    // Numbers that are not negative compare alike with and without sign.
    bool isUnsigned =
        llvm::is_contained({P::ule, P::ult, P::uge, P::ugt}, predicate);
    if (isUnsigned &&
        (exprs.range(lhs)->first < 0 || exprs.range(rhs)->first < 0))
      return false;
    // The condition as distance >= 0.
    AffineExpr distance;
    switch (predicate) {
    case P::sle:
    case P::ule:
      distance = rhs - lhs;
      break;
    case P::slt:
    case P::ult:
      distance = rhs - lhs - 1;
      break;
    case P::sge:
    case P::uge:
      distance = lhs - rhs;
      break;
    case P::sgt:
    case P::ugt:
      distance = lhs - rhs - 1;
      break;
    default:
      return false;
    }
    if (negated)
      distance = -distance - 1;
    AffineExpr wanted =
        dim(result.m) - dim(result.n) + (extents[result.n] - extents[result.m]);
    return simplifyAffineExpr(distance - wanted, extents.size(), 0) ==
           getAffineConstantExpr(0, root.getContext());
  }

  /// An integer expression in the position dimensions, or null. Every step of
  /// it has to be exact: inside the signed range of its type at all positions.
  AffineExpr asIndex(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (expr->kind == Kind::Index)
      return exact(expr->index, IndexType::get(root.getContext()));
    if (expr->kind == Kind::Constant) {
      auto number = dyn_cast<IntegerAttr>(expr->attribute);
      if (!number || number.getValue().getSignificantBits() > 64)
        return nullptr;
      return exact(getAffineConstantExpr(number.getValue().getSExtValue(),
                                         root.getContext()),
                   number.getType());
    }
    if (expr->kind != Kind::Apply)
      return nullptr;
    auto type = dyn_cast_or_null<TypeAttr>(expr->attribute);
    if (!type)
      return nullptr;
    AffineExpr lhs = asIndex(expr->operands[0]);
    if (!lhs)
      return nullptr;
    if (expr->isApply<arith::IndexCastOp>() ||
        expr->isApply<arith::ExtSIOp>() || expr->isApply<arith::TruncIOp>())
      return exact(lhs, type.getValue());
    if (expr->isApply<arith::IndexCastUIOp>() ||
        expr->isApply<arith::ExtUIOp>())
      return exprs.range(lhs)->first < 0 ? nullptr
                                         : exact(lhs, type.getValue());
    bool adds = expr->isApply<arith::AddIOp>();
    if (!adds && !expr->isApply<arith::SubIOp>())
      return nullptr;
    AffineExpr rhs = asIndex(expr->operands[1]);
    if (!rhs)
      return nullptr;
    return exact(adds ? lhs + rhs : lhs - rhs, type.getValue());
  }

  /// `index` when all its values are in the signed range of `type`, else null.
  AffineExpr exact(AffineExpr index, Type type) {
    auto range = exprs.range(index);
    unsigned width = isa<IndexType>(type) ? 63 : type.getIntOrFloatBitWidth();
    if (!range || width == 0)
      return nullptr;
    int64_t limit = int64_t{1} << (std::min(width, 63u) - 1);
    return range->first < -limit || range->second >= limit ? AffineExpr()
                                                           : index;
  }

  /// 0 where the key is visible and -inf elsewhere.
  bool isAdditiveMask(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::SelectOp>()) {
      const PointExpr *condition = expr->operands[0];
      const PointExpr *whenTrue = expr->operands[1];
      const PointExpr *whenFalse = expr->operands[2];
      auto isNothing = [&](const PointExpr *e) {
        return isZero(exprs.resolve(e)->floatConstant());
      };
      return (isNothing(whenTrue) && isMinusInfinity(whenFalse) &&
              isVisibility(condition, /*negated=*/false)) ||
             (isNothing(whenFalse) && isMinusInfinity(whenTrue) &&
              isVisibility(condition, /*negated=*/true));
    }
    return isConstantMask(expr, [](Attribute value, bool visible) {
      auto number = dyn_cast<FloatAttr>(value);
      if (!number)
        return false;
      APFloat f = number.getValue();
      return visible ? f.isZero() : f.isInfinity() && f.isNegative();
    });
  }

  /// Whether `expr` reads a constant tensor along m and n, constant along other
  /// dimensions of the tensor, whose every element satisfies `accept`.
  bool isConstantMask(const PointExpr *expr,
                      llvm::function_ref<bool(Attribute, bool)> accept) {
    DenseElementsAttr mask;
    if (expr->kind != Kind::Access ||
        !matchPattern(expr->value, m_Constant(&mask)))
      return false;
    std::optional<size_t> row, column;
    for (auto [position, index] : llvm::enumerate(expr->map.getResults())) {
      if (index == dim(result.m))
        row = position;
      else if (index == dim(result.n))
        column = position;
      else if (!isa<AffineDimExpr>(index) &&
               mask.getType().getDimSize(position) != 1)
        return false;
    }
    if (!row || !column)
      return false;
    ArrayRef<int64_t> shape = mask.getType().getShape();
    int64_t offset = extents[result.n] - extents[result.m];
    SmallVector<int64_t> at(shape.size(), 0);
    for (Attribute value : mask.getValues<Attribute>()) {
      if (!accept(value, at[*column] <= at[*row] + offset))
        return false;
      for (size_t i = shape.size(); i-- > 0 && ++at[i] == shape[i];)
        at[i] = 0;
    }
    return true;
  }

  /// Condition 5.
  bool matchScores(const PointExpr *scores, bool behindRounding) {
    auto factors = product(withoutScale(scores), result.headDim);
    if (!factors)
      return false;
    double scale = result.scale;
    for (auto [q, k] : {std::make_pair(factors->first, factors->second),
                        std::make_pair(factors->second, factors->first)}) {
      result.scale = scale;
      if (!lastOperand(withoutScale(q), result.q, behindRounding) ||
          !hasDims(result.q.dims, {result.m, result.headDim}) ||
          !lastOperand(withoutScale(k), result.k, behindRounding) ||
          !hasDims(result.k.dims, {result.n, result.headDim}))
        continue;
      return APFloat(result.scale).isFinite();
    }
    return false;
  }

  /// Moves constant factors of `expr` into the scale.
  const PointExpr *withoutScale(const PointExpr *expr) {
    while (true) {
      const PointExpr *resolved = exprs.resolve(expr);
      if (resolved->isApply<arith::MulFOp>()) {
        unsigned constant =
            exprs.resolve(resolved->operands[0])->floatConstant() ? 0 : 1;
        auto factor =
            exprs.resolve(resolved->operands[constant])->floatConstant();
        if (!factor)
          return expr;
        result.scale *= toDouble(*factor);
        expr = resolved->operands[1 - constant];
      } else if (resolved->isApply<arith::DivFOp>()) {
        auto divisor = exprs.resolve(resolved->operands[1])->floatConstant();
        if (!divisor || divisor->isZero())
          return expr;
        result.scale /= toDouble(*divisor);
        expr = resolved->operands[0];
      } else {
        return expr;
      }
    }
  }

  /// Condition 6; ranks and dimensions are known to fit.
  bool elementTypesFit() {
    Type type = getElementTypeOrSelf(result.q.value);
    Type output = getElementTypeOrSelf(result.output.value);
    return (type.isF32() || type.isBF16()) &&
           (output == type || output.isF32()) &&
           llvm::all_of(ArrayRef<Operand>{result.q, result.k, result.v},
                        [&](const Operand &operand) {
                          auto tensor =
                              cast<RankedTensorType>(operand.value.getType());
                          return tensor.hasStaticShape() &&
                                 tensor.getNumElements() > 0 &&
                                 tensor.getElementType() == type;
                        });
  }

  Match result;
};

struct RaiseAttentionPass
    : attnres::impl::RaiseAttentionBase<RaiseAttentionPass> {
  using RaiseAttentionBase::RaiseAttentionBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> candidates;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics())
        candidates.push_back(op);
    });
    SmallVector<Operation *> raised;
    for (linalg::LinalgOp root : candidates) {
      if (Value mixture = raiseDepthAttention(root)) {
        root->getResult(0).replaceAllUsesWith(mixture);
        raised.push_back(root);
        numRaised += 1;
        remark::passed(root.getLoc(), remark::RemarkOpts::name("RaisedDepth")
                                          .category("attnres-raise-attention"));
        continue;
      }
      std::optional<Match> match = Matcher(root).match();
      if (!match)
        continue;
      replaceByAttention(root, *match);
      raised.push_back(root);
      numRaised += 1;
      remark::passed(root.getLoc(), remark::RemarkOpts::name("Raised").category(
                                        "attnres-raise-attention"))
          << remark::metric("Causal", match->causal)
          << remark::metric("Scale", match->scale);
    }
    eraseDead(raised);
  }
};

} // namespace
