// Whole models on the emulator of GPUs, which checks every access: golden cases
// within the tolerances of processors, training steps like those of a
// processor, the same bits from run to run and for any order of blocks.
//
// Here are a few of them; ATTNRES_EMULATOR=all, as in tools/check.sh
// --emulator, takes all golden cases in all schedules.
#include "models/Parameters.h"
#include "runtime/data/Dataset.h"
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/device/EmulatedDevice.h"
#include "runtime/training/Trainer.h"
#include "test/end_to_end/GoldenCases.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Options.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace attnres;
using namespace attnres::run;

namespace {

bool takesAll() {
  const char *part = std::getenv("ATTNRES_EMULATOR");
  return part && std::string_view(part) == "all";
}

/// `shuffle` draws the order of blocks and warps; 0: in order.
std::unique_ptr<runtime::Device> emulator(uint64_t shuffle) {
  emulator::DeviceOptions options;
  options.shuffleSeed = shuffle;
  return std::make_unique<runtime::EmulatedDevice>(options);
}

//===----------------------------------------------------------------------===//
// Golden cases
//===----------------------------------------------------------------------===//

struct Case {
  const char *name;
  DepthSchedule schedule;
};

void PrintTo(const Case &c, std::ostream *stream) { *stream << c.name; }

class EmulatedGolden : public ::testing::TestWithParam<Case> {};

TEST_P(EmulatedGolden, ForwardAndGradients) {
  GoldenCase golden(GetParam().name);
  CompileOptions options;
  options.batch = golden.batch.tokens->shape[0];
  options.seqLen = golden.batch.tokens->shape[1];
  options.stages.target = "sm_80";
  options.stages.schedule = GetParam().schedule;
  options.stages.recordWeights = true;
  options.stages.gradients = true;
  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileModel(golden.model.config, options)));
  for (uint64_t shuffle : {0, 7}) {
    SCOPED_TRACE(concat("order ", shuffle));
    std::unique_ptr<runtime::Device> device = emulator(shuffle);
    auto bound = unwrap(runtime::BoundProgram::create(*device, program));
    check(bound.uploadInputs({&golden.model.parameters, &golden.batch.file}));
    // The first run finds what nothing has written, the second what is read
    // all the same.
    runtime::Executable::RunOptions run;
    run.poison = shuffle != 0;
    check(bound.executable().run(run));
    auto outputs = unwrap(bound.outputs());
    golden.expectOutputs(outputs.tensors, "the order of blocks");
  }
}

std::vector<Case> cases() {
  if (!takesAll())
    return {{"block_2", DepthSchedule::TwoPhase},
            {"gqa_tied", DepthSchedule::Naive}};
  std::vector<Case> all;
  for (const char *name : kGoldenCases)
    for (auto schedule : {DepthSchedule::Naive, DepthSchedule::TwoPhase})
      all.push_back({name, schedule});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Cases, EmulatedGolden, ::testing::ValuesIn(cases()),
                         [](const ::testing::TestParamInfo<Case> &info) {
                           return std::string(info.param.name) +
                                  (info.param.schedule == DepthSchedule::Naive
                                       ? "_naive"
                                       : "_two_phase");
                         });

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Losses and gradient norms of some steps, and the parameters behind them.
struct Training {
  std::vector<runtime::StepResult> steps;
  std::vector<float> parameters;
};

Training train(const ModelConfig &config, runtime::Device &device,
               const std::string &target, int64_t steps) {
  CompileOptions options;
  options.batch = 2;
  options.seqLen = 13;
  options.stages.target = target;
  TrainingCompilation compiled =
      unwrap(compileTraining({config, ""}, options, /*inParts=*/false));
  runtime::TrainingPrograms programs;
  programs.gradients =
      std::make_shared<const runtime::Program>(std::move(compiled.gradients));
  auto trainer = unwrap(runtime::Trainer::create(device, programs));
  std::map<std::string, Parameter> declared;
  for (Parameter &parameter : parameterShapes(config))
    declared.emplace(parameter.name, parameter);
  auto mapped = unwrap(runtime::mapTensors(device, trainer->parameters(),
                                           runtime::Access::Write));
  for (size_t i = 0; i < mapped.tensors.size(); ++i)
    initializeParameter(config, declared.at(mapped.tensors[i].name), /*seed=*/1,
                        mapped.mappings[i].as<float>());
  check(mapped.unmap());
  std::vector<int64_t> tokens, targets;
  for (int64_t i = 0; i < options.batch * options.seqLen; ++i) {
    tokens.push_back((i * i + 3) % 31);
    targets.push_back(i % 5 == 0 ? runtime::ignoredTarget : (i * 7 + 5) % 31);
  }
  Training result;
  for (int64_t step = 1; step <= steps; ++step)
    result.steps.push_back(unwrap(
        trainer->step(step, 3e-3, /*parts=*/1, tokens.data(), targets.data())));
  for (const runtime::DeviceTensor &tensor : trainer->parameters()) {
    std::vector<float> values(static_cast<size_t>(tensor.memory.bytes) /
                              sizeof(float));
    check(device.download(values.data(), tensor.memory));
    result.parameters.insert(result.parameters.end(), values.begin(),
                             values.end());
  }
  return result;
}

/// A few steps of a tiny model are those of a processor, and the same bits in
/// any order.
TEST(Emulated, TrainingSteps) {
  ModelConfig config; // width 32, 4 decoder blocks, vocabulary 32
  config.attnres = AttnResMode::Block;
  config.attnresBlockSize = 2;
  int64_t steps = takesAll() ? 5 : 2;
  runtime::CpuDevice cpu({});
  Training expected = train(config, cpu, "cpu", steps);
  std::unique_ptr<runtime::Device> ordered = emulator(0);
  Training actual = train(config, *ordered, "sm_80", steps);
  for (int64_t step = 0; step < steps; ++step) {
    EXPECT_NEAR(actual.steps[step].loss, expected.steps[step].loss, 1e-5);
    EXPECT_NEAR(actual.steps[step].gradientNorm,
                expected.steps[step].gradientNorm,
                1e-4 * expected.steps[step].gradientNorm);
  }
  std::unique_ptr<runtime::Device> shuffled = emulator(3);
  Training again = train(config, *shuffled, "sm_80", steps);
  ASSERT_EQ(again.parameters.size(), actual.parameters.size());
  EXPECT_EQ(std::memcmp(again.parameters.data(), actual.parameters.data(),
                        again.parameters.size() * sizeof(float)),
            0);
}

} // namespace
