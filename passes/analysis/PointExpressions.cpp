//===- PointExpressions.cpp - what a tensor holds at one point ------------===//
#include "passes/analysis/PointExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

/// Scalar operations that expressions are made of. Fast-math flags do not
/// distinguish them.
static bool isUnderstood(Operation *op) {
  return isa<
      arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
      arith::MaximumFOp, arith::MaxNumFOp, math::ExpOp, math::LogOp,
      math::RsqrtOp, math::SqrtOp, math::AbsFOp, math::TanhOp, math::ErfOp,
      math::ErfcOp, math::PowFOp, math::CosOp, math::SinOp, arith::SelectOp,
      arith::CmpIOp, arith::CmpFOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
      arith::MaxSIOp, arith::MinSIOp, arith::AndIOp, arith::OrIOp,
      arith::XOrIOp, arith::UIToFPOp, arith::SIToFPOp, arith::IndexCastOp,
      arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
      op);
}

/// What tells apart operations of one name: the predicate of a comparison, the
/// type in which an operation on integers may wrap.
static Attribute distinction(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return IntegerAttr::get(IntegerType::get(op->getContext(), 64),
                            static_cast<int64_t>(compare.getPredicate()));
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return IntegerAttr::get(IntegerType::get(op->getContext(), 64),
                            static_cast<int64_t>(compare.getPredicate()));
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (element.isIntOrIndex())
    return TypeAttr::get(element);
  return nullptr;
}

/// Whether `op` rounds or extends between f32 and bf16.
static bool isRounding(Operation *op) {
  auto isKnown = [](Type type) {
    type = getElementTypeOrSelf(type);
    return type.isF32() || type.isBF16();
  };
  return isa<arith::ExtFOp, arith::TruncFOp>(op) &&
         isKnown(op->getOperand(0).getType()) &&
         isKnown(op->getResult(0).getType());
}

bool attnres::isDefinedInside(Value value, Operation *op) {
  return op->isAncestor(value.getParentBlock()->getParentOp());
}

namespace {
/// constant + the sum of coefficients[d] d.
struct Linear {
  int64_t constant = 0;
  std::map<unsigned, int64_t> coefficients; ///< none is 0
};
} // namespace

