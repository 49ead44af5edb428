//===- LowerLinalgKernels.cpp - kernels of linalg operations to loops -----===//
//
// A kernel of one linalg operation becomes a loop nest: parallel dimensions
// outside, the first of them cut into work items; reductions inside, with the
// results carried in registers and stored once.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/Passes.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/ScalarCode.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace attnres {
#define GEN_PASS_DEF_LOWERLINALGKERNELS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

/// What an operand of the root may be: memory, a value for all elements, or
/// nothing but a shape.
bool isKnownTensor(Value value) {
  if (isa<BlockArgument>(value))
    return isa<RankedTensorType>(value.getType());
  return value.getDefiningOp<tensor::EmptyOp>() ||
         value.getDefiningOp<linalg::FillOp>();
}

/// The linalg operation of a kernel that consists of one, its destinations and
/// scalar constants; null for any other kernel.
linalg::LinalgOp linalgRoot(KernelOp function) {
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
LogicalResult verifyResults(linalg::GenericOp op) {
  for (OpOperand &init : op.getDpsInitsMutable())
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind != utils::IteratorType::parallel &&
          op.getMatchingIndexingMap(&init).isFunctionOfDim(dim))
        return op.emitOpError("expected results indexed by parallel "
                              "dimensions, got one by reduction d")
               << dim;
  return success();
}

class LoopNest {
public:
  LoopNest(KernelOp function, linalg::GenericOp op)
      : b(function.getLoc(), function), function(function), op(op),
        kernel(createKernel(b, function)), index(b, b.getLoc()) {
    for (auto [argument, memory] :
         llvm::zip_equal(function.getArguments(), kernel.inputs))
      values.map(argument, memory);
    for (auto constant : function.front().getOps<arith::ConstantOp>())
      b.clone(*constant, values);
  }

  void lower() {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    SmallVector<unsigned> parallel, reduction;
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      (kind == utils::IteratorType::parallel ? parallel : reduction)
          .push_back(dim);
    dims.assign(extents.size(), index.constant(0));
    int64_t grid = parallel.empty() ? 1 : extents[parallel.front()];
    forEachItem(b, b.getLoc(), kernel, [&](Value item) {
      if (!parallel.empty())
        dims[parallel.front()] = item;
      forParallel(
          ArrayRef(parallel).drop_front(parallel.empty() ? 0 : 1), extents,
          [&] {
            SmallVector<Value> results =
                reduce(reduction, extents, initialValues());
            // Results that nobody reads are not returned.
            for (auto [value, memory] : llvm::zip_equal(
                     function.front().getTerminator()->getOperands(),
                     kernel.outputs)) {
              unsigned i = cast<OpResult>(value).getResultNumber();
              memref::StoreOp::create(b, results[i], memory,
                                      indices(op.getDpsInitOperand(i)));
            }
          });
    });
    finishKernel(kernel, grid);
    function.erase();
    widenSmallFloats(kernel.function);
  }

private:
  void forParallel(ArrayRef<unsigned> rest, ArrayRef<int64_t> extents,
                   function_ref<void()> body) {
    if (rest.empty())
      return body();
    forRange(b, b.getLoc(), index.constant(0),
             index.constant(extents[rest.front()]), index.constant(1),
             [&](Value i) {
               dims[rest.front()] = i;
               forParallel(rest.drop_front(), extents, body);
             });
  }

  SmallVector<Value> reduce(ArrayRef<unsigned> rest, ArrayRef<int64_t> extents,
                            SmallVector<Value> carried) {
    if (rest.empty())
      return point(carried);
    return forRange(
        b, b.getLoc(), index.constant(0), index.constant(extents[rest.front()]),
        index.constant(1), carried, [&](Value i, ValueRange inner) {
          dims[rest.front()] = i;
          return reduce(rest.drop_front(), extents, llvm::to_vector(inner));
        });
  }

  SmallVector<Value> indices(OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    auto expanded = affine::expandAffineMap(b, b.getLoc(), map, dims);
    return SmallVector<Value>(expanded->begin(), expanded->end());
  }

