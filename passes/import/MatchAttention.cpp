//===- MatchAttention.cpp - softmax(Q K^T) V in linalg --------------------===//
//
// Recognizes attention written with linalg on tensors, in whatever layout and
// cut into whatever operations: everything before the root is read as scalar
// expressions at a symbolic position (PointExpressions.h). Where a dimension of
// the root is several in the tensors before it, it counts as these.
//
// With query row m, key row n, head columns k and d, and other dimensions c of
// the root, the conditions are:
//
//   1. the root is O[c,m,d] = sum over n of P[c,m,n] V[c',n,d], summed from 0;
//   2. P is a softmax over n of X (SoftmaxMatcher.h): `linalg.softmax`, E / L,
//      or exp(X - ln L), where
//      a. E = exp(X - M) or exp(X),
//      b. L[c,m] = sum over all n of the same E, from 0,
//      c. M[c,m] = maximum over all n of the same X, from -inf or the lowest
//         finite number (any M gives the same quotient; this one keeps exp from
//         overflowing as attnres.attention does);
//      the division by L may also stand behind the sum over n;
//   3. X is a scale times S, under at most one causal mask (LogitForm.h), by
//      which keys n > m + (extent of n - extent of m) are hidden;
//   4. a masked product has at least as many keys as queries, for a row that
//      sees no key would be NaN here and is 0 in attnres.attention;
//   5. S[c,m,n] = sum over k of Q[c,m,k] K[c',n,k], from 0; Q, K and S may be
//      multiplied or divided by finite constants, which make up the scale;
//   6. c' are dimensions of both K and V, and all other dimensions of c are
//   none
//      of either: heads that share keys. Dimensions of extent 1 do not count;
//   7. Q, K and V have the same element type, f32 or bf16, static shapes
//      without an extent of 0, and exactly these dimensions in any order. O has
//      that type as well, or is f32 where Q, K and V are bf16: then everything
//      is computed in f32, unless O is used only when rounded to bf16.
//
// Equality holds for finite Q, K and V: a hidden key with an infinite value is
// NaN in the product and not looked at in attnres.attention. A large negative
// number hides a key as -inf does as long as scores stay far from it.
//
//===----------------------------------------------------------------------===//
#include "passes/import/AttentionMatch.h"
#include "passes/import/LogitForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

namespace {

class Matcher : SoftmaxMatcher {
public:
  using SoftmaxMatcher::refined;
  using SoftmaxMatcher::SoftmaxMatcher;

  std::optional<AttentionMatch> match() {
    result.n = n;
    result.headDim = k;
    result.extents = extents;
    result.output = {root, {}};
    result.output.groups.assign(groups.begin(), groups.end());
    const PointExpr *expr = accessRoot();
    if (auto factors = product(expr, n))
      return matchEither(*factors, nullptr);
    const PointExpr *quotient = exprs.resolve(expr);
    if (!quotient->isApply<arith::DivFOp>())
      return std::nullopt;
    if (auto factors = product(quotient->operands[0], n))
      return matchEither(*factors, quotient->operands[1]);
    return std::nullopt;
  }

private:
  /// Conditions 1 to 7 with the factors in either order. Q, K and V are looked
  /// for before conversions of their element type, then behind.
  std::optional<AttentionMatch> matchEither(Factors factors,
                                            const PointExpr *total) {
    for (bool behindRounding : {false, true})
      if (matchFrom(factors.first, factors.second, total, behindRounding) ||
          matchFrom(factors.second, factors.first, total, behindRounding))
        return result;
    return std::nullopt;
  }

  bool matchFrom(const PointExpr *weights, const PointExpr *values,
                 const PointExpr *total, bool behindRounding) {
    if (!lastOperand(values, result.v, behindRounding))
      return false;
    std::optional<Softmax> found =
        total ? quotient(weights, total) : softmax(weights);
    if (!found)
      return false;
    const PointExpr *logits = exprs.resolve(found->logits);
    // Which of the dimensions that no key has is the query row, a mask says.
    for (unsigned row : candidateRows()) {
      result.m = row;
      auto form = analyzeLogits(exprs, logits, found->keep,
                                {row, n, extents[row], extents[n]});
      if (!form || (form->causal && extents[n] < extents[row]))
        continue;
      result.scale = form->scale;
      result.causal = form->causal;
      if (matchScores(form->scores, behindRounding) && assignDims() &&
          elementTypesFit())
        return true;
    }
    return false;
  }

