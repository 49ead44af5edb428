//===- RaiseLoss.cpp - cross entropy in linalg ----------------------------===//
//
// The root is a number times the sum over all rows r of L[r], and
//
//   1. L[r] = +-(X[r,c] - ln sum over n of exp(X[r,n])), with or without the
//      maximum over n taken from X, where the class c is the target of the row:
//      read by `tensor.extract` at an index made of the target, before or after
//      the logarithm is subtracted, or as the sum over n of what is multiplied
//      by whether n is the target, or selected by that;
//   2. the index is the target for every target that is a class, and what is
//      selected in place of the element read is NaN, for no class;
//   3. X is f32 or bf16, targets are an argument of the function or a part of
//      one, of i32, i64 or index, all shapes are static, and the root is f32.
//
// The number is -1 / rows for a mean; any other remains as a factor. A target
// that is no class is an error of the caller, whatever it was before: an
// element clamped to, NaN, or a row that adds nothing. But where elements read
// make a mean, -100 is a row that does not count, as in attnres.cross_entropy;
// a mask of the module's own stays what it is, for what it selects is not NaN.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/Layouts.h"
#include "passes/import/NormMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

/// The other factor where a resolved expression is multiplied or divided by a
/// number, which goes into `factor`; otherwise null.
static const PointExpr *withoutNumber(PointExpressions &exprs,
                                      const PointExpr *expr, double &factor) {
  if (expr->isApply<arith::NegFOp>()) {
    factor = -factor;
    return expr->operands[0];
  }
  bool divides = expr->isApply<arith::DivFOp>();
  if (!divides && !expr->isApply<arith::MulFOp>())
    return nullptr;
  for (unsigned i : {1, 0}) {
    if (divides && i == 0)
      break;
    auto number = exprs.resolve(expr->operands[i])->floatConstant();
    if (!number || number->isZero() || !number->isFinite())
      continue;
    double value = number->convertToDouble();
    factor = divides ? factor / value : factor * value;
    return expr->operands[1 - i];
  }
  return nullptr;
}

namespace {

/// The sum over all rows and the number it is multiplied by.
struct ScaledSum {
  Value sum;
  double factor = 1;
};

class LossMatcher : public SoftmaxMatcher {
public:
  LossMatcher(const ScaledSum &scaled, Value root, const PositionLayout &layout)
      : SoftmaxMatcher(scaled.sum, layout), result(root), values(exprs),
        factor(scaled.factor) {}

  bool match() {
    MLIRContext *context = root.getContext();
    auto scalar = AffineMap::get(extents.size(), 0, {}, context);
    auto summed = exprs.reduction(exprs.access(root, scalar), position());
    if (!summed || !isa<arith::AddFOp>(summed->combiner) ||
        !isZero(exprs.resolve(summed->init)->floatConstant()))
      return false;
    const PointExpr *rowLoss = withoutNumbers(summed->operand);
    SmallVector<Term> terms;
    if (const PointExpr *chosen = chosenByComparison(rowLoss)) {
      isCompared = true;
      collectTerms(chosen, false, terms);
    } else if (!collectAtTarget(rowLoss, false, terms)) {
      return false;
    }
    if (!target || !takeLogits(terms) || !takeTargets() || !targetIsClass())
      return false;
    for (unsigned dim : rowDims())
      rows *= extents[dim];
    return true;
  }

