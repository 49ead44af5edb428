//===- RaiseDepthAttention.cpp - depth mixtures in linalg -----------------===//
//
// Recognizes attention over depth written with linalg and replaces it by
// `attnres.depth_attention`. Depth is short and written in many ways, as a
// stack or as a list, so it is unrolled: sums over a loop and sums written as
// additions are both lists of terms. With source i, rows r (any number of
// dimensions) and columns d and k, the conditions are:
//
//   1. the root is O[r,d] = sum over i of P_i[r] V_i[r,d], its columns last, of
//      2 to 1024 sources;
//   2. P_i = E_i / L, in the terms or behind the sum, or exp(Y_i - ln L), or a
//      `linalg.softmax` over a stack, where E_i = exp(Y_i),
//      a. Y_i = X_i - M or X_i,
//      b. L[r] is the sum of the same E_i, and of nothing else,
//      c. M[r] is the maximum of the same X_i, and of nothing else but the
//         lowest number;
//   3. X_i[r] is the sum over k, from 0, of V_i[r,k] times one vector or two
//      over k, times once 1 / sqrt(mean over k of V_i[r,k]^2 + eps), inside the
//      sum or outside, and nothing else. V_i is the same tensor in all places,
//      vectors and eps are the same for all i;
//   4. vectors and sources are f32 or bf16, all shapes are static.
//
// Sources are what stacks were made of, so that mixtures share them; of a stack
// that was made in another way they are slices.
//
//===----------------------------------------------------------------------===//
#include "passes/import/RaiseDepthAttention.h"

#include "dialect/Attnres.h"
#include "passes/import/Layouts.h"
#include "passes/import/NormMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

namespace {

constexpr int64_t kMostSources = 1024;

/// A tensor of which some dimensions are read at one index, the others are
/// position dimensions in row-major order.
struct Source {
  Value value;
  SmallVector<std::optional<int64_t>> at; ///< by dimension of the tensor
  SmallVector<unsigned> dims;             ///< of the others
};

struct DepthMatch {
  SmallVector<Source> sources;
  SmallVector<Value> vectors; ///< one or two
  double eps;
  SmallVector<unsigned> dims; ///< of the root, columns last
  SmallVector<int64_t> extents;
};

class DepthMatcher : NormMatcher {
public:
  using NormMatcher::NormMatcher;
  using NormMatcher::refined;

  std::optional<DepthMatch> match() {
    for (ArrayRef<unsigned> group : groups)
      llvm::append_range(result.dims, group);
    if (!hasColumns())
      return std::nullopt;
    SmallVector<const PointExpr *> summands;
    const PointExpr *expr = accessRoot();
    const PointExpr *divisor = nullptr;
    if (!isSumOfMany(expr, summands)) {
      expr = exprs.resolve(expr);
      if (!expr->isApply<arith::DivFOp>() ||
          !isSumOfMany(expr->operands[0], summands))
        return std::nullopt;
      divisor = expr->operands[1];
    }
    for (const PointExpr *summand : summands)
      if (!hasWeight(summand))
        return std::nullopt;
    // Columns of scores are as many as those of sources.
    if (!isKnownColumn(extents[d]))
      return std::nullopt;
    for (const PointExpr *summand : summands)
      if (!addTerm(summand, divisor))
        return std::nullopt;
    if (!weightsAreSoftmax() || !scoresAreNormalized())
      return std::nullopt;
    result.extents = extents;
    return result;
  }

private:
  using Exponent = SmallVector<Term, 2>;

  struct Weighted {
    Exponent exponent;       ///< Y, terms in order
    const PointExpr *score;  ///< X
    const PointExpr *values; ///< V at column d
  };

  //===--- Sums as lists --------------------------------------------------===//

  /// Reductions over one loop as what is reduced at each index, if `isItem`
  /// says so of the first, other expressions as they are combined by operations
  /// of `Combiner`.
  template <typename Combiner>
  void collect(const PointExpr *expr,
               function_ref<bool(const PointExpr *)> isNeutral,
               function_ref<bool(const PointExpr *)> isItem,
               SmallVectorImpl<const PointExpr *> &items) {
    if (items.size() > kMostSources)
      return;
    AffineExpr first = getAffineConstantExpr(0, root.getContext());
    const PointExpr *tensor = skipCopies(expr);
    auto reduction = exprs.reduction(tensor, first);
    if (reduction && isa<Combiner>(reduction->combiner) &&
        isNeutral(exprs.resolve(reduction->init)) && reduction->extent > 0 &&
        reduction->extent <= kMostSources && isItem(reduction->operand)) {
      for (int64_t i = 0; i < reduction->extent; ++i)
        items.push_back(
            exprs
                .reduction(tensor, getAffineConstantExpr(i, root.getContext()))
                ->operand);
      return;
    }
    const PointExpr *combined = exprs.resolve(expr);
    if (combined->isApply<Combiner>()) {
      collect<Combiner>(combined->operands[0], isNeutral, isItem, items);
      collect<Combiner>(combined->operands[1], isNeutral, isItem, items);
    } else if (!isNeutral(combined)) {
      items.push_back(expr);
    }
  }

