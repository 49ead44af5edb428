// Compiled training steps, and whole runs of them, on models small enough to
// train in a moment.
#include "models/Parameters.h"
#include "runtime/data/Multiplication.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/training/Interrupt.h"
#include "runtime/training/TrainingLoop.h"
#include "test/unit/support/TemporaryDirectory.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Options.h"

#include "gtest/gtest.h"
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>

#include <sys/wait.h>
#include <unistd.h>

using namespace attnres;
using namespace attnres::run;
using runtime::StepResult;
using runtime::TensorView;
using runtime::Trainer;

namespace {

ModelConfig smallConfig(AttnResMode mode) {
  ModelConfig config; // width 32, 4 decoder blocks, vocabulary 32
  config.attnres = mode;
  return config;
}

/// Every layer type of the K3 family: delta attention, latent attention, dense
/// and chosen experts.
ModelConfig k3Config() {
  ModelConfig config = smallConfig(AttnResMode::Block);
  config.numHiddenLayers = 2;
  config.layerTypes = {LayerType::Kda, LayerType::Mla};
  config.hiddenAct = HiddenAct::Situ;
  config.ropeTheta.reset();
  config.mlaQLoraRank = 12;
  config.numExperts = 6;
  config.moeLatentSize = 16;
  return config;
}

struct Programs {
  runtime::TrainingPrograms training;
  std::shared_ptr<const runtime::Program> evaluation;
};

/// Each is compiled once.
const Programs &programsOf(const ModelConfig &config, int64_t batch,
                           int64_t length, bool inParts,
                           const StageOptions &stages) {
  static std::map<std::string, Programs> compiled;
  CompileOptions options;
  options.stages = stages;
  Programs &programs = compiled[concat(
      config.toJson(), " ", batch, " ", length, " ", inParts, " ",
      static_cast<int>(stages.algorithm), " ", stages.frozen.size())];
  if (programs.evaluation)
    return programs;
  options.batch = batch;
  options.seqLen = length;
  auto share = [](runtime::Program &&program) {
    return std::make_shared<const runtime::Program>(std::move(program));
  };
  TrainingCompilation training =
      unwrap(compileTraining({config, ""}, options, inParts));
  programs.training.gradients = share(std::move(training.gradients));
  if (training.update)
    programs.training.update = share(*std::move(training.update));
  programs.evaluation =
      share(unwrap(compileEvaluation({config, ""}, options, /*logits=*/true)));
  return programs;
}

/// A trainer with the programs and initial parameters of `config`.
struct Instance {
  Instance(const ModelConfig &config, int64_t batch, int64_t length,
           bool inParts, int threads = 2, const StageOptions &stages = {})
      : device(cpuOptions(threads)) {
    const Programs &programs =
        programsOf(config, batch, length, inParts, stages);
    trainer = unwrap(Trainer::create(device, programs.training));
    for (const Parameter &parameter : parameterShapes(config))
      initializeParameter(config, parameter, /*seed=*/1, find(parameter.name));
    evaluator = unwrap(runtime::Evaluator::create(device, programs.evaluation,
                                                  trainer->parameters()));
  }

  static runtime::CpuOptions cpuOptions(int threads) {
    runtime::CpuOptions options;
    options.threads = threads;
    return options;
  }

  /// The memory of a parameter, which the device shares with the host.
  float *find(const std::string &name) {
    for (const runtime::DeviceTensor &tensor : trainer->parameters())
      if (tensor.name == name)
        return unwrap(device.map(tensor.memory, runtime::Access::Read))
            .as<float>();
    ADD_FAILURE() << name;
    return nullptr;
  }

  /// Parameters and moments, bit for bit.
  std::string state() {
    std::string bytes;
    for (const auto *list : {&trainer->parameters(), &trainer->moments()})
      for (const runtime::DeviceTensor &tensor : *list) {
        std::string part(static_cast<size_t>(tensor.memory.bytes), '\0');
        check(device.download(part.data(), tensor.memory));
        bytes += part;
      }
    return bytes;
  }

  void load(const std::string &path,
            const std::vector<runtime::DeviceTensor> &tensors) {
    auto mapped =
        unwrap(runtime::mapTensors(device, tensors, runtime::Access::Write));
    check(runtime::loadTensors(path, mapped.tensors));
    check(mapped.unmap());
  }