  void replace() {
    OpBuilder b(result.getDefiningOp());
    Location loc = result.getLoc();
    SmallVector<unsigned> order = rowDims();
    Value targetTensor = ordered(b, targets, order);
    auto type = cast<RankedTensorType>(targetTensor.getType());
    RankedTensorType wide = type.clone(b.getI64Type());
    if (type.getElementType().isIndex())
      targetTensor = arith::IndexCastOp::create(b, loc, wide, targetTensor);
    else if (!type.getElementType().isInteger(64))
      targetTensor = arith::ExtSIOp::create(b, loc, wide, targetTensor);
    order.push_back(n);
    double scale = -factor * static_cast<double>(rows);
    bool isMean = static_cast<float>(scale) == 1.0f;
    // A sum over fewer rows is not the mean of these times all rows.
    int64_t ignored =
        isMean && !isCompared ? -100 : std::numeric_limits<int64_t>::min();
    auto entropy = CrossEntropyOp::create(
        b, loc, ordered(b, logits, order), targetTensor,
        b.getI64IntegerAttr(ignored), /*label_smoothing=*/FloatAttr());
    Value loss = entropy.getLoss();
    if (!isMean) {
      auto constant = DenseElementsAttr::get(
          cast<RankedTensorType>(loss.getType()), static_cast<float>(scale));
      loss = arith::MulFOp::create(b, loc, loss,
                                   arith::ConstantOp::create(b, loc, constant));
    }
    result.replaceAllUsesWith(loss);
  }

private:
  //===--- Terms ----------------------------------------------------------===//

  /// `expr` without constant factors, which go into the factor.
  const PointExpr *withoutNumbers(const PointExpr *expr) {
    while (const PointExpr *next =
               withoutNumber(exprs, exprs.resolve(expr), factor))
      expr = next;
    return expr;
  }

  /// What is summed over the classes where they are the target: a sum of its
  /// own, or classes are one of the loops of the whole sum.
  const PointExpr *chosenByComparison(const PointExpr *expr) {
    const PointExpr *one = exprs.resolve(expr);
    if (one->kind == Kind::Apply) {
      unsigned inner = n;
      for (ArrayRef<unsigned> group : groups)
        for (unsigned dim : group) {
          n = dim;
          if (const PointExpr *chosen = whereTarget(one))
            return chosen;
        }
      n = inner;
      return nullptr;
    }
    auto summed = sum(one, n);
    return summed ? whereTarget(withoutNumbers(summed->operand)) : nullptr;
  }

  /// What is multiplied by 1 where n is the target and by 0 elsewhere.
  const PointExpr *whereTarget(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (expr->isApply<arith::SelectOp>() &&
        isZero(exprs.resolve(expr->operands[2])->floatConstant()) &&
        isTest(expr->operands[0]))
      return expr->operands[1];
    if (!expr->isApply<arith::MulFOp>())
      return nullptr;
    for (unsigned i : {0, 1}) {
      const PointExpr *flag = exprs.resolve(expr->operands[i]);
      if (flag->isApply<arith::UIToFPOp>() && isTest(flag->operands[0]))
        return expr->operands[1 - i];
    }
    return nullptr;
  }

  /// Whether `expr` is n = target. Sets the target.
  bool isTest(const PointExpr *expr) {
    expr = exprs.resolve(expr);
    if (!expr->isApply<arith::CmpIOp>() ||
        static_cast<arith::CmpIPredicate>(
            cast<IntegerAttr>(expr->attribute).getInt()) !=
            arith::CmpIPredicate::eq)
      return false;
    for (unsigned i : {0, 1})
      if (exprs.affine(expr->operands[i]) == dim(n))
        return !std::exchange(target, expr->operands[1 - i]);
    return false;
  }

  /// The terms of `expr`, n standing for the class where a row is read at the
  /// target.
  bool collectAtTarget(const PointExpr *expr, bool isNegative,
                       SmallVectorImpl<Term> &terms) {
    expr = exprs.resolve(expr);
    bool subtracts = expr->isApply<arith::SubFOp>();
    if (subtracts || expr->isApply<arith::AddFOp>())
      return collectAtTarget(expr->operands[0], isNegative, terms) &&
             collectAtTarget(expr->operands[1], isNegative != subtracts, terms);
    if (expr->isApply<arith::NegFOp>())
      return collectAtTarget(expr->operands[0], !isNegative, terms);
    if (expr->isApply<arith::SelectOp>()) {
      auto otherwise = exprs.resolve(expr->operands[2])->floatConstant();
      if (!otherwise || !otherwise->isNaN())
        return false;
      guards.push_back(expr->operands[0]);
      return collectAtTarget(expr->operands[1], isNegative, terms);
    }
    if (!expr->isApply<tensor::ExtractOp>()) {
      terms.push_back({exprs.expandAll(expr), isNegative});
      return true;
    }
    const PointExpr *classes = atTarget(expr);
    if (!classes)
      return false;
    collectTerms(classes, isNegative, terms);
    return true;
  }

