//===- Mla.cpp - multi-head latent attention ------------------------------===//
#include "models/layers/Layer.h"

using namespace mlir;
using namespace attnres;

namespace {

/// Attention whose keys and values follow from one latent vector for each
/// token. Nothing is rotated.
class Mla : public Layer {
public:
  explicit Mla(const ModelConfig &config) : c(config) {}

  void addParameters(ParameterScope scope) const override {
    int64_t queryWidth = c.mlaNumHeads * c.mlaQkHeadDim;
    int64_t valueWidth = c.mlaNumHeads * c.mlaVHeadDim;
    if (c.mlaQLoraRank) {
      scope.addLinear("q_a_proj", *c.mlaQLoraRank, c.hiddenSize);
      scope.addNorm("q_a_norm", *c.mlaQLoraRank);
      scope.addLinear("q_b_proj", queryWidth, *c.mlaQLoraRank);
    } else {
      scope.addLinear("q_proj", queryWidth, c.hiddenSize);
    }
    scope.addLinear("kv_a_proj", c.mlaKvLoraRank, c.hiddenSize);
    scope.addNorm("kv_a_norm", c.mlaKvLoraRank);
    scope.addLinear("kv_b_proj", queryWidth + valueWidth, c.mlaKvLoraRank);
    scope.addLinear("g_proj", valueWidth, c.hiddenSize);
    scope.addOutput("o_proj", c.hiddenSize, valueWidth);
  }

  /// The normed latent vectors.
  std::vector<StateTensor> state() const override {
    return {{"kv_cache", StateTensor::Kind::Positional, {1, c.mlaKvLoraRank}}};
  }

  Status checkSupported() const override {
    return unsupported("layer type 'mla' is not supported yet");
  }

  Value build(const LayerBuilder &layer, Value x) const override {
    llvm_unreachable("not supported");
  }

private:
  const ModelConfig c;
};

} // namespace

namespace attnres {
std::unique_ptr<Layer> createMla(const ModelConfig &config) {
  return std::make_unique<Mla>(config);
}
} // namespace attnres
