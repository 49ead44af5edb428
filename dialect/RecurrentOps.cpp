//===- RecurrentOps.cpp - verifiers of Kimi delta attention ---------------===//
#include "dialect/VerifierHelpers.h"

using namespace mlir;
using namespace attnres;

static LogicalResult expectRank(Operation *op, StringRef what, Value value,
                                int64_t rank) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == rank)
    return success();
  return op->emitOpError("expected ")
         << what << " of rank " << rank << ", got " << type;
}

/// The same element type, and a shape.
static LogicalResult expectLike(Operation *op, StringRef what, Value value,
                                Value like, ArrayRef<int64_t> shape) {
  Type element = tensorOf(like.getType()).getElementType();
  return expectType(op, what, value, RankedTensorType::get(shape, element));
}

//===----------------------------------------------------------------------===//
// Short convolution
//===----------------------------------------------------------------------===//

/// x [B, T, C], weight [C, W], tail [B, W - 1, C] or null.
static LogicalResult verifyConvolution(Operation *op, Value x, Value weight,
                                       Value tail) {
  if (failed(expectStatic(op)) || failed(expectRank(op, "x", x, 3)) ||
      failed(expectRank(op, "weight", weight, 2)))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t window = shapeOf(weight)[1];
  if (window < 1)
    return op->emitOpError("expected at least 1 weight for each channel, got ")
           << window;
  if (failed(expectShape(op, "weight", weight, {shape[2], window})))
    return failure();
  if (tail)
    return expectLike(op, "tail", tail, x, {shape[0], window - 1, shape[2]});
  return success();
}

LogicalResult ShortConvolutionOp::verify() {
  return verifyConvolution(*this, getX(), getWeight(), getTail());
}

LogicalResult ShortConvolutionBackwardOp::verify() {
  if (failed(verifyConvolution(*this, getX(), getWeight(), getTail())))
    return failure();
  return expectLike(*this, "output gradient", getOutputGrad(), getX(),
                    shapeOf(getX()));
}

LogicalResult ConvolutionTailOp::verify() {
  if (failed(expectStatic(*this)) || failed(expectRank(*this, "x", getX(), 3)))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(getX());
  auto width = static_cast<int64_t>(getWidth());
  if (width < 0)
    return emitOpError("expected a width that is not negative, got ") << width;
  if (getTail() && failed(expectLike(*this, "tail", getTail(), getX(),
                                     {shape[0], width, shape[2]})))
    return failure();
  if (getLength())
    return expectShape(*this, "length", getLength(), {shape[0]});
  return success();
}

//===----------------------------------------------------------------------===//
// Norm and gates
//===----------------------------------------------------------------------===//

LogicalResult L2NormOp::verify() {
  if (shapeOf(getX()).empty())
    return emitOpError("expected x of rank at least 1, got ")
           << getX().getType();
  return expectEps(*this, getEps());
}

LogicalResult L2NormBackwardOp::verify() {
  if (shapeOf(getX()).empty())
    return emitOpError("expected x of rank at least 1, got ")
           << getX().getType();
  return expectEps(*this, getEps());
}

/// x [..., C], rates [H], bias [C], H divides C; a bound below 0.
template <typename Gate>
static LogicalResult verifyGate(Gate op) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  if (x.getRank() < 1)
    return op.emitOpError("expected x of rank at least 1, got ") << x;
  if (failed(expectStatic(op)) ||
      failed(expectRank(op, "a_log", op.getALog(), 1)))
    return failure();
  int64_t channels = x.getShape().back(), heads = shapeOf(op.getALog())[0];
  if (heads < 1 || channels % heads != 0)
    return op.emitOpError("expected the number of heads to divide that of "
                          "channels, got ")
           << heads << " and " << channels;
  if (failed(expectShape(op, "bias", op.getBias(), {channels})))
    return failure();
  std::optional<APFloat> bound = op.getLowerBound();
  if (bound && !(bound->isFinite() && bound->isNegative() && !bound->isZero()))
    return op.emitOpError("expected a finite negative lower_bound, got ")
           << bound->convertToDouble();
  return success();
}

LogicalResult KdaGateOp::verify() { return verifyGate(*this); }

LogicalResult KdaGateBackwardOp::verify() {
  if (failed(verifyGate(*this)) ||
      failed(expectShape(*this, "output gradient", getOutputGrad(),
                         shapeOf(getX()))))
    return failure();
  return expectPartials(*this, getPartials());
}

//===----------------------------------------------------------------------===//
// Gated delta rule
//===----------------------------------------------------------------------===//

/// The operands that the operation and its backward operation have.
template <typename Kda>
static LogicalResult verifyKda(Kda op) {
  if (failed(expectStatic(op)) || failed(expectRank(op, "q", op.getQ(), 4)) ||
      failed(expectRank(op, "v", op.getV(), 4)))
    return failure();
  ArrayRef<int64_t> q = shapeOf(op.getQ()), v = shapeOf(op.getV());
  int64_t batch = q[0], tokens = q[1], heads = q[2], width = q[3];
  int64_t valueHeads = v[2];
  if (width < 1)
    return op.emitOpError("expected a head size of at least 1, got ") << width;
  if (heads < 1 || valueHeads < 1 || valueHeads % heads != 0)
    return op.emitOpError("expected the number of heads to divide that of "
                          "value heads, got ")
           << heads << " and " << valueHeads;
  if (failed(expectLike(op, "k", op.getK(), op.getQ(), q)) ||
      failed(expectLike(op, "v", op.getV(), op.getQ(),
                        {batch, tokens, valueHeads, v[3]})) ||
      failed(expectShape(op, "decay", op.getDecay(),
                         {batch, tokens, valueHeads, width})) ||
      failed(expectLike(op, "beta", op.getBeta(), op.getQ(),
                        {batch, tokens, valueHeads})))
    return failure();
  if (op.getState() && failed(expectShape(op, "state", op.getState(),
                                          {batch, valueHeads, width, v[3]})))
    return failure();
  if (op.getLength() &&
      failed(expectShape(op, "length", op.getLength(), {batch})))
    return failure();
  if (op.getScale() && !op.getScale()->isFinite())
    return op.emitOpError("expected a finite scale");
  return success();
}

LogicalResult KdaOp::verify() { return verifyKda(*this); }

LogicalResult KdaBackwardOp::verify() {
  if (failed(verifyKda(*this)) ||
      failed(expectLike(*this, "output gradient", getOutputGrad(), getV(),
                        shapeOf(getV()))))
    return failure();
  if (!getStateGrad())
    return success();
  ArrayRef<int64_t> q = shapeOf(getQ()), v = shapeOf(getV());
  return expectShape(*this, "state gradient", getStateGrad(),
                     {q[0], v[2], q[3], v[3]});
}

/// The new state, over the state.
SmallVector<Overwrite> KdaOp::getOverwrites() {
  if (!getState())
    return {};
  return {{1, getStateMutable().begin()->getOperandNumber()}};
}

double KdaOp::getScaleValue() { return scaleValue(getScale(), getQ()); }
double KdaBackwardOp::getScaleValue() { return scaleValue(getScale(), getQ()); }
