//===- Layers.cpp - which rule builds which layer -------------------------===//
#include "models/layers/Layers.h"

using namespace attnres;

namespace {

struct Mixer {
  LayerType type;
  LayerRule rule;
};
constexpr Mixer kMixers[] = {
    {LayerType::Attention, buildAttention},
};

struct FeedForward {
  HiddenAct act;
  LayerRule rule;
};
constexpr FeedForward kFeedForwards[] = {
    {HiddenAct::Silu, buildSwiglu},
    {HiddenAct::Gelu, buildGelu},
};

} // namespace

Result<LayerRule> attnres::findMixer(const ModelConfig &config, int64_t block) {
  LayerType type = config.layerType(block);
  for (const Mixer &mixer : kMixers)
    if (mixer.type == type)
      return mixer.rule;
  return unsupported("decoder block ", block, ": layer type '", toString(type),
                     "' is not supported yet");
}

Result<LayerRule> attnres::findFeedForward(const ModelConfig &config,
                                           int64_t block) {
  if (config.isMoe(block))
    return unsupported("decoder block ", block,
                       ": mixture of experts (num_experts = ",
                       config.numExperts, ") is not supported yet");
  for (const FeedForward &feedForward : kFeedForwards)
    if (feedForward.act == config.hiddenAct)
      return feedForward.rule;
  return unsupported("decoder block ", block, ": hidden_act '",
                     toString(config.hiddenAct), "' is not supported yet");
}
