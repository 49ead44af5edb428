//===- AnnotateCosts.cpp - floating-point operations of kernels -----------===//
#include "passes/KernelCosts.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

namespace attnres {
#define GEN_PASS_DEF_ANNOTATECOSTS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// The greatest number when the product is greater.
static int64_t product(std::initializer_list<int64_t> factors) {
  int64_t result = 1;
  for (int64_t factor : factors)
    if (llvm::MulOverflow(result, factor, result))
      return std::numeric_limits<int64_t>::max();
  return result;
}

static int64_t numElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// Of q k^T over all pairs of rows, visible or not, half of them when causal.
static int64_t attentionPairs(Value q, Value k, bool causal) {
  auto queries = cast<RankedTensorType>(q.getType());
  auto keys = cast<RankedTensorType>(k.getType());
  int64_t pairs = product({queries.getDimSize(0), queries.getDimSize(1),
                           queries.getDimSize(2), keys.getDimSize(1)});
  return causal ? pairs / 2 : pairs;
}

static int64_t lastDim(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

/// Two for each multiplication and addition of a matrix product or an
/// attention, nothing for other operations, whose time is that of their memory.
static int64_t flopsOf(Operation *op) {
  if (!hasCountableTensors(op))
    return 0;
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](LinearOp linear) {
        return product(
            {2, numElements(linear.getResult()), lastDim(linear.getX())});
      })
      .Case<MatmulOp, MatmulPackedOp>([](auto matmul) {
        int64_t depth =
            matmul.getTransposeLhs()
                ? rowCount(cast<RankedTensorType>(matmul.getLhs().getType()))
                : lastDim(matmul.getLhs());
        return product({2, numElements(matmul.getResult()), depth});
      })
      .Case([](AttentionOp attention) {
        return product({2,
                        attentionPairs(attention.getQ(), attention.getK(),
                                       attention.getCausal()),
                        lastDim(attention.getQ()) + lastDim(attention.getV())});
      })
      // Scores again, dP, dV, dQ and dK.
      .Case([](AttentionBackwardOp attention) {
        return product(
            {2,
             attentionPairs(attention.getQ(), attention.getK(),
                            attention.getCausal()),
             3 * lastDim(attention.getQ()) + 2 * lastDim(attention.getV())});
      })
      .Case([](linalg::LinalgOp linalg) {
        if (!linalg::isaContractionOpInterface(linalg))
          return int64_t(0);
        int64_t iterations = 2;
        for (int64_t range : linalg.getStaticLoopRanges())
          iterations = product({iterations, range});
        return iterations;
      })
      .Default([](Operation *) { return int64_t(0); });
}

namespace {

struct AnnotateCostsPass : attnres::impl::AnnotateCostsBase<AnnotateCostsPass> {
  using AnnotateCostsBase::AnnotateCostsBase;

  void runOnOperation() override {
    Builder builder(&getContext());
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernel->hasAttr(kKernelAttr))
        continue;
      int64_t flops = 0;
      kernel.walk([&](Operation *op) {
        if (llvm::AddOverflow(flops, flopsOf(op), flops))
          flops = std::numeric_limits<int64_t>::max();
      });
      kernel->setAttr(kFlopsAttr, builder.getI64IntegerAttr(flops));
    }
  }
};

} // namespace