static bool addLinear(AffineExpr expr, int64_t factor, Linear &sum) {
  auto addProduct = [&](int64_t &to, int64_t value) {
    int64_t product;
    return !llvm::MulOverflow(value, factor, product) &&
           !llvm::AddOverflow(to, product, to);
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return addProduct(sum.constant, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    int64_t &coefficient = sum.coefficients[dim.getPosition()];
    if (!addProduct(coefficient, 1))
      return false;
    if (coefficient == 0)
      sum.coefficients.erase(dim.getPosition());
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, sum) &&
           addLinear(binary.getRHS(), factor, sum);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  int64_t product;
  return binary.getKind() == AffineExprKind::Mul && scale &&
         !llvm::MulOverflow(factor, scale.getValue(), product) &&
         addLinear(binary.getLHS(), product, sum);
}

static std::optional<Linear> linearOf(AffineExpr expr) {
  Linear sum;
  if (!addLinear(expr, 1, sum))
    return std::nullopt;
  return sum;
}

/// One way to write a linear expression.
static AffineExpr exprOf(const Linear &linear, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(linear.constant, context);
  for (auto [dim, coefficient] : linear.coefficients)
    sum = sum + getAffineDimExpr(dim, context) * coefficient;
  return sum;
}

std::optional<std::pair<int64_t, int64_t>>
PointExpressions::range(AffineExpr expr) const {
  std::optional<Linear> linear = linearOf(expr);
  if (!linear)
    return std::nullopt;
  int64_t low = linear->constant, high = linear->constant;
  for (auto [dim, coefficient] : linear->coefficients) {
    int64_t product;
    if (ShapedType::isDynamic(extents[dim]) || extents[dim] == 0 ||
        llvm::MulOverflow(coefficient, extents[dim] - 1, product) ||
        (product < 0 ? llvm::AddOverflow(low, product, low)
                     : llvm::AddOverflow(high, product, high)))
      return std::nullopt;
  }
  constexpr int64_t limit = int64_t{1} << 62;
  if (low < -limit || high >= limit)
    return std::nullopt;
  return std::make_pair(low, high);
}

std::optional<SmallVector<AffineExpr>>
PointExpressions::delinearize(AffineExpr index, ArrayRef<int64_t> shape) {
  std::optional<Linear> rest = linearOf(index);
  if (!rest || rest->constant < 0)
    return std::nullopt;
  SmallVector<AffineExpr> parts(shape.size());
  for (size_t i = shape.size(); i-- > 1;) {
    int64_t size = shape[i];
    if (ShapedType::isDynamic(size) || size == 0)
      return std::nullopt;
    Linear part, next;
    part.constant = rest->constant % size;
    next.constant = rest->constant / size;
    for (auto [dim, coefficient] : rest->coefficients) {
      if (coefficient < 0)
        return std::nullopt;
      if (coefficient % size == 0)
        next.coefficients[dim] = coefficient / size;
      else
        part.coefficients[dim] = coefficient;
    }
    parts[i] = exprOf(part, context);
    // What does not fit would carry into the next dimension.
    if (auto bounds = range(parts[i]); !bounds || bounds->second >= size) {
      for (auto [dim, coefficient] : part.coefficients) {
        int64_t inner = size / coefficient;
        if (!split && size % coefficient == 0 && inner > 1 &&
            !ShapedType::isDynamic(extents[dim]) && extents[dim] > inner &&
            extents[dim] % inner == 0)
          split = DimSplit{dim, inner};
      }
      return std::nullopt;
    }
    rest = next;
  }
  parts[0] = exprOf(*rest, context);
  return parts;
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

const PointExpr *PointExpressions::noteRounding(const PointExpr *expr,
                                                Operation *op) {
  if (expr && getElementTypeOrSelf(op->getResult(0).getType()).isBF16())
    rounded.insert(expr);
  return expr;
}

const PointExpr *PointExpressions::access(Value tensor, AffineMap map) {
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : map.getResults()) {
    std::optional<Linear> linear = linearOf(index);
    indices.push_back(linear ? exprOf(*linear, context) : index);
  }
  PointExpr expr{Kind::Access};
  expr.value = tensor;
  expr.map = AffineMap::get(numDims, 0, indices, context);
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
  if (auto extract = value.getDefiningOp<tensor::ExtractOp>()) {
    SmallVector<AffineExpr> indices;
    for (Value index : extract.getIndices())
      if (auto known = getConstantIntValue(index))
        indices.push_back(getAffineConstantExpr(*known, context));
    if (indices.size() == extract.getIndices().size())
      return access(extract.getTensor(),
                    AffineMap::get(numDims, 0, indices, context));
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
  if (!definition || !op->isProperAncestor(definition) ||
      matchPattern(value, m_Constant()))
    return outer(value);
  if (auto index = dyn_cast<linalg::IndexOp>(definition)) {
    PointExpr expr{Kind::Index};
    expr.index = loops[index.getDim()];
    return unique(std::move(expr));
  }
  if (isRounding(definition))
    return noteRounding(scalar(definition->getOperand(0), op, loops),
                        definition);
  if (auto branch = dyn_cast<scf::IfOp>(definition)) {
    const PointExpr *condition = scalar(branch.getCondition(), op, loops);
    std::optional<bool> taken =
        condition ? decide(condition) : std::optional<bool>();
    if (!taken || (!*taken && branch.getElseRegion().empty()))
      return nullptr;
    Operation *yield =
        *taken ? branch.thenYield().getOperation() : branch.elseYield();
    return scalar(yield->getOperand(cast<OpResult>(value).getResultNumber()),
                  op, loops);
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(definition)) {
    if (auto elements =
            extract.getTensor().getDefiningOp<tensor::FromElementsOp>();
        elements && elements.getElements().size() == 1)
      return scalar(elements.getElements().front(), op, loops);
    // What is made in the body is no operand of anything outside.
    if (isDefinedInside(extract.getTensor(), op))
      return nullptr;
    PointExpr chosen{Kind::Apply};
    chosen.name = tensor::ExtractOp::getOperationName();
    chosen.value = extract.getTensor();
    SmallVector<AffineExpr> indices;
    for (Value index : extract.getIndices()) {
      const PointExpr *at = scalar(index, op, loops);
      if (!at)
        return nullptr;
      chosen.operands.push_back(at);
      if (AffineExpr known = affine(at))
        indices.push_back(known);
    }
    if (indices.size() < chosen.operands.size())
      return unique(std::move(chosen));
    return access(extract.getTensor(),
                  AffineMap::get(numDims, 0, indices, context));
  }
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
  return noteRounding(unique(std::move(expr)), definition);
}

std::optional<SmallVector<AffineExpr>>
PointExpressions::iterationOf(linalg::LinalgOp op, OpResult result,
                              AffineMap map, ArrayRef<AffineExpr> indices) {
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
    if (reduces != !loop || (reduces && indices.empty()))
      return std::nullopt;
    if (reduces) {
      loop = indices.front();
      indices = indices.drop_front();
    }
  }
  // More reductions were asked for than there are.
  if (!indices.empty())
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
    auto loops = iterationOf(structured, result, expr->map, {});
    if (!loops)
      return nullptr;
    Operation *yield = structured.getBlock()->getTerminator();
    return scalar(yield->getOperand(result.getResultNumber()), structured,
                  *loops);
  }
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return seeThroughShape(expr);
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp>(op))
    return seeThroughSlices(expr);
  if (isRounding(op))
    return noteRounding(access(op->getOperand(0), expr->map), op);
  if (!OpTrait::hasElementwiseMappableTraits(op) || !isUnderstood(op))
    return nullptr;
  PointExpr apply{Kind::Apply};
  apply.name = op->getName().getStringRef();
  apply.attribute = distinction(op);
  for (Value operand : op->getOperands())
    apply.operands.push_back(isa<RankedTensorType>(operand.getType())
                                 ? access(operand, expr->map)
                                 : outer(operand));
  return noteRounding(unique(std::move(apply)), op);
}

