// What a user may rely on of models with attention residuals, each property as
// one named test. (Two-phase equals naive: GoldenTest. Overfitting one batch
// and resuming: TrainingTest. Settings that are refused: ModelConfigTest.)
#include "models/Parameters.h"
#include "runtime/device/CpuDevice.h"
#include "tools/compile/Compiler.h"
#include "tools/run/Options.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <map>
#include <set>

using namespace attnres;
using namespace attnres::run;
using runtime::AlignedBuffer;

namespace {

const AttnResMode everyMode[] = {AttnResMode::Off, AttnResMode::Full,
                                 AttnResMode::Block, AttnResMode::Static};

ModelConfig smallConfig(AttnResMode mode) {
  ModelConfig config; // width 32, 4 decoder blocks, vocabulary 32
  config.attnres = mode;
  return config;
}

/// A compiled forward pass with initial parameters of seed 1, and if wanted the
/// gradients of the loss of repeating every token.
class Model {
public:
  Model(const ModelConfig &config, int64_t length, bool recordWeights = false,
        bool gradients = false) {
    CompileOptions options;
    options.seqLen = length;
    options.loss = options.stages.gradients = gradients;
    options.stages.recordWeights = recordWeights;
    auto program = std::make_shared<const runtime::Program>(
        unwrap(compileModel(config, options)));
    executable = unwrap(device.load(program));
    for (size_t i = 0; i < program->bindings.size(); ++i) {
      const runtime::Binding &binding = program->bindings[i];
      auto bytes = static_cast<size_t>(binding.bytes());
      AlignedBuffer &buffer = tensors[binding.name];
      buffer = unwrap(AlignedBuffer::allocate(bytes));
      check(executable->bind(
          static_cast<int64_t>(i),
          runtime::CpuDevice::shared(buffer.data(), binding.bytes())));
    }
    for (const Parameter &parameter : parameterShapes(config))
      initializeParameter(config, parameter, /*seed=*/1, find(parameter.name));
  }

  std::vector<float> logits(const std::vector<int64_t> &tokens) {
    for (const char *name : {"tokens", "targets"})
      if (has(name))
        std::memcpy(tensors.at(name).data(), tokens.data(), tokens.size() * 8);
    runtime::Executable::RunOptions options;
    options.poison = true;
    check(executable->run(options));
    return values("logits");
  }

  float *find(const std::string &name) {
    return reinterpret_cast<float *>(tensors.at(name).data());
  }
  std::vector<float> values(const std::string &name) {
    return {find(name), find(name) + tensors.at(name).bytes() / sizeof(float)};
  }
  bool has(const std::string &name) const { return tensors.count(name) != 0; }

private:
  runtime::CpuDevice device;
  std::unique_ptr<runtime::Executable> executable;
  std::map<std::string, AlignedBuffer> tensors;
};

const std::vector<int64_t> someTokens = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};

TEST(Property, OffIsTheDefault) {
  EXPECT_EQ(unwrap(ModelConfig::fromJson("{}", "config")).attnres,
            AttnResMode::Off);
}

TEST(Property, ST1AModelOfLBlocksHasTwiceAsManySublayers) {
  ModelConfig config = smallConfig(AttnResMode::Full);
  Model model(config, 3, /*recordWeights=*/true);
  // One mixture for each sublayer, and the final one.
  EXPECT_TRUE(model.has("depth_weights.8"));
  EXPECT_FALSE(model.has("depth_weights.9"));
}

TEST(Property, ST7BlockSizeCountsDecoderBlocks) {
  ModelConfig config = smallConfig(AttnResMode::Block);
  config.attnresBlockSize = 3;
  EXPECT_EQ(config.sublayersPerBlock(), 6);
  config.attnresBlockSize.reset();
  config.numHiddenLayers = 93;
  EXPECT_EQ(config.sublayersPerBlock(), 24);
}

TEST(Property, NoParameterExistsTwice) {
  for (AttnResMode mode : everyMode) {
    std::set<std::string> names;
    for (const Parameter &parameter : parameterShapes(smallConfig(mode)))
      EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
  }
}

TEST(Property, ParameterCountsOfPresets) {
  ModelConfig ch5 = unwrap(ModelConfig::preset("ch5"));
  ch5.attnres = AttnResMode::Off;
  EXPECT_EQ(countParameters(ch5), 4743168);
  ch5.attnres = AttnResMode::Static;
  EXPECT_EQ(countParameters(ch5), 4743189);
  ModelConfig toy = unwrap(ModelConfig::preset("toy"));
  toy.attnres = AttnResMode::Off;
  int64_t without = countParameters(toy);
  toy.attnres = AttnResMode::Block;
  EXPECT_EQ(countParameters(toy) - without, 4608);
}

TEST(Property, ModesDifferFromTheSameSeed) {
  std::set<std::vector<float>> results;
  for (AttnResMode mode : everyMode)
    results.insert(Model(smallConfig(mode), 11).logits(someTokens));
  EXPECT_EQ(results.size(), 4u);
}

TEST(Property, DA4ZeroQueriesGiveTheMeanOfTheSources) {
  for (AttnResMode mode : {AttnResMode::Full, AttnResMode::Block}) {
    Model model(smallConfig(mode), 11, /*recordWeights=*/true);
    model.logits(someTokens);
    for (int i = 0; i <= 8; ++i) {
      std::vector<float> weights =
          model.values("depth_weights." + std::to_string(i));
      double sources = static_cast<double>(weights.size()) / 11;
      for (float weight : weights)
        EXPECT_NEAR(weight, 1 / sources, 1e-6);
    }
  }
}

