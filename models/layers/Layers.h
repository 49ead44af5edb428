//===- Layers.h - the layers of a model -------------------------*- C++ -*-===//
#ifndef ATTNRES_MODELS_LAYERS_LAYERS_H
#define ATTNRES_MODELS_LAYERS_LAYERS_H

#include "models/layers/Layer.h"

#include <string>
#include <vector>

namespace attnres {

/// One pre-norm sublayer: its layer, and where its parameters are.
struct Sublayer {
  std::unique_ptr<Layer> layer;
  std::string normName;  ///< "blocks.0.attn_norm"
  std::string layerName; ///< "blocks.0.attn"
};

/// The sublayers in the order in which they are computed: of each decoder block
/// the token mixer, then the feed-forward network.
std::vector<Sublayer> listSublayers(const ModelConfig &config);

/// A layer of each type with every part that is optional.
std::vector<std::unique_ptr<Layer>> layersOfEveryType();

} // namespace attnres

#endif
