//===- Attention.cpp - causal grouped-query attention ---------------------===//
#include "models/layers/Layer.h"

using namespace mlir;
using namespace attnres;

namespace {

/// Softmax attention over the tokens so far, rotated when the configuration
/// says so.
class Attention : public Layer {
public:
  explicit Attention(const ModelConfig &config) : c(config) {}

  void addParameters(ParameterScope scope) const override {
    int64_t queryWidth = c.numAttentionHeads * c.headDim;
    int64_t keyWidth = c.numKeyValueHeads * c.headDim;
    scope.addLinear("q_proj", queryWidth, c.hiddenSize, c.attentionBias);
    scope.addLinear("k_proj", keyWidth, c.hiddenSize, c.attentionBias);
    scope.addLinear("v_proj", keyWidth, c.hiddenSize, c.attentionBias);
    if (c.qkNorm) {
      scope.addNorm("q_norm", c.headDim);
      scope.addNorm("k_norm", c.headDim);
    }
    scope.addOutput("o_proj", c.hiddenSize, queryWidth, c.attentionBias);
  }

  std::vector<StateTensor> state() const override {
    std::vector<int64_t> row{c.numKeyValueHeads, c.headDim};
    return {{"k_cache", StateTensor::Kind::Positional, row},
            {"v_cache", StateTensor::Kind::Positional, row}};
  }

  Value build(const LayerBuilder &layer, Value x) const override {
    Value q = layer.splitHeads(layer.linear("q_proj", x), c.numAttentionHeads);
    Value k = layer.splitHeads(layer.linear("k_proj", x), c.numKeyValueHeads);
    Value v = layer.splitHeads(layer.linear("v_proj", x), c.numKeyValueHeads);
    q = layer.rotate(norm(layer, "q_norm", q));
    k = layer.cached("k_cache", layer.rotate(norm(layer, "k_norm", k)));
    v = layer.cached("v_cache", v);
    return layer.linear("o_proj", layer.joinHeads(layer.attend(q, k, v)));
  }

private:
  /// Of every head alone, if the configuration says so.
  Value norm(const LayerBuilder &layer, const char *name, Value heads) const {
    if (!c.qkNorm)
      return heads;
    return RMSNormOp::create(layer.builder, heads,
                             layer.argument(concat(name, ".weight")),
                             layer.builder.getF64FloatAttr(c.normEps));
  }

  const ModelConfig c;
};

} // namespace

namespace attnres {
std::unique_ptr<Layer> createAttention(const ModelConfig &config) {
  return std::make_unique<Attention>(config);
}
} // namespace attnres
