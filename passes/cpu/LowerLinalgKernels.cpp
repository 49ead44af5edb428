//===- LowerLinalgKernels.cpp - kernels of linalg operations to loops -----===//
//
// A kernel of one linalg operation becomes a loop nest: parallel dimensions
// outside, the first of them cut into work items; reductions inside, with the
// results carried in registers and stored once.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/KernelFunction.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace attnres {
#define GEN_PASS_DEF_LOWERLINALGKERNELS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

namespace {

/// The linalg operation of a kernel that consists of one, its destinations and
/// constants; null for any other kernel.
linalg::LinalgOp linalgRoot(func::FuncOp function) {
  linalg::LinalgOp root;
  for (Operation &op : function.front().without_terminator()) {
    if (isa<tensor::EmptyOp, arith::ConstantOp>(op))
      continue;
    bool isDestination =
        isa<linalg::FillOp>(op) && !isa<func::ReturnOp>(*op.user_begin());
    if (isDestination)
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || root)
      return nullptr;
    root = linalgOp;
  }
  return root;
}

class LoopNest {
public:
  LoopNest(func::FuncOp function, linalg::GenericOp op)
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
      forParallel(ArrayRef(parallel).drop_front(parallel.empty() ? 0 : 1),
                  extents, [&] {
                    SmallVector<Value> results =
                        reduce(reduction, extents, initialValues());
                    for (auto [i, value] : llvm::enumerate(results))
                      memref::StoreOp::create(b, value, kernel.outputs[i],
                                              indices(op.getDpsInitOperand(i)));
                  });
    });
    finishKernel(kernel, grid);
    function.erase();
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

  /// What the results are before the first point: the fill value, the contents
  /// of an argument, or anything where the body does not read it.
  SmallVector<Value> initialValues() {
    SmallVector<Value> initial;
    for (OpOperand &operand : op.getDpsInitsMutable()) {
      Value source = operand.get();
      Type element = getElementTypeOrSelf(source.getType());
      if (auto fill = source.getDefiningOp<linalg::FillOp>())
        initial.push_back(values.lookup(fill.value()));
      else if (isa<BlockArgument>(source))
        initial.push_back(memref::LoadOp::create(b, values.lookup(source),
                                                 indices(&operand)));
      else
        initial.push_back(arith::ConstantOp::create(b, b.getZeroAttr(element)));
    }
    return initial;
  }

  /// One execution of the body.
  SmallVector<Value> point(ArrayRef<Value> carried) {
    IRMapping mapping = values;
    Block &body = op.getRegion().front();
    for (OpOperand *input : op.getDpsInputOperands()) {
      Value value = values.lookup(input->get());
      if (isa<MemRefType>(value.getType()))
        value = memref::LoadOp::create(b, value, indices(input));
      mapping.map(body.getArgument(input->getOperandNumber()), value);
    }
    for (auto [i, value] : llvm::enumerate(carried))
      mapping.map(body.getArgument(op.getNumDpsInputs() + i), value);
    for (Operation &inner : body.without_terminator()) {
      if (auto position = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(position.getResult(), dims[position.getDim()]);
      else
        b.clone(inner, mapping);
    }
    SmallVector<Value> results;
    for (Value value : body.getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

  ImplicitLocOpBuilder b;
  func::FuncOp function;
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
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!function->hasAttr(attnres::kKernelAttr) ||
          function->hasAttr(kGridAttr) || function.isDeclaration())
        continue;
      if (failed(applyPatternsGreedily(function, elementwise)))
        return signalPassFailure();
      linalg::LinalgOp root = linalgRoot(function);
      if (!root)
        continue;
      if (!root.hasPureTensorSemantics() || root.hasDynamicShape()) {
        root.emitOpError("expected tensors of static shape in a kernel");
        return signalPassFailure();
      }
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
      LoopNest(function, generic).lower();
    }
  }
};

} // namespace
