// Whole models against the float64 reference: every golden case whose layers
// the compiler knows, every schedule, every form of attention, forward and
// gradients. Memory is poisoned before each run, and the bits may not depend on
// the number of threads.
#include "support/machine/Isa.h"
#include "tools/run/BoundProgram.h"
#include "tools/run/Options.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <map>

using namespace attnres;
using namespace attnres::run;

namespace {

/// Largest error, relative to the largest magnitude of the expected tensor. Two
/// cases are so conditioned that a change of every weight by one unit in the
/// last place moves some gradients by 2.6e-5: no f32 computation can be held to
/// less there, and without fused multiply-adds, where every product is
/// rounded before it is added, not to that.
double toleranceOf(const std::string &model, const std::string &tensor) {
  bool isGradient = tensor.rfind("grad.", 0) == 0;
  if (!isGradient || (model != "full" && model != "odd_sizes"))
    return 1e-5;
  bool isFused = machine::hostIsa().isa.level > machine::IsaLevel::Generic;
  return isFused ? 3e-5 : 5e-5;
}

struct Case {
  const char *name;
  DepthSchedule schedule;
  AttentionForm attention;
};

void PrintTo(const Case &c, std::ostream *stream) { *stream << c.name; }

class GoldenTest : public ::testing::TestWithParam<Case> {
protected:
  std::string directory() const {
    return std::string(ATTNRES_GOLDEN_DIR) + "/" + GetParam().name;
  }
};

/// One tensor against its float64 expectation.
void expectClose(const runtime::TensorView &actual,
                 const runtime::TensorView *expected, double tolerance) {
  ASSERT_TRUE(expected) << actual.name << " is not expected";
  ASSERT_EQ(actual.shape, expected->shape) << actual.name;
  ASSERT_EQ(actual.dtype, runtime::DType::F32) << actual.name;
  const auto *values = static_cast<const float *>(actual.data);
  const char *wanted = static_cast<const char *>(expected->data);
  double largest = 0, error = 0;
  for (int64_t i = 0; i < actual.bytes / 4; ++i) {
    double want;
    std::memcpy(&want, wanted + i * sizeof want, sizeof want);
    largest = std::max(largest, std::abs(want));
    double difference = std::abs(values[i] - want);
    error = std::isnan(difference) ? INFINITY : std::max(error, difference);
  }
  EXPECT_LE(error, tolerance * largest) << actual.name;
}

TEST_P(GoldenTest, ForwardAndGradients) {
  ModelFiles model = unwrap(ModelFiles::open(directory()));
  BatchFile batch = unwrap(BatchFile::open(directory() + "/batch.safetensors",
                                           model.config.vocabSize));
  runtime::SafetensorsFile expected = unwrap(
      runtime::SafetensorsFile::open(directory() + "/expected.safetensors"));
  CompileOptions options;
  options.batch = batch.tokens->shape[0];
  options.seqLen = batch.tokens->shape[1];
  options.stages.schedule = GetParam().schedule;
  options.stages.attention = GetParam().attention;
  options.stages.recordWeights = true;
  options.stages.gradients = true;
  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileModel(model.config, options)));

  std::map<std::string, std::string> bits; // of the run with one thread
  for (int threads : {1, 2, 3}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    runtime::CpuOptions cpu;
    cpu.threads = threads;
    runtime::CpuDevice device(cpu);
    BoundProgram bound = unwrap(BoundProgram::create(
        device, program, {&model.parameters, &batch.file}));
    check(bound.run(/*poison=*/true));
    ASSERT_EQ(bound.outputs().size(), expected.tensors().size());
    for (const runtime::TensorView &output : bound.outputs()) {
      std::string bytes(static_cast<const char *>(output.data),
                        static_cast<size_t>(output.bytes));
      if (threads == 1) {
        bits[output.name] = bytes;
        expectClose(output, expected.find(output.name),
                    toleranceOf(GetParam().name, output.name));
      } else {
        EXPECT_TRUE(bits.at(output.name) == bytes)
            << output.name << " depends on the number of threads";
      }
    }
  }
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const char *name :
       {"off", "full", "full_no_final", "block_auto", "block_2",
        "block_remainder", "block_one", "static", "gqa_tied", "odd_sizes"})
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
