// A model that reads texts piece by piece means what it means on whole texts:
// in the float64 interpreter, for every residual mode and any cutting.
#include "models/ModelBuilder.h"
#include "models/Parameters.h"
#include "passes/Pipelines.h"
#include "test/unit/RandomProgram.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::testing;

namespace {

constexpr int64_t kBatch = 3, kCapacity = 12;

ModelConfig smallConfig(AttnResMode mode) {
  ModelConfig config;
  config.vocabSize = 7;
  config.hiddenSize = 8;
  config.numHiddenLayers = 3;
  config.numAttentionHeads = 4;
  config.numKeyValueHeads = 2;
  config.headDim = 4;
  config.intermediateSize = 12;
  config.attnres = mode;
  if (mode == AttnResMode::Block)
    config.attnresBlockSize = 2;
  return config;
}

OwningOpRef<ModuleOp> unwrap(Result<OwningOpRef<ModuleOp>> module) {
  EXPECT_TRUE(module.ok()) << module.status().message();
  return module.ok() ? std::move(*module) : nullptr;
}

/// Logits [B, T, V] of whole texts.
class WholeModel {
public:
  WholeModel(const ModelConfig &config, int64_t tokens) {
    ModelOptions options;
    options.batch = kBatch;
    options.seqLen = tokens;
    options.loss = false;
    module = unwrap(buildModel(testContext(), config, options));
  }
  Tensor logits(ArrayRef<Tensor> parameters, const Tensor &tokens) {
    SmallVector<Tensor> inputs(parameters);
    inputs.push_back(tokens);
    return evaluate(*module, inputs)[0];
  }

  OwningOpRef<ModuleOp> module;
};

/// Reads `size` tokens at a time.
class PieceModel {
public:
  PieceModel(const ModelConfig &config, int64_t size, bool expand)
      : size(size) {
    CachedModelOptions options;
    options.batch = kBatch;
    options.tokens = size;
    options.capacity = kCapacity;
    module = unwrap(buildCachedModel(testContext(), config, options));
    if (!expand)
      return;
    PassManager passes(&testContext());
    StageOptions stages;
    addStage(passes, Stage::Naive, stages);
    addStage(passes, Stage::Scheduled, stages);
    EXPECT_TRUE(succeeded(passes.run(*module)));
  }

  /// Logits [B, V] behind the last token of each text's piece; updates
  /// `caches`.
  Tensor read(ArrayRef<Tensor> parameters, const std::vector<int64_t> &tokens,
              const std::vector<int64_t> &start,
              const std::vector<int64_t> &length, SmallVector<Tensor> &caches) {
    SmallVector<Tensor> inputs(parameters);
    inputs.push_back(Tensor::ofIntegers({kBatch, size}, tokens));
    inputs.push_back(Tensor::ofIntegers({kBatch}, start));
    inputs.push_back(Tensor::ofIntegers({kBatch}, length));
    std::vector<int64_t> last;
    for (int64_t count : length)
      last.push_back(std::max<int64_t>(count - 1, 0));
    if (size > 1)
      inputs.push_back(Tensor::ofIntegers({kBatch}, last));
    inputs.append(caches);
    SmallVector<Tensor> results = evaluate(*module, inputs);
    caches.assign(results.begin() + 1, results.end());
    return results[0];
  }

