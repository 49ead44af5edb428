//===- Layers.h - the layer types of a model --------------------*- C++ -*-===//
//
// One function for each layer type: it maps the normed input of a sublayer,
// [B, T, D], to the sublayer's output, [B, T, D], with the parameters under
// `name`. A new layer type is a file here, a declaration below, and a line in
// the tables of Layers.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_MODELS_LAYERS_LAYERS_H
#define ATTNRES_MODELS_LAYERS_LAYERS_H

#include "models/layers/LayerBuilder.h"

namespace attnres {

using LayerRule = mlir::Value (*)(const LayerBuilder &layer,
                                  llvm::StringRef name, mlir::Value x);

/// Causal grouped-query attention, rotated when the configuration says so.
mlir::Value buildAttention(const LayerBuilder &layer, llvm::StringRef name,
                           mlir::Value x);
/// down(silu(gate(x)) * up(x)).
mlir::Value buildSwiglu(const LayerBuilder &layer, llvm::StringRef name,
                        mlir::Value x);
/// down(gelu(up(x))).
mlir::Value buildGelu(const LayerBuilder &layer, llvm::StringRef name,
                      mlir::Value x);

/// The rule for the token mixer, or the feed-forward network, of decoder block
/// `block`; an error when there is none.
Result<LayerRule> findMixer(const ModelConfig &config, int64_t block);
Result<LayerRule> findFeedForward(const ModelConfig &config, int64_t block);

} // namespace attnres

#endif
