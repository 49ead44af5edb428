//===- ThreadElements.cpp - kernels of linalg operations to threads -------===//
//
// A thread computes the results at one point of the parallel loops.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/analysis/TensorKernels.h"
#include "passes/cpu/LinalgNest.h"
#include "passes/cpu/ScalarCode.h"
#include "passes/nvptx/GpuKernel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace attnres {
#define GEN_PASS_DEF_THREADELEMENTS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

static LogicalResult lower(KernelOp function, linalg::GenericOp op,
                           const Launches &launches) {
  ImplicitLocOpBuilder b(function.getLoc(), function);
  Location loc = b.getLoc();
  GpuKernel kernel = createKernel(b, function);
  cpu::LinalgNest nest(
      b, function, op,
      memRefsAt(b, loc, kernel.inputs, function.getArgumentTypes()),
      memRefsAt(b, loc, kernel.outputs, function.getResultTypes()));
  SmallVector<int64_t> extents = nest.parallelExtents();
  int64_t points = 1;
  for (int64_t extent : extents)
    points *= extent;
  rows::IndexBuilder index(b, loc);
  Value thread = threadInGrid(b, loc, kBlockThreads);
  rows::ifTrue(b, loc, index.isLess(thread, index.constant(points)), [&] {
    SmallVector<Value> point(extents.size());
    Value rest = thread;
    for (size_t i = extents.size(); i-- > 1;) {
      point[i] = index.rem(rest, extents[i]);
      rest = index.div(rest, extents[i]);
    }
    if (!extents.empty())
      point.front() = rest;
    nest.emitPoint(point);
  });
  LogicalResult result = finishKernel(
      kernel, launches, llvm::divideCeil(points, kBlockThreads), kBlockThreads);
  function.erase();
  cpu::widenSmallFloats(kernel.function);
  return result;
}

namespace {
struct ThreadElementsPass
    : attnres::impl::ThreadElementsBase<ThreadElementsPass> {
  using ThreadElementsBase::ThreadElementsBase;

  void runOnOperation() override {
    FrozenRewritePatternSet elementwise =
        cpu::elementwisePatterns(&getContext());
    Launches launches(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!isTensorKernel(function))
        continue;
      auto root = cpu::generalizeLinalgKernel(function, elementwise);
      if (failed(root))
        return signalPassFailure();
      if (!*root)
        continue;
      if (failed(lower(function, *root, launches)))
        return signalPassFailure();
      ++numLowered;
    }
  }
};
} // namespace
