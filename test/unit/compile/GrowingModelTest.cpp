// Caches that grow while texts are continued hold what larger ones would have
// held from the beginning.
#include "runtime/generation/GrowingModel.h"
#include "models/Parameters.h"
#include "runtime/device/CpuDevice.h"
#include "tools/compile/Compiler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace {

using namespace attnres;
using namespace attnres::runtime;

using ProgramRef = std::shared_ptr<const Program>;

class GrowingModelTest : public ::testing::TestWithParam<bool> {
protected:
  GrowingModelTest() : device(CpuOptions()) {
    config.vocabSize = 11;
    config.hiddenSize = 8;
    config.numHiddenLayers = 2;
    config.numAttentionHeads = 2;
    config.numKeyValueHeads = 1;
    config.headDim = 4;
    config.intermediateSize = 12;
    for (const Parameter &parameter : parameterShapes(config)) {
      std::vector<float> &data = values[parameter.name];
      data.resize(static_cast<size_t>(parameter.numElements()));
      initializeParameter(config, parameter, /*seed=*/3, data.data());
      views[parameter.name] = {parameter.name, DType::F32, parameter.shape,
                               data.data(),
                               static_cast<int64_t>(data.size() * 4)};
    }
  }

  ProgramRef compile(int64_t tokens, int64_t capacity) {
    CompileOptions options;
    options.batch = 2;
    options.seqLen = tokens;
    options.capacity = capacity;
    options.bf16 = GetParam();
    Result<Program> program = compileModel(config, options);
    EXPECT_TRUE(program.ok()) << program.status().message();
    return program.ok() ? std::make_shared<const Program>(*std::move(program))
                        : nullptr;
  }

  std::unique_ptr<CachedModel> create(int64_t capacity) {
    auto model = CachedModel::create(
        device, compile(4, capacity), compile(1, capacity),
        [&](const std::string &name) { return &views.at(name); });
    EXPECT_TRUE(model.ok()) << model.status().message();
    return model.ok() ? *std::move(model) : nullptr;
  }

  ModelConfig config;
  CpuDevice device;
  std::map<std::string, std::vector<float>> values;
  std::map<std::string, TensorView> views;
};

TEST_P(GrowingModelTest, TheSameLogits) {
  constexpr int64_t most = 40;
  std::unique_ptr<CachedModel> whole = create(most);
  std::vector<int64_t> sizes;
  GrowingModel growing(create(8), most,
                       [&](int64_t capacity) -> Result<ProgramRef> {
                         sizes.push_back(capacity);
                         return compile(1, capacity);
                       });
  EXPECT_EQ(growing.capacity(), most);
  EXPECT_EQ(growing.batch(), 2);

  auto count = static_cast<size_t>(2 * config.vocabSize);
  std::vector<float> expected(count), logits(count);
  auto expectSame = [&](const Status &status) {
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(std::memcmp(logits.data(), expected.data(), count * 4), 0);
  };
  std::vector<std::vector<int64_t>> prompts = {{1, 2, 3}, {4, 5, 6, 7, 8, 9}};
  ASSERT_TRUE(whole->read(prompts, expected.data()).ok());
  expectSame(growing.read(prompts, logits.data()));
  // One text ends up at the last position, the other one before it.
  for (int64_t at = 0; at < most - 6; ++at) {
    int64_t tokens[] = {at % 11, (at + 5) % 11}, positions[] = {3 + at, 6 + at};
    ASSERT_TRUE(whole->readNext(tokens, positions, expected.data()).ok());
    expectSame(growing.readNext(tokens, positions, logits.data()));
  }
  EXPECT_EQ(sizes, (std::vector<int64_t>{32, 40}));
  EXPECT_EQ(growing.currentCapacity(), most);

  // A text from the beginning, in the caches that it has now.
  ASSERT_TRUE(whole->read(prompts, expected.data()).ok());
  ASSERT_TRUE(growing.read(prompts, logits.data()).ok());
  for (size_t i = 0; i < count; ++i)
    EXPECT_NEAR(logits[i], expected[i], GetParam() ? 0.05 : 1e-5);

  // What is more than the most is the caller's mistake.
  int64_t tokens[] = {1, 1}, positions[] = {most, 0};
  EXPECT_FALSE(growing.readNext(tokens, positions, logits.data()).ok());
}

TEST_P(GrowingModelTest, LongPromptsAtOnce) {
  std::vector<int64_t> sizes;
  GrowingModel growing(create(8), 1000,
                       [&](int64_t capacity) -> Result<ProgramRef> {
                         sizes.push_back(capacity);
                         return compile(1, capacity);
                       });
  std::vector<float> logits(static_cast<size_t>(2 * config.vocabSize));
  std::vector<int64_t> prompt(50, 3);
  Status status = growing.read({prompt, prompt}, logits.data());
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(sizes, (std::vector<int64_t>{128}));
}

TEST_P(GrowingModelTest, ErrorsOfThePrograms) {
  GrowingModel growing(
      create(8), 1000, [&](int64_t capacity) -> Result<ProgramRef> {
        return unsupported("no room for ", capacity, " positions");
      });
  std::vector<float> logits(static_cast<size_t>(2 * config.vocabSize));
  std::vector<int64_t> prompt(9, 3);
  EXPECT_EQ(growing.read({prompt, prompt}, logits.data()).message(),
            "no room for 32 positions");
}

INSTANTIATE_TEST_SUITE_P(Types, GrowingModelTest, ::testing::Bool(),
                         [](const ::testing::TestParamInfo<bool> &info) {
                           return info.param ? "bf16" : "f32";
                         });

} // namespace
