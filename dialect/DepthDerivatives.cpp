//===- DepthDerivatives.cpp - derivatives of attention over depth ---------===//
//
// Each derivative is one backward operation; its formula stands in DepthOps.td.
//
//===----------------------------------------------------------------------===//
#include "dialect/DerivativeHelpers.h"

using namespace mlir;
using namespace attnres;

/// The gradients as they are when at least one exists, else nothing.
static SmallVector<Value> allOrNone(OpBuilder &builder, ArrayRef<Value> grads,
                                    ValueRange like) {
  SmallVector<Value> filled;
  if (llvm::all_of(grads, [](Value grad) { return !grad; }))
    return filled;
  for (auto [grad, value] : llvm::zip_equal(grads, like))
    filled.push_back(orZeros(builder, grad, value));
  return filled;
}

LogicalResult DepthAttentionOp::buildBackward(OpBuilder &builder,
                                              ArrayRef<Value> resultGrads,
                                              SmallVectorImpl<Value> &grads) {
  size_t count = getQueries().size();
  SmallVector<Value> outputGrads;
  for (auto [grad, output] :
       llvm::zip_equal(resultGrads.take_front(count), getOutputs()))
    outputGrads.push_back(orZeros(builder, grad, output));
  auto backward = DepthAttentionBackwardOp::create(
      builder, getLoc(), getQueries(), getGains(), getSources(), getLses(),
      outputGrads, allOrNone(builder, resultGrads.drop_front(count), getLses()),
      /*accumulators=*/ValueRange(), getEpsAttr(), /*partials=*/IntegerAttr());
  llvm::append_range(grads, backward.getQueryGrads());
  llvm::append_range(grads, backward.getGainGrads());
  llvm::append_range(grads, backward.getSourceGrads());
  return success();
}

LogicalResult DepthMergeOp::buildBackward(OpBuilder &builder,
                                          ArrayRef<Value> resultGrads,
                                          SmallVectorImpl<Value> &grads) {
  auto backward = DepthMergeBackwardOp::create(
      builder, getLoc(), getState(), getStateLse(), getQuery(), getGain(),
      getSources(), getLse(), orZeros(builder, resultGrads[0], getOutput()),
      resultGrads[1],
      /*accumulators=*/ValueRange(), getEpsAttr(), /*partials=*/IntegerAttr());
  grads.assign({backward.getStateGrad(), backward.getStateLseGrad(),
                backward.getQueryGrad(), backward.getGainGrad()});
  llvm::append_range(grads, backward.getSourceGrads());
  return success();
}

LogicalResult MergeStatesOp::buildBackward(OpBuilder &builder,
                                           ArrayRef<Value> resultGrads,
                                           SmallVectorImpl<Value> &grads) {
  return append(grads, MergeStatesBackwardOp::create(
                           builder, getLoc(), getLhs(), getLhsLse(), getRhs(),
                           getRhsLse(), getLse(),
                           orZeros(builder, resultGrads[0], getOutput()),
                           resultGrads[1]));
}

LogicalResult StaticMixOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  return append(
      grads, StaticMixBackwardOp::create(
                 builder, getLoc(), getWeights(), getSources(), resultGrads[0],
                 /*accumulators=*/ValueRange(), /*partials=*/IntegerAttr()));
}
