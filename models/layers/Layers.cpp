//===- Layers.cpp - which layer types there are, and where ----------------===//
#include "models/layers/Layers.h"

using namespace attnres;

namespace attnres {
LayerFactory createAttention, createKda, createMla;
LayerFactory createFeedForward, createMoe;
} // namespace attnres

static LayerFactory *findMixer(LayerType type) {
  switch (type) {
  case LayerType::Attention:
    return createAttention;
  case LayerType::Kda:
    return createKda;
  case LayerType::Mla:
    return createMla;
  }
  llvm_unreachable("unknown layer type");
}

std::vector<Sublayer> attnres::listSublayers(const ModelConfig &config) {
  std::vector<Sublayer> sublayers;
  for (int64_t i = 0; i < config.numHiddenLayers; ++i) {
    std::string block = concat("blocks.", i);
    sublayers.push_back({findMixer(config.layerType(i))(config),
                         block + ".attn_norm", block + ".attn"});
    LayerFactory *feedForward = config.isMoe(i) ? createMoe : createFeedForward;
    sublayers.push_back(
        {feedForward(config), block + ".ffn_norm", block + ".ffn"});
  }
  return sublayers;
}

std::vector<std::unique_ptr<Layer>> attnres::layersOfEveryType() {
  ModelConfig config;
  config.attentionBias = config.mlpBias = true;
  config.mlaQLoraRank = config.moeLatentSize = 1;
  config.numExperts = 1;
  std::vector<std::unique_ptr<Layer>> layers;
  for (LayerFactory *create :
       {createAttention, createKda, createMla, createFeedForward, createMoe})
    layers.push_back(create(config));
  return layers;
}
