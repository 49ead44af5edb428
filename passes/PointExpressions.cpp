//===- PointExpressions.cpp - what a tensor holds at one point ------------===//
#include "passes/PointExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

/// Scalar operations that expressions are made of. Fast-math flags do not
/// distinguish them.
static bool isUnderstood(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MaxNumFOp, math::ExpOp,
             arith::SelectOp, arith::CmpIOp, arith::AddIOp, arith::SubIOp>(op);
}

/// What tells apart operations of one name.
static Attribute distinction(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return IntegerAttr::get(IntegerType::get(op->getContext(), 64),
                            static_cast<int64_t>(compare.getPredicate()));
  return nullptr;
}

std::optional<APFloat> PointExpr::floatConstant() const {
  auto number = dyn_cast_or_null<FloatAttr>(attribute);
  if (kind != Kind::Constant || !number)
    return std::nullopt;
  return number.getValue();
}

const PointExpr *PointExpressions::unique(PointExpr expr) {
  std::vector<const void *> key{
      reinterpret_cast<const void *>(static_cast<uintptr_t>(expr.kind)),
      expr.value ? expr.value.getAsOpaquePointer() : nullptr,
      expr.map ? expr.map.getAsOpaquePointer() : nullptr,
      expr.attribute ? expr.attribute.getAsOpaquePointer() : nullptr,
      expr.index ? expr.index.getAsOpaquePointer() : nullptr,
      expr.name.data()};
  key.insert(key.end(), expr.operands.begin(), expr.operands.end());
  std::unique_ptr<PointExpr> &entry = exprs[std::move(key)];
  if (!entry)
    entry = std::make_unique<PointExpr>(std::move(expr));
  return entry.get();
}

const PointExpr *PointExpressions::access(Value tensor, AffineMap map) {
  PointExpr expr{Kind::Access};
  expr.value = tensor;
  expr.map = map;
  return unique(std::move(expr));
}

const PointExpr *PointExpressions::outer(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)) &&
      isa<IntegerAttr, FloatAttr>(constant)) {
    PointExpr expr{Kind::Constant};
    expr.attribute = constant;
    return unique(std::move(expr));
  }
  return access(value, AffineMap::get(numDims, 0, context));
}

const PointExpr *PointExpressions::operandAt(OpOperand &operand,
                                             linalg::LinalgOp op,
                                             ArrayRef<AffineExpr> loops) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return outer(operand.get());
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : op.getMatchingIndexingMap(&operand).getResults())
    indices.push_back(index.replaceDims(loops));
  return access(operand.get(), AffineMap::get(numDims, 0, indices, context));
}

const PointExpr *PointExpressions::scalar(Value value, linalg::LinalgOp op,
                                          ArrayRef<AffineExpr> loops) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == op.getBlock())
      return operandAt(*op.getMatchingOpOperand(argument), op, loops);
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != op.getBlock() ||
      matchPattern(value, m_Constant()))
    return outer(value);
  if (auto index = dyn_cast<linalg::IndexOp>(definition)) {
    PointExpr expr{Kind::Index};
    expr.index = loops[index.getDim()];
    return unique(std::move(expr));
  }
  // Extents are far below the range of any index type in use.
  if (isa<arith::IndexCastOp>(definition))
    return scalar(definition->getOperand(0), op, loops);
  if (!isUnderstood(definition))
    return nullptr;
  PointExpr expr{Kind::Apply};
  expr.name = definition->getName().getStringRef();
  expr.attribute = distinction(definition);
  for (Value operand : definition->getOperands()) {
    const PointExpr *child = scalar(operand, op, loops);
    if (!child)
      return nullptr;
    expr.operands.push_back(child);
  }
  return unique(std::move(expr));
}