  void collectSum(const PointExpr *expr,
                  SmallVectorImpl<const PointExpr *> &items) {
    collect<arith::AddFOp>(
        expr,
        [](const PointExpr *init) { return isZero(init->floatConstant()); },
        [&](const PointExpr *item) { return hasWeight(item); }, items);
  }

  bool isSumOfMany(const PointExpr *expr,
                   SmallVectorImpl<const PointExpr *> &terms) {
    collectSum(expr, terms);
    bool isMany = terms.size() > 1 && terms.size() <= kMostSources;
    if (!isMany)
      terms.clear();
    return isMany;
  }

  //===--- Terms ----------------------------------------------------------===//

  bool isSoftmax(const PointExpr *expr) {
    return expr->kind == Kind::Access &&
           expr->value.getDefiningOp<linalg::SoftmaxOp>();
  }

  /// Whether an exponential or a softmax is a factor.
  bool hasWeight(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return hasWeight(expr->operands[0]) || hasWeight(expr->operands[1]);
    if (expr->isApply<arith::DivFOp>())
      return hasWeight(expr->operands[0]);
    return expr->isApply<math::ExpOp>() || isSoftmax(expr);
  }

  struct FactorsOfTerm {
    const PointExpr *values = nullptr, *weight = nullptr, *total = nullptr;
  };

  bool collectFactors(const PointExpr *expr, FactorsOfTerm &factors) {
    auto setOnce = [](const PointExpr *&slot, const PointExpr *value) {
      return !std::exchange(slot, value);
    };
    if (!hasWeight(expr))
      return setOnce(factors.values, expr);
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return collectFactors(expr->operands[0], factors) &&
             collectFactors(expr->operands[1], factors);
    if (expr->isApply<arith::DivFOp>())
      return setOnce(factors.total, expr->operands[1]) &&
             collectFactors(expr->operands[0], factors);
    return setOnce(factors.weight, expr);
  }

  /// Condition 2 of one term: its exponent, and what all terms are divided by.
  bool addTerm(const PointExpr *term, const PointExpr *outerTotal) {
    FactorsOfTerm factors;
    if (!collectFactors(term, factors) || !factors.values || !factors.weight ||
        factors.values->kind != Kind::Access || (outerTotal && factors.total))
      return false;
    if (outerTotal)
      factors.total = outerTotal;
    Weighted weighted;
    weighted.values = factors.values;
    if (isSoftmax(factors.weight)) {
      auto softmax = factors.weight->value.getDefiningOp<linalg::SoftmaxOp>();
      if (factors.total || (softmaxOp && softmaxOp != softmax))
        return false;
      softmaxOp = softmax;
      auto place = dyn_cast<AffineConstantExpr>(
          factors.weight->map.getResult(softmax.getDimension()));
      if (!place)
        return false;
      softmaxPlaces.push_back(place.getValue());
      collectTerms(exprs.access(softmax.getInput(), factors.weight->map), false,
                   weighted.exponent);
    } else {
      collectTerms(factors.weight->operands[0], false, weighted.exponent);
      if (!factors.total)
        factors.total = takeLogarithm(weighted.exponent);
      if (!factors.total)
        return false;
      const PointExpr *expanded = exprs.expandAll(factors.total);
      if (total && total != expanded)
        return false;
      total = expanded;
    }
    llvm::sort(weighted.exponent);
    terms.push_back(weighted);
    return true;
  }

  /// Removes -ln L from an exponent and returns L.
  const PointExpr *takeLogarithm(Exponent &exponent) {
    for (const Term &term : exponent)
      if (term.isNegative && term.expr->isApply<math::LogOp>()) {
        const PointExpr *sum = term.expr->operands[0];
        exponent.erase(&term);
        return sum;
      }
    return nullptr;
  }

  //===--- Softmax --------------------------------------------------------===//

  /// Conditions 2a to 2c.
  bool weightsAreSoftmax() {
    return takeScores() && (softmaxOp ? softmaxIsWhole() : totalIsSum());
  }

