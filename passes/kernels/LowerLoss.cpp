//===- LowerLoss.cpp - losses as row operations, in chunks ----------------===//
//
// A fused loss and its backward operation both need the logits. Where they can
// stand in one place they share each chunk: its logits are computed once, give
// the loss and become the gradient, and are dead before the next chunk. Were
// they lowered apart, common subexpression elimination would join the equal
// projections, and with them keep all logits from the first to the last chunk.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

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

/// Rows of a chunk.
struct Chunk {
  Value x, targets;
};

/// What a backward operation computes, chunk by chunk.
class Gradients {
public:
  /// Of no operation: nothing may be added.
  Gradients(OpBuilder &builder, LinearCrossEntropyBackwardOp op, Value weight)
      : b(builder), op(op), weight(weight) {
    if (op)
      scale = LiveScaleOp::create(b, op.getLoc(), op.getLossGrad(),
                                  op.getTargets(), op.getIgnoreIndexAttr());
  }

  void add(Chunk chunk, Value logits, Value lse) {
    Location loc = op.getLoc();
    Value grad = CrossEntropyRowsBackwardOp::create(
        b, loc, logits, chunk.targets, lse, scale, Value(),
        op.getIgnoreIndexAttr(), op.getLabelSmoothingAttr());
    xGrads.push_back(MatmulOp::create(b, loc, chunk.x.getType(), grad, weight,
                                      Value(), UnitAttr(), UnitAttr()));
    weightGrad =
        MatmulOp::create(b, loc, op.getWeightGrad().getType(), grad, chunk.x,
                         weightGrad, b.getUnitAttr(), UnitAttr());
  }

