// Parameter names and shapes as the reference names them, and initialization.
#include "models/Parameters.h"

#include "runtime/Philox.h"
#include "support/Hash.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace attnres {
namespace {

/// Appends parameters in order.
class ParameterList {
public:
  explicit ParameterList(const ModelConfig &config) : c(config) {}

  std::vector<Parameter> build() {
    add("embedding.weight", {c.vocabSize, c.hiddenSize});
    for (int64_t i = 0; i < c.numHiddenLayers; ++i) {
      std::string block = concat("blocks.", i);
      addNorm(block + ".attn_norm", c.hiddenSize, c.normType);
      switch (c.layerType(i)) {
      case LayerType::Attention:
        addAttention(block + ".attn");
        break;
      case LayerType::Kda:
        addKda(block + ".attn");
        break;
      case LayerType::Mla:
        addMla(block + ".attn");
        break;
      }
      addNorm(block + ".ffn_norm", c.hiddenSize, c.normType);
      if (c.isMoe(i))
        addMoe(block + ".ffn");
      else
        addFfn(block + ".ffn", c.hiddenSize, c.intermediateSize);
    }
    addMixer();
    addNorm("norm", c.hiddenSize, c.normType);
    if (!c.tieWordEmbeddings)
      add("lm_head.weight", {c.vocabSize, c.hiddenSize});
    return std::move(list);
  }

private:
  void add(std::string name, std::vector<int64_t> shape) {
    list.push_back({std::move(name), std::move(shape)});
  }

  void addNorm(const std::string &name, int64_t size, NormType type) {
    add(name + ".weight", {size});
    if (type == NormType::LayerNorm)
      add(name + ".bias", {size});
  }

  void addLinear(const std::string &name, int64_t out, int64_t in,
                 bool bias = false) {
    add(name + ".weight", {out, in});
    if (bias)
      add(name + ".bias", {out});
  }

  void addAttention(const std::string &name) {
    int64_t queryWidth = c.numAttentionHeads * c.headDim;
    int64_t keyWidth = c.numKeyValueHeads * c.headDim;
    addLinear(name + ".q_proj", queryWidth, c.hiddenSize, c.attentionBias);
    addLinear(name + ".k_proj", keyWidth, c.hiddenSize, c.attentionBias);
    addLinear(name + ".v_proj", keyWidth, c.hiddenSize, c.attentionBias);
    addLinear(name + ".o_proj", c.hiddenSize, queryWidth, c.attentionBias);
  }

  void addMla(const std::string &name) {
    int64_t queryWidth = c.mlaNumHeads * c.mlaQkHeadDim;
    int64_t valueWidth = c.mlaNumHeads * c.mlaVHeadDim;
    if (c.mlaQLoraRank) {
      addLinear(name + ".q_a_proj", *c.mlaQLoraRank, c.hiddenSize);
      addNorm(name + ".q_a_norm", *c.mlaQLoraRank, NormType::RmsNorm);
      addLinear(name + ".q_b_proj", queryWidth, *c.mlaQLoraRank);
    } else {
      addLinear(name + ".q_proj", queryWidth, c.hiddenSize);
    }
    addLinear(name + ".kv_a_proj", c.mlaKvLoraRank, c.hiddenSize);
    addNorm(name + ".kv_a_norm", c.mlaKvLoraRank, NormType::RmsNorm);
    addLinear(name + ".kv_b_proj", queryWidth + valueWidth, c.mlaKvLoraRank);
    addLinear(name + ".g_proj", valueWidth, c.hiddenSize);
    addLinear(name + ".o_proj", c.hiddenSize, valueWidth);
  }

  void addKda(const std::string &name) {
    int64_t width = c.kdaNumHeads * c.kdaHeadDim;
    for (const char *part : {".q", ".k", ".v"}) {
      addLinear(name + part + "_proj", width, c.hiddenSize);
      add(name + part + "_conv.weight", {width, c.kdaConvSize});
    }
    addLinear(name + ".f_a_proj", c.kdaHeadDim, c.hiddenSize);
    addLinear(name + ".f_b_proj", width, c.kdaHeadDim);
    add(name + ".dt_bias", {width});
    add(name + ".A_log", {c.kdaNumHeads});
    addLinear(name + ".b_proj", c.kdaNumHeads, c.hiddenSize);
    addLinear(name + ".g_a_proj", c.kdaHeadDim, c.hiddenSize);
    addLinear(name + ".g_b_proj", width, c.kdaHeadDim, true);
    addNorm(name + ".o_norm", c.kdaHeadDim, NormType::RmsNorm);
    addLinear(name + ".o_proj", c.hiddenSize, width);
  }