  /// An element of a tensor outside the body.
  Value read(Value source, ValueRange position) {
    if (auto fill = source.getDefiningOp<linalg::FillOp>())
      return values.lookup(fill.value());
    if (isa<BlockArgument>(source))
      return memref::LoadOp::create(b, values.lookup(source), position);
    // Only a shape: any value will do.
    return arith::ConstantOp::create(
        b, b.getZeroAttr(getElementTypeOrSelf(source.getType())));
  }

  /// What the results are before the first point: the fill value, the contents
  /// of an argument, or anything where the body does not read it.
  SmallVector<Value> initialValues() {
    SmallVector<Value> initial;
    for (OpOperand &operand : op.getDpsInitsMutable())
      initial.push_back(read(operand.get(), indices(&operand)));
    return initial;
  }

  /// One execution of the body.
  SmallVector<Value> point(ArrayRef<Value> carried) {
    IRMapping mapping = values;
    Block &body = op.getRegion().front();
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument element = body.getArgument(input->getOperandNumber());
      if (element.use_empty())
        continue;
      bool isTensor = isa<ShapedType>(input->get().getType());
      mapping.map(element, isTensor ? read(input->get(), indices(input))
                                    : values.lookup(input->get()));
    }
    for (auto [i, value] : llvm::enumerate(carried))
      mapping.map(body.getArgument(op.getNumDpsInputs() + i), value);
    for (Operation &inner : body.without_terminator())
      cloneScalar(&inner, mapping);
    SmallVector<Value> results;
    for (Value value : body.getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

  /// Clones an operation of the body with everything inside it; positions and
  /// elements of tensors become those of the loops and the memory.
  void cloneScalar(Operation *inner, IRMapping &mapping) {
    if (auto position = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(position.getResult(), dims[position.getDim()]);
      return;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      mapping.map(extract.getResult(), readAt(extract, mapping));
      return;
    }
    if (inner->getNumRegions() == 0) {
      b.clone(*inner, mapping);
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
  Value readAt(tensor::ExtractOp extract, IRMapping &mapping) {
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
        isInside = op.getStaticLoopRanges()[loop.getDim()] <= extent;
      if (!isInside) {
        at = arith::MaxSIOp::create(b, at, index.constant(0));
        at = arith::MinSIOp::create(b, at, index.constant(extent - 1));
      }
      position.push_back(at);
    }
    return read(extract.getTensor(), position);
  }

  ImplicitLocOpBuilder b;
  KernelOp function;
  linalg::GenericOp op;
  KernelFunction kernel;
  IndexBuilder index;
  IRMapping values;
  SmallVector<Value> dims;
};

struct LowerLinalgKernelsPass
    : attnres::impl::LowerLinalgKernelsBase<LowerLinalgKernelsPass> {
  using LowerLinalgKernelsBase::LowerLinalgKernelsBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    FrozenRewritePatternSet elementwise(std::move(patterns));
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!isTensorKernel(function))
        continue;
      if (failed(applyPatternsGreedily(function, elementwise)))
        return signalPassFailure();
      linalg::LinalgOp root = linalgRoot(function);
      if (!root)
        continue;
      for (TypeRange types : {TypeRange(function.getArgumentTypes()),
                              TypeRange(root->getOperandTypes())})
        for (Type type : types)
          if (mlir::isa<ShapedType>(type) &&
              failed(verifyProgramType(root, type)))
            return signalPassFailure();
      auto generic = dyn_cast<linalg::GenericOp>(*root);
      if (!generic) {
        IRRewriter rewriter(root);
        FailureOr<linalg::GenericOp> generalized =
            linalg::generalizeNamedOp(rewriter, root);
        if (failed(generalized)) {
          root.emitOpError("has no general form");
          return signalPassFailure();
        }
        generic = *generalized;
      }
      if (failed(verifyResults(generic)) || failed(verifyScalarCode(generic)))
        return signalPassFailure();
      LoopNest(function, generic).lower();
      ++numLowered;
    }
  }
};

} // namespace