  /// Sets X of each term, and that M is their maximum.
  bool takeScores() {
    const PointExpr *maximum = nullptr;
    SmallVector<const PointExpr *> scores;
    for (Weighted &term : terms) {
      term.score = nullptr;
      const PointExpr *shift = nullptr;
      for (const Term &part : term.exponent) {
        const PointExpr *&slot = part.isNegative ? shift : term.score;
        if (std::exchange(slot, part.expr))
          return false;
      }
      if (!term.score || (!scores.empty() && shift != maximum))
        return false;
      maximum = shift;
      scores.push_back(term.score);
    }
    if (!maximum)
      return true;
    SmallVector<const PointExpr *> items;
    auto isNeutral = [](const PointExpr *init) {
      return isLowest(init->floatConstant());
    };
    auto isItem = [](const PointExpr *) { return true; };
    collect<arith::MaximumFOp>(withoutGuards(maximum), isNeutral, isItem,
                               items);
    if (items.size() < 2) {
      items.clear();
      collect<arith::MaxNumFOp>(withoutGuards(maximum), isNeutral, isItem,
                                items);
    }
    for (const PointExpr *&item : items)
      item = exprs.expandAll(item);
    return isSameBag(items, scores);
  }

  static bool isSameBag(SmallVector<const PointExpr *> lhs,
                        SmallVector<const PointExpr *> rhs) {
    llvm::sort(lhs);
    llvm::sort(rhs);
    return lhs == rhs;
  }

  bool softmaxIsWhole() {
    llvm::sort(softmaxPlaces);
    int64_t extent =
        softmaxOp.getInputOperandType().getDimSize(softmaxOp.getDimension());
    return softmaxPlaces.size() == static_cast<size_t>(extent) &&
           llvm::equal(softmaxPlaces, llvm::seq<int64_t>(0, extent));
  }

  bool totalIsSum() {
    SmallVector<const PointExpr *> summands;
    collectSum(total, summands);
    SmallVector<Exponent> summed, weighted;
    for (const PointExpr *summand : summands) {
      summand = exprs.resolve(summand);
      if (!summand->isApply<math::ExpOp>())
        return false;
      Exponent &exponent = summed.emplace_back();
      collectTerms(summand->operands[0], false, exponent);
      llvm::sort(exponent);
    }
    for (const Weighted &term : terms)
      weighted.push_back(term.exponent);
    llvm::sort(summed);
    llvm::sort(weighted);
    return summed == weighted;
  }

  //===--- Scores ---------------------------------------------------------===//

  /// Condition 3 and 4.
  bool scoresAreNormalized() {
    for (const Weighted &term : terms) {
      source = atColumn(term.values);
      vectors.clear();
      numNormalizers = numDots = numSources = 0;
      if (!source || !isScore(term.score) || numNormalizers != 1 ||
          numDots != 1 || numSources != 1 || vectors.empty() ||
          vectors.size() > 2)
        return false;
      llvm::sort(vectors, [](Value a, Value b) {
        return a.getAsOpaquePointer() < b.getAsOpaquePointer();
      });
      bool isFirst = result.sources.empty();
      if (isFirst) {
        result.vectors = vectors;
        result.eps = eps;
      } else if (vectors != result.vectors || eps != result.eps) {
        return false;
      }
      Source &operand = result.sources.emplace_back();
      if (!asSource(term.values, operand))
        return false;
    }
    // In the order of the program, not of addresses.
    llvm::sort(result.vectors, [&](Value a, Value b) {
      return llvm::find(firstVectors, a) < llvm::find(firstVectors, b);
    });
    return llvm::all_of(result.vectors, isStorage);
  }

  /// Factors of X outside of the sum over the columns.
  bool isScore(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return isScore(expr->operands[0]) && isScore(expr->operands[1]);
    if (expr->isApply<arith::DivFOp>())
      return isScore(expr->operands[0]) && isRoot(expr->operands[1]);
    if (isNormalizer(expr))
      return true;
    auto dot = sum(expr, k);
    ++numDots;
    return dot && isTerm(dot->operand);
  }

  /// Factors inside of the sum.
  bool isTerm(const PointExpr *expr) {
    if (isSource(expr)) {
      ++numSources;
      return numSources == numDots;
    }
    PointOperand vector;
    if (isVector(expr, vector)) {
      vectors.push_back(vector.value);
      if (result.sources.empty())
        firstVectors.push_back(vector.value);
      return true;
    }
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::MulFOp>())
      return isTerm(expr->operands[0]) && isTerm(expr->operands[1]);
    if (expr->isApply<arith::DivFOp>())
      return isTerm(expr->operands[0]) && isRoot(expr->operands[1]);
    return isNormalizer(expr);
  }

  bool isVector(const PointExpr *expr, PointOperand &vector) {
    return lastOperand(expr, vector, /*behindRounding=*/false) &&
           vector.dims() == SmallVector<unsigned>{k};
  }

  //===--- Sources --------------------------------------------------------===//

