// Tokens per second of reading a prompt and of decoding, one text, random
// weights. Decoding reads every weight once for each token: its limit is what
// the machine can read, measured in the same rounds.
//
//   GenerationBenchmark [PRESET [f32|bf16 [PROMPT [CHUNK [THREADS]]]]]
#include "models/Parameters.h"
#include "runtime/generation/CachedModel.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace attnres;
using namespace attnres::run;
using runtime::AlignedBuffer;

namespace {

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/// Bytes per second of reading memory beyond the caches, on all threads.
double measureRead(runtime::ThreadPool &threads, const AlignedBuffer &memory) {
  constexpr int64_t piece = 1 << 20;
  struct Context {
    const char *data;
    volatile uint64_t sink;
  } context{reinterpret_cast<const char *>(memory.data()), 0};
  double start = now();
  threads.run(
      static_cast<int64_t>(memory.bytes()) / piece,
      [](void *data, int, int64_t begin, int64_t end) {
        auto &context = *static_cast<Context *>(data);
        uint64_t sums[16] = {}; // as many chains as the compiler likes
        for (int64_t at = begin * piece; at < end * piece; at += sizeof sums)
          for (int i = 0; i < 16; ++i) {
            uint64_t word;
            std::memcpy(&word, context.data + at + 8 * i, 8);
            sums[i] += word;
          }
        uint64_t total = 0;
        for (uint64_t sum : sums)
          total += sum;
        context.sink = total;
      },
      &context);
  return static_cast<double>(memory.bytes()) / (now() - start);
}

std::shared_ptr<const runtime::Program>
compile(const ModelConfig &config, CompileOptions options, int64_t tokens) {
  options.seqLen = tokens;
  double start = now();
  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileModel(config, options)));
  std::printf(
      "compiled %lld tokens at once: %.1f s, %zu kernels, %zu launches, "
      "workspace %.1f MB\n",
      static_cast<long long>(tokens), now() - start, program->kernels.size(),
      program->launches.size(), program->workspaceBytes * 1e-6);
  return program;
}

} // namespace

int main(int argc, char **argv) {
  auto argument = [&](int index, const char *otherwise) {
    return std::string(argc > index ? argv[index] : otherwise);
  };
  ModelConfig config = unwrap(ModelConfig::preset(argument(1, "toy")));
  CompileOptions options;
  options.bf16 = argument(2, "f32") == "bf16";
  int64_t promptTokens = std::atoll(argument(3, "256").c_str());
  int64_t chunk = std::atoll(argument(4, "64").c_str());
  runtime::CpuOptions cpu;
  cpu.threads = std::atoi(argument(5, "0").c_str());
  runtime::CpuDevice device(cpu);
  constexpr int64_t rounds = 31;
  options.capacity = promptTokens + rounds;

  auto decode = compile(config, options, 1);
  auto prefill = compile(config, options, chunk);
  std::vector<Parameter> parameters = parameterShapes(config);
  std::vector<float> values;
  runtime::TensorView view;
  auto model = unwrap(runtime::CachedModel::create(
      device, prefill, decode,
      [&](const std::string &name) -> const runtime::TensorView * {
        auto parameter =
            std::find_if(parameters.begin(), parameters.end(),
                         [&](const Parameter &p) { return p.name == name; });
        if (parameter == parameters.end())
          return nullptr;
        values.resize(parameter->numElements());
        initializeParameter(config, *parameter, 1, values.data());
        view = {name, runtime::DType::F32, parameter->shape, values.data(),
                static_cast<int64_t>(values.size() * sizeof(float))};
        return &view;
      }));
  MachineLimits limits(device.threads(), "avx512");
  AlignedBuffer readable = unwrap(AlignedBuffer::allocate(512 << 20));
  std::memset(readable.data(), 1, readable.bytes());

  std::vector<int64_t> prompt;
  for (int64_t i = 0; i < promptTokens; ++i)
    prompt.push_back(i * 7 % config.vocabSize);
  std::vector<float> logits(config.vocabSize);
  std::vector<double> readSeconds, stepSeconds, copyRates, readRates;
  for (int round = 0; round < 3; ++round) {
    double start = now();
    check(model->read({prompt}, logits.data()));
    readSeconds.push_back(now() - start);
  }
  for (int64_t position = promptTokens; position < options.capacity;
       ++position) {
    int64_t token = position % config.vocabSize;
    copyRates.push_back(limits.measureCopy());
    readRates.push_back(measureRead(device.threads(), readable));
    double start = now();
    check(model->readNext(&token, &position, logits.data()));
    stepSeconds.push_back(now() - start);
  }
  for (float logit : logits)
    if (!std::isfinite(logit)) {
      std::printf("a logit is not finite\n");
      return 1;
    }

  double step = median(stepSeconds), copy = median(copyRates),
         read = median(readRates);
  // The embedding is not read but for one row.
  double bytes = static_cast<double>(model->parameterBytes());
  if (!config.tieWordEmbeddings)
    bytes -= static_cast<double>(config.vocabSize * config.hiddenSize) *
             (options.bf16 ? 2 : 4);
  double cached = static_cast<double>(model->cacheBytes()) * promptTokens /
                  options.capacity;
  std::printf("%d threads, weights %.1f MB and cache %.1f MB a token\n",
              device.threads().size(), bytes * 1e-6, cached * 1e-6);
  std::printf("prompt of %lld: %.1f tokens/s\n",
              static_cast<long long>(promptTokens),
              promptTokens / median(readSeconds));
  double rate = (bytes + cached) / step;
  std::printf("decode: %.2f tokens/s, %.3f ms a token, %.1f GB/s; copy %.1f "
              "GB/s (share %.0f%%), read %.1f GB/s (share %.0f%%)\n",
              1 / step, step * 1e3, rate * 1e-9, copy * 1e-9, 100 * rate / copy,
              read * 1e-9, 100 * rate / read);

  return 0;
}
