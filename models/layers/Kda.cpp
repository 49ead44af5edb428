//===- Kda.cpp - Kimi Delta Attention -------------------------------------===//
#include "models/layers/Layer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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
        headDim(config.kdaHeadDim), taps(config.kdaConvSize),
        gateLowerBound(config.kdaGateLowerBound), normEps(config.normEps) {}

  void addParameters(ParameterScope scope) const override {
    int64_t width = heads * headDim;
    for (const char *part : {"q", "k", "v"}) {
      scope.addHeads(concat(part, "_proj"), heads, headDim, hidden);
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

  Value build(const LayerBuilder &layer, Value x) const override {
    ImplicitLocOpBuilder &b = layer.builder;
    auto projected = [&](const char *part) {
      return layer.splitHeads(convolve(layer, part, x), heads);
    };
    FloatAttr lengthEps = b.getF64FloatAttr(1e-6);
    Value q = L2NormOp::create(b, projected("q"), lengthEps);
    Value k = L2NormOp::create(b, projected("k"), lengthEps);
    Value v = projected("v");
    Value step = SigmoidOp::create(b, layer.linear("b_proj", x));
    Value state = layer.recurrent("delta_state");
    auto delta = KdaOp::create(b, q, k, v, decay(layer, x), step, state,
                               layer.length(), /*scale=*/FloatAttr());
    layer.replace("delta_state", delta.getNewState());
    Value output =
        RMSNormOp::create(b, delta.getOutput(), layer.argument("o_norm.weight"),
                          b.getF64FloatAttr(normEps));
    Value gate = SigmoidOp::create(
        b, layer.linear("g_b_proj", layer.linear("g_a_proj", x)));
    output = arith::MulFOp::create(b, layer.joinHeads(output), gate);
    return layer.linear("o_proj", output);
  }

private:
  /// A projection of x [B, T, D] and its short convolution, behind the last
  /// inputs of the text so far.
  Value convolve(const LayerBuilder &layer, const char *part, Value x) const {
    ImplicitLocOpBuilder &b = layer.builder;
    Value input = layer.linear(concat(part, "_proj"), x);
    std::string stateName = concat(part, "_conv_state");
    Value tail = layer.recurrent(stateName);
    if (tail)
      layer.replace(stateName,
                    ConvolutionTailOp::create(b, input, tail, layer.length(),
                                              b.getI64IntegerAttr(taps - 1)));
    return ShortConvolutionOp::create(
        b, input, layer.matrix(concat(part, "_conv.weight")), tail);
  }

  /// Logarithms of the decay of each channel, [B, T, H, headDim].
  Value decay(const LayerBuilder &layer, Value x) const {
    ImplicitLocOpBuilder &b = layer.builder;
    Value input = layer.linear("f_b_proj", layer.linear("f_a_proj", x));
    FloatAttr bound =
        gateLowerBound ? b.getF64FloatAttr(*gateLowerBound) : FloatAttr();
    Value gate = KdaGateOp::create(b, input, layer.argument("A_log"),
                                   layer.argument("dt_bias"), bound);
    return layer.splitHeads(gate, heads);
  }

  int64_t hidden, heads, headDim, taps;
  std::optional<double> gateLowerBound;
  double normEps;
};

} // namespace

namespace attnres {
std::unique_ptr<Layer> createKda(const ModelConfig &config) {
  return std::make_unique<Kda>(config);
}
} // namespace attnres