  /// The last tensor behind copies and roundings of which V is a part; the last
  /// one in bf16 where there are some.
  bool asSource(const PointExpr *values, Source &source) {
    bool found = false;
    for (const PointExpr *expr = values; expr && expr->kind == Kind::Access;
         expr = exprs.expand(expr)) {
      Source candidate;
      if (!isStorage(expr->value) || !asPart(expr, candidate))
        continue;
      if (found && getElementTypeOrSelf(source.value).isBF16() &&
          !getElementTypeOrSelf(candidate.value).isBF16())
        continue;
      source = candidate;
      found = true;
    }
    return found;
  }

  bool asPart(const PointExpr *expr, Source &source) {
    source.value = expr->value;
    auto type = cast<RankedTensorType>(expr->value.getType());
    for (auto [index, size] :
         llvm::zip_equal(expr->map.getResults(), type.getShape())) {
      if (auto constant = dyn_cast<AffineConstantExpr>(index)) {
        source.at.push_back(constant.getValue());
        continue;
      }
      auto group = exprs.rowMajor(index);
      if (!group)
        return false;
      int64_t extent = 1;
      for (unsigned dim : *group)
        extent *= extents[dim];
      if (extent != size)
        return false;
      source.at.push_back(std::nullopt);
      llvm::append_range(source.dims, *group);
    }
    // All dimensions of the root, each once.
    SmallVector<unsigned> wanted = result.dims;
    llvm::erase_if(wanted, [&](unsigned dim) { return extents[dim] == 1; });
    SmallVector<unsigned> present = source.dims;
    llvm::erase_if(present, [&](unsigned dim) { return extents[dim] == 1; });
    llvm::sort(wanted);
    llvm::sort(present);
    return wanted == present;
  }

  DepthMatch result;
  SmallVector<Weighted> terms;
  const PointExpr *total = nullptr; ///< L
  linalg::SoftmaxOp softmaxOp;      ///< instead of L
  SmallVector<int64_t> softmaxPlaces;
  SmallVector<Value> vectors, firstVectors;
  unsigned numDots = 0, numSources = 0;
};

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

class DepthBuilder {
public:
  DepthBuilder(OpBuilder &b, Value root, const DepthMatch &match)
      : b(b), root(root), match(match) {}

  Value build(Type storage) {
    SmallVector<Value> sources;
    for (const Source &source : match.sources)
      sources.push_back(converted(b, sourceOf(source), storage));
    SmallVector<Value> both;
    int64_t columns = match.extents[match.dims.back()];
    for (Value vector : match.vectors)
      both.push_back(
          converted(b, reshaped(b, vector, {columns}), b.getF32Type()));
    if (both.size() == 1) {
      auto type = cast<RankedTensorType>(both.front().getType());
      both.push_back(arith::ConstantOp::create(
          b, root.getLoc(), DenseElementsAttr::get(type, 1.0f)));
    }
    auto mixture = DepthAttentionOp::create(
        b, root.getLoc(), ValueRange{both[0]}, ValueRange{both[1]}, sources,
        b.getF64FloatAttr(match.eps));
    return mixture.getOutputs().front();
  }

private:
  /// A source in the layout of the root.
  Value sourceOf(const Source &source) {
    Value value = source.value;
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<OpFoldResult> offsets, sizes;
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
    bool isPart = false;
    for (auto [at, size] : llvm::zip_equal(source.at, type.getShape())) {
      offsets.push_back(b.getIndexAttr(at.value_or(0)));
      sizes.push_back(b.getIndexAttr(at ? 1 : size));
      isPart |= at && size != 1;
    }
    if (isPart)
      value = tensor::ExtractSliceOp::create(b, root.getLoc(), value, offsets,
                                             sizes, strides);
    auto shapeOf = [&](ArrayRef<unsigned> dims) {
      return llvm::map_to_vector(
          dims, [&](unsigned dim) { return match.extents[dim]; });
    };
    SmallVector<unsigned> order(match.dims);
    llvm::erase_if(order, [&](unsigned dim) {
      return !llvm::is_contained(source.dims, dim);
    });
    value = reshaped(b, value, shapeOf(source.dims));
    value = reordered(b, value, source.dims, order);
    return reshaped(b, value,
                    cast<RankedTensorType>(root.getType()).getShape());
  }

  OpBuilder &b;
  Value root;
  const DepthMatch &match;
};

} // namespace

bool attnres::raiseDepthAttention(Value root) {
  if (!isStorage(root))
    return false;
  auto match = matchRefining<DepthMatcher>(root);
  if (!match)
    return false;
  bool readsBf16 = llvm::all_of(match->sources, [](const Source &source) {
    return getElementTypeOrSelf(source.value).isBF16();
  });
  replaceInStorage(root, readsBf16, [&](OpBuilder &b, Type storage) {
    return DepthBuilder(b, root, *match).build(storage);
  });
  return true;
}
