// attnres-run generate: continuations of prompts.
#include "models/GenerationState.h"
#include "models/Parameters.h"
#include "runtime/MemoryLimit.h"
#include "runtime/data/Tokenizer.h"
#include "runtime/generation/GrowingModel.h"
#include "runtime/generation/WholeModel.h"
#include "support/File.h"
#include "support/Streams.h"
#include "tools/compile/ProgramCache.h"
#include "tools/run/Commands.h"
#include "tools/run/DeviceOption.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/ModelTokenizer.h"
#include "tools/run/ModuleFiles.h"
#include "tools/run/Options.h"
#include "tools/run/RunRecord.h"
#include "tools/run/TextStream.h"
#include "tools/run/TrainSettings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include <unistd.h>

namespace attnres::run {
namespace {

using runtime::Continuation;
using runtime::StopReason;
using Tokens = std::vector<int64_t>;

constexpr size_t maxPromptFileBytes = 64 << 20;

/// What calls of models took, in seconds.
struct Times {
  double read = 0, steps = 0;
  int64_t numSteps = 0; ///< calls of readNext()
};

/// A model that adds up the time of its calls.
class TimedModel final : public runtime::TextModel {
public:
  TimedModel(runtime::TextModel &model, Times &times)
      : model(model), times(times) {}

  int64_t batch() const override { return model.batch(); }
  int64_t capacity() const override { return model.capacity(); }
  int64_t vocabularySize() const override { return model.vocabularySize(); }
  Status read(const std::vector<Tokens> &prompts, float *logits) override {
    return timed(times.read, [&] { return model.read(prompts, logits); });
  }
  Status readNext(const int64_t *tokens, const int64_t *positions,
                  float *logits) override {
    ++times.numSteps;
    return timed(times.steps,
                 [&] { return model.readNext(tokens, positions, logits); });
  }

private:
  template <typename Call>
  static Status timed(double &seconds, Call call) {
    auto begin = std::chrono::steady_clock::now();
    Status status = call();
    seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    return status;
  }

  runtime::TextModel &model;
  Times &times;
};

/// What the memory of the caches is counted in.
struct CacheSizes {
  CacheSizes(const ModelConfig &config, const CompileOptions &options,
             int threads) {
    double element = options.bf16 ? 2 : 4;
    StateBytes state = countStateBytes(config, element);
    double texts = static_cast<double>(options.batch);
    fixedBytes = static_cast<double>(countParameters(config)) * element +
                 texts * state.fixed;
    positionBytes = texts * state.perPosition;
    // Decoding keeps the scores of some heads in each thread.
    scoreBytes = 64.0 * threads;
  }

  /// As many of `wanted` positions as memory has room for, the smaller caches
  /// that they grow out of included.
  int64_t fitting(int64_t wanted) const {
    double bytes = static_cast<double>(runtime::memoryLimit().bytes);
    double room =
        (0.9 * bytes - fixedBytes) / (1.25 * positionBytes + scoreBytes);
    return room < static_cast<double>(wanted)
               ? std::max<int64_t>(static_cast<int64_t>(room), 1)
               : wanted;
  }

  /// Positions to begin with: all where they are few, otherwise room for the
  /// prompts and some more.
  int64_t first(int64_t most, int64_t longestPrompt) const {
    constexpr double wholeBytes = 256 << 20;
    constexpr int64_t unit = 1024;
    if (static_cast<double>(most) * positionBytes <= wholeBytes)
      return most;
    int64_t some = static_cast<int64_t>(wholeBytes / positionBytes);
    int64_t needed = (longestPrompt / unit + 1) * unit;
    return std::min(most, std::max(needed, some / unit * unit));
  }

  double fixedBytes; ///< parameters, and what has one size for any capacity
  double positionBytes, scoreBytes;
};

/// What was generated, for printing.
struct Generated {
  std::vector<std::string> prompts;
  std::vector<Tokens> promptTokens;
  std::vector<Continuation> continuations;

  int64_t longestPrompt() const {
    size_t longest = 0;
    for (const Tokens &tokens : promptTokens)
      longest = std::max(longest, tokens.size());
    return static_cast<int64_t>(longest);
  }
};

struct GenerateCommand {
  std::string modelDir, tokenizerDir;
  std::vector<std::string> prompts;
  std::string promptFile;
  runtime::GenerationOptions generation;
  int64_t capacity = 0;
  int64_t chunk = 1024;
  int64_t atOnce = 32; ///< texts
  std::vector<std::string> stops;
  bool stopAtEnd = true;
  bool stream = true;
  bool json = false;
  DeviceOption deviceOption;
  bool interactive = false;
  bool mean = false;
  CompileOptions options;
  CLI::App *command = nullptr;

