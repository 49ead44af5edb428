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

Positions::Positions(linalg::LinalgOp root) {
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  SmallVector<SmallVector<int64_t>> factors(ranges.size());
  for (OpOperand *operand : root.getDpsInputOperands()) {
    auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !collapse.getSrcType().hasStaticShape())
      continue;
    for (auto [index, group] :
         llvm::zip_equal(root.getMatchingIndexingMap(operand).getResults(),
                         collapse.getReassociationIndices()))
      if (auto loop = dyn_cast<AffineDimExpr>(index);
          loop && group.size() > 1 && factors[loop.getPosition()].empty())
        for (int64_t d : group)
          factors[loop.getPosition()].push_back(
              collapse.getSrcType().getDimSize(d));
  }
  auto iterators = root.getIteratorTypesArray();
  dimsOf.resize(ranges.size());
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    if (factors[loop].empty() ||
        iterators[loop] == utils::IteratorType::reduction)
      factors[loop] = {range};
    AffineExpr index = getAffineConstantExpr(0, root.getContext());
    for (int64_t extent : factors[loop]) {
      index =
          index * extent + getAffineDimExpr(extents.size(), root.getContext());
      dimsOf[loop].push_back(extents.size());
      extents.push_back(extent);
    }
    indices.push_back(index);
  }
  extents.push_back(ShapedType::kDynamic);
}

std::optional<SoftmaxMatcher::Factors>
SoftmaxMatcher::rootFactors(SmallVectorImpl<unsigned> &dims,
                            SmallVectorImpl<unsigned> &groups) {
  if (root.getNumReductionLoops() != 1 || root->getNumResults() != 1 ||
      llvm::any_of(ArrayRef(extents).drop_back(), ShapedType::isDynamic))
    return std::nullopt;
  SmallVector<unsigned> reductions;
  root.getReductionDims(reductions);
  n = positions.dimsOf[reductions.front()].front();
  AffineMap outputMap = root.getIndexingMapMatchingResult(root->getOpResult(0));
  if (!outputMap.isProjectedPermutation())
    return std::nullopt;
  SmallVector<AffineExpr> position;
  for (AffineExpr index : outputMap.getResults()) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    position.push_back(positions.indices[loop]);
    llvm::append_range(dims, positions.dimsOf[loop]);
    groups.push_back(positions.dimsOf[loop].size());
  }
  return product(exprs.access(root->getResult(0),
                              AffineMap::get(extents.size(), 0, position,
                                             root.getContext())),
                 n);
}

bool SoftmaxMatcher::asOperand(const PointExpr *expr, PointOperand &operand) {
  if (expr->kind != Kind::Access ||
      !isa<RankedTensorType>(expr->value.getType()))
    return false;
  operand = {expr->value, {}};
  for (AffineExpr index : expr->map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(index);
    if (!dim || llvm::is_contained(operand.dims, dim.getPosition()))
      return false;
    operand.dims.push_back(dim.getPosition());
  }
  return true;
}

bool SoftmaxMatcher::firstOperand(const PointExpr *expr,
                                  PointOperand &operand) {
  while (expr && expr->kind == Kind::Access) {
    if (asOperand(expr, operand))
      return true;
    expr = exprs.expand(expr);
  }
  return false;
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
    PointOperand candidate;
    if (asOperand(expr, candidate)) {
      operand = candidate;
      found = true;
    }
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

std::optional<PointReduction> SoftmaxMatcher::sum(const PointExpr *expr,
                                                  unsigned index) {
  auto reduction = exprs.reduction(skipCopies(expr), dim(index));
  if (!reduction || !isa<arith::AddFOp>(reduction->combiner) ||
      !isZero(exprs.resolve(reduction->init)->floatConstant()) ||
      (index == n && reduction->extent != extents[index]))
    return std::nullopt;
  return reduction;
}

std::optional<SoftmaxMatcher::Factors>
SoftmaxMatcher::product(const PointExpr *expr, unsigned index) {
  auto reduction = sum(expr, index);
  if (!reduction || !reduction->operand->isApply<arith::MulFOp>())
    return std::nullopt;
  return Factors{reduction->operand->operands[0],
                 reduction->operand->operands[1]};
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

const PointExpr *SoftmaxMatcher::softmaxInput(const PointExpr *weights) {
  if (weights->kind == Kind::Access) {
    auto softmax = weights->value.getDefiningOp<linalg::SoftmaxOp>();
    if (!softmax || weights->map.getResult(softmax.getDimension()) != dim(n))
      return nullptr;
    return exprs.access(softmax.getInput(), weights->map);
  }
  if (!weights->isApply<arith::DivFOp>())
    return nullptr;
  const PointExpr *exponential = exprs.resolve(weights->operands[0]);
  if (!exponential->isApply<math::ExpOp>() ||
      !isSumOf(weights->operands[1], exponential))
    return nullptr;
  const PointExpr *shifted = exprs.resolve(exponential->operands[0]);
  if (!shifted->isApply<arith::SubFOp>() ||
      !isMaximumOf(shifted->operands[1], shifted->operands[0]))
    return nullptr;
  return shifted->operands[0];
}

bool SoftmaxMatcher::isSumOf(const PointExpr *expr, const PointExpr *summand) {
  auto sum = rowReduction(expr);
  return sum && isa<arith::AddFOp>(sum->combiner) &&
         isZero(exprs.resolve(sum->init)->floatConstant()) &&
         same(sum->operand, summand);
}

bool SoftmaxMatcher::isMaximumOf(const PointExpr *expr, const PointExpr *item) {
  auto maximum = rowReduction(expr);
  if (!maximum || !isa<arith::MaximumFOp, arith::MaxNumFOp>(maximum->combiner))
    return false;
  auto init = exprs.resolve(maximum->init)->floatConstant();
  return init && init->isNegative() &&
         (init->isInfinity() || init->isLargest()) &&
         same(maximum->operand, item);
}

double SoftmaxMatcher::toDouble(APFloat number) {
  bool exact;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return number.convertToDouble();
}

void attnres::eraseDead(ArrayRef<Operation *> roots) {
  SmallVector<Operation *> worklist(roots);
  DenseSet<Operation *> erased;
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
