//===- ExpertOps.cpp - verifiers of the mixture of experts ----------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

/// `leading` and then `last`.
static SmallVector<int64_t> extended(ArrayRef<int64_t> leading, int64_t last) {
  SmallVector<int64_t> shape(leading);
  shape.push_back(last);
  return shape;
}

//===----------------------------------------------------------------------===//
// Routing
//===----------------------------------------------------------------------===//

/// logits [..., E], bias [E], and from 1 to `most` chosen of E.
static LogicalResult verifyChoice(Operation *op, Value logits, Value bias,
                                  int64_t chosen, int64_t most) {
  if (failed(expectStatic(op)) ||
      failed(expectRankAtLeast(op, "logits", logits, 1)) ||
      failed(expectShape(op, "bias", bias, {shapeOf(logits).back()})))
    return failure();
  if (chosen >= 1 && chosen <= most)
    return success();
  return op->emitOpError("expected top_k in [1, ")
         << most << "], got " << chosen;
}

LogicalResult RouterOp::verify() {
  return verifyChoice(*this, getLogits(), getBias(), getTopK(),
                      shapeOf(getLogits()).back());
}

LogicalResult RouterBackwardOp::verify() {
  if (failed(expectStatic(*this)) ||
      failed(expectRankAtLeast(*this, "logits", getLogits(), 1)) ||
      failed(expectRankAtLeast(*this, "experts", getExperts(), 1)))
    return failure();
  ArrayRef<int64_t> logits = shapeOf(getLogits());
  int64_t chosen = shapeOf(getExperts()).back();
  if (failed(expectShape(*this, "experts", getExperts(),
                         extended(logits.drop_back(), chosen))))
    return failure();
  return expectShape(*this, "gradient of the weights", getWeightsGrad(),
                     shapeOf(getExperts()));
}

LogicalResult BalanceBiasOp::verify() {
  // The cutoff of a row is its best expert that is not chosen.
  return verifyChoice(*this, getLogits(), getBias(), getTopK(),
                      shapeOf(getLogits()).back() - 1);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Whether `shape` is [..., J, D] or, where allowed, [..., D] for choices
/// [..., J] and any D.
static bool isRowOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> choices) {
  return !shape.empty() && (shape.drop_back() == choices ||
                            shape.drop_back() == choices.drop_back());
}

static LogicalResult expectRowsOf(Operation *op, StringRef what, Value value,
                                  Value experts) {
  if (isRowOf(shapeOf(value), shapeOf(experts)))
    return success();
  return op->emitOpError("expected ")
         << what << " with the rows of experts " << experts.getType()
         << ", or the same without the last dimension, got " << value.getType();
}

LogicalResult GroupedLinearOp::verify() {
  if (failed(expectStatic(*this)) ||
      failed(expectRankAtLeast(*this, "experts", getExperts(), 1)) ||
      failed(expectRowsOf(*this, "x", getX(), getExperts())))
    return failure();
  ArrayRef<int64_t> weight = shapeOf(getWeight());
  int64_t depth = shapeOf(getX()).back();
  if (weight.size() != 3 || weight[0] < 1 ||
      weight[getTranspose() ? 1 : 2] != depth)
    return emitOpError("expected weight of shape ")
           << (getTranspose() ? "[E, " : "[E, N, ") << depth
           << (getTranspose() ? ", N], got " : "], got ")
           << getWeight().getType();
  return success();
}

LogicalResult GroupedWeightGradOp::verify() {
  if (failed(expectStatic(*this)) ||
      failed(expectRankAtLeast(*this, "experts", getExperts(), 1)) ||
      failed(expectRowsOf(*this, "lhs", getLhs(), getExperts())) ||
      failed(expectRowsOf(*this, "rhs", getRhs(), getExperts())))
    return failure();
  int64_t matrices = getMatrices();
  if (matrices < 1)
    return emitOpError("expected at least 1 matrix, got ") << matrices;
  return success();
}

LogicalResult CombineExpertsOp::verify() {
  if (failed(expectStatic(*this)) ||
      failed(expectRankAtLeast(*this, "x", getX(), 2)))
    return failure();
  if (getWeights())
    return expectShape(*this, "weights", getWeights(),
                       shapeOf(getX()).drop_back());
  return success();
}

LogicalResult CombineExpertsBackwardOp::verify() {
  if (failed(expectStatic(*this)) ||
      failed(expectRankAtLeast(*this, "x", getX(), 2)))
    return failure();
  auto x = cast<RankedTensorType>(getX().getType());
  ArrayRef<int64_t> shape = x.getShape();
  auto output = RankedTensorType::get(
      extended(shape.drop_back(2), shape.back()), x.getElementType());
  if (failed(expectType(*this, "output gradient", getOutputGrad(), output)))
    return failure();
  return expectShape(*this, "weights", getWeights(), shape.drop_back());
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

static LogicalResult expectBounds(Operation *op, const APFloat &gate,
                                  const APFloat &up) {
  for (auto [name, bound] :
       {std::pair<StringRef, const APFloat &>{"gate_bound", gate},
        {"up_bound", up}})
    if (!bound.isFinite() || bound.isNegative() || bound.isZero())
      return op->emitOpError("expected a finite positive ")
             << name << ", got " << bound.convertToDouble();
  return success();
}

LogicalResult SituGluOp::verify() {
  return expectBounds(*this, getGateBound(), getUpBound());
}

LogicalResult SituGluBackwardOp::verify() {
  auto type = cast<RankedTensorType>(getGate().getType());
  if (failed(expectType(*this, "up", getUp(), type)) ||
      failed(expectType(*this, "output gradient", getOutputGrad(), type)))
    return failure();
  return expectBounds(*this, getGateBound(), getUpBound());
}
