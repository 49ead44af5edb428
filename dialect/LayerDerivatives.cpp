//===- LayerDerivatives.cpp - derivatives of the layers of a model --------===//
#include "dialect/DerivativeHelpers.h"

using namespace mlir;
using namespace attnres;

LogicalResult AttentionOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  if (getStart())
    return emitOpError("expected no gradient through attention over a cache");
  return append(grads,
                AttentionBackwardOp::create(
                    builder, getLoc(), getQ(), getK(), getV(), getOutput(),
                    getLse(), orZeros(builder, resultGrads[0], getOutput()),
                    resultGrads[1], getDocuments(), getCausalAttr(),
                    getScaleAttr()));
}

/// A rotation's transpose is the rotation backwards.
LogicalResult RopeOp::buildBackward(OpBuilder &builder,
                                    ArrayRef<Value> resultGrads,
                                    SmallVectorImpl<Value> &grads) {
  grads.push_back(RopeOp::create(
      builder, getLoc(), resultGrads[0], getTable(), getStart(), getDocuments(),
      getThetaAttr(), getOffsetAttr(), getPositionsAttr(),
      getInverse() ? UnitAttr() : builder.getUnitAttr()));
  return success();
}

LogicalResult RMSNormOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  return append(grads, RMSNormBackwardOp::create(builder, getLoc(), getX(),
                                                 getWeight(), resultGrads[0],
                                                 getEpsAttr(), IntegerAttr()));
}

LogicalResult LayerNormOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  return append(grads, LayerNormBackwardOp::create(
                           builder, getLoc(), getX(), getWeight(),
                           resultGrads[0], getEpsAttr(), IntegerAttr()));
}

/// dx = dy W, dW = dy^T x, db = sum over rows of dy.
LogicalResult LinearOp::buildBackward(OpBuilder &builder,
                                      ArrayRef<Value> resultGrads,
                                      SmallVectorImpl<Value> &grads) {
  Value grad = resultGrads[0];
  UnitAttr yes = builder.getUnitAttr();
  grads.push_back(MatmulOp::create(builder, getLoc(), getX().getType(), grad,
                                   getWeight(), Value(), UnitAttr(),
                                   UnitAttr()));
  grads.push_back(MatmulOp::create(builder, getLoc(), getWeight().getType(),
                                   grad, getX(), Value(), yes, UnitAttr()));
  if (getBias())
    grads.push_back(SumRowsOp::create(builder, getLoc(), grad, IntegerAttr()));
  return success();
}

LogicalResult SwigluOp::buildBackward(OpBuilder &builder,
                                      ArrayRef<Value> resultGrads,
                                      SmallVectorImpl<Value> &grads) {
  return append(grads, SwigluBackwardOp::create(builder, getLoc(), getGate(),
                                                getUp(), resultGrads[0]));
}

LogicalResult GeluOp::buildBackward(OpBuilder &builder,
                                    ArrayRef<Value> resultGrads,
                                    SmallVectorImpl<Value> &grads) {
  return append(
      grads, GeluBackwardOp::create(builder, getLoc(), getX(), resultGrads[0]));
}

LogicalResult EmbeddingOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  auto weight = cast<RankedTensorType>(getWeight().getType());
  Value grad = EmbeddingBackwardOp::create(
      builder, getLoc(), getTokens(), resultGrads[0],
      builder.getI64IntegerAttr(weight.getDimSize(0)));
  grads.assign({Value(), storedLike(builder, grad, getWeight())});
  return success();
}

/// The elements that were kept take their gradients, by the same factor.
LogicalResult DropoutOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  grads.assign({DropoutOp::create(builder, getLoc(), resultGrads[0],
                                  getRandom(), getRateAttr(), getSiteAttr()),
                Value()});
  return success();
}

LogicalResult CrossEntropyOp::buildBackward(OpBuilder &builder,
                                            ArrayRef<Value> resultGrads,
                                            SmallVectorImpl<Value> &grads) {
  Value scale = LiveScaleOp::create(builder, getLoc(),
                                    orZeros(builder, resultGrads[0], getLoss()),
                                    getTargets(), getIgnoreIndexAttr());
  grads.assign(
      {CrossEntropyRowsBackwardOp::create(
           builder, getLoc(), getLogits(), getTargets(), getLse(), scale,
           resultGrads[1], getIgnoreIndexAttr(), getLabelSmoothingAttr()),
       Value()});
  return success();
}

LogicalResult
LinearCrossEntropyOp::buildBackward(OpBuilder &builder,
                                    ArrayRef<Value> resultGrads,
                                    SmallVectorImpl<Value> &grads) {
  if (resultGrads[1])
    return emitOpError("expected no gradient through lse of the fused loss; "
                       "use attnres.cross_entropy for that");
  auto backward = LinearCrossEntropyBackwardOp::create(
      builder, getLoc(), getX(), getWeight(), getTargets(), getLse(),
      resultGrads[0], getIgnoreIndexAttr(), getLabelSmoothingAttr());
  grads.assign({backward.getXGrad(),
                storedLike(builder, backward.getWeightGrad(), getWeight()),
                Value()});
  return success();
}
