//===- LinalgNest.cpp - points of a linalg operation ----------------------===//
#include "passes/cpu/LinalgNest.h"

#include "passes/analysis/TensorTypes.h"
#include "passes/cpu/ScalarCode.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;
using rows::forRange;

//===----------------------------------------------------------------------===//
// Kernels of one linalg operation
//===----------------------------------------------------------------------===//

/// What an operand of the root may be: memory, a value for all elements, or
/// nothing but a shape.
static bool isKnownTensor(Value value) {
  if (isa<BlockArgument>(value))
    return isa<RankedTensorType>(value.getType());
  return value.getDefiningOp<tensor::EmptyOp>() ||
         value.getDefiningOp<linalg::FillOp>();
}

/// The linalg operation of a kernel that consists of one, its destinations and
/// scalar constants; null for any other kernel.
static linalg::LinalgOp linalgRoot(KernelOp function) {
  linalg::LinalgOp root;
  Operation *exit = function.front().getTerminator();
  for (Operation &op : function.front().without_terminator()) {
    if (isa<tensor::EmptyOp>(op) ||
        (isa<arith::ConstantOp>(op) &&
         !isa<ShapedType>(op.getResult(0).getType())))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool isReturned = llvm::is_contained(op.getUsers(), exit);
    if (isa<linalg::FillOp>(op) && !isReturned)
      continue;
    if (!linalgOp || root)
      return nullptr;
    root = linalgOp;
  }
  if (!root)
    return nullptr;
  llvm::SetVector<Value> read(root->operand_begin(), root->operand_end());
  getUsedValuesDefinedAbove(root->getRegions(), read);
  for (Value value : read)
    if (isa<ShapedType>(value.getType()) ? !isKnownTensor(value)
                                         : isa<BlockArgument>(value))
      return nullptr;
  for (Value value : exit->getOperands())
    if (value.getDefiningOp() != root)
      return nullptr;
  return root;
}

/// Results are carried through the reductions and stored once.
static LogicalResult verifyResults(linalg::GenericOp op) {
  for (OpOperand &init : op.getDpsInitsMutable())
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind != utils::IteratorType::parallel &&
          op.getMatchingIndexingMap(&init).isFunctionOfDim(dim))
        return op.emitOpError("expected results indexed by parallel "
                              "dimensions, got one by reduction d")
               << dim;
  return success();
}

FrozenRewritePatternSet
attnres::cpu::elementwisePatterns(MLIRContext *context) {
  RewritePatternSet patterns(context);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  return FrozenRewritePatternSet(std::move(patterns));
}

FailureOr<linalg::GenericOp> attnres::cpu::generalizeLinalgKernel(
    KernelOp kernel, const FrozenRewritePatternSet &elementwise) {
  if (failed(applyPatternsGreedily(kernel, elementwise)))
    return failure();
  linalg::LinalgOp root = linalgRoot(kernel);
  if (!root)
    return linalg::GenericOp();
  for (TypeRange types : {TypeRange(kernel.getArgumentTypes()),
                          TypeRange(root->getOperandTypes())})
    for (Type type : types)
      if (isa<ShapedType>(type) && failed(verifyProgramType(root, type)))
        return failure();
  auto generic = dyn_cast<linalg::GenericOp>(*root);
  if (!generic) {
    IRRewriter rewriter(root);
    FailureOr<linalg::GenericOp> generalized =
        linalg::generalizeNamedOp(rewriter, root);
    if (failed(generalized)) {
      root.emitOpError("has no general form");
      return failure();
    }
    generic = *generalized;
  }
  if (failed(verifyResults(generic)) || failed(verifyScalarCode(generic)))
    return failure();
  return generic;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

LinalgNest::LinalgNest(ImplicitLocOpBuilder &builder, KernelOp kernel,
                       linalg::GenericOp op, ValueRange inputs,
                       ValueRange outputs)
    : b(builder), kernel(kernel), op(op), outputs(outputs),
      index(builder, builder.getLoc()), extents(op.getStaticLoopRanges()) {
  for (auto [argument, memory] : llvm::zip_equal(kernel.getArguments(), inputs))
    values.map(argument, memory);
  for (auto constant : kernel.front().getOps<arith::ConstantOp>())
    b.clone(*constant, values);
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    (kind == utils::IteratorType::parallel ? parallel : reduction)
        .push_back(dim);
}

SmallVector<int64_t> LinalgNest::parallelExtents() const {
  return llvm::map_to_vector(parallel,
                             [&](unsigned dim) { return extents[dim]; });
}

int64_t LinalgNest::reductionPoints() const {
  constexpr int64_t most = int64_t{1} << 30;
  int64_t points = 1;
  for (unsigned dim : reduction)
    points = std::min(
        most, std::max<int64_t>(1, points * std::min(most, extents[dim])));
  return points;
}

/// Whether an operand along `dim` is a row without gaps, or does not depend on
/// it.
static bool hasRows(AffineMap map, unsigned dim) {
  if (!map.isFunctionOfDim(dim))
    return true;
  return map.getNumResults() > 0 &&
         map.getResults().back() == getAffineDimExpr(dim, map.getContext()) &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr index) {
           return index.isFunctionOfDim(dim);
         });
}

