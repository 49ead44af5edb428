// Compiled models that read texts piece by piece, against the float64 reference
// on whole texts: every golden case, prompts of different lengths, both storage
// types, every instruction set. Memory is poisoned, and the bits may not depend
// on the number of threads.
#include "runtime/device/CpuDevice.h"
#include "runtime/generation/CachedModel.h"
#include "test/unit/HostIsa.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/Options.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <map>

using namespace attnres;
using namespace attnres::run;
using runtime::CachedModel;

namespace {

using Tokens = std::vector<int64_t>;

struct Case {
  const char *name;
  int64_t chunk;    ///< tokens of a prompt that are read at once
  int64_t capacity; ///< more than the texts have
  DepthSchedule schedule = DepthSchedule::TwoPhase;
  const char *isa = "host";
  bool bf16 = false;
};

void PrintTo(const Case &c, std::ostream *stream) { *stream << c.name; }

/// Of f32; and for bf16 twice the error that the naive schedule has on whole
/// texts, which is 7e-2 for the deep case `odd_sizes` and 3.4e-2 for `full`.
double toleranceOf(const Case &c) {
  // Of the K3 family whole texts are no closer, see GoldenTest.
  std::string name = c.name;
  if (!c.bf16)
    return name[0] == 'k' ? 5e-5 : 1e-5;
  return name == "odd_sizes" ? 1.4e-1 : 6.7e-2;
}

/// A golden model, its texts and the logits [B, T, V] of every token.
struct Golden {
  explicit Golden(const std::string &name)
      : directory(std::string(ATTNRES_GOLDEN_DIR) + "/" + name),
        model(unwrap(ModelFiles::open(directory))),
        batch(unwrap(BatchFile::open(directory + "/batch.safetensors",
                                     model.config.vocabSize))),
        expected(unwrap(runtime::SafetensorsFile::open(
            directory + "/expected.safetensors"))) {
    int64_t texts = batch.tokens->shape[0];
    length = batch.tokens->shape[1];
    const char *data = static_cast<const char *>(batch.tokens->data);
    for (int64_t b = 0; b < texts; ++b) {
      tokens.emplace_back(length);
      std::memcpy(tokens[b].data(), data + b * length * 8, length * 8);
    }
    logits.resize(texts * length * model.config.vocabSize);
    std::memcpy(logits.data(), expected.find("logits")->data,
                logits.size() * sizeof(double));
    for (double value : logits)
      largest = std::max(largest, std::abs(value));
  }

  /// The largest error of `actual` [V], behind the first `read` tokens of text
  /// `b`, relative to the largest logit.
  double error(int64_t b, int64_t read, const float *actual) const {
    const double *want =
        logits.data() + (b * length + read - 1) * model.config.vocabSize;
    double worst = 0;
    for (int64_t v = 0; v < model.config.vocabSize; ++v) {
      double difference = std::abs(actual[v] - want[v]) / largest;
      worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
    }
    return worst;
  }

