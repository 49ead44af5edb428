// attnres-run score: how likely a model finds given texts.
#include "runtime/BFloat16.h"
#include "runtime/data/Tokenizer.h"
#include "runtime/device/BoundProgram.h"
#include "support/BindingNames.h"
#include "support/File.h"
#include "tools/compile/ProgramCache.h"
#include "tools/run/Commands.h"
#include "tools/run/DeviceOption.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/ModelTokenizer.h"
#include "tools/run/Options.h"
#include "tools/run/RunRecord.h"
#include "tools/run/TrainSettings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

namespace attnres::run {
namespace {

using runtime::DType;
using runtime::TensorView;
using Tokens = std::vector<int64_t>;

/// The log-probability of element `index` under softmax(values).
template <typename Load>
double logSoftmax(int64_t count, int64_t index, Load load) {
  double most = load(0);
  for (int64_t i = 1; i < count; ++i)
    most = std::max(most, load(i));
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += std::exp(load(i) - most);
  return load(index) - most - std::log(sum);
}

/// A text and the log-probability of each of its tokens, given all before it.
struct Scored {
  std::string text;
  Tokens tokens;
  std::vector<std::optional<double>> logProbs; ///< none with nothing before it

  int64_t count() const {
    return std::count_if(logProbs.begin(), logProbs.end(),
                         [](const auto &value) { return !!value; });
  }
  double sum() const {
    double sum = 0;
    for (const auto &value : logProbs)
      sum += value.value_or(0);
    return sum;
  }
};

class ScoreCommand {
public:
  std::string modelDir, tokenizerDir, prompt, file;
  std::vector<std::string> texts;
  bool byToken = false, json = false, mean = false;
  CompileOptions options;
  DeviceOption deviceOption;
  CLI::App *command = nullptr;

  void run();

private:
  /// A program that reads texts of up to some length, with the parameters.
  runtime::BoundProgram &programFor(const ModelFiles &model, int64_t length);
  Scored score(const ModelFiles &model, const Tokens &before,
               const std::string &text);
  void print(const std::vector<Scored> &all) const;

