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
    raiseAttention();
    raiseLayers();
  }

private:
  /// Operations with one result, a tensor, the last one first: a sum of sources
  /// is not raised by a part of it, nor a norm without its gain.
  SmallVector<Operation *> candidates() {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 &&
          isa<RankedTensorType>(op->getResult(0).getType()))
        found.push_back(op);
    });
    std::reverse(found.begin(), found.end());
    return found;
  }

  void raiseLayers() {
    SmallVector<Operation *> raised;
    for (Operation *op : candidates()) {
      if (op->use_empty())
        continue;
      StringRef name = raiseLayer(op);
      if (name.empty())
        continue;
      numRaised += 1;
      remark::passed(op->getLoc(), remark::RemarkOpts::name(name).category(
                                       "attnres-raise-attention"));
      raised.push_back(op);
    }
    eraseDead(raised);
  }

  void raiseAttention() {
    SmallVector<Operation *> raised;
    for (Operation *op : candidates()) {
      if (!mayBeRoot(op))
        continue;
      Value root = op->getResult(0);
      if (root.use_empty())
        continue;
      if (raiseDepthAttention(root)) {
        numRaised += 1;
        remark::passed(op->getLoc(), remark::RemarkOpts::name("RaisedDepth")
                                         .category("attnres-raise-attention"));
      } else if (auto match = matchAttention(root)) {
        replaceByAttention(*match);
        numRaised += 1;
        remark::passed(op->getLoc(),
                       remark::RemarkOpts::name("Raised").category(
                           "attnres-raise-attention"))
            << remark::metric("Causal", match->causal)
            << remark::metric("Scale", match->scale);
      } else {
        continue;
      }
      raised.push_back(op);
    }
    eraseDead(raised);
  }
};

} // namespace