  /// The tensor that is read at the target, read at n.
  const PointExpr *atTarget(const PointExpr *chosen) {
    SmallVector<AffineExpr> indices;
    std::optional<unsigned> place;
    for (auto [i, index] : llvm::enumerate(chosen->operands)) {
      AffineExpr known = exprs.affine(index);
      if (!known) {
        if (place || (target && !same(target, index)))
          return nullptr;
        place = i;
        target = index;
        known = dim(n);
      }
      indices.push_back(known);
    }
    auto type = cast<RankedTensorType>(chosen->value.getType());
    if (!place || !isKnownTerm(type.getDimSize(*place)))
      return nullptr;
    return exprs.access(
        chosen->value,
        AffineMap::get(extents.size(), 0, indices, root.getContext()));
  }

  //===--- Logits ---------------------------------------------------------===//

  /// Sets X. The factor is that of X - ln sum exp(X).
  bool takeLogits(SmallVector<Term> terms) {
    bool isFlipped = llvm::any_of(terms, [](const Term &term) {
      return !term.isNegative && term.expr->isApply<math::LogOp>();
    });
    if (isFlipped) {
      factor = -factor;
      for (Term &term : terms)
        term.isNegative = !term.isNegative;
    }
    const PointExpr *expr = logSoftmax(std::move(terms));
    if (!expr || !takeStored(expr) || !isStorage(logits.value))
      return false;
    SmallVector<unsigned> dims = rowDims();
    dims.push_back(n);
    return hasExactly(logits, dims);
  }

  /// The tensor read, or one in bf16 that is extended to it; not what was
  /// rounded before.
  bool takeStored(const PointExpr *expr) {
    if (expr->kind != Kind::Access)
      return false;
    auto elementOf = [](const PointExpr *access) {
      return getElementTypeOrSelf(access->value.getType());
    };
    bool found = lastOperand(expr, logits, /*behindRounding=*/false);
    Type element = elementOf(expr);
    while (expr && expr->kind == Kind::Access && elementOf(expr) == element)
      expr = exprs.expand(expr);
    if (expr && expr->kind == Kind::Access && elementOf(expr).isBF16())
      found |= lastOperand(expr, logits, /*behindRounding=*/false);
    return found;
  }

  SmallVector<unsigned> rowDims() const {
    SmallVector<unsigned> dims;
    for (ArrayRef<unsigned> group : groups)
      for (unsigned dim : group)
        if (dim != n)
          dims.push_back(dim);
    return dims;
  }

  /// Whether the dimensions of `operand` are `dims`, apart from those of extent
  /// 1.
  bool hasExactly(const PointOperand &operand, ArrayRef<unsigned> dims) const {
    SmallVector<unsigned> present = operand.dims();
    return llvm::all_of(
               present,
               [&](unsigned dim) { return llvm::is_contained(dims, dim); }) &&
           llvm::all_of(dims, [&](unsigned dim) {
             return extents[dim] == 1 || llvm::is_contained(present, dim);
           });
  }

  //===--- Targets --------------------------------------------------------===//

  /// Finds the one tensor that the target is made of.
  bool takeTargets() {
    return findTensor(target) && leaf && hasExactly(targets, rowDims()) &&
           isa<BlockArgument>(leaf->value);
  }

