//===- DepthDerivatives.cpp - derivatives of attention over depth ---------===//
//
// Each derivative is one backward operation; its formula stands in DepthOps.td.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace attnres;

/// `grad`, or zeros of the type of `like` where nothing flows back.
static Value orZeros(OpBuilder &builder, Location loc, Value grad, Value like) {
  if (grad)
    return grad;
  return arith::ConstantOp::create(builder, loc,
                                   builder.getZeroAttr(like.getType()));
}

/// The gradients as they are when at least one exists, else nothing.
static SmallVector<Value> allOrNone(OpBuilder &builder, Location loc,
                                    ArrayRef<Value> grads, ValueRange like) {
  SmallVector<Value> filled;
  if (llvm::all_of(grads, [](Value grad) { return !grad; }))
    return filled;
  for (auto [grad, value] : llvm::zip_equal(grads, like))
    filled.push_back(orZeros(builder, loc, grad, value));
  return filled;
}

LogicalResult DepthAttentionOp::buildBackward(OpBuilder &builder,
                                              ArrayRef<Value> resultGrads,
                                              SmallVectorImpl<Value> &grads) {
  size_t count = getQueries().size();
  SmallVector<Value> outputGrads;
  for (auto [grad, output] :
       llvm::zip_equal(resultGrads.take_front(count), getOutputs()))
    outputGrads.push_back(orZeros(builder, getLoc(), grad, output));
  auto backward = DepthAttentionBackwardOp::create(
      builder, getLoc(), getQueries(), getGains(), getSources(), getLses(),
      outputGrads,
      allOrNone(builder, getLoc(), resultGrads.drop_front(count), getLses()),
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
      getSources(), getLse(),
      orZeros(builder, getLoc(), resultGrads[0], getOutput()), resultGrads[1],
      /*accumulators=*/ValueRange(), getEpsAttr(), /*partials=*/IntegerAttr());
  grads.assign({backward.getStateGrad(), backward.getStateLseGrad(),
                backward.getQueryGrad(), backward.getGainGrad()});
  llvm::append_range(grads, backward.getSourceGrads());
  return success();
}

LogicalResult MergeStatesOp::buildBackward(OpBuilder &builder,
                                           ArrayRef<Value> resultGrads,
                                           SmallVectorImpl<Value> &grads) {
  auto backward = MergeStatesBackwardOp::create(
      builder, getLoc(), getLhs(), getLhsLse(), getRhs(), getRhsLse(), getLse(),
      orZeros(builder, getLoc(), resultGrads[0], getOutput()), resultGrads[1]);
  llvm::append_range(grads, backward.getResults());
  return success();
}

LogicalResult StaticMixOp::buildBackward(OpBuilder &builder,
                                         ArrayRef<Value> resultGrads,
                                         SmallVectorImpl<Value> &grads) {
  auto backward = StaticMixBackwardOp::create(
      builder, getLoc(), getWeights(), getSources(), resultGrads[0],
      /*accumulators=*/ValueRange(), /*partials=*/IntegerAttr());
  llvm::append_range(grads, backward.getResults());
  return success();
}
