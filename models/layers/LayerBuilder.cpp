//===- LayerBuilder.cpp - what layer rules are written with ---------------===//
#include "models/layers/LayerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;

/// [B, T, H * W] and [B, T, H, W].
static const ReassociationIndices kHeadDims[] = {{0}, {1}, {2, 3}};

Value LayerBuilder::find(const Twine &name) const {
  return parameters.lookup(name.str());
}

Value LayerBuilder::parameter(const Twine &name) const {
  Value value = find(name);
  assert(value && "unknown parameter");
  return value;
}

Value LayerBuilder::matrix(const Twine &name) const {
  Value value = parameter(name);
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == storage)
    return value;
  return arith::TruncFOp::create(builder, type.clone(storage), value);
}

Value LayerBuilder::linear(const Twine &name, Value x) const {
  return LinearOp::create(builder, x, matrix(name + ".weight"),
                          find(name + ".bias"));
}

Value LayerBuilder::norm(const Twine &name, Value x) const {
  FloatAttr eps = builder.getF64FloatAttr(config.normEps);
  Value weight = parameter(name + ".weight");
  if (config.normType == NormType::RmsNorm)
    return RMSNormOp::create(builder, x, weight, eps);
  return LayerNormOp::create(builder, x, weight, parameter(name + ".bias"),
                             eps);
}

Value LayerBuilder::splitHeads(Value x, int64_t heads) const {
  auto type = cast<RankedTensorType>(x.getType());
  auto split = RankedTensorType::get({type.getDimSize(0), type.getDimSize(1),
                                      heads, type.getDimSize(2) / heads},
                                     type.getElementType());
  return tensor::ExpandShapeOp::create(builder, split, x, kHeadDims);
}

Value LayerBuilder::joinHeads(Value x) const {
  return tensor::CollapseShapeOp::create(builder, x, kHeadDims);
}

Value LayerBuilder::rotate(Value x) const {
  if (!config.ropeTheta)
    return x;
  return RopeOp::create(
      builder, x, /*table=*/Value(), caches ? caches->start : Value(),
      builder.getF64FloatAttr(*config.ropeTheta), builder.getI64IntegerAttr(0),
      caches ? builder.getI64IntegerAttr(caches->capacity) : IntegerAttr(),
      /*inverse=*/UnitAttr());
}

Value LayerBuilder::cached(const Twine &name, Value x) const {
  if (!caches)
    return x;
  caches->written.push_back(
      CacheWriteOp::create(builder, parameter(name), x, caches->start));
  return caches->written.back();
}

Value LayerBuilder::attend(Value q, Value k, Value v) const {
  auto attention =
      AttentionOp::create(builder, q, k, v, caches ? caches->start : Value(),
                          /*causal=*/true, /*scale=*/FloatAttr());
  return attention.getOutput();
}
