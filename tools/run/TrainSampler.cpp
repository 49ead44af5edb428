// Texts that a model writes while it is trained.
#include "tools/run/TrainSampler.h"

#include "runtime/generation/CachedModel.h"
#include "runtime/training/Interrupt.h"
#include "tools/compile/ProgramCache.h"
#include "tools/run/Options.h"

#include <algorithm>

namespace attnres::run {

using nlohmann::ordered_json;
using runtime::Continuation;
using runtime::TensorView;

namespace {

constexpr int64_t numSamples = 4;
// Of texts whose beginning and end are not given by the data.
constexpr int64_t promptTokens = 32, continuedTokens = 96;

} // namespace

TrainSampler::TrainSampler(runtime::Device &device, const ModelConfig &config,
                           const CompileOptions &trainingOptions,
                           const TrainingData &data,
                           std::unique_ptr<runtime::Tokenizer> given)
    : device(device), tokenizer(std::move(given)), config(config),
      options(trainingOptions), multiplies(data.digits > 0) {
  const runtime::Dataset &held = *data.validation.front().set;
  auto length = static_cast<size_t>(held.length());
  for (int64_t i = 0; i < std::min(numSamples, held.size()); ++i) {
    Tokens tokens(length), targets(length);
    check(held.sample(i, tokens.data(), targets.data()));
    // The question, up to the first token whose successor counts.
    auto live = std::find_if(targets.begin(), targets.end(), [](int64_t t) {
      return t != runtime::ignoredTarget;
    });
    size_t prompt = multiplies
                        ? static_cast<size_t>(live - targets.begin()) + 1
                        : std::min(static_cast<size_t>(promptTokens), length);
    prompts.emplace_back(tokens.begin(),
                         tokens.begin() + static_cast<std::ptrdiff_t>(prompt));
    if (multiplies) { // the last target, before padding, is the end token
      auto end = std::find(live, targets.end(), runtime::ignoredTarget);
      expected.emplace_back(live, end - 1);
    }
    longestPrompt = std::max(longestPrompt, static_cast<int64_t>(prompt));
  }
  newTokens = multiplies ? held.length() : continuedTokens;
  options.batch = static_cast<int64_t>(prompts.size());
  options.capacity = longestPrompt + newTokens;
  // Those that generate compiles too: one text in a row, nothing dropped.
  options.documents = false;
  options.dropout = options.labelSmoothing = 0;
  // Compiled while training: a signal must not wait for it.
  options.isCancelled = [] { return runtime::interruptSignal() != 0; };
}

void TrainSampler::compile() {
  auto compileFor = [&](int64_t tokens) {
    options.seqLen = tokens;
    return std::make_shared<const runtime::Program>(
        unwrap(ProgramCache::standard().get(config.toJson(), options, [&] {
          return compileModel(config, options);
        })));
  };
  decode = compileFor(1);
  prefill = longestPrompt == 1 ? decode : compileFor(longestPrompt);
}

std::vector<ordered_json> TrainSampler::operator()(runtime::Trainer &trainer) {
  if (!decode)
    compile();
  auto parameters = unwrap(
      runtime::mapTensors(device, trainer.parameters(), runtime::Access::Read));
  auto find = [&](const std::string &name) -> const TensorView * {
    for (const TensorView &tensor : parameters.tensors)
      if (tensor.name == name)
        return &tensor;
    return nullptr;
  };
  auto model = unwrap(runtime::CachedModel::create(
      device, prefill, decode, find, runtime::ParameterMemory::Borrowed));
  runtime::GenerationOptions generation;
  generation.maxNewTokens = newTokens;
  generation.endToken = tokenizer->endToken();
  generation.vocabulary = tokenizer->vocabularySize();
  generation.sampling.temperature = multiplies ? 0 : 0.8;
  std::vector<Continuation> texts =
      unwrap(runtime::generate(*model, prompts, generation));
  std::vector<ordered_json> records;
  for (size_t i = 0; i < texts.size(); ++i) {
    ordered_json record = {{"prompt", tokenizer->decode(prompts[i])},
                           {"text", tokenizer->decode(texts[i].tokens)}};
    if (multiplies) {
      record["expected"] = tokenizer->decode(expected[i]);
      record["correct"] = texts[i].tokens == expected[i] &&
                          texts[i].reason == runtime::StopReason::EndToken;
    }
    records.push_back(std::move(record));
  }
  return records;
}

} // namespace attnres::run
