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
  q = layer.rotate(q);
  k = layer.cached(name + ".k_cache", layer.rotate(k));
  v = layer.cached(name + ".v_cache", v);
  return layer.linear(name + ".o_proj",
                      layer.joinHeads(layer.attend(q, k, v)));
}
