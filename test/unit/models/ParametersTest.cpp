// Parameters match what the reference wrote, have the published sizes, and
// begin as documented.
#include "models/Parameters.h"

#include "runtime/Safetensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace attnres;
using attnres::runtime::SafetensorsFile;

namespace {

constexpr const char *goldenCases[] = {
    "block_2", "block_auto",    "block_one", "block_remainder",
    "full",    "full_no_final", "gqa_tied",  "k3",
    "kda",     "kda_bounded",   "odd_sizes", "off",
    "qk_norm", "static"};

TEST(Parameters, CF6GoldenParametersHaveTheNamesShapesAndOrder) {
  for (const char *name : goldenCases) {
    std::string directory = std::string(ATTNRES_GOLDEN_DIR "/") + name;
    auto config = ModelConfig::fromFile(directory + "/config.json");
    ASSERT_TRUE(config.ok()) << config.status().message();
    auto file = SafetensorsFile::open(directory + "/model.safetensors");
    ASSERT_TRUE(file.ok()) << file.status().message();
    std::vector<runtime::TensorView> parameters;
    for (const Parameter &parameter : parameterShapes(*config))
      parameters.push_back(
          {parameter.name, runtime::DType::F32, parameter.shape, nullptr, 0});
    parameters = runtime::unstack(parameters);
    // The reference wrote its parameters in order.
    ASSERT_EQ(parameters.size(), file->tensors().size()) << name;
    for (size_t i = 0; i < parameters.size(); ++i) {
      EXPECT_EQ(parameters[i].name, file->tensors()[i].name) << name;
      EXPECT_EQ(parameters[i].shape, file->tensors()[i].shape)
          << name << " " << parameters[i].name;
    }
  }
}

TEST(Parameters, CF10MatricesOfLayersAreCounted) {
  ModelConfig config =
      *ModelConfig::fromFile(ATTNRES_GOLDEN_DIR "/k3/config.json");
  std::map<std::string, int64_t> matrices;
  for (const Parameter &parameter : parameterShapes(config)) {
    matrices[parameter.name] = parameter.matrices;
    int64_t rows = parameter.numElements() / parameter.shape.back();
    if (parameter.matrices > 0)
      EXPECT_EQ(rows % parameter.matrices, 0) << parameter.name;
  }
  const std::pair<const char *, int64_t> expected[] = {
      {"embedding.weight", 0},
      {"lm_head.weight", 0},
      {"norm.weight", 0},
      {"mixer.residuals.0.query", 0},
      {"blocks.0.attn.q_proj.weight", 2}, // one for each head
      {"blocks.0.attn.q_conv.weight", 0},
      {"blocks.0.attn.o_proj.weight", 1},
      {"blocks.0.ffn.up_proj.weight", 1},
      {"blocks.3.attn.q_b_proj.weight", 2},
      {"blocks.3.attn.kv_a_proj.weight", 1},
      {"blocks.3.attn.kv_b_proj.weight", 2},
      {"blocks.1.ffn.router.weight", 0},
      {"blocks.1.ffn.router_bias", 0},
      {"blocks.1.ffn.experts.*.down_proj.weight", 6}};
  for (auto [name, count] : expected) {
    ASSERT_EQ(matrices.count(name), 1u) << name;
    EXPECT_EQ(matrices[name], count) << name;
  }
}

TEST(Parameters, PublishedParameterCounts) {
  ModelConfig ch5 = *ModelConfig::preset("ch5");
  EXPECT_EQ(countParameters(ch5), 4'743'168);
  ch5.attnres = AttnResMode::Static;
  EXPECT_EQ(countParameters(ch5), 4'743'189);

  auto added = [](std::string_view preset) {
    ModelConfig off = *ModelConfig::preset(preset), full = off;
    full.attnres = AttnResMode::Full;
    return countParameters(full) - countParameters(off);
  };
  EXPECT_EQ(added("toy"), 4'608);
  EXPECT_EQ(added("0.5b"), 75'264);
}

std::vector<float> initial(const ModelConfig &config, std::string_view name,
                           uint64_t seed = 1) {
  for (const Parameter &parameter : parameterShapes(config))
    if (parameter.name == name) {
      std::vector<float> data(parameter.numElements(), std::nanf(""));
      initializeParameter(config, parameter, seed, data.data());
      return data;
    }
  ADD_FAILURE() << "no parameter " << name;
  return {};
}

double deviation(const std::vector<float> &data) {
  double squares = 0;
  for (float x : data)
    squares += double{x} * x;
  return std::sqrt(squares / static_cast<double>(data.size()));
}

TEST(Initialization, Distributions) {
  ModelConfig config = *ModelConfig::preset("toy");
  config.attnres = AttnResMode::Full;
  EXPECT_NEAR(deviation(initial(config, "embedding.weight")), 0.02, 2e-4);
  EXPECT_NEAR(deviation(initial(config, "blocks.1.attn.q_proj.weight")), 0.02,
              2e-4);
  double output = 0.02 / std::sqrt(8.0);
  EXPECT_NEAR(deviation(initial(config, "blocks.1.attn.o_proj.weight")), output,
              1e-4);
  EXPECT_NEAR(deviation(initial(config, "blocks.1.ffn.down_proj.weight")),
              output, 1e-4);
  EXPECT_EQ(initial(config, "mixer.residuals.3.norm.weight"),
            std::vector<float>(256, 1.0f));
  for (float x : initial(config, "mixer.residuals.3.query")) {
    EXPECT_EQ(x, 0.0f);
    EXPECT_FALSE(std::signbit(x));
  }
  config.attnresZeroInitQueries = false;
  EXPECT_NEAR(deviation(initial(config, "mixer.residuals.3.query")), 0.02,
              4e-3);
}

TEST(Initialization, KdaDecay) {
  ModelConfig config = *ModelConfig::preset("kda-toy");
  config.kdaNumHeads = 64;
  for (float x : initial(config, "blocks.0.attn.A_log")) {
    EXPECT_GE(x, 0.0f);
    EXPECT_LE(x, std::log(16.0f));
  }
  for (float x : initial(config, "blocks.0.attn.dt_bias")) {
    double step = std::log1p(std::exp(double{x}));
    EXPECT_GE(step, 0.999e-3);
    EXPECT_LE(step, 0.1001);
  }
  EXPECT_NEAR(deviation(initial(config, "blocks.0.attn.q_conv.weight")),
              std::sqrt(1 / 12.0), 0.01);
}

TEST(Initialization, EveryPresetIsFiniteAndFullyWritten) {
  for (std::string_view name : {"ch5", "k3-toy", "k3-geometry"}) {
    ModelConfig config = *ModelConfig::preset(name);
    for (const Parameter &parameter : parameterShapes(config)) {
      std::vector<float> data(parameter.numElements(), std::nanf(""));
      initializeParameter(config, parameter, 5, data.data());
      EXPECT_TRUE(std::all_of(data.begin(), data.end(), [](float x) {
        return std::isfinite(x);
      })) << parameter.name;
    }
  }
}

TEST(Initialization, CF8ModesShareTheCommonParameters) {
  ModelConfig off = *ModelConfig::preset("ch5"), full = off;
  full.attnres = AttnResMode::Full;
  const char *name = "blocks.2.attn.k_proj.weight";
  EXPECT_EQ(initial(off, name, 9), initial(full, name, 9));
  EXPECT_NE(initial(off, name, 9), initial(off, name, 10));
  EXPECT_NE(initial(off, name, 9),
            initial(off, "blocks.3.attn.k_proj.weight", 9));
}

/// Experts begin as if each had parameters of its own.
TEST(Initialization, CF8Stacks) {
  ModelConfig config = *ModelConfig::preset("k3-toy");
  int64_t stacks = 0;
  for (const Parameter &stack : parameterShapes(config)) {
    if (stack.name.find('*') == std::string::npos)
      continue;
    ++stacks;
    ASSERT_EQ(stack.shape.size(), 3u);
    EXPECT_EQ(stack.shape[0], config.numExperts);
    Parameter slice = stack;
    slice.name.replace(slice.name.find('*'), 1, "5");
    slice.shape.erase(slice.shape.begin());
    std::vector<float> whole(stack.numElements()), part(slice.numElements());
    initializeParameter(config, stack, 3, whole.data());
    initializeParameter(config, slice, 3, part.data());
    EXPECT_TRUE(std::equal(part.begin(), part.end(),
                           whole.begin() + 5 * slice.numElements()))
        << stack.name;
  }
  EXPECT_EQ(stacks, 9); // three matrices in each of three decoder blocks
}

/// A model without a configuration begins like one with it.
TEST(Initialization, GuessedFromTheName) {
  for (std::string_view name : {"ch5", "toy", "k3-toy"})
    for (const Parameter &parameter :
         parameterShapes(*ModelConfig::preset(name))) {
      InitialValue guess = guessInitialValue(parameter.name, parameter.shape);
      EXPECT_EQ(guess.kind, parameter.initial.kind) << parameter.name;
      EXPECT_EQ(guess.value, parameter.initial.value) << parameter.name;
      EXPECT_EQ(guess.map, parameter.initial.map) << parameter.name;
    }
  EXPECT_EQ(guessInitialValue("my_norm.weight", {5}).value, 1);
  EXPECT_EQ(guessInitialValue("o_proj.weight", {5, 5}).kind,
            InitialValue::Kind::Matrix); // not inside of a layer
  EXPECT_EQ(guessInitialValue("x", {5}).kind, InitialValue::Kind::Constant);
  EXPECT_EQ(guessInitialValue("x.*.w", {2, 5, 5}).kind,
            InitialValue::Kind::Matrix);
  EXPECT_EQ(guessInitialValue("x.*.b", {2, 5}).kind,
            InitialValue::Kind::Constant);
}

} // namespace