  void finish(RowChunks &chunks) {
    auto x = cast<RankedTensorType>(op.getX().getType());
    op.getXGrad().replaceAllUsesWith(chunks.join(xGrads, x, false));
    op.getWeightGrad().replaceAllUsesWith(weightGrad);
  }

private:
  OpBuilder &b;
  LinearCrossEntropyBackwardOp op;
  Value weight, scale, weightGrad;
  SmallVector<Value> xGrads;
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
      // Chunks need a number of rows.
      if (isa<CrossEntropyOp, LinearCrossEntropyOp>(op) &&
          hasCountableTensors(op))
        losses.push_back(op);
    });
    for (Operation *op : losses) {
      OpBuilder builder(op);
      if (auto loss = dyn_cast<CrossEntropyOp>(op))
        lower(builder, loss);
      else
        lower(builder, cast<LinearCrossEntropyOp>(op));
      op->erase();
      ++numLosses;
    }
    // Those that could not stand beside their loss.
    SmallVector<LinearCrossEntropyBackwardOp> rest;
    getOperation()->walk([&](LinearCrossEntropyBackwardOp op) {
      if (hasCountableTensors(op))
        rest.push_back(op);
    });
    for (LinearCrossEntropyBackwardOp op : rest) {
      OpBuilder builder(op);
      lower(builder, op);
      op->erase();
    }
  }

  void lower(OpBuilder &b, CrossEntropyOp op) {
    auto rows = CrossEntropyRowsOp::create(
        b, op.getLoc(), op.getLogits(), op.getTargets(),
        op.getIgnoreIndexAttr(), op.getLabelSmoothingAttr());
    op.getLoss().replaceAllUsesWith(
        LiveMeanOp::create(b, op.getLoc(), rows.getNll(), op.getTargets(),
                           op.getIgnoreIndexAttr()));
    op.getLse().replaceAllUsesWith(rows.getLse());
  }

  /// Rows of logits that fit the budget, or more where that would make too
  /// many chunks; a multiple of 16 where possible.
  int64_t chunkRows(RankedTensorType x, RankedTensorType weight) const {
    // A tensor without columns has no slices.
    if (x.getNumElements() == 0)
      return std::max<int64_t>(rowCount(x), 1);
    int64_t rowBytes =
        weight.getDimSize(0) * static_cast<int64_t>(sizeof(float));
    int64_t rows = chunkBytes / std::max<int64_t>(rowBytes, 1);
    rows = rows >= 16 ? rows / 16 * 16 : std::max<int64_t>(rows, 1);
    int64_t least =
        llvm::divideCeil(rowCount(x), std::max<unsigned>(1, maxChunks));
    return std::max<int64_t>(rows, llvm::alignTo(least, least > 1 ? 16 : 1));
  }

  //===--- The gradient beside the loss -----------------------------------===//

  /// The same value, or one recomputed from the same operands.
  static bool isSame(Value a, Value b) {
    if (a == b)
      return true;
    auto first = dyn_cast<OpResult>(a), second = dyn_cast<OpResult>(b);
    return first && second &&
           first.getResultNumber() == second.getResultNumber() &&
           OperationEquivalence::isEquivalentTo(
               first.getOwner(), second.getOwner(),
               OperationEquivalence::exactValueMatch, nullptr,
               OperationEquivalence::IgnoreLocations |
                   OperationEquivalence::IgnoreDiscardableAttrs);
  }

  /// The only backward operation of `loss`, if it can stand in its place: then
  /// the gradient of the loss has been moved before it.
  static LinearCrossEntropyBackwardOp
  backwardInPlaceOf(LinearCrossEntropyOp loss) {
    LinearCrossEntropyBackwardOp found;
    for (Operation *user : loss.getLse().getUsers())
      if (auto backward = dyn_cast<LinearCrossEntropyBackwardOp>(user)) {
        if (found)
          return nullptr;
        found = backward;
      }
    if (!found || found->getBlock() != loss->getBlock() ||
        !isSame(found.getX(), loss.getX()) ||
        !isSame(found.getWeight(), loss.getWeight()) ||
        found.getTargets() != loss.getTargets() ||
        found.getLse() != loss.getLse() ||
        found.getIgnoreIndex() != loss.getIgnoreIndex() ||
        found.getLabelSmoothing() != loss.getLabelSmoothing())
      return nullptr;
    IRRewriter rewriter(loss);
    if (failed(moveValueDefinitions(rewriter, found.getLossGrad(), loss)))
      return nullptr;
    return found;
  }

  //===--- Fused losses ---------------------------------------------------===//

  /// With the gradients, when there is a backward operation that can stand
  /// here.
  void lower(OpBuilder &b, LinearCrossEntropyOp op) {
    Location loc = op.getLoc();
    auto x = cast<RankedTensorType>(op.getX().getType());
    auto weight = cast<RankedTensorType>(op.getWeight().getType());
    LinearCrossEntropyBackwardOp backward = backwardInPlaceOf(op);
    Gradients gradients(b, backward, op.getWeight());
    RowChunks chunks(b, loc, rowCount(x), chunkRows(x, weight));
    Value flatX = chunks.flatten(op.getX(), false);
    Value flatTargets = chunks.flatten(op.getTargets(), true);
    SmallVector<Value> nll, lse;
    chunks.forEach([&](int64_t begin, int64_t size) {
      ++numChunks;
      Chunk chunk{chunks.slice(flatX, begin, size),
                  chunks.slice(flatTargets, begin, size)};
      Value logits = LinearOp::create(b, loc, chunk.x, op.getWeight(), Value());
      auto rows = CrossEntropyRowsOp::create(b, loc, logits, chunk.targets,
                                             op.getIgnoreIndexAttr(),
                                             op.getLabelSmoothingAttr());
      nll.push_back(rows.getNll());
      lse.push_back(rows.getLse());
      if (backward)
        gradients.add(chunk, logits, rows.getLse());
    });
    if (backward) {
      gradients.finish(chunks);
      backward->erase();
    }
    RankedTensorType stat = rowStatType(x);
    if (!op.getLse().use_empty())
      op.getLse().replaceAllUsesWith(chunks.join(lse, stat, true));
    op.getLoss().replaceAllUsesWith(
        LiveMeanOp::create(b, loc, chunks.join(nll, stat, true),
                           op.getTargets(), op.getIgnoreIndexAttr()));
  }

  /// Computes the logits again, and keeps them apart from those of the loss.
  void lower(OpBuilder &b, LinearCrossEntropyBackwardOp op) {
    Location loc = op.getLoc();
    auto x = cast<RankedTensorType>(op.getX().getType());
    auto weight = cast<RankedTensorType>(op.getWeight().getType());
    Gradients gradients(b, op, op.getWeight());
    RowChunks chunks(b, loc, rowCount(x), chunkRows(x, weight));
    Value flatX = chunks.flatten(op.getX(), false);
    Value flatTargets = chunks.flatten(op.getTargets(), true);
    Value flatLse = chunks.flatten(op.getLse(), true);
    chunks.forEach([&](int64_t begin, int64_t size) {
      ++numChunks;
      Chunk chunk{chunks.slice(flatX, begin, size),
                  chunks.slice(flatTargets, begin, size)};
      auto logits = LinearOp::create(b, loc, chunk.x, op.getWeight(), Value());
      logits->setAttr(kRecomputedAttr, b.getUnitAttr());
      gradients.add(chunk, logits, chunks.slice(flatLse, begin, size));
    });
    gradients.finish(chunks);
  }
};

} // namespace
