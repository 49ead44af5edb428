//===- ExpertDerivatives.cpp - derivatives of the mixture of experts ------===//
#include "dialect/DerivativeHelpers.h"

using namespace mlir;
using namespace attnres;

/// The bias chooses and weighs nothing: its gradient is 0.
LogicalResult RouterOp::buildBackward(OpBuilder &builder,
                                      ArrayRef<Value> resultGrads,
                                      SmallVectorImpl<Value> &grads) {
  grads.assign(
      {RouterBackwardOp::create(builder, getLoc(), getLogits(), getExperts(),
                                resultGrads[1]),
       arith::ConstantOp::create(builder, getLoc(),
                                 builder.getZeroAttr(getBias().getType()))});
  return success();
}

/// dx = W^T dy, summed over the choices of a row where these share x.
LogicalResult GroupedLinearOp::buildBackward(OpBuilder &builder,
                                             ArrayRef<Value> resultGrads,
                                             SmallVectorImpl<Value> &grads) {
  Value outputGrad = resultGrads[0];
  UnitAttr transposed = getTranspose() ? UnitAttr() : builder.getUnitAttr();
  Value xGrad = GroupedLinearOp::create(builder, getLoc(), outputGrad,
                                        getWeight(), getExperts(), transposed);
  if (xGrad.getType() != getX().getType())
    xGrad = CombineExpertsOp::create(builder, getLoc(), xGrad,
                                     /*weights=*/Value());
  Value lhs = outputGrad, rhs = getX();
  if (getTranspose())
    std::swap(lhs, rhs);
  int64_t matrices = tensorOf(getWeight().getType()).getDimSize(0);
  Value weightGrad =
      GroupedWeightGradOp::create(builder, getLoc(), lhs, rhs, getExperts(),
                                  builder.getI64IntegerAttr(matrices));
  grads.assign({xGrad, storedLike(builder, weightGrad, getWeight()), Value()});
  return success();
}

LogicalResult CombineExpertsOp::buildBackward(OpBuilder &builder,
                                              ArrayRef<Value> resultGrads,
                                              SmallVectorImpl<Value> &grads) {
  if (!getWeights())
    return emitOpError("expected no gradient through a sum without weights");
  return append(grads,
                CombineExpertsBackwardOp::create(builder, getLoc(), getX(),
                                                 getWeights(), resultGrads[0]));
}

LogicalResult SituGluOp::buildBackward(OpBuilder &builder,
                                       ArrayRef<Value> resultGrads,
                                       SmallVectorImpl<Value> &grads) {
  return append(grads,
                SituGluBackwardOp::create(builder, getLoc(), getGate(), getUp(),
                                          resultGrads[0], getGateBoundAttr(),
                                          getUpBoundAttr()));
}
