//===- LayerDerivatives.cpp - derivatives of the layers of a model --------===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace attnres;

LogicalResult AttentionOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  if (getStart())
    return emitOpError("expected no gradient through attention over a cache");
  Value outputGrad = resultGrads[0];
  if (!outputGrad)
    outputGrad = arith::ConstantOp::create(
        builder, getLoc(), builder.getZeroAttr(getOutput().getType()));
  auto backward = AttentionBackwardOp::create(
      builder, getLoc(), getQ(), getK(), getV(), getOutput(), getLse(),
      outputGrad, resultGrads[1], getCausalAttr(), getScaleAttr());
  llvm::append_range(grads, backward.getResults());
  return success();
}

/// A rotation's transpose is the rotation backwards.
LogicalResult RopeOp::buildBackward(OpBuilder &builder,
                                    ArrayRef<Value> resultGrads,
                                    SmallVectorImpl<Value> &grads) {
  grads.push_back(
      RopeOp::create(builder, getLoc(), resultGrads[0], getTable(), getStart(),
                     getThetaAttr(), getOffsetAttr(), getPositionsAttr(),
                     getInverse() ? UnitAttr() : builder.getUnitAttr()));
  return success();
}

LogicalResult RMSNormOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  auto backward =
      RMSNormBackwardOp::create(builder, getLoc(), getX(), getWeight(),
                                resultGrads[0], getEpsAttr(), IntegerAttr());
  llvm::append_range(grads, backward.getResults());
  return success();
}

LogicalResult LayerNormOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  auto backward =
      LayerNormBackwardOp::create(builder, getLoc(), getX(), getWeight(),
                                  resultGrads[0], getEpsAttr(), IntegerAttr());
  llvm::append_range(grads, backward.getResults());
  return success();
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
  auto backward = SwigluBackwardOp::create(builder, getLoc(), getGate(),
                                           getUp(), resultGrads[0]);
  llvm::append_range(grads, backward.getResults());
  return success();
}

LogicalResult GeluOp::buildBackward(OpBuilder &builder,
                                    ArrayRef<Value> resultGrads,
                                    SmallVectorImpl<Value> &grads) {
  grads.push_back(
      GeluBackwardOp::create(builder, getLoc(), getX(), resultGrads[0]));
  return success();
}

LogicalResult EmbeddingOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  auto weight = cast<RankedTensorType>(getWeight().getType());
  Value grad = EmbeddingBackwardOp::create(
      builder, getLoc(), getTokens(), resultGrads[0],
      builder.getI64IntegerAttr(weight.getDimSize(0)));
  if (!weight.getElementType().isF32())
    grad = arith::TruncFOp::create(builder, getLoc(), weight, grad);
  grads.assign({Value(), grad});
  return success();
}

LogicalResult CrossEntropyOp::buildBackward(OpBuilder &builder,
                                            ArrayRef<Value> resultGrads,
                                            SmallVectorImpl<Value> &grads) {
  Value lossGrad = resultGrads[0];
  if (!lossGrad)
    lossGrad = arith::ConstantOp::create(
        builder, getLoc(), builder.getZeroAttr(getLoss().getType()));
  Value scale = LiveScaleOp::create(builder, getLoc(), lossGrad, getTargets(),
                                    getIgnoreIndexAttr());
  grads.assign({CrossEntropyRowsBackwardOp::create(
                    builder, getLoc(), getLogits(), getTargets(), getLse(),
                    scale, resultGrads[1], getIgnoreIndexAttr()),
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
  auto weight = cast<RankedTensorType>(getWeight().getType());
  auto backward = LinearCrossEntropyBackwardOp::create(
      builder, getLoc(), getX(), getWeight(), getTargets(), getLse(),
      resultGrads[0], getIgnoreIndexAttr());
  Value weightGrad = backward.getWeightGrad();
  if (!weight.getElementType().isF32())
    weightGrad = arith::TruncFOp::create(builder, getLoc(), weight, weightGrad);
  grads.assign({backward.getXGrad(), weightGrad, Value()});
  return success();
}