  int64_t size;
  OwningOpRef<ModuleOp> module;
};

struct Case {
  AttnResMode mode;
  bool expand;
};

class CachedModelMeaning : public ::testing::TestWithParam<Case> {};

/// Whether rows [begin, end) of text `b` are the only ones that changed.
bool changedOnly(const Tensor &before, const Tensor &after, int64_t b,
                 int64_t begin, int64_t end) {
  int64_t width = after.size() / (kBatch * kCapacity);
  for (int64_t row = 0; row < kCapacity; ++row) {
    int64_t at = (b * kCapacity + row) * width;
    if ((row < begin || row >= end) &&
        std::memcmp(&before.reals[at], &after.reals[at],
                    width * sizeof(double)) != 0)
      return false;
  }
  return true;
}

/// CA-5 for the rows of caches, SE-3 where the selections are hoisted
/// (Case::expand).
TEST_P(CachedModelMeaning, CA4AnyCuttingHasTheSameLogits) {
  ModelConfig config = smallConfig(GetParam().mode);
  constexpr int64_t length = 11;
  WholeModel whole(config, length);
  ASSERT_TRUE(whole.module);
  std::mt19937_64 random(5);
  auto main = whole.module->lookupSymbol<func::FuncOp>("main");
  SmallVector<Tensor> parameters = randomInputs(main, random);
  parameters.pop_back(); // tokens
  std::vector<int64_t> text;
  for (int64_t i = 0; i < kBatch * length; ++i)
    text.push_back(random() % config.vocabSize);
  Tensor expected =
      whole.logits(parameters, Tensor::ofIntegers({kBatch, length}, text));

  std::map<int64_t, PieceModel> models;
  for (int64_t size : {1, 2, 5})
    models.try_emplace(size, config, size, GetParam().expand);
  for (int round = 0; round < 3; ++round) {
    // What nothing has written yet is never used.
    SmallVector<Tensor> caches(
        2 * config.numHiddenLayers,
        Tensor::ofReals(
            {kBatch, kCapacity, config.numKeyValueHeads, config.headDim}, NAN));
    std::vector<int64_t> done(kBatch, 0);
    while (*std::min_element(done.begin(), done.end()) < length) {
      int64_t sizes[] = {1, 2, 5};
      PieceModel &model = models.at(sizes[random() % 3]);
      // Each text goes on by up to `size` tokens, padded with token 0, or
      // waits.
      std::vector<int64_t> tokens, start, count;
      for (int64_t b = 0; b < kBatch; ++b) {
        int64_t most = std::min(model.size, length - done[b]);
        bool hasRoom = done[b] + model.size <= kCapacity;
        count.push_back(hasRoom ? random() % (most + 1) : 0);
        for (int64_t t = 0; t < model.size; ++t)
          tokens.push_back(t < count[b] ? text[b * length + done[b] + t] : 0);
        start.push_back(count[b] > 0 ? done[b] : 0);
      }
      SmallVector<Tensor> before = caches;
      Tensor logits = model.read(parameters, tokens, start, count, caches);
      ASSERT_EQ(logits.shape, (SmallVector<int64_t>{kBatch, config.vocabSize}));
      for (int64_t b = 0; b < kBatch; ++b) {
        done[b] += count[b];
        for (auto [old, cache] : llvm::zip_equal(before, caches))
          ASSERT_TRUE(
              changedOnly(old, cache, b, start[b], start[b] + count[b]));
        for (int64_t v = 0; v < config.vocabSize && count[b] > 0; ++v)
          ASSERT_NEAR(
              logits.reals[b * config.vocabSize + v],
              expected.reals[(b * length + done[b] - 1) * config.vocabSize + v],
              1e-9)
              << "text " << b << " behind token " << done[b];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, CachedModelMeaning,
                         ::testing::Values(Case{AttnResMode::Off, false},
                                           Case{AttnResMode::Off, true},
                                           Case{AttnResMode::Full, false},
                                           Case{AttnResMode::Full, true},
                                           Case{AttnResMode::Block, false},
                                           Case{AttnResMode::Block, true},
                                           Case{AttnResMode::Static, false},
                                           Case{AttnResMode::Static, true}),
                         [](const ::testing::TestParamInfo<Case> &info) {
                           return std::string(toString(info.param.mode)) +
                                  (info.param.expand ? "_scheduled" : "_model");
                         });

TEST(CachedModel, ImpossibleSizes) {
  auto message = [](int64_t batch, int64_t tokens, int64_t capacity) {
    CachedModelOptions options;
    options.batch = batch;
    options.tokens = tokens;
    options.capacity = capacity;
    auto module =
        buildCachedModel(testContext(), smallConfig(AttnResMode::Off), options);
    return module.ok() ? "" : module.status().message();
  };
  EXPECT_EQ(message(1, 4, 4), "");
  EXPECT_EQ(message(0, 1, 4), "expected a batch size of at least 1, got 0");
  EXPECT_EQ(message(1, 0, 4), "expected at least 1 token, got 0");
  EXPECT_EQ(message(1, 5, 4), "expected a capacity of at least the 5 tokens of "
                              "a call, got 4");
}

} // namespace
