//===- FeedForward.cpp - dense feed-forward networks ----------------------===//
#include "models/layers/FeedForward.h"

using namespace mlir;
using namespace attnres;

Value attnres::gatedActivation(const LayerBuilder &layer, HiddenAct act,
                               Value gate, Value up) {
  if (act == HiddenAct::Situ)
    return SituGluOp::create(layer.builder, gate, up, APFloat(4.0),
                             APFloat(25.0));
  return SwigluOp::create(layer.builder, gate, up);
}

FeedForward::FeedForward(const ModelConfig &config, int64_t width,
                         int64_t inner)
    : act(config.hiddenAct), hasBias(config.mlpBias), width(width),
      inner(inner) {}

void FeedForward::addParameters(ParameterScope scope) const {
  if (act != HiddenAct::Gelu)
    scope.addLinear("gate_proj", inner, width, hasBias);
  scope.addLinear("up_proj", inner, width, hasBias);
  scope.addOutput("down_proj", width, inner, hasBias);
}

Value FeedForward::build(const LayerBuilder &layer, Value x) const {
  Value hidden;
  if (act == HiddenAct::Gelu) {
    hidden = GeluOp::create(layer.builder, layer.linear("up_proj", x));
  } else {
    Value gate = layer.linear("gate_proj", x);
    Value up = layer.linear("up_proj", x);
    hidden = gatedActivation(layer, act, gate, up);
  }
  return layer.linear("down_proj", hidden);
}

namespace attnres {
std::unique_ptr<Layer> createFeedForward(const ModelConfig &config) {
  return std::make_unique<FeedForward>(config, config.hiddenSize,
                                       config.intermediateSize);
}
} // namespace attnres
