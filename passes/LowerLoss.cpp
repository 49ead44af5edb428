//===- LowerLoss.cpp - losses as row operations, in chunks ----------------===//
#include "passes/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace attnres {
#define GEN_PASS_DEF_LOWERLOSS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// Slices and concatenations of rows: tensors are flattened to [rows, D] (or
/// [rows]), cut along the first dimension, and given their shape back.
class RowChunks {
public:
  RowChunks(OpBuilder &builder, Location loc, int64_t rows, int64_t chunk)
      : b(builder), loc(loc), rows(rows), chunk(std::max<int64_t>(1, chunk)) {}

  /// Runs `body` on the ranges [begin, begin + size) in order.
  void forEach(function_ref<void(int64_t begin, int64_t size)> body) {
    int64_t begin = 0;
    do { // once even without rows, so that every result exists
      int64_t size = std::min(chunk, rows - begin);
      body(begin, size);
      begin += size;
    } while (begin < rows);
  }

  /// [..., D] as [rows, D]; [...] as [rows].
  Value flatten(Value value, bool isStat) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t leading = type.getRank() - (isStat ? 0 : 1);
    if (leading == 1)
      return value;
    SmallVector<int64_t> shape{rows};
    if (!isStat)
      shape.push_back(type.getShape().back());
    auto flat = RankedTensorType::get(shape, type.getElementType());
    SmallVector<ReassociationIndices> groups;
    if (leading == 0) {
      if (!isStat)
        groups.push_back({0, 1});
      return tensor::ExpandShapeOp::create(b, loc, flat, value, groups);
    }
    groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, leading)));
    if (!isStat)
      groups.push_back({leading});
    return tensor::CollapseShapeOp::create(b, loc, flat, value, groups);
  }

  Value slice(Value flat, int64_t begin, int64_t size) {
    auto type = cast<RankedTensorType>(flat.getType());
    if (size == type.getDimSize(0))
      return flat;
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes;
    for (int64_t extent : type.getShape())
      sizes.push_back(b.getIndexAttr(extent));
    offsets[0] = b.getIndexAttr(begin);
    sizes[0] = b.getIndexAttr(size);
    return tensor::ExtractSliceOp::create(b, loc, flat, offsets, sizes,
                                          strides);
  }

  /// The pieces behind each other, in the shape of `type`.
  Value join(ArrayRef<Value> pieces, RankedTensorType type, bool isStat) {
    Value flat = pieces.size() == 1
                     ? pieces.front()
                     : tensor::ConcatOp::create(b, loc, 0, pieces).getResult();
    int64_t leading = type.getRank() - (isStat ? 0 : 1);
    if (leading == 1)
      return flat;
    SmallVector<ReassociationIndices> groups;
    if (leading == 0) {
      if (!isStat)
        groups.push_back({0, 1});
      return tensor::CollapseShapeOp::create(b, loc, type, flat, groups);
    }
    groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, leading)));
    if (!isStat)
      groups.push_back({leading});
    return tensor::ExpandShapeOp::create(b, loc, type, flat, groups);
  }

private:
  OpBuilder &b;
  Location loc;
  int64_t rows, chunk;
};

struct LowerLossPass : attnres::impl::LowerLossBase<LowerLossPass> {
  using LowerLossBase::LowerLossBase;

  void runOnOperation() override {
    if (chunkBytes < 1) {
      getOperation()->emitError("expected chunk-bytes of at least 1, got ")
          << chunkBytes.getValue();
      return signalPassFailure();
    }
    SmallVector<Operation *> losses;
    getOperation()->walk([&](Operation *op) {
      if (isa<CrossEntropyOp, LinearCrossEntropyOp,
              LinearCrossEntropyBackwardOp>(op))
        losses.push_back(op);
    });
    for (Operation *op : losses) {
      OpBuilder builder(op);
      if (auto loss = dyn_cast<CrossEntropyOp>(op))
        lower(builder, loss);
      else if (auto loss = dyn_cast<LinearCrossEntropyOp>(op))
        lower(builder, loss);
      else
        lower(builder, cast<LinearCrossEntropyBackwardOp>(op));
      op->erase();
    }
  }