std::optional<SmallVector<AffineExpr>>
PointExpressions::iterationOf(linalg::LinalgOp op, OpResult result,
                              AffineMap map, AffineExpr index) {
  SmallVector<AffineExpr> loops(op.getNumLoops());
  AffineMap written = op.getIndexingMapMatchingResult(result);
  for (auto [loop, position] :
       llvm::zip_equal(written.getResults(), map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(loop);
    if (!dim || loops[dim.getPosition()])
      return std::nullopt;
    loops[dim.getPosition()] = position;
  }
  auto iterators = op.getIteratorTypesArray();
  for (auto [loop, iterator] : llvm::zip_equal(loops, iterators)) {
    bool reduces = iterator == utils::IteratorType::reduction;
    if (reduces != !loop || (reduces && !index))
      return std::nullopt;
    if (reduces)
      loop = std::exchange(index, nullptr);
  }
  // A reduction was asked for and there is none.
  if (index)
    return std::nullopt;
  return loops;
}

const PointExpr *PointExpressions::expand(const PointExpr *expr) {
  if (expr->kind != Kind::Access ||
      !isa<RankedTensorType>(expr->value.getType()))
    return nullptr;
  SplatElementsAttr splat;
  if (matchPattern(expr->value, m_Constant(&splat))) {
    PointExpr constant{Kind::Constant};
    constant.attribute = splat.getSplatValue<Attribute>();
    return unique(std::move(constant));
  }
  Operation *op = expr->value.getDefiningOp();
  if (!op)
    return nullptr;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    auto result = cast<OpResult>(expr->value);
    auto loops = iterationOf(structured, result, expr->map, nullptr);
    if (!loops)
      return nullptr;
    Operation *yield = structured.getBlock()->getTerminator();
    return scalar(yield->getOperand(result.getResultNumber()), structured,
                  *loops);
  }
  if (!OpTrait::hasElementwiseMappableTraits(op) || !isUnderstood(op))
    return nullptr;
  PointExpr apply{Kind::Apply};
  apply.name = op->getName().getStringRef();
  apply.attribute = distinction(op);
  for (Value operand : op->getOperands())
    apply.operands.push_back(isa<RankedTensorType>(operand.getType())
                                 ? access(operand, expr->map)
                                 : outer(operand));
  return unique(std::move(apply));
}

const PointExpr *PointExpressions::resolve(const PointExpr *expr) {
  while (const PointExpr *next = expand(expr))
    expr = next;
  return expr;
}

const PointExpr *PointExpressions::expandAll(const PointExpr *expr) {
  if (const PointExpr *known = expanded.lookup(expr))
    return known;
  const PointExpr *resolved = resolve(expr);
  if (resolved->kind == Kind::Apply) {
    PointExpr apply = *resolved;
    for (const PointExpr *&operand : apply.operands)
      operand = expandAll(operand);
    resolved = unique(std::move(apply));
  }
  expanded[expr] = resolved;
  return resolved;
}

std::optional<PointReduction> PointExpressions::reduction(const PointExpr *expr,
                                                          AffineExpr index) {
  if (expr->kind != Kind::Access)
    return std::nullopt;
  auto op = expr->value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() != 1)
    return std::nullopt;
  auto loops = iterationOf(op, cast<OpResult>(expr->value), expr->map, index);
  if (!loops)
    return std::nullopt;
  BlockArgument sofar = op.getRegionOutputArgs().front();
  Value result = op.getBlock()->getTerminator()->getOperand(0);
  Operation *combiner = result.getDefiningOp();
  if (!combiner || combiner->getBlock() != op.getBlock() ||
      combiner->getNumOperands() != 2 || !sofar.hasOneUse())
    return std::nullopt;
  unsigned position = combiner->getOperand(0) == sofar ? 0 : 1;
  if (combiner->getOperand(position) != sofar)
    return std::nullopt;
  const PointExpr *operand =
      scalar(combiner->getOperand(1 - position), op, *loops);
  if (!operand)
    return std::nullopt;
  unsigned loop = 0;
  while (op.getIteratorTypesArray()[loop] != utils::IteratorType::reduction)
    ++loop;
  return PointReduction{combiner, operand,
                        operandAt(*op.getDpsInitOperand(0), op, *loops),
                        op.getStaticLoopRanges()[loop]};
}
