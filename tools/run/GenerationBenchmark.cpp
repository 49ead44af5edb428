// attnres-run bench generate: reading prompts and decoding.
//
// Weights are random. A prompt is bound by arithmetic: its limit is that of
// products. Decoding reads every weight and the cache once for each token:
// its limit is reading memory. Limits are measured in the same rounds.
#include "tools/run/GenerationBenchmark.h"

#include "models/Parameters.h"
#include "runtime/generation/CachedModel.h"
#include "tools/compile/PlanReport.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace attnres::run {
namespace {

struct GenerationBenchmark {
  ConfigOption config;
  CompileOptions options;
  int64_t promptTokens = 256, chunk = 1024;
  TimingOptions timing;

  void run();
};

template <typename Call>
double secondsOf(Call call) {
  auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// A model with its initial parameters.
std::unique_ptr<runtime::CachedModel> createModel(runtime::Device &device,
                                                  const ModelConfig &config,
                                                  CompileOptions options,
                                                  int64_t chunk) {
  auto compile = [&](int64_t tokens) {
    options.seqLen = tokens;
    return std::make_shared<const runtime::Program>(
        unwrap(compileModel(config, options)));
  };
  std::vector<Parameter> parameters = parameterShapes(config);
  std::vector<float> values;
  runtime::TensorView view;
  return unwrap(runtime::CachedModel::create(
      device, compile(chunk), compile(1),
      [&](const std::string &name) -> const runtime::TensorView * {
        for (const Parameter &parameter : parameters) {
          if (parameter.name != name)
            continue;
          values.resize(static_cast<size_t>(parameter.numElements()));
          initializeParameter(config, parameter, /*seed=*/1, values.data());
          view = {name, runtime::DType::F32, parameter.shape, values.data(),
                  static_cast<int64_t>(values.size() * sizeof(float))};
          return &view;
        }
        return nullptr;
      }));
}

void GenerationBenchmark::run() {
  ModelConfig model = config.read();
  runtime::CpuOptions cpu;
  cpu.threads = timing.threads;
  runtime::CpuDevice device(cpu);
  MachineLimits limits(device, instructionSet(options));

  Limit flopLimit = MachineLimits::ofProducts(options.bf16);

  options.batch = 1;
  // What products multiply when one call reads the whole prompt, scores
  // included.
  options.seqLen = promptTokens;
  options.capacity = promptTokens;
  double promptFlops = unwrap(planModel(model, options)).flops;
  options.capacity = promptTokens + timing.rounds;
  std::unique_ptr<runtime::CachedModel> cached = createModel(
      device, model, options, runtime::chunkLength(promptTokens, chunk));

  std::vector<int64_t> prompt;
  for (int64_t i = 0; i < promptTokens; ++i)
    prompt.push_back(i * 7 % model.vocabSize);
  std::vector<float> logits(static_cast<size_t>(model.vocabSize));
  std::vector<double> prefill, decode;
  auto read = [&] { check(cached->read({prompt}, logits.data())); };
  read(); // touches the memory
  for (int round = 0; round < timing.rounds; ++round) {
    limits.measure(flopLimit);
    prefill.push_back(secondsOf(read));
  }
  for (int64_t position = promptTokens; position < options.capacity;
       ++position) {
    int64_t token = position % model.vocabSize;
    limits.measure(Limit::Read);
    auto step = [&] {
      check(cached->readNext(&token, &position, logits.data()));
    };
    step(); // a small model's weights stay in the caches, as they do in use
    decode.push_back(secondsOf(step));
  }
  for (float logit : logits)
    if (!std::isfinite(logit))
      throw CommandError("a logit is not finite");

  // Of the embedding one row is read, unless it is also the output's.
  double weights = static_cast<double>(cached->parameterBytes());
  if (!model.tieWordEmbeddings)
    weights -= static_cast<double>(model.vocabSize * model.hiddenSize) *
               (options.bf16 ? 2 : 4);
  double cache = static_cast<double>(cached->cacheBytes() * promptTokens) /
                 static_cast<double>(options.capacity);
  double promptSeconds = median(prefill), tokenSeconds = median(decode);
  double promptRate = static_cast<double>(promptTokens) / promptSeconds;
  double flops = promptFlops / promptSeconds;
  double bandwidth = (weights + cache) / tokenSeconds;
  std::optional<double> flopShare = limits.findShare(flopLimit, flops);
  std::optional<double> readShare = limits.findShare(Limit::Read, bandwidth);
  if (timing.json) {
    fmt::print("{}\n",
               nlohmann::ordered_json{
                   {"threads", device.threads().size()},
                   {"isa", limits.isa()},
                   {"dtype", options.bf16 ? "bf16" : "f32"},
                   {"attnres", toString(model.attnres)},
                   {"parameters", countParameters(model)},
                   {"prompt_tokens", promptTokens},
                   {"prefill",
                    {{"seconds", promptSeconds},
                     {"tokens_per_second", promptRate},
                     {"flops", promptFlops},
                     {"flop_limit", toJson(limits.find(flopLimit))},
                     {"share_of_flop_limit", toJson(flopShare)}}},
                   {"decode",
                    {{"seconds", tokenSeconds},
                     {"tokens_per_second", 1 / tokenSeconds},
                     {"bytes", weights + cache},
                     {"read_limit", toJson(limits.find(Limit::Read))},
                     {"share_of_read_limit", toJson(readShare)}}}}
                   .dump(1));
    return;
  }
  fmt::print(
      "{} parameters, attnres {}, {}, {} threads, {}\n"
      "prefill  {} tokens in {:.2f} ms, {:.0f} tokens/s, {:.1f} GFLOP/s, "
      "{} of the limit ({})\n"
      "decode   {:.3f} ms, {:.1f} tokens/s, {:.1f} MB a token, {:.1f} GB/s, "
      "{} of reading\n",
      countParameters(model), toString(model.attnres),
      options.bf16 ? "bf16" : "f32", device.threads().size(), limits.isa(),
      promptTokens, promptSeconds * 1e3, promptRate, flops * 1e-9,
      formatShare(flopShare), limits.describe(flopLimit), tokenSeconds * 1e3,
      1 / tokenSeconds, (weights + cache) * 1e-6, bandwidth * 1e-9,
      formatShare(readShare));
}

} // namespace

void addGenerationBenchmark(CLI::App &bench) {
  CLI::App *command = bench.add_subcommand(
      "generate", "reading a prompt (prefill) and decoding, one text");
  auto state = std::make_shared<GenerationBenchmark>();
  state->config.add(*command);
  command->add_option("--prompt-tokens", state->promptTokens, "length")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command
      ->add_option("--chunk", state->chunk,
                   "most tokens of the prompt that are read at once")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  addDType(*command, state->options);
  addStages(*command, state->options);
  state->timing.add(*command);
  command->footer("Example:\n  attnres-run bench generate --preset 0.5b "
                  "--dtype bf16");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