const PointExpr *PointExpressions::seeThroughShape(const PointExpr *expr) {
  SmallVector<AffineExpr> indices;
  if (auto collapse = expr->value.getDefiningOp<tensor::CollapseShapeOp>()) {
    RankedTensorType source = collapse.getSrcType();
    // Without groups, all dimensions have extent 1.
    if (collapse.getReassociationIndices().empty())
      indices.assign(source.getRank(), getAffineConstantExpr(0, context));
    for (auto [index, group] : llvm::zip_equal(
             expr->map.getResults(), collapse.getReassociationIndices())) {
      auto parts = delinearize(
          index, source.getShape().slice(group.front(), group.size()));
      if (!parts)
        return nullptr;
      llvm::append_range(indices, *parts);
    }
    return access(collapse.getSrc(),
                  AffineMap::get(numDims, 0, indices, context));
  }
  auto expand = expr->value.getDefiningOp<tensor::ExpandShapeOp>();
  RankedTensorType result = expand.getResultType();
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    AffineExpr index = getAffineConstantExpr(0, context);
    for (int64_t d : group) {
      if (result.isDynamicDim(d))
        return nullptr;
      index = index * result.getDimSize(d) + expr->map.getResult(d);
    }
    indices.push_back(index);
  }
  return access(expand.getSrc(), AffineMap::get(numDims, 0, indices, context));
}

