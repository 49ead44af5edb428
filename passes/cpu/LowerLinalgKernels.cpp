//===- LowerLinalgKernels.cpp - kernels of linalg operations to loops -----===//
//
// A kernel of one linalg operation becomes a loop nest: parallel dimensions
// outside, the first of them cut into work items; reductions inside.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/Passes.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/LinalgNest.h"
#include "passes/cpu/ScalarCode.h"

namespace attnres {
#define GEN_PASS_DEF_LOWERLINALGKERNELS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

/// Points of the last loop that are computed together: two registers of AVX2,
/// one of AVX-512. What is computed does not depend on it.
constexpr int64_t kLanes = 16;

/// Points of a single loop that are a work item.
constexpr int64_t kChunk = 4096;

/// Loops over the points from `begin` to `end` of the last loop, in vectors as
/// long as whole ones are left.
static void forVectors(ImplicitLocOpBuilder &b, LinalgNest &nest,
                       SmallVectorImpl<Value> &point, Value begin, Value end) {
  IndexBuilder index(b, b.getLoc());
  auto emit = [&](Value i, int64_t lanes) {
    point.push_back(i);
    nest.emitPoint(point, lanes);
    point.pop_back();
  };
  Value lanes = index.constant(kLanes);
  Value count = arith::SubIOp::create(b, end, begin);
  Value rest = arith::RemSIOp::create(b, count, lanes);
  Value whole = arith::SubIOp::create(b, end, rest);
  forRange(b, b.getLoc(), begin, whole, lanes,
           [&](Value i) { emit(i, kLanes); });
  forRange(b, b.getLoc(), whole, end, index.constant(1),
           [&](Value i) { emit(i, 1); });
}

/// Loops over `rest`, the extents behind those of `point`.
static void forParallel(ImplicitLocOpBuilder &b, LinalgNest &nest,
                        SmallVectorImpl<Value> &point, ArrayRef<int64_t> rest) {
  if (rest.empty())
    return nest.emitPoint(point);
  IndexBuilder index(b, b.getLoc());
  int64_t extent = rest.front();
  if (rest.size() == 1 && extent >= kLanes && nest.hasVectorForm())
    return forVectors(b, nest, point, index.constant(0),
                      index.constant(extent));
  forRange(b, b.getLoc(), index.constant(0), index.constant(rest.front()),
           index.constant(1), [&](Value i) {
             point.push_back(i);
             forParallel(b, nest, point, rest.drop_front());
             point.pop_back();
           });
}

static void lower(KernelOp function, linalg::GenericOp op) {
  ImplicitLocOpBuilder b(function.getLoc(), function);
  KernelFunction kernel = createKernel(b, function);
  LinalgNest nest(b, function, op, kernel.inputs, kernel.outputs);
  SmallVector<int64_t> extents = nest.parallelExtents();
  int64_t items = extents.empty() ? 1 : extents.front();
  bool isChunked =
      extents.size() == 1 && items >= kLanes && nest.hasVectorForm();
  // Points that sum over more are fewer in a piece.
  int64_t chunk = std::max<int64_t>(
      kLanes, llvm::alignDown(kChunk / nest.reductionPoints(), kLanes));
  forEachItem(b, b.getLoc(), kernel, [&](Value item) {
    SmallVector<Value> point;
    if (isChunked) {
      IndexBuilder index(b, b.getLoc());
      Value begin = arith::MulIOp::create(b, item, index.constant(chunk));
      Value end = arith::AddIOp::create(b, begin, index.constant(chunk));
      end = arith::MinSIOp::create(b, end, index.constant(extents.front()));
      return forVectors(b, nest, point, begin, end);
    }
    if (!extents.empty())
      point.push_back(item);
    forParallel(b, nest, point, ArrayRef(extents).drop_front(point.size()));
  });
  finishKernel(kernel, isChunked ? llvm::divideCeil(items, chunk) : items);
  function.erase();
  widenSmallFloats(kernel.function);
}

namespace {
struct LowerLinalgKernelsPass
    : attnres::impl::LowerLinalgKernelsBase<LowerLinalgKernelsPass> {
  using LowerLinalgKernelsBase::LowerLinalgKernelsBase;

  void runOnOperation() override {
    FrozenRewritePatternSet elementwise = elementwisePatterns(&getContext());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!isTensorKernel(function))
        continue;
      auto root = generalizeLinalgKernel(function, elementwise);
      if (failed(root))
        return signalPassFailure();
      if (!*root)
        continue;
      lower(function, *root);
      ++numLowered;
    }
  }
};
} // namespace