/// What is recorded of routers and states, where it can be said beforehand.
TEST(Property, CF9RoutersAndStatesAreRecorded) {
  ModelConfig config = smallConfig(AttnResMode::Off);
  config.numHiddenLayers = 2;
  config.layerTypes = {LayerType::Kda, LayerType::Kda};
  config.numExperts = 6;
  Model model(config, 11, /*recordWeights=*/true);
  auto fill = [&](const std::string &name, float value) {
    size_t count = model.values(name).size();
    std::fill_n(model.find(name), count, value);
  };
  // Only biases decide.
  float *bias = model.find("blocks.1.ffn.router_bias");
  bias[1] = bias[4] = 10;
  // exp(-softplus(x)) = 0.75 where x = ln(1/3) and nothing is added to it.
  fill("blocks.1.attn.f_b_proj.weight", 0);
  fill("blocks.1.attn.A_log", 0);
  fill("blocks.1.attn.dt_bias", std::log(1.0f / 3.0f));
  fill("blocks.0.attn.v_proj.weight", 0); // nothing to remember
  model.logits(someTokens);

  std::vector<float> load = model.values("router_load.0");
  ASSERT_EQ(load.size(), 6u * 11);
  for (size_t i = 0; i < load.size(); ++i)
    EXPECT_EQ(load[i], i / 11 == 1 || i / 11 == 4 ? 0.5f : 0.0f) << i;
  EXPECT_FALSE(model.has("router_load.1")); // the first block is dense
  for (const char *name : {"decay.0", "decay.1"}) {
    std::vector<float> shares = model.values(name);
    ASSERT_EQ(shares.size(), 10u * 11);
    for (size_t t = 0; t < 11; ++t) {
      double sum = 0;
      for (size_t bin = 0; bin < 10; ++bin)
        sum += double(shares[bin * 11 + t]);
      EXPECT_NEAR(sum, 1, 1e-6);
    }
  }
  for (size_t t = 0; t < 11; ++t)
    EXPECT_NEAR(model.values("decay.1")[7 * 11 + t], 1, 1e-6);
  for (float norm : model.values("state_norm.0"))
    EXPECT_EQ(norm, 0);
  ASSERT_EQ(model.values("state_norm.1").size(), 2u);
  for (float norm : model.values("state_norm.1"))
    EXPECT_GT(norm, 0);
}

/// Copies the parameters of a dense network to each of `count` experts; numbers
/// that are not 0 for its biases.
void copyToExperts(Model &dense, Model &experts, int64_t count,
                   const ModelConfig &config) {
  for (const Parameter &parameter : parameterShapes(config)) {
    float *from = dense.find(parameter.name);
    int64_t size = parameter.numElements();
    size_t part = parameter.name.find(".ffn.");
    if (part == std::string::npos) {
      std::copy_n(from, size, experts.find(parameter.name));
      continue;
    }
    if (parameter.shape.size() == 1)
      for (int64_t i = 0; i < size; ++i)
        from[i] = 0.25f * static_cast<float>(i % 5) - 0.4f;
    std::string stack = parameter.name;
    stack.insert(part + 5, "experts.*.");
    for (int64_t e = 0; e < count; ++e)
      std::copy_n(from, size, experts.find(stack) + e * size);
  }
}

TEST(Property, CF5EqualExpertsAreOneDenseNetwork) {
  for (HiddenAct act : {HiddenAct::Silu, HiddenAct::Gelu}) {
    ModelConfig config = smallConfig(AttnResMode::Off);
    config.mlpBias = true;
    config.hiddenAct = act;
    config.intermediateSize = config.moeIntermediateSize = 24;
    ModelConfig mixture = config;
    mixture.numExperts = 3;
    mixture.numSharedExperts = mixture.firstKDenseReplace = 0;
    Model dense(config, 11, false, /*gradients=*/true);
    Model experts(mixture, 11, false, /*gradients=*/true);
    copyToExperts(dense, experts, 3, config);
    std::vector<float> expected = dense.logits(someTokens);
    std::vector<float> actual = experts.logits(someTokens);
    ASSERT_EQ(actual.size(), expected.size());
    double largest = 0;
    for (float x : expected)
      largest = std::max(largest, std::abs(double(x)));
    for (size_t i = 0; i < actual.size(); ++i)
      ASSERT_NEAR(actual[i], expected[i], 2e-6 * largest) << i;
    // What the experts' biases get together.
    for (const char *part : {"up_proj.bias", "down_proj.bias"}) {
      std::vector<float> whole =
          dense.values(concat("grad.blocks.1.ffn.", part));
      std::vector<float> parts =
          experts.values(concat("grad.blocks.1.ffn.experts.*.", part));
      ASSERT_EQ(parts.size(), 3 * whole.size());
      double scale = 0;
      for (float x : whole)
        scale = std::max(scale, std::abs(double(x)));
      EXPECT_GT(scale, 0);
      for (size_t i = 0; i < whole.size(); ++i) {
        double sum = 0;
        for (size_t e = 0; e < 3; ++e)
          sum += parts[e * whole.size() + i];
        EXPECT_NEAR(sum, whole[i], 1e-5 * scale) << part << " " << i;
      }
    }
  }
}

TEST(Property, SA3TheFutureDoesNotReachThePast) {
  for (AttnResMode mode : everyMode) {
    Model model(smallConfig(mode), 11);
    std::vector<float> before = model.logits(someTokens);
    std::vector<int64_t> changed = someTokens;
    changed.back() = 17;
    std::vector<float> after = model.logits(changed);
    size_t vocabulary = before.size() / someTokens.size();
    size_t past = before.size() - vocabulary;
    EXPECT_EQ(std::memcmp(before.data(), after.data(), past * sizeof(float)),
              0);
    EXPECT_NE(std::memcmp(before.data() + past, after.data() + past,
                          vocabulary * sizeof(float)),
              0);
  }
}

} // namespace
