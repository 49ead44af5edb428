//===- FeedForward.h - dense feed-forward networks --------------*- C++ -*-===//
#ifndef ATTNRES_MODELS_LAYERS_FEEDFORWARD_H
#define ATTNRES_MODELS_LAYERS_FEEDFORWARD_H

#include "models/layers/Layer.h"

namespace attnres {

/// What a network with a gate and the activation `act`, silu or situ, makes of
/// its two projections.
mlir::Value gatedActivation(const LayerBuilder &layer, HiddenAct act,
                            mlir::Value gate, mlir::Value up);

/// down(silu(gate(x)) * up(x)), or with gelu down(gelu(up(x))). Experts are
/// such networks too.
class FeedForward : public Layer {
public:
  /// From `width` to `inner` and back.
  FeedForward(const ModelConfig &config, int64_t width, int64_t inner);

  void addParameters(ParameterScope scope) const override;
  mlir::Value build(const LayerBuilder &layer, mlir::Value x) const override;

private:
  HiddenAct act;
  bool hasBias;
  int64_t width, inner;
};

} // namespace attnres

#endif
