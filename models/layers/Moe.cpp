//===- Moe.cpp - mixture of experts ---------------------------------------===//
#include "models/layers/FeedForward.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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
        perToken(config.numExpertsPerTok), numShared(config.numSharedExperts),
        latent(config.moeLatentSize), act(config.hiddenAct),
        hasBias(config.mlpBias), normEps(config.normEps),
        expert(config, latent.value_or(hidden), config.moeIntermediateSize),
        shared(config, hidden, config.moeIntermediateSize) {}

  void addParameters(ParameterScope scope) const override {
    scope.addTable("router", numExperts, hidden);
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

  Value build(const LayerBuilder &layer, Value x) const override {
    ImplicitLocOpBuilder &b = layer.builder;
    auto routes = RouterOp::create(b, layer.linear("router", x),
                                   layer.argument("router_bias"),
                                   b.getI64IntegerAttr(perToken));
    Value input = latent ? layer.linear("latent_down_proj", x) : x;
    Value outputs = buildExperts(layer, input, routes.getExperts());
    Value sum = CombineExpertsOp::create(b, outputs, routes.getWeights());
    if (latent) {
      sum = RMSNormOp::create(b, sum, layer.argument("latent_norm.weight"),
                              b.getF64FloatAttr(normEps));
      sum = layer.linear("latent_up_proj", sum);
    }
    for (int64_t e = 0; e < numShared; ++e) {
      LayerBuilder part = layer.within(concat("shared_experts.", e));
      sum = arith::AddFOp::create(b, sum, shared.build(part, x));
    }
    return sum;
  }

private:
  /// What the chosen experts [B, T, J] make of x [B, T, K]: [B, T, J, K].
  Value buildExperts(const LayerBuilder &layer, Value x, Value chosen) const {
    ImplicitLocOpBuilder &b = layer.builder;
    auto project = [&](const char *part, Value input) -> Value {
      Value weights = layer.matrix(concat("experts.*.", part, ".weight"));
      Value product = GroupedLinearOp::create(b, input, weights, chosen,
                                              /*transpose=*/UnitAttr());
      if (!hasBias)
        return product;
      Value biases = layer.matrix(concat("experts.*.", part, ".bias"));
      return arith::AddFOp::create(b, product,
                                   EmbeddingOp::create(b, chosen, biases));
    };
    Value up = project("up_proj", x), inner;
    if (act == HiddenAct::Gelu) {
      inner = GeluOp::create(b, up);
    } else {
      Value gate = project("gate_proj", x);
      inner = gatedActivation(layer, act, gate, up);
    }
    return project("down_proj", inner);
  }

  int64_t hidden, numExperts, perToken, numShared;
  std::optional<int64_t> latent;
  HiddenAct act;
  bool hasBias;
  double normEps;
  FeedForward expert, shared;
};

} // namespace

namespace attnres {
std::unique_ptr<Layer> createMoe(const ModelConfig &config) {
  return std::make_unique<Moe>(config);
}
} // namespace attnres