  void addFfn(const std::string &name, int64_t width, int64_t inner) {
    if (c.hiddenAct != HiddenAct::Gelu)
      addLinear(name + ".gate_proj", inner, width, c.mlpBias);
    addLinear(name + ".up_proj", inner, width, c.mlpBias);
    addLinear(name + ".down_proj", width, inner, c.mlpBias);
  }

  void addMoe(const std::string &name) {
    int64_t width = c.moeLatentSize.value_or(c.hiddenSize);
    addLinear(name + ".router", c.numExperts, c.hiddenSize);
    add(name + ".router_bias", {c.numExperts});
    for (int64_t e = 0; e < c.numExperts; ++e)
      addFfn(concat(name, ".experts.", e), width, c.moeIntermediateSize);
    for (int64_t e = 0; e < c.numSharedExperts; ++e)
      addFfn(concat(name, ".shared_experts.", e), c.hiddenSize,
             c.moeIntermediateSize);
    if (c.moeLatentSize) {
      addLinear(name + ".latent_down_proj", width, c.hiddenSize);
      addNorm(name + ".latent_norm", width, NormType::RmsNorm);
      addLinear(name + ".latent_up_proj", c.hiddenSize, width);
    }
  }

  void addDepthQuery(const std::string &name) {
    add(name + ".query", {c.hiddenSize});
    add(name + ".norm.weight", {c.hiddenSize});
  }

  void addMixer() {
    switch (c.attnres) {
    case AttnResMode::Off:
      break;
    case AttnResMode::Full:
    case AttnResMode::Block:
      for (int64_t j = 0; j < c.numSublayers(); ++j)
        addDepthQuery(concat("mixer.residuals.", j));
      if (c.attnresFinalAggregate)
        addDepthQuery("mixer.final_residual");
      break;
    case AttnResMode::Static:
      for (int64_t i = 0; i < c.numHiddenLayers; ++i)
        add(concat("mixer.agg_weights.", i), {i + 1});
      break;
    }
  }

  const ModelConfig &c;
  std::vector<Parameter> list;
};

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

} // namespace

std::vector<Parameter> parameterShapes(const ModelConfig &config) {
  return ParameterList(config).build();
}

int64_t countParameters(const ModelConfig &config) {
  int64_t total = 0;
  for (const Parameter &parameter : parameterShapes(config))
    total += parameter.numElements();
  return total;
}

void initializeParameter(const ModelConfig &config, const Parameter &parameter,
                         uint64_t seed, float *data,
                         const InitialScales &scales) {
  const std::string &name = parameter.name;
  runtime::RandomStream random(seed, fnv1a64(name));
  int64_t count = parameter.numElements();

  auto fillNormal = [&](double deviation) {
    for (int64_t i = 0; i < count; ++i)
      data[i] = static_cast<float>(deviation) *
                random.normal(static_cast<uint64_t>(i));
  };
  auto fillUniform = [&](auto transform) {
    for (int64_t i = 0; i < count; ++i)
      data[i] = static_cast<float>(
          transform(random.uniform(static_cast<uint64_t>(i))));
  };

  if (endsWith(name, "norm.weight")) {
    std::fill_n(data, count, 1.0f);
  } else if (endsWith(name, ".dt_bias")) {
    fillUniform([](double u) {
      double step = 1e-3 * std::pow(100.0, u);
      return step + std::log(-std::expm1(-step)); // inverse of softplus
    });
  } else if (endsWith(name, ".A_log")) {
    fillUniform([](double u) { return std::log(1 + 15 * u); });
  } else if (endsWith(name, "_conv.weight")) {
    fillNormal(1 / std::sqrt(3.0 * static_cast<double>(parameter.shape[1])));
  } else if (endsWith(name, ".query") && !config.attnresZeroInitQueries) {
    fillNormal(scales.deviation);
  } else if (parameter.shape.size() == 2) {
    bool output = endsWith(name, ".o_proj.weight") ||
                  endsWith(name, ".down_proj.weight") ||
                  endsWith(name, ".latent_up_proj.weight");
    double sublayers = static_cast<double>(config.numSublayers());
    fillNormal(!output         ? scales.deviation
               : scales.output ? scales.deviation * *scales.output
                               : scales.deviation / std::sqrt(sublayers));
  } else {
    std::fill_n(data, count,
                0.0f); // biases, zero queries, static depth weights
  }
}

} // namespace attnres