bool LinalgNest::hasVectorForm() {
  if (parallel.empty())
    return false;
  auto isNumber = [](Type type) {
    type = getElementTypeOrSelf(type);
    return type.isF32() || type.isBF16();
  };
  auto isLane = [&](Type type) {
    return isNumber(type) || getElementTypeOrSelf(type).isInteger(1);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument element = op.getMatchingBlockArgument(&operand);
    bool isResult = op.isDpsInit(&operand);
    if (!isResult && element.use_empty())
      continue;
    // Conditions in memory are bytes.
    if (!isNumber(operand.get().getType()) ||
        (isa<ShapedType>(operand.get().getType()) &&
         !hasRows(op.getMatchingIndexingMap(&operand), parallel.back())) ||
        (isResult && !isRow(&operand)))
      return false;
  }
  return llvm::all_of(op.getBody()->without_terminator(),
                      [&](Operation &inner) {
                        return llvm::all_of(inner.getOperandTypes(), isLane) &&
                               llvm::all_of(inner.getResultTypes(), isLane) &&
                               (inner.hasTrait<OpTrait::ConstantLike>() ||
                                OpTrait::hasElementwiseMappableTraits(&inner));
                      });
}

bool LinalgNest::isRow(OpOperand *operand) {
  return op.getMatchingIndexingMap(operand).isFunctionOfDim(parallel.back());
}

Value LinalgNest::inLanes(Value value) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, VectorType::get({lanes}, value.getType()), value);
}

void LinalgNest::emitPoint(ValueRange point, int64_t count) {
  lanes = count;
  dims.assign(extents.size(), Value());
  for (auto [dim, position] : llvm::zip_equal(parallel, point))
    dims[dim] = position;
  // Results are indexed by parallel loops alone: any place of the others will
  // do for what they are before.
  for (unsigned dim : reduction)
    dims[dim] = index.constant(0);
  SmallVector<Value> results = reduce(reduction, initialValues());
  // Results that nobody reads are not returned.
  for (auto [value, memory] : llvm::zip_equal(
           kernel.front().getTerminator()->getOperands(), outputs)) {
    unsigned i = cast<OpResult>(value).getResultNumber();
    SmallVector<Value> position = indices(op.getDpsInitOperand(i));
    if (lanes > 1)
      vector::StoreOp::create(b, results[i], memory, position);
    else
      memref::StoreOp::create(b, results[i], memory, position);
  }
}

SmallVector<Value> LinalgNest::reduce(ArrayRef<unsigned> rest,
                                      SmallVector<Value> carried) {
  if (rest.empty())
    return runBody(carried);
  return forRange(b, b.getLoc(), index.constant(0),
                  index.constant(extents[rest.front()]), index.constant(1),
                  carried, [&](Value i, ValueRange inner) {
                    dims[rest.front()] = i;
                    return reduce(rest.drop_front(), llvm::to_vector(inner));
                  });
}

SmallVector<Value> LinalgNest::indices(OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto expanded = affine::expandAffineMap(b, b.getLoc(), map, dims);
  return SmallVector<Value>(expanded->begin(), expanded->end());
}

