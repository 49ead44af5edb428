//===- Kda.cpp - Kimi Delta Attention -------------------------------------===//
#include "models/layers/Layer.h"

#include <cmath>

using namespace mlir;
using namespace attnres;

namespace {

/// log of a rate that is uniform in [1, 16).
double initialLogDecay(double u) { return std::log(1 + 15 * u); }

/// x such that softplus(x) is log-uniform in [0.001, 0.1).
double initialTimeStep(double u) {
  double step = 1e-3 * std::pow(100.0, u);
  return step + std::log(-std::expm1(-step));
}

/// Gated delta rule with a decay for each channel.
class Kda : public Layer {
public:
  explicit Kda(const ModelConfig &config)
      : hidden(config.hiddenSize), heads(config.kdaNumHeads),
        headDim(config.kdaHeadDim), taps(config.kdaConvSize) {}

  void addParameters(ParameterScope scope) const override {
    int64_t width = heads * headDim;
    for (const char *part : {"q", "k", "v"}) {
      scope.addLinear(concat(part, "_proj"), width, hidden);
      // The variance of a uniform distribution on +-1/sqrt(taps).
      scope.add(
          concat(part, "_conv.weight"), {width, taps},
          InitialValue::normal(1 / std::sqrt(3.0 * static_cast<double>(taps))));
    }
    scope.addLinear("f_a_proj", headDim, hidden);
    scope.addLinear("f_b_proj", width, headDim);
    scope.add("dt_bias", {width}, InitialValue::mapped(initialTimeStep));
    scope.add("A_log", {heads}, InitialValue::mapped(initialLogDecay));
    scope.addLinear("b_proj", heads, hidden);
    scope.addLinear("g_a_proj", headDim, hidden);
    scope.addLinear("g_b_proj", width, headDim, /*bias=*/true);
    scope.addNorm("o_norm", headDim);
    scope.addOutput("o_proj", hidden, width);
  }

  /// The state of the delta rule of each head, keys by values, and the inputs
  /// that the next tokens' convolutions still see.
  std::vector<StateTensor> state() const override {
    std::vector<int64_t> tail{taps - 1, heads * headDim};
    constexpr auto recurrent = StateTensor::Kind::Recurrent;
    return {{"q_conv_state", recurrent, tail},
            {"k_conv_state", recurrent, tail},
            {"v_conv_state", recurrent, tail},
            {"delta_state",
             recurrent,
             {heads, headDim, headDim},
             StateTensor::Precision::F32}};
  }

  Status checkSupported() const override {
    return unsupported("layer type 'kda' is not supported yet");
  }

  Value build(const LayerBuilder &layer, Value x) const override {
    llvm_unreachable("not supported");
  }

private:
  int64_t hidden, heads, headDim, taps;
};

} // namespace

namespace attnres {
std::unique_ptr<Layer> createKda(const ModelConfig &config) {
  return std::make_unique<Kda>(config);
}
} // namespace attnres
