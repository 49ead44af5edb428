//===- SplitReductions.cpp - sums over all rows in two steps --------------===//
#include "passes/Passes.h"
#include "passes/RowOps.h"

namespace attnres {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {
struct SplitReductionsPass
    : attnres::impl::SplitReductionsBase<SplitReductionsPass> {
  using SplitReductionsBase::SplitReductionsBase;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (isa<RMSNormBackwardOp, LayerNormBackwardOp, DepthAttentionBackwardOp,
              DepthMergeBackwardOp, StaticMixBackwardOp, SumRowsOp>(op) &&
          !op->hasAttr("partials"))
        split(op);
      else if (auto squares = dyn_cast<SumSquaresOp>(op);
               squares && !squares.getPartials())
        splitSquares(squares);
    });
  }

  void split(Operation *op) {
    OpBuilder builder(op);
    int64_t ranges = rowRanges(rowsOf(op));
    // A sum over few rows stays a single step.
    if (isa<SumRowsOp>(op) && rowsOf(op) <= 64)
      return;
    op->setAttr("partials", builder.getI64IntegerAttr(ranges));
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      if (resultKind(result) != RowKind::Partial)
        continue;
      auto type = cast<RankedTensorType>(result.getType());
      result.setType(RankedTensorType::get({ranges, type.getShape().back()},
                                           type.getElementType()));
      if (result.use_empty())
        continue;
      auto sum =
          SumRowsOp::create(builder, op->getLoc(), result, IntegerAttr());
      result.replaceAllUsesExcept(sum.getResult(), sum);
    }
  }

  /// Sums of squares stay partial: the clipping adds them up.
  void splitSquares(SumSquaresOp op) {
    if (!llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isa<ClipScaleOp>(user); }))
      return;
    OpBuilder builder(op);
    int64_t ranges = rowRanges(rowsOf(op));
    op.setPartials(ranges);
    op.getResult().setType(RankedTensorType::get(
        {ranges}, cast<RankedTensorType>(op.getType()).getElementType()));
  }
};
} // namespace
