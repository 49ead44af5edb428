//===- SoftmaxMatcher.cpp - weighted sums whose weights are softmaxes -----===//
#include "passes/import/SoftmaxMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

SmallVector<unsigned> PointOperand::dims() const {
  SmallVector<unsigned> all;
  for (ArrayRef<unsigned> group : groups)
    llvm::append_range(all, group);
  return all;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

PositionLayout::PositionLayout(ArrayRef<int64_t> shape) {
  for (int64_t extent : shape)
    root.push_back({extent});
}

SmallVector<int64_t> SoftmaxMatcher::extentsOf(const PositionLayout &layout) {
  SmallVector<int64_t> extents;
  for (ArrayRef<int64_t> group : layout.root)
    llvm::append_range(extents, group);
  extents.push_back(layout.n);
  extents.push_back(layout.k);
  return extents;
}

SoftmaxMatcher::SoftmaxMatcher(Value root, const PositionLayout &layout)
    : root(root), extents(extentsOf(layout)), exprs(root.getContext(), extents),
      layout(layout), learnedN(layout.n), learnedK(layout.k) {
  unsigned next = 0;
  for (ArrayRef<int64_t> group : layout.root) {
    groups.emplace_back();
    for (size_t i = 0; i < group.size(); ++i)
      groups.back().push_back(next++);
  }
  n = next++;
  k = next;
}

std::optional<PositionLayout> SoftmaxMatcher::refined() const {
  PositionLayout next = layout;
  next.n = learnedN;
  next.k = learnedK;
  bool isNew = next.n != layout.n || next.k != layout.k;
  if (auto split = exprs.wantedSplit(); split && split->dim < n) {
    unsigned dim = split->dim;
    for (SmallVector<int64_t, 2> &group : next.root) {
      if (dim >= group.size()) {
        dim -= group.size();
        continue;
      }
      group[dim] /= split->inner;
      group.insert(group.begin() + dim + 1, split->inner);
      isNew = true;
      break;
    }
  }
  return isNew ? std::optional<PositionLayout>(next) : std::nullopt;
}

SmallVector<AffineExpr> SoftmaxMatcher::position() const {
  SmallVector<AffineExpr> position;
  for (ArrayRef<unsigned> group : groups) {
    AffineExpr index = getAffineConstantExpr(0, root.getContext());
    for (unsigned d : group)
      index = index * extents[d] + dim(d);
    position.push_back(index);
  }
  return position;
}

const PointExpr *SoftmaxMatcher::accessRoot() {
  return exprs.access(
      root, AffineMap::get(extents.size(), 0, position(), root.getContext()));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool SoftmaxMatcher::asOperand(const PointExpr *expr,
                               PointOperand &operand) const {
  if (expr->kind != Kind::Access)
    return false;
  auto type = dyn_cast<RankedTensorType>(expr->value.getType());
  if (!type)
    return false;
  PointOperand found{expr->value, {}};
  for (auto [index, size] :
       llvm::zip_equal(expr->map.getResults(), type.getShape())) {
    auto group = exprs.rowMajor(index);
    if (!group)
      return false;
    int64_t extent = 1;
    for (unsigned d : *group) {
      if (ShapedType::isDynamic(extents[d]) ||
          llvm::is_contained(found.dims(), d))
        return false;
      extent *= extents[d];
    }
    if (extent != size)
      return false;
    found.groups.push_back(*group);
  }
  operand = found;
  return true;
}

bool SoftmaxMatcher::lastOperand(const PointExpr *expr, PointOperand &operand,
                                 bool behindRounding) {
  if (expr->kind != Kind::Access)
    return false;
  Type element = getElementTypeOrSelf(expr->value.getType());
  bool found = false;
  while (expr && expr->kind == Kind::Access &&
         (behindRounding ||
          getElementTypeOrSelf(expr->value.getType()) == element)) {
    found |= asOperand(expr, operand);
    expr = exprs.expand(expr);
  }
  return found;
}

const PointExpr *SoftmaxMatcher::skipCopies(const PointExpr *expr) {
  const PointExpr *next = exprs.expand(expr);
  while (next && next->kind == Kind::Access) {
    expr = next;
    next = exprs.expand(expr);
  }
  return expr;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::optional<PointReduction> SoftmaxMatcher::sum(const PointExpr *expr,
                                                  unsigned index) {
  auto reduction = exprs.reduction(skipCopies(expr), dim(index));
  if (!reduction || !isa<arith::AddFOp>(reduction->combiner) ||
      !isZero(exprs.resolve(reduction->init)->floatConstant()))
    return std::nullopt;
  if (ShapedType::isDynamic(extents[index]))
    (index == n ? learnedN : learnedK) = reduction->extent;
  if (reduction->extent != extents[index])
    return std::nullopt;
  return reduction;
}

bool SoftmaxMatcher::isKnownColumn(int64_t extent) {
  if (ShapedType::isDynamic(extents[k]))
    learnedK = extent;
  return extents[k] == extent;
}

bool SoftmaxMatcher::isKnownTerm(int64_t extent) {
  if (ShapedType::isDynamic(extents[n]))
    learnedN = extent;
  return extents[n] == extent;
}

std::optional<SoftmaxMatcher::Factors>
SoftmaxMatcher::product(const PointExpr *expr, unsigned index) {
  auto reduction = sum(expr, index);
  if (!reduction)
    return std::nullopt;
  const PointExpr *term = exprs.resolve(reduction->operand);
  if (!term->isApply<arith::MulFOp>())
    return std::nullopt;
  return Factors{term->operands[0], term->operands[1]};
}

std::optional<PointReduction>
SoftmaxMatcher::rowReduction(const PointExpr *expr) {
  expr = skipCopies(expr);
  if (expr->kind != Kind::Access || expr->map.isFunctionOfDim(n))
    return std::nullopt;
  auto reduction = exprs.reduction(expr, dim(n));
  if (reduction && reduction->extent != extents[n])
    return std::nullopt;
  return reduction;
}

bool SoftmaxMatcher::same(const PointExpr *lhs, const PointExpr *rhs) {
  return lhs == rhs || exprs.expandAll(lhs) == exprs.expandAll(rhs);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

std::optional<SoftmaxMatcher::Softmax>
SoftmaxMatcher::softmax(const PointExpr *weights) {
  weights = exprs.resolve(weights);
  if (weights->kind == Kind::Access) {
    auto softmax = weights->value.getDefiningOp<linalg::SoftmaxOp>();
    if (!softmax || weights->map.getResult(softmax.getDimension()) != dim(n))
      return std::nullopt;
    return Softmax{exprs.access(softmax.getInput(), weights->map)};
  }
  if (weights->isApply<arith::DivFOp>())
    return quotient(weights->operands[0], weights->operands[1]);
  if (!weights->isApply<math::ExpOp>())
    return std::nullopt;
  SmallVector<Term> terms;
  collectTerms(weights->operands[0], false, terms);
  const PointExpr *logits = logSoftmax(std::move(terms));
  return logits ? std::optional<Softmax>(Softmax{logits}) : std::nullopt;
}

std::optional<SoftmaxMatcher::Softmax>
SoftmaxMatcher::quotient(const PointExpr *numerator, const PointExpr *total) {
  auto result = exponentials(numerator);
  if (!result || !isSumOf(total, numerator))
    return std::nullopt;
  return result;
}

std::optional<SoftmaxMatcher::Softmax>
SoftmaxMatcher::exponentials(const PointExpr *expr) {
  expr = exprs.resolve(expr);
  const PointExpr *keep = nullptr;
  if (expr->isApply<arith::MulFOp>()) {
    unsigned i =
        exprs.resolve(expr->operands[0])->isApply<math::ExpOp>() ? 0 : 1;
    keep = expr->operands[1 - i];
    expr = exprs.resolve(expr->operands[i]);
  }
  if (!expr->isApply<math::ExpOp>())
    return std::nullopt;
  return Softmax{withoutMaximum(expr->operands[0]), keep};
}

const PointExpr *SoftmaxMatcher::withoutMaximum(const PointExpr *exponent) {
  exponent = exprs.resolve(exponent);
  if (exponent->isApply<arith::SubFOp>() &&
      isMaximumOf(exponent->operands[1], exponent->operands[0]))
    return exponent->operands[0];
  return exponent;
}

void SoftmaxMatcher::collectTerms(const PointExpr *expr, bool isNegative,
                                  SmallVectorImpl<Term> &terms) {
  expr = exprs.resolve(expr);
  bool subtracts = expr->isApply<arith::SubFOp>();
  if (!subtracts && !expr->isApply<arith::AddFOp>()) {
    terms.push_back({exprs.expandAll(expr), isNegative});
    return;
  }
  collectTerms(expr->operands[0], isNegative, terms);
  collectTerms(expr->operands[1], isNegative != subtracts, terms);
}

const PointExpr *SoftmaxMatcher::logSoftmax(SmallVector<Term> terms) {
  for (const Term &term : terms) {
    if (!term.isNegative || !term.expr->isApply<math::LogOp>())
      continue;
    // A sum of exponentials is its own absolute value.
    const PointExpr *summed = term.expr->operands[0];
    if (summed->isApply<math::AbsFOp>())
      summed = summed->operands[0];
    auto total = rowReduction(summed);
    if (!total || !isa<arith::AddFOp>(total->combiner) ||
        !isZero(exprs.resolve(total->init)->floatConstant()))
      return nullptr;
    const PointExpr *summand = exprs.resolve(total->operand);
    if (!summand->isApply<math::ExpOp>())
      return nullptr;
    // The exponents differ by the logarithm and nothing else.
    SmallVector<Term> exponent{term};
    collectTerms(summand->operands[0], false, exponent);
    llvm::sort(exponent);
    llvm::sort(terms);
    return exponent == terms ? withoutMaximum(summand->operands[0]) : nullptr;
  }
  return nullptr;
}

bool SoftmaxMatcher::isSumOf(const PointExpr *expr, const PointExpr *summand) {
  auto sum = rowReduction(expr);
  return sum && isa<arith::AddFOp>(sum->combiner) &&
         isZero(exprs.resolve(sum->init)->floatConstant()) &&
         same(sum->operand, summand);
}

const PointExpr *SoftmaxMatcher::withoutGuards(const PointExpr *maximum) {
  while (true) {
    const PointExpr *expr = exprs.resolve(maximum);
    const PointExpr *inner = nullptr;
    if (expr->isApply<arith::MaximumFOp>() ||
        expr->isApply<arith::MaxNumFOp>()) {
      for (unsigned i : {0, 1})
        if (isLowest(exprs.resolve(expr->operands[i])->floatConstant()))
          inner = expr->operands[1 - i];
    } else if (expr->isApply<arith::SelectOp>() &&
               isZero(exprs.resolve(expr->operands[2])->floatConstant())) {
      // |maximum| is not infinite.
      const PointExpr *test = exprs.resolve(expr->operands[0]);
      const PointExpr *size = test->isApply<arith::CmpFOp>()
                                  ? exprs.resolve(test->operands[0])
                                  : nullptr;
      if (size && size->isApply<math::AbsFOp>() &&
          same(size->operands[0], expr->operands[1])) {
        auto limit = exprs.resolve(test->operands[1])->floatConstant();
        if (limit && limit->isInfinity())
          inner = expr->operands[1];
      }
    }
    if (!inner)
      return maximum;
    maximum = inner;
  }
}

bool SoftmaxMatcher::isMaximumOf(const PointExpr *expr, const PointExpr *item) {
  auto maximum = rowReduction(withoutGuards(expr));
  if (!maximum || !isa<arith::MaximumFOp, arith::MaxNumFOp>(maximum->combiner))
    return false;
  return isLowest(exprs.resolve(maximum->init)->floatConstant()) &&
         same(maximum->operand, item);
}

double SoftmaxMatcher::toDouble(APFloat number) {
  bool exact;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return number.convertToDouble();
}

void attnres::eraseDead(Operation *root, DenseSet<Operation *> &erased) {
  SmallVector<Operation *> worklist{root};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (erased.contains(op) || !isOpTriviallyDead(op))
      continue;
    SetVector<Operation *> producers;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && !op->isAncestor(producer))
          producers.insert(producer);
    });
    llvm::append_range(worklist, producers);
    erased.insert(op);
    op->erase();
  }
}
