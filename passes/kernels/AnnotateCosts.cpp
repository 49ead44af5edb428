//===- AnnotateCosts.cpp - floating-point operations of kernels -----------===//
#include "passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace attnres {
#define GEN_PASS_DEF_ANNOTATECOSTS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// Two for each multiplication and addition of a matrix product or an
/// attention, nothing for other operations, whose time is that of their memory.
static int64_t flopsOf(Operation *op) {
  if (!hasCountableTensors(op))
    return 0;
  if (auto matrix = dyn_cast<MatrixOpInterface>(op))
    return matrix.getFlops();
  auto linalg = dyn_cast<linalg::LinalgOp>(op);
  if (!linalg || !linalg::isaContractionOpInterface(linalg))
    return 0;
  int64_t iterations = 2;
  for (int64_t range : linalg.getStaticLoopRanges())
    if (llvm::MulOverflow(iterations, range, iterations))
      return std::numeric_limits<int64_t>::max();
  return iterations;
}

namespace {

struct AnnotateCostsPass : attnres::impl::AnnotateCostsBase<AnnotateCostsPass> {
  using AnnotateCostsBase::AnnotateCostsBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>()) {
      int64_t flops = 0;
      kernel.walk([&](Operation *op) {
        if (llvm::AddOverflow(flops, flopsOf(op), flops))
          flops = std::numeric_limits<int64_t>::max();
      });
      kernel.setFlops(flops);
      ++(flops > 0 ? numProducts : numOthers);
    }
  }
};

} // namespace