  static bool contains(ArrayRef<unsigned> dims, unsigned dim) {
    return llvm::is_contained(dims, dim);
  }

  /// Dimensions of the root that V has not: as many queries as keys first.
  SmallVector<unsigned> candidateRows() {
    SmallVector<unsigned> rows, others;
    for (unsigned dim : result.output.dims())
      if (!contains(result.v.dims(), dim))
        (extents[dim] == extents[n] ? rows : others).push_back(dim);
    llvm::append_range(rows, others);
    return rows;
  }

  /// Condition 5.
  bool matchScores(const PointExpr *scores, bool behindRounding) {
    auto factors = product(withoutScale(scores), k);
    if (!factors)
      return false;
    double scale = result.scale;
    for (auto [q, key] : {std::make_pair(factors->first, factors->second),
                          std::make_pair(factors->second, factors->first)}) {
      result.scale = scale;
      if (lastOperand(withoutScale(q), result.q, behindRounding) &&
          contains(result.q.dims(), result.m) &&
          !contains(result.q.dims(), n) &&
          lastOperand(withoutScale(key), result.k, behindRounding) &&
          contains(result.k.dims(), n) && !contains(result.k.dims(), result.m))
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

  /// Condition 6: sorts the dimensions of the root by where they occur.
  bool assignDims() {
    SmallVector<unsigned> q = result.q.dims(), keys = result.k.dims(),
                          v = result.v.dims();
    SmallVector<unsigned> columns, common;
    result.sharing.clear();
    for (unsigned dim : result.output.dims()) {
      if (dim == result.m || extents[dim] == 1)
        continue;
      bool inQ = contains(q, dim), inK = contains(keys, dim),
           inV = contains(v, dim);
      if (inV && !inQ && !inK)
        columns.push_back(dim);
      else if (inV && inQ && inK)
        common.push_back(dim);
      else if (inQ && !inK && !inV)
        result.sharing.push_back(dim);
      else
        return false;
    }
    if (columns.empty()) // of one column
      for (unsigned dim : v)
        if (extents[dim] == 1 && !contains(q, dim) && !contains(keys, dim))
          columns.push_back(dim);
    if (columns.size() != 1)
      return false;
    result.valueDim = columns.front();
    if (!contains(v, n) || !contains(q, k) || !contains(keys, k))
      return false;
    // In the order of the queries, the last one that has keys of its own is
    // that of heads, unless it is the only one.
    result.batch.clear();
    result.keyHeads.clear();
    for (unsigned dim : q)
      if (contains(common, dim))
        result.batch.push_back(dim);
    llvm::sort(result.sharing, [&](unsigned a, unsigned b) {
      return llvm::find(q, a) < llvm::find(q, b);
    });
    if (result.batch.size() > 1)
      result.keyHeads.push_back(result.batch.pop_back_val());
    return true;
  }

  /// Condition 7; dimensions are known to fit.
  bool elementTypesFit() {
    Type type = getElementTypeOrSelf(result.q.value);
    Type output = getElementTypeOrSelf(result.output.value);
    return (type.isF32() || type.isBF16()) &&
           (output == type || output.isF32()) &&
           llvm::all_of(ArrayRef<PointOperand>{result.q, result.k, result.v},
                        [&](const PointOperand &operand) {
                          auto tensor =
                              cast<RankedTensorType>(operand.value.getType());
                          return tensor.hasStaticShape() &&
                                 tensor.getNumElements() > 0 &&
                                 tensor.getElementType() == type;
                        });
  }

  AttentionMatch result;
};

} // namespace

std::optional<AttentionMatch> attnres::matchAttention(Value root) {
  auto type = cast<RankedTensorType>(root.getType());
  if (!type.hasStaticShape() || type.getNumElements() == 0)
    return std::nullopt;
  return matchRefining<Matcher>(root);
}
