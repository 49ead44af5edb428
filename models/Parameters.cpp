// Which parameters a model has, from its layers, and how they begin.
#include "models/Parameters.h"

#include "models/DepthLayout.h"
#include "models/layers/Layers.h"
#include "support/Hash.h"
#include "support/Philox.h"
#include "support/StackName.h"

#include <algorithm>
#include <cmath>

using namespace attnres;

void ParameterScope::add(std::string_view parameter, std::vector<int64_t> shape,
                         InitialValue initial, int64_t matrices) {
  if (count > 0) {
    shape.insert(shape.begin(), count);
    matrices *= count;
  }
  list.push_back({path(parameter), std::move(shape), initial, matrices});
}

void ParameterScope::addMatrix(std::string_view part, int64_t out, int64_t in,
                               bool bias, InitialValue initial,
                               int64_t matrices) {
  add(concat(part, ".weight"), {out, in}, initial, matrices);
  if (bias)
    add(concat(part, ".bias"), {out}, InitialValue::constant(0));
}

void ParameterScope::addLinear(std::string_view part, int64_t out, int64_t in,
                               bool bias) {
  addMatrix(part, out, in, bias, InitialValue::matrix());
}

void ParameterScope::addHeads(std::string_view part, int64_t heads,
                              int64_t width, int64_t in) {
  addMatrix(part, heads * width, in, /*bias=*/false, InitialValue::matrix(),
            heads);
}

void ParameterScope::addTable(std::string_view part, int64_t count,
                              int64_t width) {
  addMatrix(part, count, width, /*bias=*/false, InitialValue::matrix(),
            /*matrices=*/0);
}

void ParameterScope::addOutput(std::string_view part, int64_t out, int64_t in,
                               bool bias) {
  addMatrix(part, out, in, bias, InitialValue::output());
}

void ParameterScope::addNorm(std::string_view part, int64_t size,
                             NormType type) {
  add(concat(part, ".weight"), {size}, InitialValue::constant(1));
  if (type == NormType::LayerNorm)
    add(concat(part, ".bias"), {size}, InitialValue::constant(0));
}

/// The parameters of the mixtures over depth.
static void addDepthParameters(const ModelConfig &config,
                               ParameterScope mixer) {
  InitialValue initial = config.attnresZeroInitQueries
                             ? InitialValue::constant(0)
                             : InitialValue::matrix();
  DepthLayout layout(config);
  size_t numMixtures = 0;
  auto addQuery = [&](const std::string &name) {
    auto sources =
        static_cast<int64_t>(layout.mixtures[numMixtures++].numSources());
    switch (config.attnresQuery) {
    case AttnResQuery::Scalar:
      return mixer.add(name + ".weights", {sources}, initial);
    case AttnResQuery::Vector:
      mixer.add(name + ".query", {config.hiddenSize}, initial);
      break;
    case AttnResQuery::Input:
      mixer.add(name + ".query", {config.hiddenSize, config.hiddenSize},
                initial, /*matrices=*/1);
      break;
    }
    mixer.addNorm(name + ".norm", config.hiddenSize);
  };
  switch (config.attnres) {
  case AttnResMode::Off:
    break;
  case AttnResMode::Full:
  case AttnResMode::Block:
    for (int64_t j = 0; j < config.numSublayers(); ++j)
      addQuery(concat("residuals.", j));
    if (config.attnresFinalAggregate)
      addQuery("final_residual");
    break;
  case AttnResMode::Static:
    for (int64_t i = 0; i < config.numHiddenLayers; ++i)
      mixer.add(concat("agg_weights.", i), {i + 1}, InitialValue::constant(0));
    break;
  }
}

std::vector<Parameter> attnres::parameterShapes(const ModelConfig &config) {
  std::vector<Parameter> list;
  ParameterScope model(list, "");
  model.addTable("embedding", config.vocabSize, config.hiddenSize);
  for (const Sublayer &sublayer : listSublayers(config)) {
    model.addNorm(sublayer.normName, config.hiddenSize, config.normType);
    sublayer.layer->addParameters(model.within(sublayer.layerName));
  }
  addDepthParameters(config, model.within("mixer"));
  model.addNorm("norm", config.hiddenSize, config.normType);
  if (!config.tieWordEmbeddings)
    model.addTable("lm_head", config.vocabSize, config.hiddenSize);
  return list;
}

int64_t attnres::countParameters(const ModelConfig &config) {
  int64_t total = 0;
  for (const Parameter &parameter : parameterShapes(config))
    total += parameter.numElements();
  return total;
}

static bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

InitialValue attnres::guessInitialValue(std::string_view name,
                                        const std::vector<int64_t> &shape) {
  // Each under the name that it has in a layer, with a dot in front.
  static const std::vector<Parameter> known = [] {
    std::vector<Parameter> list;
    for (const std::unique_ptr<Layer> &layer : layersOfEveryType())
      layer->addParameters(ParameterScope(list, "."));
    return list;
  }();
  if (endsWith(name, "norm.weight"))
    return InitialValue::constant(1);
  for (const Parameter &parameter : known)
    if (endsWith(name, std::string_view(parameter.name).substr(1)) &&
        parameter.shape.size() == shape.size())
      return parameter.initial;
  bool isMatrix = shape.size() - isStack(name, shape.size()) == 2;
  return isMatrix ? InitialValue::matrix() : InitialValue::constant(0);
}

double attnres::outputDeviation(const ModelConfig &config,
                                const InitialScales &scales) {
  return scales.output
             ? scales.deviation * *scales.output
             : scales.deviation /
                   std::sqrt(static_cast<double>(config.numSublayers()));
}

/// Writes data[0, count) of a parameter, or slice of one, called `name`.
static void initialize(const InitialValue &initial, std::string_view name,
                       const ModelConfig &config, uint64_t seed, float *data,
                       int64_t count, const InitialScales &scales) {
  RandomStream random(seed, fnv1a64(name));
  auto fillNormal = [&](double deviation) {
    for (int64_t i = 0; i < count; ++i)
      data[i] = static_cast<float>(deviation) *
                random.normal(static_cast<uint64_t>(i));
  };
  switch (initial.kind) {
  case InitialValue::Kind::Constant:
    std::fill_n(data, count, static_cast<float>(initial.value));
    break;
  case InitialValue::Kind::Normal:
    fillNormal(initial.value);
    break;
  case InitialValue::Kind::Matrix:
    fillNormal(scales.deviation);
    break;
  case InitialValue::Kind::Output:
    fillNormal(outputDeviation(config, scales));
    break;
  case InitialValue::Kind::Mapped:
    for (int64_t i = 0; i < count; ++i)
      data[i] = static_cast<float>(
          initial.map(random.uniform(static_cast<uint64_t>(i))));
    break;
  }
}

void attnres::initializeParameter(const ModelConfig &config,
                                  const Parameter &parameter, uint64_t seed,
                                  float *data, const InitialScales &scales) {
  const std::string &name = parameter.name;
  const std::vector<int64_t> &shape = parameter.shape;
  const InitialValue &initial = parameter.initial;
  int64_t count = parameter.numElements();
  if (!isStack(name, shape.size()))
    return initialize(initial, name, config, seed, data, count, scales);
  int64_t sliceSize = count / std::max<int64_t>(shape[0], 1);
  for (int64_t e = 0; e < shape[0]; ++e)
    initialize(initial, sliceName(name, e), config, seed, data + e * sliceSize,
               sliceSize, scales);
}
