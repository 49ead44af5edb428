// What programs keep of texts: a recurrent state and a cache, written by hand.
// The state is s = s/2 + x for each token that is real; the cache holds the x,
// of which the newest is added twice, from there and from the call. All numbers
// are multiples of small powers of two, so that every sum is exact, whatever
// its order.
#include "runtime/device/CpuDevice.h"
#include "runtime/generation/GrowingModel.h"
#include "tools/compile/Compiler.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace attnres;
using namespace attnres::runtime;

using Tokens = std::vector<int64_t>;
using ProgramRef = std::shared_ptr<const Program>;

constexpr int64_t kVocabulary = 7, kWidth = 5;

/// Replaces names in braces, such as {B}, by numbers.
std::string
withSizes(std::string text,
          const std::vector<std::pair<std::string, int64_t>> &sizes) {
  for (const auto &[name, size] : sizes)
    for (size_t at; (at = text.find("{" + name + "}")) != std::string::npos;)
      text.replace(at, name.size() + 2, std::to_string(size));
  return text;
}

/// The program that reads `tokens` tokens of each of `texts` texts, with a
/// cache of `capacity` positions or, if that is 0, without one.
ProgramRef compile(int64_t texts, int64_t tokens, int64_t capacity) {
  bool cached = capacity > 0;
  int64_t state = tokens > 1 ? 5 : 4; // its argument
  std::string text = R"(
#x = affine_map<(b, d, t) -> (b, t, d)>
#n = affine_map<(b, d, t) -> (b)>
#d = affine_map<(b, d, t) -> (b, d)>
func.func @main(%e: tensor<7x5xf32> {attnres.name = "embedding.weight", attnres.role = #attnres.role<parameter>},
                %tokens: tensor<{B}x{C}xi64> {attnres.name = "tokens", attnres.role = #attnres.role<input>},
                %start: tensor<{B}xi64> {attnres.name = "start", attnres.role = #attnres.role<input>},
                %length: tensor<{B}xi64> {attnres.name = "length", attnres.role = #attnres.role<input>},)";
  if (tokens > 1)
    text += R"(
                %last: tensor<{B}xi64> {attnres.name = "last", attnres.role = #attnres.role<input>},)";
  text += R"(
                %s: tensor<{B}x5xf32> {attnres.name = "sum", attnres.role = #attnres.role<state>})";
  if (cached)
    text += R"(,
                %c: tensor<{B}x{S}x1x5xf32> {attnres.name = "seen", attnres.role = #attnres.role<cache>})";
  text += R"()
    -> (tensor<{B}x7xf32> {attnres.name = "logits"},
        tensor<{B}x5xf32> {attnres.name = "sum", attnres.updates = {s} : i64})";
  if (cached)
    text += R"(,
        tensor<{B}x{S}x1x5xf32> {attnres.name = "seen", attnres.updates = {c} : i64})";
  text += R"() {
  %x = attnres.embedding %tokens, %e : tensor<{B}x{C}xi64>, tensor<7x5xf32>
  %new = linalg.generic {indexing_maps = [#x, #n, #d], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %length : tensor<{B}x{C}x5xf32>, tensor<{B}xi64>) outs(%s : tensor<{B}x5xf32>) {
  ^bb0(%v: f32, %n: i64, %old: f32):
    %half = arith.constant 5.0e-1 : f32
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i64
    %isReal = arith.cmpi slt, %i, %n : i64
    %fading = arith.mulf %old, %half : f32
    %sum = arith.addf %fading, %v : f32
    %kept = arith.select %isReal, %sum, %old : f32
    linalg.yield %kept : f32
  } -> tensor<{B}x5xf32>
)";
  if (cached)
    text += R"(
  %rows = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [{B}, {C}, 1, 5] : tensor<{B}x{C}x5xf32> into tensor<{B}x{C}x1x5xf32>
  %cache = attnres.cache_write %c, %rows at(%start) length(%length) : tensor<{B}x{S}x1x5xf32>, tensor<{B}x{C}x1x5xf32>, tensor<{B}xi64>, tensor<{B}xi64>
  %zero = arith.constant dense<0> : tensor<{B}xi64>
  %new_x = attnres.select_token %x at({last}) : tensor<{B}x{C}x5xf32>, tensor<{B}xi64>
  %at = arith.addi %start, {last} : tensor<{B}xi64>
  %new_row = attnres.select_token %cache at(%at) : tensor<{B}x{S}x1x5xf32>, tensor<{B}xi64>
  %flat_x = tensor.collapse_shape %new_x [[0], [1, 2]] : tensor<{B}x1x5xf32> into tensor<{B}x5xf32>
  %flat_row = tensor.collapse_shape %new_row [[0], [1, 2, 3]] : tensor<{B}x1x1x5xf32> into tensor<{B}x5xf32>
  %both = arith.addf %flat_x, %flat_row : tensor<{B}x5xf32>
  %y = arith.addf %new, %both : tensor<{B}x5xf32>
  %logits = attnres.linear %y, %e : tensor<{B}x5xf32>, tensor<7x5xf32>
  return %logits, %new, %cache : tensor<{B}x7xf32>, tensor<{B}x5xf32>, tensor<{B}x{S}x1x5xf32>
})";
  else
    text += R"(
  %logits = attnres.linear %new, %e : tensor<{B}x5xf32>, tensor<7x5xf32>
  return %logits, %new : tensor<{B}x7xf32>, tensor<{B}x5xf32>
})";
  std::string last = tokens > 1 ? "%last" : "%zero";
  for (size_t at; (at = text.find("{last}")) != std::string::npos;)
    text.replace(at, 6, last);
  CompileOptions options;
  Result<Program> program = compileText(withSizes(text, {{"B", texts},
                                                         {"C", tokens},
                                                         {"S", capacity},
                                                         {"s", state},
                                                         {"c", state + 1}}),
                                        options);
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? std::make_shared<const Program>(*std::move(program))
                      : nullptr;
}

/// Whether there is a cache.
class RecurrentModelTest : public ::testing::TestWithParam<bool> {
protected:
  RecurrentModelTest() : device(CpuOptions()) {
    std::mt19937 random(3);
    for (float &x : embedding)
      x = static_cast<float>(static_cast<int>(random() % 9) - 4);
    view = {"embedding.weight",
            DType::F32,
            {kVocabulary, kWidth},
            embedding.data(),
            kVocabulary * kWidth * 4};
  }

  std::unique_ptr<CachedModel> create(int64_t texts, int64_t chunk,
                                      int64_t capacity) {
    if (!GetParam())
      capacity = 0;
    auto model = CachedModel::create(
        device, compile(texts, chunk, capacity), compile(texts, 1, capacity),
        [&](const std::string &) { return &view; });
    EXPECT_TRUE(model.ok()) << model.status().message();
    if (!model.ok())
      return nullptr;
    (*model)->poison = true;
    return *std::move(model);
  }

  std::vector<float> logitsOf(const Tokens &text) const {
    std::vector<double> y(kWidth), logits(kVocabulary);
    for (int64_t token : text)
      for (int64_t d = 0; d < kWidth; ++d)
        y[d] = y[d] / 2 + embedding[token * kWidth + d];
    for (int64_t d = 0; d < kWidth && GetParam(); ++d)
      y[d] += 2 * embedding[text.back() * kWidth + d];
    std::vector<float> result;
    for (int64_t v = 0; v < kVocabulary; ++v) {
      double sum = 0;
      for (int64_t d = 0; d < kWidth; ++d)
        sum += y[d] * embedding[v * kWidth + d];
      result.push_back(static_cast<float>(sum));
    }
    return result;
  }

  void expectLogits(const std::vector<float> &logits, int64_t b,
                    const Tokens &text) const {
    std::vector<float> row(logits.begin() + b * kVocabulary,
                           logits.begin() + (b + 1) * kVocabulary);
    EXPECT_EQ(row, logitsOf(text)) << "text " << b << " of " << text.size();
  }

  static Tokens randomText(size_t length, std::mt19937 &random) {
    Tokens text;
    while (text.size() < length)
      text.push_back(static_cast<int64_t>(random() % kVocabulary));
    return text;
  }

  CpuDevice device;
  std::vector<float> embedding = std::vector<float>(kVocabulary * kWidth);
  TensorView view;
};

/// Texts of different lengths, prompts cut everywhere, some texts waiting while
/// others go on: nothing is read twice, and nothing that is no token.
TEST_P(RecurrentModelTest, CA5AnyCuttingHasTheSameBits) {
  constexpr int64_t texts = 3, capacity = 12;
  std::mt19937 random(7);
  for (int64_t chunk : {1, 2, 3, 5, 12}) {
    std::unique_ptr<CachedModel> model = create(texts, chunk, capacity);
    ASSERT_TRUE(model);
    std::vector<float> logits(texts * kVocabulary);
    for (int round = 0; round < 4; ++round) {
      SCOPED_TRACE(testing::Message() << "chunk " << chunk << " " << round);
      std::vector<Tokens> prompts;
      for (int64_t b = 0; b < texts; ++b)
        prompts.push_back(randomText(1 + random() % capacity, random));
      Status status = model->read(prompts, logits.data());
      ASSERT_TRUE(status.ok()) << status.message();
      for (int64_t b = 0; b < texts; ++b)
        expectLogits(logits, b, prompts[b]);
      for (int step = 0; step < 12; ++step) {
        Tokens tokens, positions;
        for (Tokens &text : prompts) {
          positions.push_back(static_cast<int64_t>(text.size()));
          bool waits = text.size() == capacity || random() % 3 == 0;
          tokens.push_back(waits ? TextModel::noToken : random() % kVocabulary);
          if (!waits)
            text.push_back(tokens.back());
        }
        std::vector<float> before = logits;
        status =
            model->readNext(tokens.data(), positions.data(), logits.data());
        ASSERT_TRUE(status.ok()) << status.message();
        for (int64_t b = 0; b < texts; ++b)
          expectLogits(tokens[b] == TextModel::noToken ? before : logits, b,
                       prompts[b]);
      }
    }
  }
}

/// In larger caches everything goes on, recurrent states as they are.
TEST_P(RecurrentModelTest, GoesOnInLargerCaches) {
  constexpr int64_t texts = 2;
  GrowingModel model(create(texts, 3, 4), 40,
                     [&](int64_t capacity) -> Result<ProgramRef> {
                       return compile(texts, 1, GetParam() ? capacity : 0);
                     });
  std::vector<Tokens> prompts{{1, 2, 3}, {4}};
  std::vector<float> logits(texts * kVocabulary);
  ASSERT_TRUE(model.read(prompts, logits.data()).ok());
  for (int64_t step = 0; step < 15; ++step) {
    Tokens tokens, positions;
    for (Tokens &text : prompts) {
      positions.push_back(static_cast<int64_t>(text.size()));
      tokens.push_back((step * 3 + positions.back()) % kVocabulary);
      text.push_back(tokens.back());
    }
    Status status =
        model.readNext(tokens.data(), positions.data(), logits.data());
    ASSERT_TRUE(status.ok()) << status.message();
    for (int64_t b = 0; b < texts; ++b)
      expectLogits(logits, b, prompts[b]);
  }
}

TEST_P(RecurrentModelTest, CA5NothingIsTakenBack) {
  std::unique_ptr<CachedModel> model = create(1, 2, 8);
  std::vector<float> logits(kVocabulary);
  ASSERT_TRUE(model->read({{1, 2, 3}}, logits.data()).ok());
  int64_t token = 1, position = 2;
  EXPECT_EQ(model->readNext(&token, &position, logits.data()).message(),
            "expected position 3, got 2: what was read cannot be taken back");
  position = 4;
  EXPECT_FALSE(model->readNext(&token, &position, logits.data()).ok());
}

INSTANTIATE_TEST_SUITE_P(Kinds, RecurrentModelTest, ::testing::Bool(),
                         [](const ::testing::TestParamInfo<bool> &info) {
                           return info.param ? "with_cache" : "alone";
                         });

} // namespace