  void lower(OpBuilder &b, CrossEntropyOp op) {
    auto rows =
        CrossEntropyRowsOp::create(b, op.getLoc(), op.getLogits(),
                                   op.getTargets(), op.getIgnoreIndexAttr());
    op.getLoss().replaceAllUsesWith(
        LiveMeanOp::create(b, op.getLoc(), rows.getNll(), op.getTargets(),
                           op.getIgnoreIndexAttr()));
    op.getLse().replaceAllUsesWith(rows.getLse());
  }

  /// Rows of logits that fit the budget; a multiple of 16 where possible.
  int64_t chunkRows(RankedTensorType weight) const {
    int64_t rows = chunkBytes /
                   (weight.getDimSize(0) * static_cast<int64_t>(sizeof(float)));
    return rows >= 16 ? rows / 16 * 16 : std::max<int64_t>(rows, 1);
  }

  void lower(OpBuilder &b, LinearCrossEntropyOp op) {
    auto x = cast<RankedTensorType>(op.getX().getType());
    auto weight = cast<RankedTensorType>(op.getWeight().getType());
    RowChunks chunks(b, op.getLoc(), rowCount(x), chunkRows(weight));
    Value flatX = chunks.flatten(op.getX(), false);
    Value flatTargets = chunks.flatten(op.getTargets(), true);
    SmallVector<Value> nll, lse;
    chunks.forEach([&](int64_t begin, int64_t size) {
      Value logits =
          LinearOp::create(b, op.getLoc(), chunks.slice(flatX, begin, size),
                           op.getWeight(), Value());
      auto rows = CrossEntropyRowsOp::create(
          b, op.getLoc(), logits, chunks.slice(flatTargets, begin, size),
          op.getIgnoreIndexAttr());
      nll.push_back(rows.getNll());
      lse.push_back(rows.getLse());
    });
    RankedTensorType stat = rowStatType(x);
    op.getLse().replaceAllUsesWith(chunks.join(lse, stat, true));
    op.getLoss().replaceAllUsesWith(
        LiveMeanOp::create(b, op.getLoc(), chunks.join(nll, stat, true),
                           op.getTargets(), op.getIgnoreIndexAttr()));
  }

  void lower(OpBuilder &b, LinearCrossEntropyBackwardOp op) {
    Location loc = op.getLoc();
    auto x = cast<RankedTensorType>(op.getX().getType());
    auto weight = cast<RankedTensorType>(op.getWeight().getType());
    RowChunks chunks(b, loc, rowCount(x), chunkRows(weight));
    Value flatX = chunks.flatten(op.getX(), false);
    Value flatTargets = chunks.flatten(op.getTargets(), true);
    Value flatLse = chunks.flatten(op.getLse(), true);
    Value scale = LiveScaleOp::create(b, loc, op.getLossGrad(), op.getTargets(),
                                      op.getIgnoreIndexAttr());
    SmallVector<Value> xGrads;
    Value weightGrad;
    chunks.forEach([&](int64_t begin, int64_t size) {
      Value rows = chunks.slice(flatX, begin, size);
      Value logits = LinearOp::create(b, loc, rows, op.getWeight(), Value());
      Value grad = CrossEntropyRowsBackwardOp::create(
          b, loc, logits, chunks.slice(flatTargets, begin, size),
          chunks.slice(flatLse, begin, size), scale, Value(),
          op.getIgnoreIndexAttr());
      xGrads.push_back(MatmulOp::create(b, loc, rows.getType(), grad,
                                        op.getWeight(), Value(), UnitAttr(),
                                        UnitAttr()));
      weightGrad =
          MatmulOp::create(b, loc, op.getWeightGrad().getType(), grad, rows,
                           weightGrad, b.getUnitAttr(), UnitAttr());
    });
    op.getXGrad().replaceAllUsesWith(chunks.join(xGrads, x, false));
    op.getWeightGrad().replaceAllUsesWith(weightGrad);
  }
};

} // namespace
