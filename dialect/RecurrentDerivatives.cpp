//===- RecurrentDerivatives.cpp - derivatives of Kimi delta attention -----===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace attnres;

LogicalResult ShortConvolutionOp::buildBackward(OpBuilder &builder,
                                                ArrayRef<Value> resultGrads,
                                                SmallVectorImpl<Value> &grads) {
  auto backward = ShortConvolutionBackwardOp::create(
      builder, getLoc(), getX(), getWeight(), resultGrads[0], getTail());
  Value weightGrad = backward.getWeightGrad();
  if (weightGrad.getType() != getWeight().getType())
    weightGrad = arith::TruncFOp::create(builder, getLoc(),
                                         getWeight().getType(), weightGrad);
  grads.assign({backward.getXGrad(), weightGrad});
  if (getTail())
    grads.push_back(backward.getTailGrad());
  return success();
}

LogicalResult L2NormOp::buildBackward(OpBuilder &builder,
                                      ArrayRef<Value> resultGrads,
                                      SmallVectorImpl<Value> &grads) {
  grads.push_back(L2NormBackwardOp::create(builder, getLoc(), getX(),
                                           resultGrads[0], getEpsAttr()));
  return success();
}

LogicalResult SigmoidOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  grads.push_back(
      SigmoidBackwardOp::create(builder, getLoc(), getX(), resultGrads[0]));
  return success();
}

LogicalResult KdaGateOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  auto backward = KdaGateBackwardOp::create(
      builder, getLoc(), getX(), getALog(), getBias(), resultGrads[0],
      getLowerBoundAttr(), IntegerAttr());
  llvm::append_range(grads, backward.getResults());
  return success();
}

LogicalResult KdaOp::buildBackward(OpBuilder &builder,
                                   ArrayRef<Value> resultGrads,
                                   SmallVectorImpl<Value> &grads) {
  Value outputGrad = resultGrads[0];
  if (!outputGrad)
    outputGrad = arith::ConstantOp::create(
        builder, getLoc(), builder.getZeroAttr(getOutput().getType()));
  auto backward = KdaBackwardOp::create(
      builder, getLoc(), getQ(), getK(), getV(), getDecay(), getBeta(),
      outputGrad, resultGrads[1], getState(), getLength(), getScaleAttr());
  llvm::append_range(grads, backward.getResults());
  if (getLength())
    grads.push_back(Value());
  return success();
}
