//===- LayerBuilder.cpp - what layers are built with ---------------===//
#include "models/layers/LayerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;

/// [B, T, H * W] and [B, T, H, W].
static const ReassociationIndices kHeadDims[] = {{0}, {1}, {2, 3}};

Value LayerBuilder::find(const Twine &name) const {
  return values.arguments.lookup(prefix + name.str());
}

Value LayerBuilder::argument(const Twine &name) const {
  Value value = find(name);
  assert(value && "unknown argument");
  return value;
}

Value LayerBuilder::matrix(const Twine &name) const {
  Value value = argument(name);
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == values.storage)
    return value;
  return arith::TruncFOp::create(builder, type.clone(values.storage), value);
}

Value LayerBuilder::linear(const Twine &name, Value x) const {
  return LinearOp::create(builder, x, matrix(name + ".weight"),
                          find(name + ".bias"));
}

Value LayerBuilder::norm(const Twine &name, Value x) const {
  FloatAttr eps = builder.getF64FloatAttr(config.normEps);
  Value weight = argument(name + ".weight");
  if (config.normType == NormType::RmsNorm)
    return RMSNormOp::create(builder, x, weight, eps);
  return LayerNormOp::create(builder, x, weight, argument(name + ".bias"), eps);
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
  const std::optional<Continuation> &text = values.continuation;
  return RopeOp::create(
      builder, x, /*table=*/Value(), text ? text->start : Value(),
      values.documents, builder.getF64FloatAttr(*config.ropeTheta),
      builder.getI64IntegerAttr(0),
      text ? builder.getI64IntegerAttr(text->capacity) : IntegerAttr(),
      /*inverse=*/UnitAttr());
}

Value LayerBuilder::cached(const Twine &name, Value x) const {
  if (!values.continuation)
    return x;
  Value cache = CacheWriteOp::create(builder, argument(name), x,
                                     values.continuation->start, length());
  replace(name, cache);
  return cache;
}

Value LayerBuilder::recurrent(const Twine &name) const {
  return values.continuation ? argument(name) : Value();
}

Value LayerBuilder::length() const {
  return values.continuation ? values.continuation->length : Value();
}

void LayerBuilder::replace(const Twine &name, Value value) const {
  if (values.continuation)
    values.continuation->written[prefix + name.str()] = value;
}

Value LayerBuilder::attend(Value q, Value k, Value v, FloatAttr scale) const {
  auto attention = AttentionOp::create(
      builder, q, k, v,
      values.continuation ? values.continuation->start : Value(),
      values.documents, /*causal=*/true, scale);
  return attention.getOutput();
}
