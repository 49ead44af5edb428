//===- AccumulateGradients.cpp - additions into backward operations -------===//
//
// Where a gradient is added to what has been summed so far, the operation that
// makes the gradient can start from that sum instead.
//
// An addition `addf(a, b)` folds into an operation with result b when
//
//   1. b has no other use;
//   2. a is defined before the operation, so that it can be an operand.
//
// A backward operation of mixtures takes accumulators for all its sources or
// for none, so it is changed only when every source gradient folds.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"

#include "mlir/IR/Dominance.h"

namespace attnres {
#define GEN_PASS_DEF_ACCUMULATEGRADIENTS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// An addition of a result and what the result is added to.
struct Accumulation {
  arith::AddFOp add;
  Value sofar;
};

std::optional<Accumulation> findAccumulation(OpResult gradient,
                                             DominanceInfo &dominance) {
  if (!gradient.hasOneUse())
    return std::nullopt;
  OpOperand &use = *gradient.getUses().begin();
  auto add = dyn_cast<arith::AddFOp>(use.getOwner());
  if (!add)
    return std::nullopt;
  Value sofar = add->getOperand(1 - use.getOperandNumber());
  if (!dominance.properlyDominates(sofar, gradient.getOwner()))
    return std::nullopt;
  return Accumulation{add, sofar};
}

struct AccumulateGradientsPass
    : attnres::impl::AccumulateGradientsBase<AccumulateGradientsPass> {
  using AccumulateGradientsBase::AccumulateGradientsBase;

  void runOnOperation() override {
    SmallVector<AccumulatingOpInterface> candidates;
    getOperation()->walk(
        [&](AccumulatingOpInterface op) { candidates.push_back(op); });
    for (AccumulatingOpInterface op : candidates) {
      unsigned folded =
          fold(op.getAccumulatedResults(), op.getAccumulatedOperandsMutable());
      (isa<MatrixOpInterface>(*op) ? numMatmuls : numBackward) += folded;
    }
  }

  /// Moves the additions of all `gradients` into the operand group `operands`,
  /// when all fold and the group is empty. Returns how many operations changed.
  unsigned fold(ResultRange gradients, MutableOperandRange operands) {
    if (operands.size() != 0)
      return 0;
    auto &dominance = getAnalysis<DominanceInfo>();
    SmallVector<Accumulation> accumulations;
    for (OpResult gradient : gradients) {
      auto accumulation = findAccumulation(gradient, dominance);
      if (!accumulation)
        return 0;
      accumulations.push_back(*accumulation);
    }
    SmallVector<Value> sums;
    for (auto [gradient, accumulation] :
         llvm::zip_equal(gradients, accumulations)) {
      sums.push_back(accumulation.sofar);
      accumulation.add.getResult().replaceAllUsesWith(gradient);
      accumulation.add.erase();
    }
    operands.assign(sums);
    return 1;
  }
};

} // namespace
