// Pipelines whose stages are threads: they train what one process trains, bit
// for bit, and pass on what the formula says.
#include "models/Parameters.h"
#include "runtime/data/Dataset.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/distributed/LocalCommunicator.h"
#include "runtime/training/Trainer.h"
#include "support/PipelineNames.h"
#include "tools/compile/PipelineStarts.h"
#include "tools/compile/TrainingCompiler.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

using namespace attnres;
using runtime::Program;
using runtime::StepResult;
using runtime::Trainer;

namespace {

constexpr int64_t length = 6;

/// Errors end the test: other stages would wait.
void check(const Status &status) {
  if (status.ok())
    return;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  std::abort();
}

template <typename T>
T unwrap(Result<T> result) {
  check(result.status());
  return *std::move(result);
}

ModelConfig smallModel(AttnResMode mode, int64_t layers = 4) {
  ModelConfig config; // width 32, vocabulary 32
  config.attnres = mode;
  config.attnresBlockSize = 1;
  config.attnresZeroInitQueries = false;
  config.numHiddenLayers = layers;
  return config;
}

CompileOptions smallOptions() {
  CompileOptions options;
  options.batch = 1;
  options.seqLen = length;
  options.stages.threads = 2;
  return options;
}

std::vector<int64_t> startsOf(const ModelConfig &config,
                              const CompileOptions &options, int64_t stages) {
  return unwrap(choosePipelineStarts(
      config, {trainingOptions({config, ""}, options, /*inParts=*/true)},
      stages));
}

/// The programs of one of several stages, or of the whole model.
runtime::TrainingPrograms compileStage(const ModelConfig &config,
                                       CompileOptions options, int64_t stages,
                                       int64_t stage) {
  if (stages > 1) {
    options.pipelineStarts = startsOf(config, options, stages);
    options.parts = true;
    options.stages.pipelineStages = stages;
    options.stages.pipelineStage = stage;
  }
  TrainingCompilation compiled = unwrap(
      compileTraining({config, config.toJson()}, options, /*inParts=*/true));
  return {std::make_shared<const Program>(std::move(compiled.gradients)),
          std::make_shared<const Program>(*std::move(compiled.update))};
}

/// What two steps leave.
struct Outcome {
  std::vector<double> numbers; ///< losses and norms
  std::vector<std::string> state;
};

Outcome trainTwoSteps(const ModelConfig &config,
                      runtime::TrainingPrograms programs,
                      runtime::Communicator &ranks, int64_t parts) {
  runtime::CpuOptions cpu;
  cpu.threads = 1;
  runtime::CpuDevice device(cpu);
  auto trainer = unwrap(Trainer::create(device, std::move(programs)));
  std::vector<Parameter> described = parameterShapes(config);
  for (size_t i = 0; i < described.size(); ++i) {
    if (!trainer->needs(trainer->parameters()[i]))
      continue;
    auto mapping = unwrap(
        device.map(trainer->parameters()[i].memory, runtime::Access::Write));
    initializeParameter(config, described[i], 3, mapping.as<float>());
  }
  trainer->setSeed(5);
  check(ranks.size() > 1 ? trainer->shareStages(ranks, parts)
                         : trainer->share(ranks, parts));
  Outcome outcome;
  for (int64_t step = 1; step <= 2; ++step) {
    std::vector<int64_t> tokens, targets;
    for (int64_t i = 0; i < parts * length; ++i) {
      tokens.push_back((7 * i * i + step) % config.vocabSize);
      targets.push_back(i % 5 == 2 ? runtime::ignoredTarget
                                   : (11 * i + step) % config.vocabSize);
    }
    StepResult result =
        unwrap(trainer->step(step, 1e-2, parts, tokens.data(), targets.data()));
    EXPECT_EQ(result.failure, "");
    outcome.numbers.push_back(result.loss);
    outcome.numbers.push_back(result.gradientNorm);
    for (double norm : unwrap(trainer->gradientNorms()))
      outcome.numbers.push_back(norm);
  }
  check(trainer->gatherState());
  for (const auto *list : {&trainer->parameters(), &trainer->moments()})
    for (const runtime::DeviceTensor &tensor : *list) {
      auto mapping = unwrap(device.map(tensor.memory, runtime::Access::Read));
      outcome.state.emplace_back(mapping.as<const char>(),
                                 static_cast<size_t>(tensor.memory.bytes));
    }
  return outcome;
}

struct Case {
  std::string name;
  ModelConfig config;
  CompileOptions options;
  int stages;
  int64_t parts;
};

void PrintTo(const Case &c, std::ostream *stream) { *stream << c.name; }

class Stages : public ::testing::TestWithParam<Case> {};

TEST_P(Stages, TrainWhatOneProcessTrains) {
  const Case &c = GetParam();
  auto alone = runtime::localCommunicators(1);
  Outcome expected =
      trainTwoSteps(c.config, compileStage(c.config, c.options, 1, 0),
                    *alone.front(), c.parts);
  std::vector<runtime::TrainingPrograms> programs;
  for (int stage = 0; stage < c.stages; ++stage)
    programs.push_back(compileStage(c.config, c.options, c.stages, stage));
  auto ranks = runtime::localCommunicators(c.stages);
  std::vector<Outcome> outcomes(ranks.size());
  std::vector<std::thread> threads;
  for (size_t r = 0; r < ranks.size(); ++r)
    threads.emplace_back([&, r] {
      ranks[r]->setTimeLimit(std::chrono::seconds(60));
      outcomes[r] = trainTwoSteps(c.config, programs[r], *ranks[r], c.parts);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Outcome &outcome : outcomes)
    EXPECT_EQ(outcome.numbers, expected.numbers);
  ASSERT_EQ(outcomes[0].state.size(), expected.state.size());
  for (size_t i = 0; i < expected.state.size(); ++i)
    EXPECT_TRUE(outcomes[0].state[i] == expected.state[i]) << "tensor " << i;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  auto add = [&](const std::string &name, ModelConfig config, int stages,
                 int64_t parts) -> Case & {
    all.push_back({name, std::move(config), smallOptions(), stages, parts});
    return all.back();
  };
  add("block_2", smallModel(AttnResMode::Block), 2, 5);
  // Mixtures that are computed together would join the last two blocks.
  add("block_4_few_parts", smallModel(AttnResMode::Block), 4, 2)
      .options.stages.schedule = DepthSchedule::Naive;
  add("full_2", smallModel(AttnResMode::Full), 2, 4);
  add("static_2", smallModel(AttnResMode::Static), 2, 3);
  add("off_3", smallModel(AttnResMode::Off), 3, 3);
  ModelConfig tied = smallModel(AttnResMode::Block, 2);
  tied.tieWordEmbeddings = true;
  add("tied_2", tied, 2, 3).options.bf16 = true;
  ModelConfig experts = smallModel(AttnResMode::Block, 2);
  experts.layerTypes = {LayerType::Kda, LayerType::Mla};
  experts.hiddenAct = HiddenAct::Situ;
  experts.ropeTheta.reset();
  experts.numExperts = 4;
  Case &muon = add("experts_2", experts, 2, 3);
  muon.options.stages.algorithm = OptimizerAlgorithm::Muon;
  muon.options.dropout = 0.1;
  muon.options.stages.residualBytes = 0;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Pipeline, Stages, ::testing::ValuesIn(cases()),
                         [](const auto &info) { return info.param.name; });

/// Bytes that the inputs of a program with this prefix have.
int64_t bytesOf(const Program &program, const std::string &prefix) {
  int64_t bytes = 0;
  for (const runtime::Binding &binding : program.bindings)
    if (binding.name.compare(0, prefix.size(), prefix) == 0)
      bytes += binding.bytes();
  return bytes;
}

/// Expects the traffic of P stages with N depth blocks each: they pass on P (P
/// - 1) / 2 N block sums of the hidden size for each token, as published, and
/// the embedding besides, which every stage reads; gradients take the same way
/// back.
void expectFormula(const ModelConfig &config, const CompileOptions &options,
                   int64_t stages, int64_t blocks) {
  ASSERT_EQ(blocks % stages, 0);
  std::vector<int64_t> even;
  for (int64_t stage = 0; stage < stages; ++stage)
    even.push_back(stage * (blocks / stages));
  ASSERT_EQ(startsOf(config, options, stages), even);
  int64_t forward = 0, back = 0;
  for (int64_t stage = 0; stage < stages; ++stage) {
    runtime::TrainingPrograms programs =
        compileStage(config, options, stages, stage);
    forward += bytesOf(*programs.gradients, names::fromPrevious);
    back += bytesOf(*programs.gradients, names::fromNext);
  }
  int64_t row = options.batch * length * config.hiddenSize * 4;
  int64_t expected =
      (stages * (stages - 1) / 2 * (blocks / stages) + (stages - 1)) * row;
  EXPECT_EQ(forward, expected);
  EXPECT_EQ(back, expected);
}

TEST(Pipeline, TrafficIsThatOfTheFormula) {
  ModelConfig deep = smallModel(AttnResMode::Block, 8);
  deep.attnresBlockSize = 2;
  expectFormula(deep, smallOptions(), 4, 4);
}

TEST(Pipeline, MixturesComputedTogetherAreNotCut) {
  auto starts = [](const ModelConfig &config, int64_t stages) {
    return choosePipelineStarts(
        config, {trainingOptions({config, ""}, smallOptions(), true)}, stages);
  };
  EXPECT_EQ(starts(smallModel(AttnResMode::Block, 2), 3).status().message(),
            "the model can be cut into at most 2 stages, expected 3");
  std::string message =
      starts(smallModel(AttnResMode::Full), 8).status().message();
  EXPECT_NE(message.find("expected 8; where mixtures over depth are computed "
                         "together there is no cut, and --depth-schedule "
                         "naive computes each alone"),
            std::string::npos)
      << message;
}

} // namespace