/// An element of a tensor outside the body; with several lanes and `isRow`, as
/// many from there on.
Value LinalgNest::read(Value source, ValueRange position, bool isRow) {
  Type element = getElementTypeOrSelf(source.getType());
  if (auto fill = source.getDefiningOp<linalg::FillOp>())
    return inLanes(values.lookup(fill.value()));
  if (!isa<BlockArgument>(source)) // only a shape: any value will do
    return inLanes(arith::ConstantOp::create(b, b.getZeroAttr(element)));
  Value memory = values.lookup(source);
  if (lanes > 1 && isRow)
    return vector::LoadOp::create(b, VectorType::get({lanes}, element), memory,
                                  position);
  return inLanes(memref::LoadOp::create(b, memory, position));
}

/// What the results are before the first point: the fill value, the contents
/// of an argument, or anything where the body does not read it.
SmallVector<Value> LinalgNest::initialValues() {
  SmallVector<Value> initial;
  for (OpOperand &operand : op.getDpsInitsMutable())
    initial.push_back(read(operand.get(), indices(&operand),
                           !parallel.empty() && isRow(&operand)));
  return initial;
}

/// One execution of the body.
SmallVector<Value> LinalgNest::runBody(ArrayRef<Value> carried) {
  IRMapping mapping = values;
  Block &body = op.getRegion().front();
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument element = body.getArgument(input->getOperandNumber());
    if (element.use_empty())
      continue;
    bool isTensor = isa<ShapedType>(input->get().getType());
    mapping.map(element, isTensor ? read(input->get(), indices(input),
                                         lanes > 1 && isRow(input))
                                  : values.lookup(input->get()));
  }
  for (auto [i, value] : llvm::enumerate(carried))
    mapping.map(body.getArgument(op.getNumDpsInputs() + i), value);
  for (Operation &inner : body.without_terminator())
    cloneScalar(&inner, mapping);
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(inLanes(mapping.lookupOrDefault(value)));
  return results;
}

/// Clones an operation of the body with everything inside it; positions and
/// elements of tensors become those of the loops and the memory.
void LinalgNest::cloneScalar(Operation *inner, IRMapping &mapping) {
  if (auto position = dyn_cast<linalg::IndexOp>(inner)) {
    mapping.map(position.getResult(), dims[position.getDim()]);
    return;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
    mapping.map(extract.getResult(), readAt(extract, mapping));
    return;
  }
  if (inner->getNumRegions() == 0) {
    Operation *clone = b.clone(*inner, mapping);
    if (lanes == 1 || clone->hasTrait<OpTrait::ConstantLike>())
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(clone);
    for (OpOperand &operand : clone->getOpOperands())
      operand.set(inLanes(operand.get()));
    for (OpResult result : clone->getResults())
      result.setType(VectorType::get({lanes}, result.getType()));
    return;
  }
  Operation *clone = inner->cloneWithoutRegions(mapping);
  b.insert(clone);
  for (auto [from, to] :
       llvm::zip_equal(inner->getRegions(), clone->getRegions()))
    for (Block &block : from) {
      OpBuilder::InsertionGuard guard(b);
      Block *copy = b.createBlock(&to);
      for (BlockArgument argument : block.getArguments())
        mapping.map(argument,
                    copy->addArgument(argument.getType(), argument.getLoc()));
      for (Operation &op : block)
        cloneScalar(&op, mapping);
    }
}

/// An element that the body asks for. As in lookups of tables, an index
/// outside reads what is nearest instead of memory of others.
Value LinalgNest::readAt(tensor::ExtractOp extract, IRMapping &mapping) {
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  if (type.getNumElements() == 0)
    return arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  SmallVector<Value> position;
  for (auto [value, extent] :
       llvm::zip_equal(extract.getIndices(), type.getShape())) {
    Value at = mapping.lookup(value);
    APInt known;
    bool isInside = matchPattern(value, m_ConstantInt(&known)) &&
                    known.ult(static_cast<uint64_t>(extent));
    if (auto loop = value.getDefiningOp<linalg::IndexOp>())
      isInside = extents[loop.getDim()] <= extent;
    if (!isInside) {
      at = arith::MaxSIOp::create(b, at, index.constant(0));
      at = arith::MinSIOp::create(b, at, index.constant(extent - 1));
    }
    position.push_back(at);
  }
  return read(extract.getTensor(), position);
}