  GenerateCommand() { generation.maxNewTokens = 128; }

  void run();

private:
  /// Continues texts by a function from all their tokens to logits.
  void runModule(const ModuleFiles &module);
  /// Where texts end, and which tokens there are.
  void setEnds(const runtime::Tokenizer &tokenizer);
  Generated tokenize(std::vector<std::string> texts,
                     const runtime::Tokenizer &tokenizer) const;
  /// Generates and prints. Returns whether a text ended for want of room.
  using Continuing =
      std::function<std::vector<Continuation>(TextStream &, Times &)>;
  bool continueTexts(const runtime::Tokenizer &tokenizer, Generated &generated,
                     const Continuing &continuing);
  void interact(const ModelFiles &model, runtime::Device &device,
                const runtime::Tokenizer &tokenizer);
  std::vector<std::string> readPrompts() const;
  CacheSizes cacheSizes(const ModelFiles &model, runtime::Device &device) const;
  /// What a model is to have room for.
  struct Room {
    int64_t texts;
    int64_t longest; ///< tokens to begin with
    int64_t atOnce;  ///< tokens of a prompt in a call
    int64_t most;    ///< tokens to grow to
  };
  std::unique_ptr<runtime::GrowingModel>
  load(const ModelFiles &model, runtime::Device &device, const Room &room,
       const runtime::GrowingModel *lender = nullptr) const;
  std::vector<Continuation> continueAll(const ModelFiles &model,
                                        runtime::Device &device, Room room,
                                        const std::vector<Tokens> &prompts,
                                        TextStream &texts, Times &times) const;
  /// A program that reads `tokens` tokens of each of `texts` texts at once.
  Result<std::shared_ptr<const runtime::Program>>
  compile(const ModelConfig &config, int64_t texts, int64_t tokens,
          int64_t capacity) const;
};

void printJson(const Generated &generated, const TextStream &stream,
               const Times &times) {
  nlohmann::ordered_json texts = nlohmann::json::array();
  int64_t promptTokens = 0, newTokens = 0;
  for (size_t i = 0; i < generated.prompts.size(); ++i) {
    const Continuation &continuation = generated.continuations[i];
    promptTokens += static_cast<int64_t>(generated.promptTokens[i].size());
    newTokens += static_cast<int64_t>(continuation.tokens.size());
    texts.push_back({{"prompt", generated.prompts[i]},
                     {"text", stream.text(i)},
                     {"tokens", continuation.tokens},
                     {"stopped_by", runtime::toString(continuation.reason)}});
  }
  auto rate = [](int64_t count, double seconds) -> nlohmann::json {
    if (seconds <= 0)
      return nullptr;
    return static_cast<double>(count) / seconds;
  };
  nlohmann::ordered_json report = {
      {"texts", texts},
      {"prompt_tokens_per_second", rate(promptTokens, times.read)},
      {"steps", times.numSteps},
      {"steps_per_second", rate(times.numSteps, times.steps)},
      {"new_tokens_per_second", rate(newTokens, times.read + times.steps)}};
  // Bytes that are no UTF-8 become replacement characters.
  std::cout << report.dump(1, ' ', false,
                           nlohmann::json::error_handler_t::replace)
            << '\n';
}

std::vector<std::string> GenerateCommand::readPrompts() const {
  if (promptFile.empty())
    return prompts;
  std::string text = unwrap(readFile(promptFile, maxPromptFileBytes));
  if (isUtf16(text))
    throw CommandError(promptFile + ": text in UTF-16, expected UTF-8");
  std::vector<std::string> lines = splitLines(text);
  if (lines.empty())
    throw CommandError(promptFile + ": no prompts");
  return lines;
}

Result<std::shared_ptr<const runtime::Program>>
GenerateCommand::compile(const ModelConfig &config, int64_t texts,
                         int64_t tokens, int64_t positions) const {
  CompileOptions sized = options;
  sized.batch = texts;
  sized.seqLen = tokens;
  sized.capacity = positions;
  Result<runtime::Program> program = ProgramCache::standard().get(
      config.toJson(), sized, [&] { return compileModel(config, sized); });
  if (!program.ok())
    return program.status();
  return std::make_shared<const runtime::Program>(*std::move(program));
}

CacheSizes GenerateCommand::cacheSizes(const ModelFiles &model,
                                       runtime::Device &device) const {
  runtime::CpuDevice *processor = processorOf(device);
  return CacheSizes(model.config, options,
                    processor ? processor->threads().size() : 1);
}

/// A model with caches that begin with room for `longest` tokens. It borrows
/// the parameters of `lender`, if there is one and the device can.
std::unique_ptr<runtime::GrowingModel>
GenerateCommand::load(const ModelFiles &model, runtime::Device &device,
                      const Room &room,
                      const runtime::GrowingModel *lender) const {
  CacheSizes sizes = cacheSizes(model, device);
  int64_t first = std::max(sizes.first(room.most, room.longest),
                           runtime::positionsFor(room.longest, room.atOnce));
  auto compiled = [&](int64_t tokens) {
    return unwrap(compile(model.config, room.texts, tokens, first));
  };
  auto decode = compiled(1);
  auto prefill = room.atOnce == 1 ? decode : compiled(room.atOnce);
  std::vector<runtime::TensorView> lent;
  if (lender && processorOf(device))
    lent = lender->current().parameters();
  auto find = [&](const std::string &name) {
    auto found = std::find_if(
        lent.begin(), lent.end(),
        [&](const runtime::TensorView &view) { return view.name == name; });
    return found == lent.end() ? model.parameters.find(name) : &*found;
  };
  auto cached = unwrap(runtime::CachedModel::create(
      device, prefill, decode, find,
      lent.empty() ? runtime::ParameterMemory::Copied
                   : runtime::ParameterMemory::Borrowed));
  return std::make_unique<runtime::GrowingModel>(
      std::move(cached), room.most,
      [this, &model, texts = room.texts](int64_t positions) {
        return compile(model.config, texts, 1, positions);
      });
}

/// All prompts side by side, or as many as `room` has, while others wait.
std::vector<Continuation>
GenerateCommand::continueAll(const ModelFiles &model, runtime::Device &device,
                             Room room, const std::vector<Tokens> &prompts,
                             TextStream &texts, Times &times) const {
  bool waits = static_cast<int64_t>(prompts.size()) > room.texts;
  Room own = room;
  if (waits)
    own.atOnce = 1; // another model reads the prompts
  auto growing = load(model, device, own);
  TimedModel timed(*growing, times);
  if (!waits)
    return unwrap(
        runtime::generate(timed, prompts, generation, texts.observer()));
  room.texts = 1;
  auto reader = load(model, device, room, growing.get());
  TimedModel timedReader(*reader, times);
  return unwrap(runtime::generateContinuously(
      timed, timedReader,
      [&](int64_t place) { return growing->copyText(place, *reader); }, prompts,
      generation, texts.observer()));
}

/// Continues lines of standard input one by one until it ends. A line that
/// cannot be continued is said and left out.
void GenerateCommand::interact(const ModelFiles &model, runtime::Device &device,
                               const runtime::Tokenizer &tokenizer) {
  constexpr int64_t atOnce = 64, usual = 4096;
  options.batch = 1;
  CacheSizes sizes = cacheSizes(model, device);
  int64_t most =
      std::max(sizes.fitting(capacity > 0 ? capacity : usual), atOnce);
  auto growing = load(model, device, {1, atOnce, atOnce, most});
  bool isTerminal = ::isatty(STDIN_FILENO) != 0;
  for (std::string line;;) {
    if (isTerminal)
      std::cerr << "> " << std::flush;
    if (!std::getline(std::cin, line))
      return;
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    if (line.empty())
      continue;
    Result<Tokens> tokens = tokenizer.encode(line);
    Status status = tokens.status();
    if (status.ok()) {
      TextStream texts(tokenizer, {*tokens}, stops, /*prints=*/true);
      generation.ends = texts.ends();
      status =
          runtime::generate(*growing, {*tokens}, generation, texts.observer())
              .status();
    }
    if (!status.ok())
      std::cerr << "attnres-run: " << status.message() << '\n';
  }
}

void GenerateCommand::setEnds(const runtime::Tokenizer &tokenizer) {
  if (stopAtEnd)
    generation.endToken = tokenizer.endToken();
  generation.vocabulary = tokenizer.vocabularySize();
}

Generated GenerateCommand::tokenize(std::vector<std::string> texts,
                                    const runtime::Tokenizer &tokenizer) const {
  Generated generated;
  generated.prompts = std::move(texts);
  for (const std::string &prompt : generated.prompts) {
    std::string name =
        concat(promptFile.empty() ? "prompt " : promptFile + ": line ",
               generated.promptTokens.size() + 1);
    Result<Tokens> tokens = tokenizer.encode(prompt);
    if (!tokens.ok())
      throw CommandError(name + ": " + tokens.status().message());
    auto length = static_cast<int64_t>(tokens->size());
    if (length == 0)
      throw CommandError(name + " is empty");
    if (capacity > 0 && length > capacity)
      throw CommandError(
          concat(name, " has ", length, " tokens, the capacity is ", capacity));
    generated.promptTokens.push_back(*std::move(tokens));
  }
  return generated;
}

bool GenerateCommand::continueTexts(const runtime::Tokenizer &tokenizer,
                                    Generated &generated,
                                    const Continuing &continuing) {
  bool prints = stream && !json;
  TextStream texts(tokenizer, generated.promptTokens, stops, prints);
  generation.ends = texts.ends();
  Times times;
  generated.continuations = continuing(texts, times);
  if (json)
    printJson(generated, texts, times);
  else if (!prints)
    for (size_t i = 0; i < generated.prompts.size(); ++i)
      std::cout << texts.text(i) << '\n';
  flushStandardOutput();
  bool isFull = false;
  for (const Continuation &continuation : generated.continuations)
    isFull |= continuation.reason == StopReason::Capacity;
  return isFull;
}

void GenerateCommand::runModule(const ModuleFiles &module) {
  if (interactive)
    throw CommandError("--interactive needs the model of a configuration; " +
                       module.path + " keeps nothing of a text");
  auto record = unwrap(RunRecord::ofCheckpoint(module.directory));
  if (record)
    check(compileAsRun(record->settings, record->where, *command, options));
  std::unique_ptr<runtime::Device> device = deviceOption.createFor(options);
  auto program = std::make_shared<const runtime::Program>(
      unwrap(ProgramCache::standard().get(module.text, options, [&] {
        return compileText(module.text, options, module.path);
      })));
  std::vector<std::string> texts = readPrompts();
  auto model = unwrap(runtime::WholeModel::create(
      *device, program,
      [&](const std::string &name) { return module.parameters.find(name); },
      static_cast<int64_t>(texts.size())));
  FoundTokenizer found = unwrap(
      tokenizerOf(module.directory, tokenizerDir, record ? &*record : nullptr));
  if (!found.tokenizer)
    found.tokenizer = unwrap(
        runtime::Tokenizer::open(module.directory, model->vocabularySize()));
  setEnds(*found.tokenizer);
  Generated generated = tokenize(std::move(texts), *found.tokenizer);
  auto continuing = [&](TextStream &stream, Times &times) {
    TimedModel timed(*model, times);
    return unwrap(runtime::generate(timed, generated.promptTokens, generation,
                                    stream.observer()));
  };
  if (continueTexts(*found.tokenizer, generated, continuing))
    std::cerr << "attnres-run: ended at " << model->capacity()
              << " tokens, which the module is for\n";
}

void GenerateCommand::run() {
  for (const std::string &stop : stops)
    if (stop.empty())
      throw CommandError("--stop: expected a text, got an empty one");
  check(generation.sampling.validate());
  if (auto module = unwrap(ModuleFiles::find(modelDir, mean)))
    return runModule(*module);
  ModelFiles model = unwrap(ModelFiles::open(modelDir, mean));
  auto record = unwrap(RunRecord::ofCheckpoint(model.directory));
  if (record)
    check(compileAsRun(record->settings, record->where, *command, options));
  auto tokenizer = openModelTokenizer(model, tokenizerDir);
  setEnds(*tokenizer);
  std::unique_ptr<runtime::Device> device = deviceOption.createFor(options);
  if (interactive)
    return interact(model, *device, *tokenizer);
  Generated generated = tokenize(readPrompts(), *tokenizer);
  int64_t longest = generated.longestPrompt();
  options.batch =
      std::min(atOnce, static_cast<int64_t>(generated.prompts.size()));
  CacheSizes sizes = cacheSizes(model, *device);
  int64_t wanted = capacity > 0 ? capacity : longest + generation.maxNewTokens;
  int64_t most = std::max(sizes.fitting(wanted), longest);
  Room room = {options.batch, longest, runtime::chunkLength(longest, chunk),
               most};
  auto continuing = [&](TextStream &stream, Times &times) {
    return continueAll(model, *device, room, generated.promptTokens, stream,
                       times);
  };
  if (continueTexts(*tokenizer, generated, continuing) && most < wanted)
    std::cerr << "attnres-run: ended at " << most << " of " << wanted
              << " tokens: memory has no room for more\n";
}

} // namespace

void addGenerateCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("generate", "continue prompts with a model");
  auto state = std::make_shared<GenerateCommand>();
  state->command = command;
  runtime::SamplingOptions &sampling = state->generation.sampling;
  command
      ->add_option("--model", state->modelDir,
                   "folder with config.json, model.safetensors and perhaps "
                   "tokenizer.json; or a module in MLIR from tokens to logits "
                   "with model.safetensors beside it")
      ->type_name("DIR|FILE.mlir")
      ->required();
  command
      ->add_option("--tokenizer", state->tokenizerDir,
                   "folder with tokenizer.json, if the model's has none")
      ->type_name("DIR");
  auto *group = command->add_option_group("prompts");
  group
      ->add_option("--prompt", state->prompts, "a text to continue; repeatable")
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  group->add_option("--prompt-file", state->promptFile, "one prompt a line")
      ->type_name("FILE");
  group->add_flag("--interactive", state->interactive,
                  "continue lines of standard input, one by one");
  group->require_option(1);
  command
      ->add_option("--max-new-tokens", state->generation.maxNewTokens,
                   "most tokens to add to a prompt")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 30))
      ->capture_default_str();
  command
      ->add_option("--temperature", sampling.temperature,
                   "divides the logits; 0 takes the most likely token")
      ->capture_default_str();
  command
      ->add_option("--top-k", sampling.topK,
                   "draw among the K most likely tokens; 0: among all")
      ->type_name("K")
      ->capture_default_str();
  command
      ->add_option("--top-p", sampling.topP,
                   "draw among the fewest tokens that have probability P "
                   "together")
      ->type_name("P")
      ->capture_default_str();
  command
      ->add_option("--min-p", sampling.minP,
                   "draw among tokens at least P times as likely as the most "
                   "likely one")
      ->type_name("P")
      ->capture_default_str();
  command
      ->add_option("--repetition-penalty", sampling.repetitionPenalty,
                   "divides positive logits of tokens that the text has, and "
                   "multiplies negative ones")
      ->type_name("X")
      ->capture_default_str();
  command->add_option("--seed", sampling.seed, "of the draws")
      ->capture_default_str();
  command->add_flag("--stop-at-eos,!--ignore-eos", state->stopAtEnd,
                    "end a text at its end token (the default), or go on");
  command
      ->add_option("--stop", state->stops,
                   "a text that ends a continuation, which lacks it; "
                   "repeatable")
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--capacity", state->capacity,
                   "most tokens of a text with its prompt; 0: what the "
                   "longest may need")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 30));
  command
      ->add_option("--chunk", state->chunk,
                   "most tokens of a prompt that are read at once")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->capture_default_str();
  command
      ->add_option("--texts", state->atOnce,
                   "most texts that grow side by side; where one ends, the "
                   "next prompt takes its place")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 16))
      ->capture_default_str();
  addMean(*command, state->mean);
  addDType(*command, state->options);
  addStages(*command, state->options);
  state->deviceOption.add(*command);
  command->add_flag("--json", state->json,
                    "print tokens, reasons and speed as JSON at the end");
  command->add_flag("!--no-stream", state->stream,
                    "print at the end, not token by token");
  command->footer(
      "Prints each continuation and a line break, in the order of the "
      "prompts.\nA model is compiled as its run was (--dtype, "
      "--depth-schedule, --attention).\n\nExamples:\n  attnres-run generate "
      "--model DIR --prompt "
      "'12*34=' --max-new-tokens 200\n  attnres-run generate --model DIR "
      "--interactive --temperature 0.8 --min-p 0.05 --stop .");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
