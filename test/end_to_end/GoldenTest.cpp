// Whole models against the float64 reference: every golden case whose layers
// the compiler knows, every schedule, every form of attention, forward and
// gradients. Memory is poisoned before each run, and the bits may not depend on
// the number of threads.
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "test/end_to_end/GoldenCases.h"
#include "tools/run/Options.h"

#include "gtest/gtest.h"

using namespace attnres;
using namespace attnres::run;

namespace {

struct Case {
  const char *name;
  DepthSchedule schedule;
  AttentionForm attention;
};

void PrintTo(const Case &c, std::ostream *stream) { *stream << c.name; }

class GoldenTest : public ::testing::TestWithParam<Case> {};

/// ST-2 to ST-7 in every schedule, SA-6 in both forms of attention, the names
/// of CF-9, and G-8 for one to three threads.
TEST_P(GoldenTest, ForwardAndGradients) {
  GoldenCase golden(GetParam().name);
  CompileOptions options;
  options.batch = golden.batch.tokens->shape[0];
  options.seqLen = golden.batch.tokens->shape[1];
  options.stages.schedule = GetParam().schedule;
  options.stages.attention = GetParam().attention;
  options.stages.recordWeights = true;
  options.stages.gradients = true;
  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileModel(golden.model.config, options)));

  for (int threads : {1, 2, 3}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    runtime::CpuOptions cpu;
    cpu.threads = threads;
    runtime::CpuDevice device(cpu);
    auto bound = unwrap(runtime::BoundProgram::create(device, program));
    check(bound.uploadInputs({&golden.model.parameters, &golden.batch.file}));
    runtime::Executable::RunOptions run;
    run.poison = true;
    check(bound.executable().run(run));
    auto outputs = unwrap(bound.outputs());
    golden.expectOutputs(outputs.tensors, "the number of threads");
  }
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const char *name : kGoldenCases)
    for (auto schedule : {DepthSchedule::Naive, DepthSchedule::TwoPhase})
      for (auto attention : {AttentionForm::Naive, AttentionForm::Flash})
        cases.push_back({name, schedule, attention});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GoldenTest, ::testing::ValuesIn(allCases()),
    [](const ::testing::TestParamInfo<Case> &info) {
      const Case &c = info.param;
      return std::string(c.name) +
             (c.schedule == DepthSchedule::Naive ? "_naive" : "_two_phase") +
             (c.attention == AttentionForm::Naive ? "_scores" : "_flash");
    });

} // namespace
