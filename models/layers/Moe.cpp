//===- Moe.cpp - mixture of experts ---------------------------------------===//
#include "models/layers/FeedForward.h"

using namespace mlir;
using namespace attnres;

namespace {

/// Feed-forward networks of which each token takes the few that a router
/// chooses, in a narrower latent space if the configuration has one, and some
/// that every token takes.
class Moe : public Layer {
public:
  explicit Moe(const ModelConfig &config)
      : hidden(config.hiddenSize), numExperts(config.numExperts),
        numShared(config.numSharedExperts), latent(config.moeLatentSize),
        expert(config, latent.value_or(hidden), config.moeIntermediateSize),
        shared(config, hidden, config.moeIntermediateSize) {}

  void addParameters(ParameterScope scope) const override {
    scope.addLinear("router", numExperts, hidden);
    scope.add("router_bias", {numExperts}, InitialValue::constant(0));
    expert.addParameters(scope.ofEach("experts", numExperts));
    for (int64_t e = 0; e < numShared; ++e)
      shared.addParameters(scope.within(concat("shared_experts.", e)));
    if (latent) {
      scope.addLinear("latent_down_proj", *latent, hidden);
      scope.addNorm("latent_norm", *latent);
      scope.addOutput("latent_up_proj", hidden, *latent);
    }
  }

  Status checkSupported() const override {
    return unsupported("mixture of experts (num_experts = ", numExperts,
                       ") is not supported yet");
  }

  Value build(const LayerBuilder &layer, Value x) const override {
    llvm_unreachable("not supported");
  }

private:
  int64_t hidden, numExperts, numShared;
  std::optional<int64_t> latent;
  FeedForward expert, shared;
};

} // namespace

namespace attnres {
std::unique_ptr<Layer> createMoe(const ModelConfig &config) {
  return std::make_unique<Moe>(config);
}
} // namespace attnres
