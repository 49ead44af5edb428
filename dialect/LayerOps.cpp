//===- LayerOps.cpp - verifiers of norms, projections and losses ----------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

LogicalResult RMSNormOp::verify() {
  if (failed(expectRankAtLeast(*this, "x", getX(), 1)) ||
      failed(expectEps(*this, getEps())))
    return failure();
  // NO-1.
  int64_t width = cast<RankedTensorType>(getX().getType()).getShape().back();
  return expectType(*this, "weight", getWeight(), vectorType(*this, width));
}

LogicalResult LayerNormOp::verify() {
  if (failed(expectRankAtLeast(*this, "x", getX(), 1)) ||
      failed(expectEps(*this, getEps())))
    return failure();
  // NO-2.
  int64_t width = cast<RankedTensorType>(getX().getType()).getShape().back();
  if (failed(
          expectType(*this, "weight", getWeight(), vectorType(*this, width))))
    return failure();
  return expectType(*this, "bias", getBias(), vectorType(*this, width));
}

/// G-14 for both norms.
static LogicalResult verifyNormBackward(Operation *op, Value x, Value weight,
                                        Value outputGrad, const APFloat &eps,
                                        std::optional<int64_t> partials) {
  if (failed(expectRankAtLeast(op, "x", x, 1)) || failed(expectEps(op, eps)))
    return failure();
  auto type = cast<RankedTensorType>(x.getType());
  if (failed(expectType(op, "weight", weight,
                        vectorType(op, type.getShape().back()))) ||
      failed(expectType(op, "output gradient", outputGrad, type)))
    return failure();
  return expectPartials(op, partials);
}

LogicalResult RMSNormBackwardOp::verify() {
  return verifyNormBackward(*this, getX(), getWeight(), getOutputGrad(),
                            getEps(), getPartials());
}

LogicalResult LayerNormBackwardOp::verify() {
  return verifyNormBackward(*this, getX(), getWeight(), getOutputGrad(),
                            getEps(), getPartials());
}

LogicalResult SumRowsOp::verify() {
  if (failed(expectRankAtLeast(*this, "x", getX(), 1)))
    return failure();
  return expectPartials(*this, getPartials());
}

LogicalResult SwigluBackwardOp::verify() {
  // G-14.
  auto type = cast<RankedTensorType>(getGate().getType());
  if (failed(expectType(*this, "up", getUp(), type)))
    return failure();
  return expectType(*this, "output gradient", getOutputGrad(), type);
}

LogicalResult LinearOp::verify() {
  if (failed(expectRankAtLeast(*this, "x", getX(), 1)))
    return failure();
  // PR-1.
  auto x = cast<RankedTensorType>(getX().getType());
  auto weight = cast<RankedTensorType>(getWeight().getType());
  if (weight.getRank() != 2 || weight.getDimSize(1) != x.getShape().back())
    return emitOpError("expected weight of shape [N, ")
           << dimension(x.getShape().back()) << "], got " << weight;
  if (getBias())
    return expectType(*this, "bias", getBias(),
                      vectorType(*this, weight.getDimSize(0)));
  return success();
}

/// Rows and columns of op(value), leading dimensions flattened.
static std::pair<int64_t, int64_t> matrixShape(Value value, bool transposed) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rows = rowCount(type), columns = type.getShape().back();
  return transposed ? std::pair(columns, rows) : std::pair(rows, columns);
}

/// PR-2: the result is [M, N], or [lhs leading..., N] when lhs is not
/// transposed.
static LogicalResult verifyProduct(Operation *op, Value lhs, bool transposeLhs,
                                   int64_t rows, int64_t columns, Value init,
                                   Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  auto lhsType = cast<RankedTensorType>(lhs.getType());
  SmallVector<int64_t> leading(lhsType.getShape().drop_back());
  leading.push_back(columns);
  bool flat = type.getShape() == ArrayRef<int64_t>({rows, columns});
  bool shaped = !transposeLhs && type.getShape() == ArrayRef(leading);
  if (!flat && !shaped)
    return op->emitOpError("expected result of shape [")
           << dimension(rows) << ", " << dimension(columns) << "], got "
           << type;
  if (init)
    return expectType(op, "init", init, type);
  return success();
}

LogicalResult MatmulOp::verify() {
  if (failed(expectRankAtLeast(*this, "lhs", getLhs(), 1)) ||
      failed(expectRankAtLeast(*this, "rhs", getRhs(), 1)))
    return failure();
  // PR-2.
  auto [rows, depth] = matrixShape(getLhs(), getTransposeLhs());
  auto [rhsDepth, columns] = matrixShape(getRhs(), getTransposeRhs());
  if (depth != rhsDepth)
    return emitOpError("expected equal inner dimensions, got ")
           << dimension(depth) << " and " << dimension(rhsDepth);
  return verifyProduct(*this, getLhs(), getTransposeLhs(), rows, columns,
                       getInit(), getResult());
}