  runtime::CpuDevice device;
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<runtime::Evaluator> evaluator;
};

/// tokens[i + 1] follows tokens[i] by a fixed rule; every third target of the
/// second half is ignored.
struct Batch {
  Batch(int64_t rows, int64_t length) {
    for (int64_t i = 0; i < rows * length; ++i) {
      tokens.push_back((i * i + 3 * (i / length)) % 31);
      targets.push_back(i >= rows * length / 2 && i % 3 != 0
                            ? runtime::ignoredTarget
                            : (i * 7 + 5) % 31);
    }
  }
  std::vector<int64_t> tokens, targets;
};

double largestDifference(Instance &a, Instance &b) {
  double largest = 0;
  for (const runtime::DeviceTensor &tensor : a.trainer->parameters()) {
    const float *x = a.find(tensor.name), *y = b.find(tensor.name);
    for (int64_t j = 0; j < tensor.memory.bytes / 4; ++j)
      largest = std::max(largest, std::abs(double(x[j]) - y[j]));
  }
  return largest;
}

class EveryMode : public testing::TestWithParam<AttnResMode> {};

/// G-8: three steps with one to three threads.
void expectSameBitsForAllThreads(const ModelConfig &config,
                                 const StageOptions &stages) {
  Batch batch(4, 9);
  std::string expected;
  for (int threads : {1, 2, 3}) {
    Instance setup(config, 4, 9, /*inParts=*/false, threads, stages);
    for (int64_t step = 1; step <= 3; ++step)
      unwrap(setup.trainer->step(step, 1e-3, 1, batch.tokens.data(),
                                 batch.targets.data()));
    std::string state = setup.state();
    if (expected.empty())
      expected = state;
    EXPECT_TRUE(state == expected) << threads << " threads";
  }
}

/// Parts of a batch weigh by their live targets, so four quarters with very
/// different numbers of those are one step of the whole.
TEST_P(EveryMode, StepInPartsEqualsStepOfTheWhole) {
  ModelConfig config = smallConfig(GetParam());
  Instance whole(config, 8, 9, /*inParts=*/false);
  Instance parts(config, 2, 9, /*inParts=*/true);
  Batch batch(8, 9);
  for (int64_t step = 1; step <= 3; ++step) {
    StepResult a = unwrap(whole.trainer->step(
        step, 1e-3, 1, batch.tokens.data(), batch.targets.data()));
    StepResult b = unwrap(parts.trainer->step(
        step, 1e-3, 4, batch.tokens.data(), batch.targets.data()));
    EXPECT_NEAR(a.loss, b.loss, 1e-5);
    EXPECT_NEAR(a.gradientNorm, b.gradientNorm, 1e-4 * a.gradientNorm);
    EXPECT_GT(a.gradientNorm, 0);
    std::vector<double> norms = unwrap(whole.trainer->gradientNorms());
    std::vector<double> others = unwrap(parts.trainer->gradientNorms());
    ASSERT_EQ(norms.size(), whole.trainer->parameters().size());
    double squares = 0;
    for (size_t i = 0; i < norms.size(); ++i) {
      EXPECT_NEAR(norms[i], others[i], 1e-4 * a.gradientNorm);
      squares += norms[i] * norms[i];
    }
    EXPECT_NEAR(std::sqrt(squares), a.gradientNorm, 1e-4 * a.gradientNorm);
  }
  // Adam divides by the gradient's own size: an element that is nearly zero may
  // move either way, by at most the learning rate in each step.
  EXPECT_LE(largestDifference(whole, parts), 6.1e-3);
}

TEST_P(EveryMode, G8BitsDoNotDependOnThreads) {
  expectSameBitsForAllThreads(smallConfig(GetParam()), {});
}

TEST_P(EveryMode, OverfitsOneBatch) {
  Instance setup(smallConfig(GetParam()), 4, 16, /*inParts=*/false);
  Batch batch(4, 16);
  double loss = INFINITY;
  for (int64_t step = 1; step <= 200; ++step)
    loss = unwrap(setup.trainer->step(step, 3e-3, 1, batch.tokens.data(),
                                      batch.targets.data()))
               .loss;
  EXPECT_LT(loss, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Training, EveryMode,
                         testing::Values(AttnResMode::Off, AttnResMode::Full,
                                         AttnResMode::Block,
                                         AttnResMode::Static),
                         [](const auto &info) {
                           return std::string(toString(info.param));
                         });

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

StageOptions optimizerOptions(OptimizerAlgorithm algorithm) {
  StageOptions stages;
  stages.algorithm = algorithm;
  return stages;
}

class EveryOptimizer : public testing::TestWithParam<OptimizerAlgorithm> {
protected:
  StageOptions stages = optimizerOptions(GetParam());
};

TEST_P(EveryOptimizer, G8BitsDoNotDependOnThreads) {
  expectSameBitsForAllThreads(k3Config(), stages);
}

TEST_P(EveryOptimizer, OverfitsOneBatch) {
  Instance setup(k3Config(), 4, 9, /*inParts=*/false, 2, stages);
  Batch batch(4, 9);
  double rate = GetParam() == OptimizerAlgorithm::Sgd    ? 3e-2
                : GetParam() == OptimizerAlgorithm::Lion ? 1e-3
                                                         : 3e-3;
  double first = 0, last = 0;
  for (int64_t step = 1; step <= 200; ++step) {
    last = unwrap(setup.trainer->step(step, rate, 1, batch.tokens.data(),
                                      batch.targets.data()))
               .loss;
    if (step == 1)
      first = last;
  }
  EXPECT_LT(last, first / 2);
}

/// One part is a batch as a whole, and sums of one gradient are that gradient.
TEST_P(EveryOptimizer, OnePartEqualsTheWhole) {
  Instance whole(k3Config(), 4, 9, /*inParts=*/false, 2, stages);
  Instance parts(k3Config(), 4, 9, /*inParts=*/true, 2, stages);
  Batch batch(4, 9);
  unwrap(whole.trainer->step(1, 1e-3, 1, batch.tokens.data(),
                             batch.targets.data()));
  unwrap(parts.trainer->step(1, 1e-3, 1, batch.tokens.data(),
                             batch.targets.data()));
  EXPECT_LE(largestDifference(whole, parts), 2.1e-3); // see above, AdamW
  const float *a = whole.find("blocks.1.ffn.router_bias");
  const float *b = parts.find("blocks.1.ffn.router_bias");
  for (int64_t e = 0; e < 6; ++e)
    EXPECT_NEAR(a[e], b[e], 1e-6) << e;
}

std::string nameOf(OptimizerAlgorithm algorithm) {
  constexpr const char *names[] = {"adamw", "muon", "sgd", "lion"};
  return names[static_cast<int>(algorithm)];
}

INSTANTIATE_TEST_SUITE_P(Training, EveryOptimizer,
                         testing::Values(OptimizerAlgorithm::AdamW,
                                         OptimizerAlgorithm::Muon,
                                         OptimizerAlgorithm::Sgd,
                                         OptimizerAlgorithm::Lion),
                         [](const auto &info) { return nameOf(info.param); });

/// Root mean square of what one step changes in a parameter.
double moved(Instance &setup, const std::string &name, double rate) {
  Batch batch(4, 16);
  float *data = setup.find(name);
  int64_t count = 0;
  for (const runtime::DeviceTensor &tensor : setup.trainer->parameters())
    if (tensor.name == name)
      count = tensor.memory.bytes / 4;
  std::vector<float> before(data, data + count);
  unwrap(setup.trainer->step(1, rate, 1, batch.tokens.data(),
                             batch.targets.data()));
  double squares = 0;
  for (int64_t i = 0; i < count; ++i)
    squares += std::pow(double(data[i]) - before[i], 2);
  return std::sqrt(squares / static_cast<double>(count));
}

/// Singular values near 1 make elements of 0.2 learning rates; AdamW's first
/// step is a whole one wherever there is a gradient.
TEST(Muon, OP8MovesMatricesByAFifthOfTheRate) {
  StageOptions muon = optimizerOptions(OptimizerAlgorithm::Muon);
  constexpr double rate = 1e-2;
  for (const char *name :
       {"blocks.0.attn.q_proj.weight", "blocks.0.ffn.up_proj.weight",
        "blocks.0.ffn.down_proj.weight", "blocks.1.attn.kv_b_proj.weight",
        "blocks.1.ffn.experts.*.up_proj.weight"}) {
    Instance setup(k3Config(), 4, 16, /*inParts=*/false, 2, muon);
    double distance = moved(setup, name, rate);
    EXPECT_GT(distance, 0.12 * rate) << name;
    EXPECT_LT(distance, 0.25 * rate) << name;
  }
  for (const char *name : {"lm_head.weight", "norm.weight"}) {
    Instance setup(k3Config(), 4, 16, /*inParts=*/false, 2, muon);
    EXPECT_GT(moved(setup, name, rate), 0.5 * rate) << name;
  }
}

TEST(Muon, OP8HasOneMomentOfMatricesAndTwoOfTheRest) {
  Instance setup(k3Config(), 4, 16, /*inParts=*/false, 2,
                 optimizerOptions(OptimizerAlgorithm::Muon));
  std::map<std::string, int> moments;
  for (const runtime::DeviceTensor &tensor : setup.trainer->moments())
    ++moments[tensor.name.substr(2)];
  EXPECT_EQ(moments["blocks.0.attn.q_proj.weight"], 1);
  EXPECT_EQ(moments["blocks.1.ffn.experts.*.down_proj.weight"], 1);
  for (const char *name :
       {"embedding.weight", "lm_head.weight", "blocks.1.ffn.router.weight",
        "blocks.0.attn.q_conv.weight", "norm.weight"})
    EXPECT_EQ(moments[name], 2) << name;
  EXPECT_EQ(moments.count("blocks.1.ffn.router_bias"), 0u);
}

/// A router that favours one expert sends every token to it; its bias makes up
/// for that in one step, whatever the learning rate.
TEST(Routers, EX8BiasesAreBalancedOutsideTheGradient) {
  Instance setup(k3Config(), 4, 16, /*inParts=*/false);
  const float *bias = setup.find("blocks.1.ffn.router_bias");
  std::string before = setup.state();
  Batch batch(4, 16);
  unwrap(setup.trainer->step(1, /*learningRate=*/0, 1, batch.tokens.data(),
                             batch.targets.data()));
  double sum = 0, largest = 0;
  for (int64_t e = 0; e < 6; ++e) {
    sum += double(bias[e]);
    largest = std::max(largest, std::abs(double(bias[e])));
  }
  EXPECT_NEAR(sum, 0, 1e-6);
  EXPECT_GT(largest, 1e-5);
  // Balanced once, the same batch leaves it where it is: every expert has its
  // share already.
  std::vector<float> once(bias, bias + 6);
  unwrap(
      setup.trainer->step(2, 0, 1, batch.tokens.data(), batch.targets.data()));
  double change = 0;
  for (int64_t e = 0; e < 6; ++e)
    change = std::max(change, std::abs(double(bias[e]) - double(once[e])));
  EXPECT_LT(change, largest);
}

TEST(Frozen, StaysAndHasNoMoments) {
  for (bool inParts : {false, true}) {
    StageOptions stages;
    stages.frozen = {"blocks.1.*", "embedding*"};
    Instance setup(k3Config(), 4, 9, inParts, 2, stages);
    for (const runtime::DeviceTensor &tensor : setup.trainer->moments())
      EXPECT_EQ(tensor.name.find("blocks.1."), std::string::npos)
          << tensor.name;
    Batch batch(4, 9);
    const float *router = setup.find("blocks.1.ffn.router_bias");
    float *frozen = setup.find("blocks.1.ffn.latent_down_proj.weight");
    float *learned = setup.find("blocks.0.ffn.up_proj.weight");
    float atFrozen = *frozen, atLearned = *learned;
    unwrap(setup.trainer->step(1, 1e-2, 1, batch.tokens.data(),
                               batch.targets.data()));
    EXPECT_EQ(*frozen, atFrozen);
    EXPECT_EQ(*router, 0);
    EXPECT_NE(*learned, atLearned);
    std::vector<double> norms = unwrap(setup.trainer->gradientNorms());
    ASSERT_EQ(norms.size(), setup.trainer->parameters().size());
    EXPECT_EQ(norms[0], 0); // the embedding
  }
}

TEST(Trainer, EL4BatchWithoutLiveTargetsHasLossZero) {
  ModelConfig config = smallConfig(AttnResMode::Block);
  for (bool inParts : {false, true}) {
    Instance setup(config, 2, 5, inParts);
    Batch batch(2, 5);
    std::fill(batch.targets.begin(), batch.targets.end(),
              runtime::ignoredTarget);
    StepResult result = unwrap(setup.trainer->step(
        1, 1e-3, 1, batch.tokens.data(), batch.targets.data()));
    EXPECT_EQ(result.loss, 0);
    EXPECT_EQ(result.gradientNorm, 0);
    EXPECT_EQ(result.failure, "");
  }
}

TEST(Trainer, WhatIsNotFiniteIsNamedAndNothingChanges) {
  ModelConfig config = smallConfig(AttnResMode::Block);
  for (bool inParts : {false, true}) {
    Instance setup(config, 2, 5, inParts);
    Batch batch(2, 5);
    setup.find("blocks.2.ffn.up_proj.weight")[3] = INFINITY;
    std::string before = setup.state();
    StepResult result = unwrap(setup.trainer->step(
        1, 1e-3, 1, batch.tokens.data(), batch.targets.data()));
    EXPECT_EQ(result.failure,
              "the loss is nan, the first bad tensor is parameter "
              "'blocks.2.ffn.up_proj.weight'");
    EXPECT_TRUE(setup.state() == before);
  }
}

TEST(Trainer, OverflowingGradientsAreNamed) {
  Instance setup(smallConfig(AttnResMode::Off), 2, 5, /*inParts=*/false);
  Batch batch(2, 5);
  float *gain = setup.find("norm.weight");
  float *head = setup.find("lm_head.weight");
  for (int i = 0; i < 32; ++i)
    gain[i] = 1e-30f;
  for (int i = 0; i < 32 * 32; ++i)
    head[i] *= 1e38f;
  StepResult result = unwrap(setup.trainer->step(
      1, 1e-3, 1, batch.tokens.data(), batch.targets.data()));
  EXPECT_NE(result.failure.find(
                "all parameters are finite, the first bad gradient is that of"),
            std::string::npos)
      << result.failure;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

class Silent : public runtime::TrainingListener {
public:
  void onStep(const runtime::TrainingProgress &progress, const StepResult &,
              double, double) override {
    if (progress.step == raiseAt)
      std::raise(SIGTERM);
  }
  void onEvaluation(const runtime::TrainingProgress &,
                    const runtime::EvaluationResult &) override {
    ++evaluations;
  }
  void onSave(const std::string &) override { ++saves; }
  void onWarning(const std::string &message) override {
    ADD_FAILURE() << message;
  }

  int64_t raiseAt = -1;
  int evaluations = 0, saves = 0;
};

class TrainingRun : public testing::Test {
protected:
  TrainingRun() {
    config.vocabSize = runtime::multiplication::vocabularySize;
    runtime::MultiplicationDataset::Options data;
    data.digits = 1;
    data.size = 40;
    train.emplace(unwrap(runtime::MultiplicationDataset::create(data)));
    data.split = runtime::MultiplicationDataset::Split::Test;
    test.emplace(unwrap(runtime::MultiplicationDataset::create(data)));
    options.steps = options.schedule.steps = 12;
    options.schedule.warmup = 3;
    options.evalEvery = 5;
    options.evalSamples = 7;
    options.saveEvery = 4;
    options.keep = 2;
    options.seed = 3;
    options.directory = directory.path.string();
  }

  runtime::TrainingLoop::Outcome
  run(Instance &setup, const runtime::TrainingProgress &start = {}) {
    return unwrap(runtime::TrainingLoop(options, *setup.trainer, *train,
                                        setup.evaluator.get(), {{"", &*test}},
                                        listener)
                      .run(start));
  }

  TemporaryDirectory directory;
  ModelConfig config = smallConfig(AttnResMode::Block);
  std::optional<runtime::MultiplicationDataset> train, test;
  runtime::TrainingOptions options;
  Silent listener;
};

TEST_F(TrainingRun, WritesMetricsAndCheckpoints) {
  Instance setup(config, 3, train->length(), /*inParts=*/false);
  runtime::TrainingLoop::Outcome outcome = run(setup);
  EXPECT_EQ(outcome.end, runtime::TrainingLoop::End::Finished);
  EXPECT_EQ(outcome.progress.step, 12);
  EXPECT_EQ(outcome.progress.tokens, 12 * 3 * train->length());
  EXPECT_EQ(listener.evaluations, 3); // 5, 10, 12
  EXPECT_EQ(listener.saves, 3);       // 4, 8, 12
  EXPECT_EQ(runtime::CheckpointFolder(options.directory).list().size(), 2u);

  std::ifstream metrics(directory.file("metrics.jsonl"));
  std::map<std::string, int> kinds;
  for (std::string line; std::getline(metrics, line);) {
    nlohmann::json record = nlohmann::json::parse(line);
    ++kinds[record["kind"]];
    if (record["kind"] != "eval")
      continue;
    EXPECT_NEAR(record["perplexity"], std::exp(double(record["loss"])), 1e-9);
    EXPECT_TRUE(record.contains("accuracy"));
    EXPECT_TRUE(record["gradient_norms"].contains("blocks.3.ffn"));
    ASSERT_EQ(record["depth_weights"].size(), 9u); // 8 sublayers and the end
    for (const auto &mixture : record["depth_weights"]) {
      double sum = 0;
      for (double weight : mixture)
        sum += weight;
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
  EXPECT_EQ(kinds, (std::map<std::string, int>{
                       {"step", 12}, {"eval", 3}, {"save", 3}}));
}

TEST_F(TrainingRun, RecordsExpertsAndStates) {
  ModelConfig family = k3Config();
  family.vocabSize = config.vocabSize;
  Instance setup(family, 3, train->length(), /*inParts=*/false);
  run(setup);
  std::ifstream metrics(directory.file("metrics.jsonl"));
  int evaluations = 0;
  for (std::string line; std::getline(metrics, line);) {
    nlohmann::json record = nlohmann::json::parse(line);
    if (record["kind"] != "eval")
      continue;
    ++evaluations;
    // One of each kind: block 0 has the state, block 1 the experts.
    for (auto [name, count] :
         {std::make_pair("router_load", 6u), std::make_pair("decay", 10u)}) {
      ASSERT_EQ(record[name].size(), 1u) << name;
      ASSERT_EQ(record[name][0].size(), count) << name;
      double sum = 0;
      for (double share : record[name][0])
        sum += share;
      EXPECT_NEAR(sum, 1, 1e-5) << name;
    }
    ASSERT_EQ(record["state_norms"].size(), 1u);
    ASSERT_EQ(record["state_norms"][0].size(), 2u);
    for (double norm : record["state_norms"][0])
      EXPECT_GT(norm, 0);
  }
  EXPECT_EQ(evaluations, 3);
}

/// The bits of a run that was stopped by a signal and went on with another
/// number of threads are those of one that ran through.
class ResumedRun : public TrainingRun {
protected:
  void expectSameBits(const ModelConfig &config, const StageOptions &stages);
};

void ResumedRun::expectSameBits(const ModelConfig &config,
                                const StageOptions &stages) {
  for (bool inParts : {false, true}) {
    options.parts = inParts ? 2 : 1;
    options.directory = directory.file(inParts ? "parts" : "whole");
    std::filesystem::create_directories(options.directory);
    Instance through(config, 3, train->length(), inParts, 2, stages);
    run(through);
    std::string expected = through.state();

    options.directory += "-resumed";
    std::filesystem::create_directories(options.directory);
    listener.raiseAt = 6;
    pid_t child = fork(); // no thread of ours is running kernels now
    if (child == 0) {
      runtime::catchInterrupts();
      Instance inChild(config, 3, train->length(), inParts, /*threads=*/1,
                       stages);
      auto outcome = run(inChild);
      _exit(outcome.end == runtime::TrainingLoop::End::Interrupted ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    listener.raiseAt = -1;
    ASSERT_EQ(status, 0);

    Instance second(config, 3, train->length(), inParts, /*threads=*/3, stages);
    std::string checkpoint = runtime::resolveCheckpoint(options.directory);
    runtime::TrainingProgress start = unwrap(runtime::readProgress(checkpoint));
    EXPECT_EQ(start.step, 6);
    second.load(checkpoint + "/model.safetensors",
                second.trainer->parameters());
    second.load(checkpoint + "/optimizer.safetensors",
                second.trainer->moments());
    run(second, start);
    EXPECT_TRUE(second.state() == expected);
  }
}

TEST_F(ResumedRun, AdamW) { expectSameBits(config, {}); }

TEST_F(ResumedRun, MuonAndRouters) {
  ModelConfig family = k3Config();
  family.vocabSize = config.vocabSize;
  expectSameBits(family, optimizerOptions(OptimizerAlgorithm::Muon));
}

/// Samples that cannot be read any more from some read on.
class Vanishing : public runtime::Dataset {
public:
  Vanishing(const runtime::Dataset &data, int64_t reads)
      : data(data), left(reads) {}
  int64_t vocabularySize() const override { return data.vocabularySize(); }
  int64_t size() const override { return data.size(); }
  int64_t length() const override { return data.length(); }
  Status sample(int64_t index, int64_t *tokens,
                int64_t *targets) const override {
    if (left-- <= 0)
      return ioError("text: was cut");
    return data.sample(index, tokens, targets);
  }

private:
  const runtime::Dataset &data;
  mutable int64_t left;
};

/// Data that goes away ends a run after saving, in a step or an evaluation.
TEST_F(TrainingRun, DataThatGoesAwayCostsNoStep) {
  Instance steps(config, 3, train->length(), /*inParts=*/false);
  Vanishing data(*train, 3 * 6 + 1);
  auto failed =
      runtime::TrainingLoop(options, *steps.trainer, data,
                            steps.evaluator.get(), {{"", &*test}}, listener)
          .run({});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.status().message(),
            "text: was cut; the state before it is in " + options.directory +
                "/checkpoints/step-00000006");

  options.directory = directory.file("evaluation");
  std::filesystem::create_directories(options.directory);
  Instance evaluations(config, 3, train->length(), /*inParts=*/false);
  Vanishing validation(*test, 2);
  failed = runtime::TrainingLoop(options, *evaluations.trainer, *train,
                                 evaluations.evaluator.get(),
                                 {{"", &validation}}, listener)
               .run({});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.status().message(),
            "text: was cut; the state before it is in " + options.directory +
                "/checkpoints/step-00000005");
}

/// A run that begins at a step in another folder has that step there at once.
TEST_F(TrainingRun, AForkWithoutStepsIsARun) {
  Instance first(config, 3, train->length(), /*inParts=*/false);
  runtime::TrainingProgress end = run(first).progress;
  options.directory = directory.file("fork");
  std::filesystem::create_directories(options.directory);
  auto outcome = run(first, end);
  EXPECT_EQ(outcome.end, runtime::TrainingLoop::End::Finished);
  EXPECT_EQ(outcome.checkpoint,
            options.directory + "/checkpoints/step-00000012");
  runtime::TrainingProgress copied =
      unwrap(runtime::readProgress(outcome.checkpoint));
  EXPECT_EQ(copied.step, 12);
  EXPECT_EQ(copied.tokens, end.tokens);
}

TEST_F(TrainingRun, DivergenceKeepsTheStateBeforeIt) {
  Instance setup(config, 3, train->length(), /*inParts=*/false);
  options.schedule.shape = runtime::LearningRateSchedule::Shape::Constant;
  options.schedule.peak = 1e30;
  options.schedule.warmup = 0;
  runtime::TrainingLoop::Outcome outcome = run(setup);
  EXPECT_EQ(outcome.end, runtime::TrainingLoop::End::Diverged);
  EXPECT_NE(outcome.failure.find("step "), std::string::npos);
  EXPECT_LT(outcome.progress.step, 12);
  EXPECT_EQ(unwrap(runtime::readProgress(outcome.checkpoint)).step,
            outcome.progress.step);
}

} // namespace
