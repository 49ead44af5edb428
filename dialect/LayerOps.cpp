//===- LayerOps.cpp - verifiers of norms, projections and losses ----------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

static LogicalResult expectRank(Operation *op, StringRef what, Value value,
                                int64_t rank) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() >= rank)
    return success();
  return op->emitOpError("expected ")
         << what << " of rank at least " << rank << ", got " << type;
}

LogicalResult RMSNormOp::verify() {
  if (failed(expectRank(*this, "x", getX(), 1)) ||
      failed(expectEps(*this, getEps())))
    return failure();
  int64_t width = cast<RankedTensorType>(getX().getType()).getShape().back();
  return expectType(*this, "weight", getWeight(), vectorType(*this, width));
}

LogicalResult LayerNormOp::verify() {
  if (failed(expectRank(*this, "x", getX(), 1)) ||
      failed(expectEps(*this, getEps())))
    return failure();
  int64_t width = cast<RankedTensorType>(getX().getType()).getShape().back();
  if (failed(
          expectType(*this, "weight", getWeight(), vectorType(*this, width))))
    return failure();
  return expectType(*this, "bias", getBias(), vectorType(*this, width));
}

LogicalResult LinearOp::verify() {
  if (failed(expectRank(*this, "x", getX(), 1)))
    return failure();
  auto x = cast<RankedTensorType>(getX().getType());
  auto weight = cast<RankedTensorType>(getWeight().getType());
  if (weight.getRank() != 2 || weight.getDimSize(1) != x.getShape().back())
    return emitOpError("expected weight of shape [N, ")
           << x.getShape().back() << "], got " << weight;
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

/// The result is [M, N], or [lhs leading..., N] when lhs is not transposed.
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
           << rows << ", " << columns << "], got " << type;
  if (init)
    return expectType(op, "init", init, type);
  return success();
}

LogicalResult MatmulOp::verify() {
  if (failed(expectRank(*this, "lhs", getLhs(), 1)) ||
      failed(expectRank(*this, "rhs", getRhs(), 1)))
    return failure();
  auto [rows, depth] = matrixShape(getLhs(), getTransposeLhs());
  auto [rhsDepth, columns] = matrixShape(getRhs(), getTransposeRhs());
  if (depth != rhsDepth)
    return emitOpError("expected equal inner dimensions, got ")
           << depth << " and " << rhsDepth;
  return verifyProduct(*this, getLhs(), getTransposeLhs(), rows, columns,
                       getInit(), getResult());
}

LogicalResult MatmulPackedOp::verify() {
  if (failed(expectRank(*this, "lhs", getLhs(), 1)))
    return failure();
  auto panels = cast<RankedTensorType>(getPanels().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  auto [rows, depth] = matrixShape(getLhs(), getTransposeLhs());
  if (result.getRank() < 1 || panels.getRank() != 3)
    return emitOpError("expected panels of rank 3, got ") << panels;
  int64_t columns = result.getShape().back(), tile = panels.getDimSize(2);
  if (tile < 1 || panels.getDimSize(0) != (columns + tile - 1) / tile)
    return emitOpError("expected panels that hold ")
           << columns << " columns, got " << panels;
  if (panels.getDimSize(1) != depth)
    return emitOpError("expected equal inner dimensions, got ")
           << depth << " and " << panels.getDimSize(1);
  if (getBias() &&
      failed(expectType(*this, "bias", getBias(), vectorType(*this, columns))))
    return failure();
  return verifyProduct(*this, getLhs(), getTransposeLhs(), rows, columns,
                       getInit(), getResult());
}

LogicalResult EmbeddingOp::verify() {
  auto weight = cast<RankedTensorType>(getWeight().getType());
  if (weight.getRank() != 2)
    return emitOpError("expected a table of rank 2, got ") << weight;
  if (weight.getDimSize(0) < 1)
    return emitOpError("expected a table with at least one row, got ")
           << weight;
  return success();
}

LogicalResult CrossEntropyOp::verify() {
  if (failed(expectRank(*this, "logits", getLogits(), 1)))
    return failure();
  auto logits = cast<RankedTensorType>(getLogits().getType());
  if (logits.getShape().back() < 1)
    return emitOpError("expected at least one class, got ") << logits;
  return expectShape(*this, "targets", getTargets(),
                     logits.getShape().drop_back());
}

LogicalResult LinearCrossEntropyOp::verify() {
  if (failed(expectRank(*this, "x", getX(), 1)))
    return failure();
  auto x = cast<RankedTensorType>(getX().getType());
  auto weight = cast<RankedTensorType>(getWeight().getType());
  if (weight.getRank() != 2 || weight.getDimSize(1) != x.getShape().back())
    return emitOpError("expected weight of shape [V, ")
           << x.getShape().back() << "], got " << weight;
  if (weight.getDimSize(0) < 1)
    return emitOpError("expected at least one class, got ") << weight;
  return expectShape(*this, "targets", getTargets(), x.getShape().drop_back());
}
