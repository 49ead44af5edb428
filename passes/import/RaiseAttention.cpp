//===- RaiseAttention.cpp - attention in linalg to operations -------------===//
//
// Tries every tensor that may be the result of attention, over the sequence
// (MatchAttention.cpp) or over depth (RaiseDepthAttention.cpp); then, of what
// is left, whether it is that of another layer (RaiseLayers.cpp).
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/import/AttentionMatch.h"
#include "passes/import/LayerMatches.h"
#include "passes/import/RaiseDepthAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

namespace attnres {
#define GEN_PASS_DEF_RAISEATTENTION
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// What a weighted sum may end with: a sum over a loop, or with the division by
/// the sum of the weights, or an addition of one more source.
bool mayBeRoot(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (!structured.hasPureTensorSemantics() ||
        structured.getNumReductionLoops() > 1 || structured.hasDynamicShape())
      return false;
    if (structured.getNumReductionLoops() == 1)
      return true;
    auto *yield = structured.getBlock()->getTerminator();
    return yield->getOperand(0).getDefiningOp<arith::DivFOp>() ||
           yield->getOperand(0).getDefiningOp<arith::AddFOp>();
  }
  return isa<arith::DivFOp, arith::AddFOp>(op);
}

struct RaiseAttentionPass
    : attnres::impl::RaiseAttentionBase<RaiseAttentionPass> {
  using RaiseAttentionBase::RaiseAttentionBase;

  void runOnOperation() override {
    raiseEach([&](Operation *op) { return raiseAttention(op); });
    raiseEach([&](Operation *op) {
      StringRef name = raiseLayer(op);
      if (!name.empty())
        report(op, name);
      return !name.empty();
    });
  }

private:
  /// Asks for operations with one result, a tensor that is used, the last one
  /// first: a sum of sources is not raised by a part of it, nor a norm without
  /// its gain. What is raised goes at once, with what only it used.
  void raiseEach(function_ref<bool(Operation *)> raise) {
    SmallVector<Operation *> candidates;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 &&
          isa<RankedTensorType>(op->getResult(0).getType()))
        candidates.push_back(op);
    });
    DenseSet<Operation *> erased;
    for (Operation *op : llvm::reverse(candidates)) {
      if (erased.contains(op) || op->use_empty() || !raise(op))
        continue;
      numRaised += 1;
      eraseDead(op, erased);
    }
  }

  static remark::detail::InFlightRemark report(Operation *op, StringRef name) {
    return remark::passed(op->getLoc(), remark::RemarkOpts::name(name).category(
                                            "attnres-raise-attention"));
  }

  bool raiseAttention(Operation *op) {
    if (!mayBeRoot(op))
      return false;
    Value root = op->getResult(0);
    if (raiseDepthAttention(root)) {
      report(op, "RaisedDepth");
      return true;
    }
    auto match = matchAttention(root);
    if (!match)
      return false;
    replaceByAttention(*match);
    report(op, "Raised") << remark::metric("Causal", match->causal)
                         << remark::metric("Scale", match->scale);
    return true;
  }
};

} // namespace
