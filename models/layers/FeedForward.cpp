//===- FeedForward.cpp - dense feed-forward networks ----------------------===//
#include "models/layers/Layers.h"

using namespace mlir;
using namespace attnres;

Value attnres::buildSwiglu(const LayerBuilder &layer, StringRef name,
                           Value x) {
  Value gate = layer.linear(name + ".gate_proj", x);
  Value up = layer.linear(name + ".up_proj", x);
  Value hidden = SwigluOp::create(layer.builder, gate, up);
  return layer.linear(name + ".down_proj", hidden);
}

Value attnres::buildGelu(const LayerBuilder &layer, StringRef name, Value x) {
  Value hidden =
      GeluOp::create(layer.builder, layer.linear(name + ".up_proj", x));
  return layer.linear(name + ".down_proj", hidden);
}