  bool findTensor(const PointExpr *expr) {
    const PointExpr *resolved = exprs.resolve(expr);
    if (!visited.insert(resolved).second)
      return true;
    if (resolved->kind == Kind::Apply)
      return llvm::all_of(resolved->operands, [&](const PointExpr *operand) {
        return findTensor(operand);
      });
    if (resolved->kind != Kind::Access)
      return resolved->kind == Kind::Constant;
    if (leaf && leaf != resolved)
      return false;
    leaf = resolved;
    Type type = getElementTypeOrSelf(resolved->value.getType());
    return (type.isInteger(32) || type.isInteger(64) || type.isIndex()) &&
           lastOperand(expr, targets, /*behindRounding=*/false);
  }

  /// Condition 2.
  bool targetIsClass() {
    Type type = getElementTypeOrSelf(leaf->value.getType());
    unsigned width = *pointWidth(type);
    for (int64_t c = 0; c < extents[n]; ++c) {
      values.assign(leaf, PointNumber::ofInteger(width, c));
      auto index = values.evaluate(target);
      if (!index || index->integer != c)
        return false;
      for (const PointExpr *guard : guards) {
        auto isRead = values.evaluate(guard);
        if (!isRead || !isRead->isInteger() || isRead->integer == 0)
          return false;
      }
    }
    return true;
  }

  /// An operand with its dimensions in an order, each one of its own.
  Value ordered(OpBuilder &b, const PointOperand &operand,
                ArrayRef<unsigned> order) {
    auto shapeOf = [&](ArrayRef<unsigned> dims) {
      return llvm::map_to_vector(dims,
                                 [&](unsigned dim) { return extents[dim]; });
    };
    SmallVector<unsigned> present = operand.dims(), wanted(order);
    llvm::erase_if(wanted, [&](unsigned dim) {
      return !llvm::is_contained(present, dim);
    });
    Value value = reshaped(b, operand.value, shapeOf(present));
    value = reordered(b, value, present, wanted);
    return reshaped(b, value, shapeOf(order));
  }

  Value result; ///< what is replaced
  PointValues values;
  double factor;
  int64_t rows = 1;
  const PointExpr *target = nullptr; ///< an index of classes
  bool isCompared = false;           ///< with the target, instead of read at it
  SmallVector<const PointExpr *> guards;
  DenseSet<const PointExpr *> visited; ///< by findTensor()
  const PointExpr *leaf = nullptr;     ///< the target as it was given
  PointOperand logits, targets;
};

} // namespace

/// What a scalar is a number times: the result of a reduction to a scalar.
static std::optional<ScaledSum> scaledSum(Value root) {
  PointExpressions exprs(root.getContext(), {});
  ScaledSum result;
  const PointExpr *expr =
      exprs.access(root, AffineMap::get(0, 0, root.getContext()));
  while (const PointExpr *next =
             withoutNumber(exprs, exprs.resolve(expr), result.factor))
    expr = next;
  expr = exprs.resolve(expr);
  if (expr->kind != Kind::Access)
    return std::nullopt;
  result.sum = expr->value;
  return result;
}

bool attnres::raiseLoss(Value root) {
  if (!getElementTypeOrSelf(root.getType()).isF32())
    return false;
  auto scaled = scaledSum(root);
  if (!scaled)
    return false;
  auto op = scaled->sum.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.hasDynamicShape() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() != op.getNumLoops() || op.getNumLoops() == 0 ||
      llvm::is_contained(op.getStaticLoopRanges(), 0))
    return false;
  PositionLayout layout(op.getStaticLoopRanges());
  for (int attempt = 0; attempt < 16; ++attempt) {
    LossMatcher matcher(*scaled, root, layout);
    if (matcher.match()) {
      matcher.replace();
      return true;
    }
    auto refined = matcher.refined();
    if (!refined)
      return false;
    layout = *refined;
  }
  return false;
}
