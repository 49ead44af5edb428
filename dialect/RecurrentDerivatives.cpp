//===- RecurrentDerivatives.cpp - derivatives of Kimi delta attention -----===//
#include "dialect/DerivativeHelpers.h"

using namespace mlir;
using namespace attnres;

LogicalResult ShortConvolutionOp::buildBackward(OpBuilder &builder,
                                                ArrayRef<Value> resultGrads,
                                                SmallVectorImpl<Value> &grads) {
  auto backward = ShortConvolutionBackwardOp::create(
      builder, getLoc(), getX(), getWeight(), resultGrads[0], getTail());
  grads.assign({backward.getXGrad(),
                storedLike(builder, backward.getWeightGrad(), getWeight())});
  if (getTail())
    grads.push_back(backward.getTailGrad());
  return success();
}

LogicalResult L2NormOp::buildBackward(OpBuilder &builder,
                                      ArrayRef<Value> resultGrads,
                                      SmallVectorImpl<Value> &grads) {
  return append(grads, L2NormBackwardOp::create(builder, getLoc(), getX(),
                                                resultGrads[0], getEpsAttr()));
}

LogicalResult SigmoidOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  return append(grads, SigmoidBackwardOp::create(builder, getLoc(), getX(),
                                                 resultGrads[0]));
}

LogicalResult KdaGateOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  return append(grads, KdaGateBackwardOp::create(
                           builder, getLoc(), getX(), getALog(), getBias(),
                           resultGrads[0], getLowerBoundAttr(), IntegerAttr()));
}

LogicalResult KdaOp::buildBackward(OpBuilder &builder,
                                   ArrayRef<Value> resultGrads,
                                   SmallVectorImpl<Value> &grads) {
  auto backward = KdaBackwardOp::create(
      builder, getLoc(), getQ(), getK(), getV(), getDecay(), getBeta(),
      orZeros(builder, resultGrads[0], getOutput()), resultGrads[1], getState(),
      getLength(), getScaleAttr());
  llvm::append_range(grads, backward.getResults());
  if (getLength())
    grads.push_back(Value());
  return success();
}
