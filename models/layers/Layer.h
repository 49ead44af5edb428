//===- Layer.h - what a layer type is ---------------------------*- C++ -*-===//
//
// A layer type is one file here: the parameters of a layer with their initial
// values, what it keeps of a text that is continued, and the operations that
// it consists of. Layers.cpp lists the types.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_MODELS_LAYERS_LAYER_H
#define ATTNRES_MODELS_LAYERS_LAYER_H

#include "models/GenerationState.h"
#include "models/Parameters.h"
#include "models/layers/LayerBuilder.h"

#include <memory>

namespace attnres {

/// One token mixer or feed-forward network of a model: maps the normed input of
/// a sublayer, [B, T, D], to the sublayer's output, [B, T, D].
class Layer {
public:
  virtual ~Layer() = default;

  /// Adds the parameters in the order of checkpoints.
  virtual void addParameters(ParameterScope scope) const = 0;

  /// What has to be kept of a text until its next tokens are read, named as in
  /// build().
  virtual std::vector<StateTensor> state() const { return {}; }

  /// Builds the layer. In a function that continues texts it reads all of
  /// state() and writes each once.
  virtual mlir::Value build(const LayerBuilder &layer, mlir::Value x) const = 0;
};

/// Creates a layer of one type with the sizes that the configuration says.
using LayerFactory = std::unique_ptr<Layer>(const ModelConfig &config);

} // namespace attnres

#endif