  std::string directory;
  ModelFiles model;
  BatchFile batch;
  runtime::SafetensorsFile expected;
  int64_t length;
  std::vector<Tokens> tokens;
  std::vector<double> logits;
  double largest = 0;
};

class GenerationTest : public ::testing::TestWithParam<Case> {};

std::shared_ptr<const runtime::Program> compile(const Golden &golden,
                                                const Case &c, int64_t tokens) {
  CompileOptions options;
  options.batch = static_cast<int64_t>(golden.tokens.size());
  options.seqLen = tokens;
  options.capacity = c.capacity;
  options.bf16 = c.bf16;
  options.stages.schedule = c.schedule;
  options.stages.target = std::string("cpu:") + atMostHost(c.isa);
  return std::make_shared<const runtime::Program>(
      unwrap(compileModel(golden.model.config, options)));
}

TEST_P(GenerationTest, CA4LogitsAreThoseOfWholeTexts) {
  const Case &c = GetParam();
  Golden golden(c.name);
  auto texts = static_cast<int64_t>(golden.tokens.size());
  int64_t vocabulary = golden.model.config.vocabSize;
  double tolerance = toleranceOf(c);
  auto decode = compile(golden, c, 1), prefill = compile(golden, c, c.chunk);
  std::vector<float> first; // all logits with one thread
  for (int threads : {1, 2, 3}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    runtime::CpuOptions cpu;
    cpu.threads = threads;
    runtime::CpuDevice device(cpu);
    auto model = unwrap(CachedModel::create(
        device, prefill, decode, [&](const std::string &name) {
          return golden.model.parameters.find(name);
        }));
    model->poison = true;
    // Without a cache there is no limit.
    EXPECT_GE(model->capacity(), c.capacity);
    std::vector<float> logits(texts * vocabulary), all;

    // Prompts end at different tokens, and after a second one nothing is left
    // of the first.
    for (int64_t shortest : {golden.length - 1, int64_t(1)}) {
      std::vector<Tokens> prompts;
      for (int64_t b = 0; b < texts; ++b) {
        int64_t read = 1 + (shortest - 1 + b * 3) % golden.length;
        const Tokens &text = golden.tokens[b];
        prompts.emplace_back(text.begin(), text.begin() + read);
      }
      Status status = model->read(prompts, logits.data());
      ASSERT_TRUE(status.ok()) << status.message();
      all.insert(all.end(), logits.begin(), logits.end());
      Tokens read;
      for (int64_t b = 0; b < texts; ++b) {
        read.push_back(static_cast<int64_t>(prompts[b].size()));
        EXPECT_LE(golden.error(b, read[b], logits.data() + b * vocabulary),
                  tolerance)
            << "text " << b << " after a prompt of " << read[b];
      }

      // A text that is at its end reads no more.
      for (int64_t step = 0; step < golden.length; ++step) {
        Tokens tokens, positions;
        for (int64_t b = 0; b < texts; ++b) {
          bool isAtEnd = read[b] == golden.length;
          read[b] += isAtEnd ? 0 : 1;
          tokens.push_back(isAtEnd ? runtime::TextModel::noToken
                                   : golden.tokens[b][read[b] - 1]);
          positions.push_back(read[b] - 1);
        }
        status =
            model->readNext(tokens.data(), positions.data(), logits.data());
        ASSERT_TRUE(status.ok()) << status.message();
        all.insert(all.end(), logits.begin(), logits.end());
        for (int64_t b = 0; b < texts; ++b) {
          if (tokens[b] == runtime::TextModel::noToken)
            continue;
          EXPECT_LE(golden.error(b, read[b], logits.data() + b * vocabulary),
                    tolerance)
              << "text " << b << " at token " << read[b];
        }
      }
    }
    if (threads == 1)
      first = all;
    else
      EXPECT_TRUE(std::memcmp(first.data(), all.data(),
                              all.size() * sizeof(float)) == 0)
          << "the logits depend on the number of threads";
  }
}

std::vector<Case> allCases() {
  constexpr auto naive = DepthSchedule::Naive;
  constexpr auto twoPhase = DepthSchedule::TwoPhase;
  return {
      {"off", 4, 16},
      {"full", 3, 17},
      {"full", 5, 17, naive},
      {"full_no_final", 2, 16},
      {"block_auto", 64, 64},
      {"block_2", 7, 16, naive},
      {"block_remainder", 5, 19},
      {"block_one", 4, 16},
      {"static", 3, 100},
      {"gqa_tied", 5, 18},
      {"odd_sizes", 16, 75},
      {"qk_norm", 3, 16},
      {"odd_sizes", 1, 70, twoPhase, "generic"},
      {"odd_sizes", 33, 80, twoPhase, "avx2"},
      {"gqa_tied", 6, 16, naive, "generic"},
      {"full", 4, 16, naive, "host", true},
      {"gqa_tied", 3, 17, twoPhase, "host", true},
      {"odd_sizes", 33, 80, twoPhase, "avx2", true},
      {"static", 3, 16, twoPhase, "generic", true},
      {"kda", 4, 32},
      {"kda_bounded", 17, 64, naive},
      {"k3", 5, 40},
      {"k3", 1, 33, twoPhase, "generic"},
  };
}

INSTANTIATE_TEST_SUITE_P(Cases, GenerationTest, ::testing::ValuesIn(allCases()),
                         [](const ::testing::TestParamInfo<Case> &info) {
                           const Case &c = info.param;
                           return std::string(c.name) + "_" +
                                  std::to_string(c.chunk) + "_of_" +
                                  std::to_string(c.capacity) +
                                  (c.schedule == DepthSchedule::Naive
                                       ? "_naive_"
                                       : "_two_phase_") +
                                  c.isa + (c.bf16 ? "_bf16" : "");
                         });

/// Greedy generation takes, step by step, the most likely token of the whole
/// text so far.
TEST(Generation, GreedyIsTheArgmaxOfTheForwardPassRepeated) {
  Case c{"gqa_tied", 4, 24};
  Golden golden(c.name);
  auto texts = static_cast<int64_t>(golden.tokens.size());
  int64_t vocabulary = golden.model.config.vocabSize;
  runtime::CpuDevice device;
  auto model = unwrap(
      CachedModel::create(device, compile(golden, c, c.chunk),
                          compile(golden, c, 1), [&](const std::string &name) {
                            return golden.model.parameters.find(name);
                          }));
  std::vector<Tokens> prompts;
  for (int64_t b = 0; b < texts; ++b)
    prompts.emplace_back(golden.tokens[b].begin(),
                         golden.tokens[b].begin() + 5 + b);
  runtime::GenerationOptions options;
  options.maxNewTokens = 12;
  auto result = runtime::generate(*model, prompts, options);
  ASSERT_TRUE(result.ok()) << result.status().message();

  // The whole text in one call is a prompt of one chunk.
  Case whole{"gqa_tied", 24, 24};
  auto reader = unwrap(CachedModel::create(
      device, compile(golden, whole, whole.chunk), compile(golden, whole, 1),
      [&](const std::string &name) {
        return golden.model.parameters.find(name);
      }));
  std::vector<float> logits(texts * vocabulary);
  for (int64_t step = 0; step < options.maxNewTokens; ++step) {
    ASSERT_TRUE(reader->read(prompts, logits.data()).ok());
    for (int64_t b = 0; b < texts; ++b) {
      const float *row = logits.data() + b * vocabulary;
      int64_t best = std::max_element(row, row + vocabulary) - row;
      EXPECT_EQ((*result)[b].tokens[step], best) << "text " << b;
      prompts[b].push_back(best);
    }
  }
}

/// What a text becomes depends neither on its neighbours nor on the number of
/// threads.
TEST(Generation, SampledTextsDependOnTheirRowAlone) {
  Golden golden("odd_sizes");
  std::vector<std::vector<runtime::Continuation>> results;
  for (int64_t texts : {3, 2}) {
    Golden part("odd_sizes");
    part.tokens.resize(texts, golden.tokens[0]);
    Case c{"odd_sizes", 4, 40};
    runtime::CpuOptions cpu;
    cpu.threads = static_cast<int>(texts);
    runtime::CpuDevice device(cpu);
    auto model = unwrap(
        CachedModel::create(device, compile(part, c, c.chunk),
                            compile(part, c, 1), [&](const std::string &name) {
                              return golden.model.parameters.find(name);
                            }));
    std::vector<Tokens> prompts{{1, 2, 3, 4, 5, 6}, {7}, {1, 2}};
    prompts.resize(texts);
    runtime::GenerationOptions options;
    options.maxNewTokens = 30;
    options.sampling.temperature = 1.5;
    options.sampling.topK = 20;
    options.sampling.topP = 0.95;
    auto result = runtime::generate(*model, prompts, options);
    ASSERT_TRUE(result.ok()) << result.status().message();
    results.push_back(*result);
  }
  for (size_t b = 0; b < 2; ++b)
    EXPECT_EQ(results[0][b].tokens, results[1][b].tokens) << "text " << b;
  EXPECT_EQ(results[0][1].tokens.size(), 30u);
}

/// Borrowed parameters are read where they are, unless they have another type
/// or place than programs need. In those of bf16 some, like norms, stay f32.
TEST(Generation, ParametersAreBorrowed) {
  constexpr size_t alignment = runtime::Executable::alignment;
  for (bool bf16 : {false, true})
    for (size_t shift : {size_t(0), sizeof(float)}) {
      SCOPED_TRACE(testing::Message()
                   << "bf16 " << bf16 << ", shift " << shift);
      Case c{"gqa_tied", 4, 24, DepthSchedule::TwoPhase, "host", bf16};
      Golden golden(c.name);
      std::map<std::string, runtime::TensorView> views;
      std::vector<runtime::AlignedBuffer> buffers;
      for (const runtime::TensorView &tensor :
           golden.model.parameters.tensors()) {
        auto bytes = static_cast<size_t>(tensor.bytes);
        buffers.push_back(
            unwrap(runtime::AlignedBuffer::allocate(bytes + alignment)));
        runtime::TensorView view = tensor;
        view.data = buffers.back().data() + shift;
        std::memcpy(buffers.back().data() + shift, tensor.data, bytes);
        views[tensor.name] = view;
      }
      runtime::CpuDevice device;
      auto decode = compile(golden, c, 1);
      auto prefill = compile(golden, c, c.chunk);
      auto create = [&](runtime::ParameterMemory memory) {
        return unwrap(CachedModel::create(
            device, prefill, decode,
            [&](const std::string &name) { return &views.at(name); }, memory));
      };
      auto copied = create(runtime::ParameterMemory::Copied);
      auto borrowed = create(runtime::ParameterMemory::Borrowed);
      EXPECT_EQ(borrowed->parameterBytes(), copied->parameterBytes());
      auto logitsOf = [&](CachedModel &model) {
        std::vector<float> logits(golden.tokens.size() *
                                  golden.model.config.vocabSize);
        Status status = model.read(golden.tokens, logits.data());
        EXPECT_TRUE(status.ok()) << status.message();
        return logits;
      };
      std::vector<float> expected = logitsOf(*copied);
      EXPECT_EQ(logitsOf(*borrowed), expected);
      // Parameters change: who borrows them sees it.
      for (runtime::AlignedBuffer &buffer : buffers)
        std::memset(buffer.data(), 0, buffer.bytes());
      EXPECT_EQ(logitsOf(*copied), expected);
      EXPECT_EQ(logitsOf(*borrowed) != expected, shift == 0);
    }
}

TEST(Generation, ProgramsAndParametersThatDoNotFit) {
  Golden golden("off");
  Case c{"off", 4, 16}, longer{"off", 4, 20};
  runtime::CpuDevice device;
  auto find = [&](const std::string &name) {
    return golden.model.parameters.find(name);
  };
  auto message = [&](std::shared_ptr<const runtime::Program> prefill,
                     std::shared_ptr<const runtime::Program> decode,
                     const runtime::ParameterSource &parameters) {
    auto model = CachedModel::create(device, prefill, decode, parameters);
    return model.ok() ? "" : model.status().message();
  };
  auto decode = compile(golden, c, 1), prefill = compile(golden, c, 4);
  EXPECT_EQ(message(prefill, decode, find), "");
  EXPECT_EQ(message(decode, decode, find), "");
  EXPECT_EQ(message(prefill, prefill, find),
            "decode program: expected one token for each text, got 4");
  EXPECT_EQ(message(compile(golden, longer, 4), decode, find),
            "prefill program: input 'blocks.0.attn.k_cache' differs from that "
            "of the decode program");
  EXPECT_EQ(
      message(prefill, decode, [](const std::string &) { return nullptr; }),
      "parameter 'embedding.weight' is missing");
  runtime::TensorView wrong = *find("norm.weight");
  wrong.shape = {1};
  EXPECT_EQ(message(prefill, decode,
                    [&](const std::string &name) {
                      return name == "norm.weight" ? &wrong : find(name);
                    }),
            "parameter 'norm.weight' has another shape than in the program");

  // Whole texts are read by other programs.
  CompileOptions options;
  options.loss = false;
  auto forward = std::make_shared<const runtime::Program>(
      unwrap(compileModel(golden.model.config, options)));
  EXPECT_EQ(message(prefill, forward, find),
            "decode program: 'logits' has an unexpected type");
}

} // namespace