LogicalResult MatmulPackedOp::verify() {
  if (failed(expectRankAtLeast(*this, "lhs", getLhs(), 1)))
    return failure();
  // PR-4.
  auto panels = cast<RankedTensorType>(getPanels().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  auto [rows, depth] = matrixShape(getLhs(), getTransposeLhs());
  if (result.getRank() < 1 || panels.getRank() != 3)
    return emitOpError("expected panels of rank 3, got ") << panels;
  int64_t columns = result.getShape().back(), tile = panels.getDimSize(2);
  if (tile < 1 || panels.getDimSize(0) != panelCount(columns, tile))
    return emitOpError("expected panels that hold ")
           << dimension(columns) << " columns, got " << panels;
  if (panels.getDimSize(1) != depth)
    return emitOpError("expected equal inner dimensions, got ")
           << dimension(depth) << " and " << dimension(panels.getDimSize(1));
  if (getBias() &&
      failed(expectType(*this, "bias", getBias(), vectorType(*this, columns))))
    return failure();
  return verifyProduct(*this, getLhs(), getTransposeLhs(), rows, columns,
                       getInit(), getResult());
}

LogicalResult EmbeddingOp::verify() {
  // EL-1.
  auto weight = cast<RankedTensorType>(getWeight().getType());
  if (weight.getRank() != 2)
    return emitOpError("expected a table of rank 2, got ") << weight;
  if (weight.getDimSize(0) < 1)
    return emitOpError("expected a table with at least one row, got ")
           << weight;
  return success();
}

LogicalResult EmbeddingBackwardOp::verify() {
  if (failed(expectRankAtLeast(*this, "output gradient", getOutputGrad(), 1)))
    return failure();
  // EL-2.
  if (static_cast<int64_t>(getVocabSize()) < 1)
    return emitOpError("expected a table with at least one row, got ")
           << static_cast<int64_t>(getVocabSize());
  // G-14.
  auto grad = cast<RankedTensorType>(getOutputGrad().getType());
  return expectShape(*this, "tokens", getTokens(), grad.getShape().drop_back());
}

LogicalResult DropoutOp::verify() {
  // DR-1.
  if (failed(expectRankAtLeast(*this, "x", getX(), 1)) ||
      failed(expectShape(*this, "random", getRandom(), {2})))
    return failure();
  double rate = getRate().convertToDouble();
  if (!(rate >= 0 && rate < 1))
    return emitOpError("expected a rate in [0, 1), got ") << rate;
  auto site = static_cast<int64_t>(getSite());
  if (site < 0 || site > UINT32_MAX)
    return emitOpError("expected a site in [0, 2^32), got ") << site;
  return success();
}

/// EL-8.
static LogicalResult verifySmoothing(Operation *op, const APFloat &value) {
  double smoothing = value.convertToDouble();
  if (smoothing >= 0 && smoothing < 1)
    return success();
  return op->emitOpError("expected label_smoothing in [0, 1), got ")
         << smoothing;
}

/// EL-3: logits [..., V] of at least one class, targets [...].
static LogicalResult verifyLogits(Operation *op, Value logits, Value targets,
                                  const APFloat &smoothing) {
  if (failed(verifySmoothing(op, smoothing)))
    return failure();
  if (failed(expectRankAtLeast(op, "logits", logits, 1)))
    return failure();
  auto type = cast<RankedTensorType>(logits.getType());
  if (type.getShape().back() < 1)
    return op->emitOpError("expected at least one class, got ") << type;
  return expectShape(op, "targets", targets, type.getShape().drop_back());
}

LogicalResult CrossEntropyOp::verify() {
  return verifyLogits(*this, getLogits(), getTargets(), getLabelSmoothing());
}

LogicalResult CrossEntropyRowsOp::verify() {
  return verifyLogits(*this, getLogits(), getTargets(), getLabelSmoothing());
}

LogicalResult CrossEntropyRowsBackwardOp::verify() {
  if (failed(
          verifyLogits(*this, getLogits(), getTargets(), getLabelSmoothing())))
    return failure();
  // G-14.
  RankedTensorType stat =
      rowStatType(cast<RankedTensorType>(getLogits().getType()));
  if (failed(expectType(*this, "lse", getLse(), stat)))
    return failure();
  if (getLseGrad())
    return expectType(*this, "lse gradient", getLseGrad(), stat);
  return success();
}

/// EL-5: x [..., D], weight [V, D] of at least one class, targets [...].
static LogicalResult verifyProjectedLoss(Operation *op, Value x, Value weight,
                                         Value targets,
                                         const APFloat &smoothing) {
  if (failed(verifySmoothing(op, smoothing)))
    return failure();
  if (failed(expectRankAtLeast(op, "x", x, 1)))
    return failure();
  auto xType = cast<RankedTensorType>(x.getType());
  auto weightType = cast<RankedTensorType>(weight.getType());
  int64_t width = xType.getShape().back();
  if (weightType.getRank() != 2 || weightType.getDimSize(1) != width)
    return op->emitOpError("expected weight of shape [V, ")
           << dimension(width) << "], got " << weightType;
  if (weightType.getDimSize(0) < 1)
    return op->emitOpError("expected at least one class, got ") << weightType;
  return expectShape(op, "targets", targets, xType.getShape().drop_back());
}

LogicalResult LinearCrossEntropyOp::verify() {
  return verifyProjectedLoss(*this, getX(), getWeight(), getTargets(),
                             getLabelSmoothing());
}

LogicalResult LinearCrossEntropyBackwardOp::verify() {
  if (failed(verifyProjectedLoss(*this, getX(), getWeight(), getTargets(),
                                 getLabelSmoothing())))
    return failure();
  // G-14.
  return expectType(*this, "lse", getLse(),
                    rowStatType(cast<RankedTensorType>(getX().getType())));
}

LogicalResult LiveMeanOp::verify() {
  // EL-6.
  return expectShape(*this, "targets", getTargets(),
                     cast<RankedTensorType>(getX().getType()).getShape());
}
