//===- TokenForms.cpp - operations on one token of each batch row ---------===//
//
// What TokenOpInterface asks of projections, attention and rotation. Other
// operations answer by their row form.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;

using TokenOperands = std::optional<SmallVector<unsigned>>;

/// The position of token `at` of a text that begins at `start` or at 0.
static Value positionOf(OpBuilder &builder, Location loc, Value start,
                        Value at) {
  return start ? arith::AddIOp::create(builder, loc, start, at) : at;
}

TokenOperands LinearOp::getTokenOperands() {
  if (getType().getRank() < 3)
    return std::nullopt;
  return SmallVector<unsigned>{0};
}

TokenOperands AttentionOp::getTokenOperands() {
  if (getDocuments())
    return std::nullopt;
  // A causal mask without start is that of starts S - T, here 0.
  if (getStart() || !getCausal() ||
      tensorOf(getQ().getType()).getDimSize(1) ==
          tensorOf(getK().getType()).getDimSize(1))
    return SmallVector<unsigned>{0};
  return std::nullopt;
}

void AttentionOp::setTokenPlaces(OpBuilder &builder, Operation *whole,
                                 Value at) {
  if (getCausal())
    getStartMutable().assign(positionOf(builder, getLoc(), getStart(), at));
}

TokenOperands RopeOp::getTokenOperands() {
  // A table and documents have a row for each token.
  if (getTable() || getDocuments())
    return std::nullopt;
  return SmallVector<unsigned>{0};
}

void RopeOp::setTokenPlaces(OpBuilder &builder, Operation *whole, Value at) {
  setPositions(cast<RopeOp>(whole).getNumPositions());
  getStartMutable().assign(positionOf(builder, getLoc(), getStart(), at));
}