const PointExpr *PointExpressions::seeThroughSlices(const PointExpr *expr) {
  ArrayRef<AffineExpr> at = expr->map.getResults();
  auto accessAt = [&](Value tensor, ArrayRef<AffineExpr> indices) {
    return access(tensor, AffineMap::get(numDims, 0, indices, context));
  };
  SmallVector<AffineExpr> indices;
  if (auto slice = expr->value.getDefiningOp<tensor::ExtractSliceOp>()) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    size_t next = 0;
    for (auto [d, offset, stride] :
         llvm::enumerate(slice.getStaticOffsets(), slice.getStaticStrides())) {
      if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(stride))
        return nullptr;
      AffineExpr index = getAffineConstantExpr(offset, context);
      indices.push_back(dropped[d] ? index : index + at[next++] * stride);
    }
    return accessAt(slice.getSource(), indices);
  }
  // Whether an index is inside of [begin, begin + size): at all positions, at
  // none, or nothing is known.
  auto isInside = [&](AffineExpr index, int64_t begin,
                      int64_t size) -> std::optional<bool> {
    auto bounds = range(index);
    if (!bounds)
      return std::nullopt;
    if (bounds->first >= begin && bounds->second < begin + size)
      return true;
    if (bounds->second < begin || bounds->first >= begin + size)
      return false;
    return std::nullopt;
  };
  if (auto insert = expr->value.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!insert.hasUnitStride())
      return nullptr;
    llvm::SmallBitVector dropped = insert.getDroppedDims();
    bool isKnown = true;
    for (auto [d, offset, size] :
         llvm::enumerate(insert.getStaticOffsets(), insert.getStaticSizes())) {
      if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size))
        return nullptr;
      bool isWhole = size == insert.getDestType().getDimSize(d);
      std::optional<bool> inside =
          isWhole ? true : isInside(at[d], offset, size);
      if (inside && !*inside)
        return accessAt(insert.getDest(), at);
      isKnown &= inside.has_value();
      if (!dropped[d])
        indices.push_back(at[d] - offset);
    }
    return isKnown ? accessAt(insert.getSource(), indices) : nullptr;
  }
  auto concat = expr->value.getDefiningOp<tensor::ConcatOp>();
  int64_t begin = 0;
  for (Value input : concat.getInputs()) {
    int64_t size =
        cast<RankedTensorType>(input.getType()).getDimSize(concat.getDim());
    if (ShapedType::isDynamic(size))
      return nullptr;
    std::optional<bool> inside = isInside(at[concat.getDim()], begin, size);
    if (!inside)
      return nullptr;
    if (*inside) {
      llvm::append_range(indices, at);
      indices[concat.getDim()] = at[concat.getDim()] - begin;
      return accessAt(input, indices);
    }
    begin += size;
  }
  return nullptr;
}

AffineExpr PointExpressions::exact(AffineExpr index, Type type) const {
  auto bounds = range(index);
  unsigned width = isa<IndexType>(type) ? 63 : type.getIntOrFloatBitWidth();
  if (!bounds || width == 0)
    return nullptr;
  int64_t limit = int64_t{1} << (std::min(width, 63u) - 1);
  return bounds->first < -limit || bounds->second >= limit ? AffineExpr()
                                                           : index;
}

AffineExpr PointExpressions::affine(const PointExpr *expr) {
  expr = resolve(expr);
  if (expr->kind == Kind::Index)
    return exact(expr->index, IndexType::get(context));
  if (expr->kind == Kind::Constant) {
    auto number = dyn_cast<IntegerAttr>(expr->attribute);
    if (!number || number.getValue().getSignificantBits() > 64)
      return nullptr;
    return exact(
        getAffineConstantExpr(number.getValue().getSExtValue(), context),
        number.getType());
  }
  if (expr->kind != Kind::Apply)
    return nullptr;
  auto type = dyn_cast_or_null<TypeAttr>(expr->attribute);
  if (!type)
    return nullptr;
  AffineExpr lhs = affine(expr->operands[0]);
  if (!lhs)
    return nullptr;
  if (expr->isApply<arith::IndexCastOp>() || expr->isApply<arith::ExtSIOp>() ||
      expr->isApply<arith::TruncIOp>())
    return exact(lhs, type.getValue());
  if (expr->isApply<arith::IndexCastUIOp>() || expr->isApply<arith::ExtUIOp>())
    return range(lhs)->first < 0 ? nullptr : exact(lhs, type.getValue());
  bool adds = expr->isApply<arith::AddIOp>();
  if (!adds && !expr->isApply<arith::SubIOp>())
    return nullptr;
  AffineExpr rhs = affine(expr->operands[1]);
  if (!rhs)
    return nullptr;
  return exact(adds ? lhs + rhs : lhs - rhs, type.getValue());
}

