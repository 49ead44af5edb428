//===- Attention.cpp - causal grouped-query attention ---------------------===//
#include "models/layers/Layers.h"

using namespace mlir;
using namespace attnres;

Value attnres::buildAttention(const LayerBuilder &layer, StringRef name,
                              Value x) {
  const ModelConfig &config = layer.config;
  Value q = layer.splitHeads(layer.linear(name + ".q_proj", x),
                             config.numAttentionHeads);
  Value k = layer.splitHeads(layer.linear(name + ".k_proj", x),
                             config.numKeyValueHeads);
  Value v = layer.splitHeads(layer.linear(name + ".v_proj", x),
                             config.numKeyValueHeads);
  if (config.ropeTheta) {
    FloatAttr theta = layer.builder.getF64FloatAttr(*config.ropeTheta);
    q = RopeOp::create(layer.builder, q, /*table=*/Value(), theta);
    k = RopeOp::create(layer.builder, k, /*table=*/Value(), theta);
  }
  auto attention = AttentionOp::create(layer.builder, q, k, v,
                                       /*causal=*/true, /*scale=*/FloatAttr());
  return layer.linear(name + ".o_proj",
                      layer.joinHeads(attention.getOutput()));
}