  std::unique_ptr<runtime::Device> device;
  std::unique_ptr<runtime::Tokenizer> tokenizer;
  std::map<int64_t, runtime::BoundProgram> programs;
};

void ScoreCommand::run() {
  ModelFiles model = unwrap(ModelFiles::open(modelDir, mean));
  if (auto record = unwrap(RunRecord::ofCheckpoint(model.directory)))
    check(compileAsRun(record->settings, record->where, *command, options));
  tokenizer = openModelTokenizer(model, tokenizerDir);
  device = deviceOption.createFor(options);
  if (!file.empty()) {
    constexpr size_t maxBytes = 1 << 24;
    texts = {unwrap(readFile(file, maxBytes))};
  }
  Tokens before = unwrap(tokenizer->encode(prompt));
  std::vector<Scored> all;
  for (const std::string &text : texts)
    all.push_back(score(model, before, text));
  print(all);
}

runtime::BoundProgram &ScoreCommand::programFor(const ModelFiles &model,
                                                int64_t length) {
  // What follows a token does not count: texts of many lengths share a program.
  constexpr int64_t unit = 64;
  length = (length + unit - 1) / unit * unit;
  auto found = programs.find(length);
  if (found != programs.end())
    return found->second;
  CompileOptions sized = options;
  sized.batch = 1;
  sized.seqLen = length;
  sized.loss = false;
  auto program = std::make_shared<const runtime::Program>(
      unwrap(ProgramCache::standard().get(model.config.toJson(), sized, [&] {
        return compileModel(model.config, sized);
      })));
  auto bound = unwrap(runtime::BoundProgram::create(*device, program));
  for (size_t i = 0; i < program->bindings.size(); ++i)
    if (program->bindings[i].role == runtime::Role::Parameter)
      check(device->upload(
          bound.tensor(i).memory,
          model.parameters.find(program->bindings[i].name)->data));
  return programs.emplace(length, std::move(bound)).first->second;
}

Scored ScoreCommand::score(const ModelFiles &model, const Tokens &before,
                           const std::string &text) {
  Scored scored;
  scored.text = text;
  Result<Tokens> encoded = tokenizer->encode(text);
  if (!encoded.ok())
    throw CommandError(concat(file.empty() ? "--text" : file, ": ",
                              encoded.status().message()));
  scored.tokens = *std::move(encoded);
  Tokens all = before;
  all.insert(all.end(), scored.tokens.begin(), scored.tokens.end());
  if (all.size() < 2 || scored.tokens.empty())
    throw CommandError(concat(inQuotes(text), " has ", scored.tokens.size(),
                              " tokens, none of which follows another"));
  runtime::BoundProgram &bound =
      programFor(model, static_cast<int64_t>(all.size()));
  const runtime::Program &program = bound.program();
  auto input = program.findBinding(names::tokens, runtime::Direction::Input);
  auto output = program.findBinding(names::logits, runtime::Direction::Output);
  runtime::DeviceTensor tokens = bound.tensor(static_cast<size_t>(input)),
                        logits = bound.tensor(static_cast<size_t>(output));
  Tokens padded = all;
  padded.resize(static_cast<size_t>(tokens.shape[1]), 0);
  check(device->upload(tokens.memory, padded.data()));
  check(bound.executable().run({}));
  auto values = unwrap(device->map(logits.memory, runtime::Access::Read));
  int64_t vocabulary = logits.shape.back();
  for (size_t i = before.size(); i < all.size(); ++i) {
    if (i == 0) {
      scored.logProbs.emplace_back();
      continue;
    }
    int64_t row = static_cast<int64_t>(i - 1) * vocabulary;
    scored.logProbs.emplace_back(
        logits.dtype == DType::F32
            ? logSoftmax(vocabulary, all[i],
                         [&](int64_t v) -> double {
                           return values.as<const float>()[row + v];
                         })
            : logSoftmax(vocabulary, all[i], [&](int64_t v) {
                return double{
                    runtime::fromBF16(values.as<const uint16_t>()[row + v])};
              }));
  }
  return scored;
}

void ScoreCommand::print(const std::vector<Scored> &all) const {
  if (!json) {
    for (const Scored &one : all) {
      double mean = one.sum() / static_cast<double>(one.count());
      if (byToken)
        for (size_t i = 0; i < one.tokens.size(); ++i)
          std::cout << (one.logProbs[i]
                            ? fmt::format("{:12.6f}", *one.logProbs[i])
                            : std::string(12, ' '))
                    << fmt::format(
                           "  {:6}  {}\n", one.tokens[i],
                           inQuotes(tokenizer->decode({one.tokens[i]})));
      std::cout << fmt::format(
          "log-probability {:.6f}, {} tokens, perplexity {:.4f}{}\n", one.sum(),
          one.count(), std::exp(-mean),
          file.empty() ? ": " + inQuotes(one.text) : "");
    }
    return;
  }
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const Scored &one : all) {
    nlohmann::ordered_json logProbs = nlohmann::json::array();
    for (const auto &value : one.logProbs)
      logProbs.push_back(value ? nlohmann::ordered_json(*value)
                               : nlohmann::ordered_json());
    double mean = one.sum() / static_cast<double>(one.count());
    list.push_back({{"text", one.text},
                    {"tokens", one.tokens},
                    {"log_probs", logProbs},
                    {"log_prob", one.sum()},
                    {"scored_tokens", one.count()},
                    {"perplexity", std::exp(-mean)}});
  }
  std::cout << nlohmann::ordered_json({{"texts", list}})
                   .dump(1, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << '\n';
}

} // namespace

void addScoreCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("score", "log-probabilities of given texts");
  auto state = std::make_shared<ScoreCommand>();
  state->command = command;
  command
      ->add_option("--model", state->modelDir,
                   "folder of a model, or of a training run")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--tokenizer", state->tokenizerDir,
                   "folder with tokenizer.json, if the model's has none")
      ->type_name("DIR");
  command
      ->add_option("--prompt", state->prompt,
                   "what comes before each text and is not scored")
      ->type_name("TEXT");
  auto *group = command->add_option_group("texts");
  group->add_option("--text", state->texts, "a text to score; repeatable")
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  group->add_option("--file", state->file, "a file that is one text")
      ->type_name("FILE");
  group->require_option(1);
  command->add_flag("--by-token", state->byToken,
                    "print the log-probability of every token");
  addMean(*command, state->mean);
  addDType(*command, state->options);
  addStages(*command, state->options);
  state->deviceOption.add(*command);
  command->add_flag("--json", state->json, "print tokens and numbers as JSON");
  command->footer(
      "Natural logarithms. Prompt and text are encoded apart. Without a prompt "
      "the first\ntoken has nothing before it and is not scored.\n\n"
      "Example:\n  attnres-run score --model runs/mul --prompt '7*8=' --text "
      "S7*8=56Z56 --text S7*8=54Z54");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