std::optional<bool> PointExpressions::decide(const PointExpr *condition) {
  condition = resolve(condition);
  if (condition->kind == Kind::Constant) {
    auto number = dyn_cast<IntegerAttr>(condition->attribute);
    return number ? std::optional<bool>(!number.getValue().isZero())
                  : std::nullopt;
  }
  if (!condition->isApply<arith::CmpIOp>())
    return std::nullopt;
  AffineExpr lhs = affine(condition->operands[0]);
  AffineExpr rhs = affine(condition->operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  using P = arith::CmpIPredicate;
  auto predicate =
      static_cast<P>(cast<IntegerAttr>(condition->attribute).getInt());
  // Numbers that are not negative compare alike with and without sign.
  if (llvm::is_contained({P::ule, P::ult, P::uge, P::ugt}, predicate) &&
      (range(lhs)->first < 0 || range(rhs)->first < 0))
    return std::nullopt;
  auto difference = range(lhs - rhs);
  if (!difference)
    return std::nullopt;
  auto [low, high] = *difference;
  auto known = [](bool always, bool never) {
    return always  ? std::optional<bool>(true)
           : never ? std::optional<bool>(false)
                   : std::nullopt;
  };
  switch (predicate) {
  case P::slt:
  case P::ult:
    return known(high < 0, low >= 0);
  case P::sle:
  case P::ule:
    return known(high <= 0, low > 0);
  case P::sgt:
  case P::ugt:
    return known(low > 0, high <= 0);
  case P::sge:
  case P::uge:
    return known(low >= 0, high < 0);
  case P::eq:
    return known(low == 0 && high == 0, low > 0 || high < 0);
  case P::ne:
    return known(low > 0 || high < 0, low == 0 && high == 0);
  }
  return std::nullopt;
}

std::optional<SmallVector<unsigned, 2>>
PointExpressions::rowMajor(AffineExpr index) const {
  std::optional<Linear> linear = linearOf(index);
  if (!linear || linear->constant != 0)
    return std::nullopt;
  SmallVector<std::pair<int64_t, unsigned>> parts;
  for (auto [dim, coefficient] : linear->coefficients)
    parts.push_back({coefficient, dim});
  llvm::sort(parts, std::greater<>());
  int64_t expected = 1;
  for (auto [coefficient, dim] : llvm::reverse(parts)) {
    if (coefficient != expected)
      return std::nullopt;
    if (parts.size() == 1)
      break; // of any extent
    if (ShapedType::isDynamic(extents[dim]))
      return std::nullopt;
    expected *= extents[dim];
  }
  SmallVector<unsigned, 2> dims;
  for (auto [coefficient, dim] : parts)
    dims.push_back(dim);
  return dims;
}

const PointExpr *PointExpressions::resolve(const PointExpr *expr) {
  if (const PointExpr *known = resolutions.lookup(expr))
    return known;
  const PointExpr *end = expr;
  bool isRounded = false;
  while (const PointExpr *next = expand(end)) {
    end = next;
    isRounded |= rounded.contains(end);
  }
  // Roots of constants, as in scores / sqrt(width).
  if (end->isApply<math::SqrtOp>() || end->isApply<math::RsqrtOp>()) {
    auto number =
        dyn_cast_or_null<FloatAttr>(resolve(end->operands[0])->attribute);
    if (number && number.getValueAsDouble() > 0) {
      double root = std::sqrt(number.getValueAsDouble());
      PointExpr constant{Kind::Constant};
      constant.attribute = FloatAttr::get(
          number.getType(), end->isApply<math::SqrtOp>() ? root : 1 / root);
      end = unique(std::move(constant));
    }
  }
  if (isRounded)
    rounded.insert(expr);
  resolutions[expr] = end;
  return end;
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

std::optional<PointReduction>
PointExpressions::reduction(const PointExpr *expr,
                            ArrayRef<AffineExpr> indices) {
  if (expr->kind != Kind::Access)
    return std::nullopt;
  auto op = expr->value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() != 1)
    return std::nullopt;
  auto loops = iterationOf(op, cast<OpResult>(expr->value), expr->map, indices);
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
