// attnres-run eval: how well a model predicts data.
#include "runtime/data/DataFormat.h"
#include "runtime/data/Multiplication.h"
#include "runtime/training/Evaluator.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Commands.h"
#include "tools/run/DeviceOption.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/Options.h"
#include "tools/run/RunRecord.h"
#include "tools/run/TrainProgress.h"
#include "tools/run/TrainSettings.h"
#include "tools/run/TrainingData.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include <unistd.h>

namespace attnres::run {
namespace {

/// A number of samples that says enough about those there are no end of.
constexpr int64_t enoughQuestions = 1000;
/// Larger batches take memory and save no time.
constexpr int64_t mostTokensAtOnce = 1 << 16;

constexpr const char *partNames[] = {"train", "held-out", "all"};

struct EvalCommand {
  std::string modelDir, tokenizerDir, partName;
  std::vector<std::string> data;
  int64_t samples = 0;
  std::optional<uint64_t> seed;
  DeviceOption deviceOption;
  bool asBytes = false, json = false;
  CompileOptions options;
  CLI::App *command = nullptr;

  void run();

private:
  void findData();
  void choosePart();
  void openData();
  /// Different ones among the first `count` samples of multiplication.
  int64_t countDifferent(int64_t count) const;
  std::string describeSamples(const runtime::EvaluationResult &result) const;
  void print(const runtime::EvaluationResult &result) const;

  // In the order in which run() fills them.
  std::string folder; ///< of the checkpoint
  std::optional<RunRecord> record;
  DataSource found;
  bool isOwn = false; ///< the data is that of the model's run
  DataPart part = DataPart::All;
  EvaluationData evaluation;
};

void note(const std::string &text) { std::cerr << text << std::endl; }

void EvalCommand::run() {
  ModelFiles model = unwrap(ModelFiles::open(modelDir));
  folder = model.directory;
  record = unwrap(RunRecord::ofCheckpoint(folder));
  if (record)
    check(compileAsRun(record->settings, record->where, *command, options));
  findData();
  choosePart();
  openData();
  const runtime::Dataset &set = *evaluation.set;
  if (model.config.vocabSize < set.vocabularySize())
    throw CommandError(
        concat("the data has a vocabulary of ", set.vocabularySize(),
               " tokens, the model one of ", model.config.vocabSize));
  options.seqLen = set.length();
  int64_t count = samples > 0 ? std::min(samples, set.size()) : set.size();
  if (samples == 0 && part == DataPart::Train && evaluation.digits > 0)
    count = std::min(count, enoughQuestions);
  constexpr int64_t manyTokens = 10'000'000;
  if (count > manyTokens / set.length())
    note(fmt::format("{} windows of {} tokens; --samples N takes the first N",
                     count, set.length()));
  int64_t sensible =
      std::min(count, std::max<int64_t>(mostTokensAtOnce / set.length(), 1));
  options.batch = std::min(options.batch, sensible);
  std::unique_ptr<runtime::Device> made = deviceOption.createFor(options);
  runtime::Device &device = *made;
  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileEvaluation({model.config, ""}, options,
                               /*logits=*/evaluation.digits > 0)));
  // Files need not align their tensors as kernels expect.
  std::vector<runtime::DeviceBuffer> buffers;
  std::vector<runtime::DeviceTensor> parameters;
  for (const runtime::TensorView &tensor : model.parameters.tensors()) {
    buffers.push_back(unwrap(device.allocate(tensor.bytes)));
    runtime::DeviceMemory memory = buffers.back().memory();
    check(device.upload(memory, tensor.data));
    parameters.push_back({tensor.name, tensor.dtype, tensor.shape, memory});
  }
  auto evaluator =
      unwrap(runtime::Evaluator::create(device, program, parameters));
  print(*unwrap(evaluator->run(set, count)));
}

/// Finds the data of the model's run, or what --data names, and whether that is
/// the same.
void EvalCommand::findData() {
  std::vector<std::string> ofRun;
  if (record && record->settings.contains("data") &&
      record->settings["data"].is_array())
    for (const auto &value : record->settings["data"])
      if (value.is_string())
        ofRun.push_back(value.get<std::string>());
  if (data.empty() && ofRun.empty())
    throw CommandError("--data is required: " + modelDir +
                       " is not of a training run, which would say what its "
                       "data is");
  isOwn = data.empty();
  if (isOwn)
    data = ofRun;
  found.multiplication = unwrap(MultiplicationName::parse(data));
  if (found.multiplication) {
    isOwn = isOwn || data == ofRun;
    return;
  }
  std::vector<runtime::FileFingerprint> recorded;
  if (record)
    recorded = record->data;
  if (isOwn) {
    DataSearch search;
    search.advice = "--data FILE evaluates it as other text";
    search.note = note;
    found.files = unwrap(openRecorded(data, recorded, search));
    return;
  }
  found.files = unwrap(runtime::openDataFiles(data));
  bool sameNames = recorded.size() == found.files.size();
  isOwn = sameNames;
  for (size_t i = 0; i < recorded.size() && sameNames; ++i) {
    const runtime::FileFingerprint &now = found.files[i]->fingerprint();
    isOwn = isOwn && now.sameContent(recorded[i]);
    sameNames = now.path == recorded[i].path;
  }
  if (isOwn)
    return;
  if (!asBytes)
    check(runtime::expectText(found.files, "--as-bytes"));
  if (sameNames && !recorded.empty())
    note(concat(data.front(), " is not what the run was trained on, ",
                recorded.front().describe(),
                ", any more; it is evaluated as other text"));
}

/// What was held out of the run's own data, and all of other text.
void EvalCommand::choosePart() {
  part = isOwn || found.multiplication ? DataPart::HeldOut : DataPart::All;
  for (size_t i = 0; i < std::size(partNames); ++i)
    if (partName == partNames[i])
      part = static_cast<DataPart>(i);
  if (found.multiplication && part == DataPart::All)
    throw CommandError("--part all is for text; of multiplications it is "
                       "train or held-out");
}

/// Text is read as the model's tokenizer reads it.
void EvalCommand::openData() {
  FoundTokenizer tokenizer =
      unwrap(tokenizerOf(folder, tokenizerDir, record ? &*record : nullptr));
  if (found.multiplication && tokenizer.tokenizer &&
      tokenizer.tokenizer->fingerprint() !=
          runtime::MultiplicationTokenizer().fingerprint())
    throw CommandError(
        concat(inQuotes(data.front()),
               " has an alphabet of its own; the model was trained on text"));
  PartOptions which;
  which.part = part;
  which.runLength = record ? record->seqLen : 0;
  which.length = options.seqLen;
  if (which.length == 0 && !found.multiplication)
    which.length = which.runLength;
  which.seed =
      seed.value_or(record ? record->settings.value("seed", uint64_t{0}) : 0);
  which.most = samples > 0 ? samples : enoughQuestions;
  // Needed no longer than until it is open.
  std::string cache = std::filesystem::temp_directory_path() /
                      ("attnres-tokens-" + std::to_string(::getpid()));
  auto opened =
      EvaluationData::open(found, {tokenizer.tokenizer.get(), cache}, which);
  std::error_code absent;
  std::filesystem::remove(cache, absent);
  evaluation = unwrap(std::move(opened));
}

int64_t EvalCommand::countDifferent(int64_t count) const {
  auto &set =
      dynamic_cast<const runtime::multiplication::Samples &>(*evaluation.set);
  std::set<std::pair<int64_t, int64_t>> pairs;
  for (int64_t i = 0; i < count; ++i) {
    runtime::multiplication::Operands pair = set.operands(i);
    pairs.emplace(pair.a, pair.b);
  }
  return static_cast<int64_t>(pairs.size());
}

std::string
EvalCommand::describeSamples(const runtime::EvaluationResult &result) const {
  std::string text = concat(result.samples);
  if (evaluation.digits == 0)
    return result.samples == evaluation.set->size()
               ? text
               : text + fmt::format(" of {}", evaluation.set->size());
  if (part == DataPart::Train)
    return text + fmt::format(", {} of them different",
                              countDifferent(result.samples));
  return text +
         (evaluation.allQuestions && result.samples == evaluation.set->size()
              ? ", all held-out questions"
              : " different ones of more");
}

void EvalCommand::print(const runtime::EvaluationResult &result) const {
  bool isSample =
      result.accuracy &&
      !(evaluation.allQuestions && result.samples == evaluation.set->size());
  std::pair<double, double> range;
  if (isSample)
    range = confidence(*result.accuracy, result.samples);
  const char *name = partNames[static_cast<size_t>(part)];
  if (json) {
    nlohmann::ordered_json value = {{"data", data},
                                    {"part", name},
                                    {"seq_len", evaluation.set->length()},
                                    {"samples", result.samples},
                                    {"targets", result.targets},
                                    {"loss", result.loss},
                                    {"perplexity", std::exp(result.loss)}};
    if (result.accuracy) {
      value["different_samples"] = countDifferent(result.samples);
      value["accuracy"] = *result.accuracy;
    }
    if (isSample)
      value["accuracy_95_percent"] = {range.first, range.second};
    if (!result.depthWeights.empty())
      value["depth_weights"] = result.depthWeights;
    std::cout << value.dump(2) << '\n';
    return;
  }
  std::cout << fmt::format(
      "data        {}, {}\nsamples     {}\ntargets     {}\nloss        "
      "{:.6f}\nperplexity  {:.4f}\n",
      fmt::join(data, ", "), part == DataPart::All ? "all of it" : name,
      describeSamples(result), result.targets, result.loss,
      std::exp(result.loss));
  if (!result.accuracy)
    return;
  std::cout << fmt::format("accuracy    {:.4f}", *result.accuracy);
  if (isSample)
    std::cout << fmt::format(" ({:.4f} to {:.4f} with 95 % confidence)",
                             range.first, range.second);
  std::cout << '\n';
}

} // namespace

void addEvalCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("eval", "loss and accuracy of a model on data");
  auto state = std::make_shared<EvalCommand>();
  state->command = command;
  state->options.batch = 8;
  state->options.seqLen = 0;
  command
      ->add_option("--model", state->modelDir,
                   "folder of a model, or of a training run")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--data", state->data,
                   "text files, or computed samples of multiplication; those "
                   "of the model's run if not given")
      ->type_name("FILE|multiplication:DIGITS[,count=N]");
  command
      ->add_option("--part", state->partName,
                   "of the data, split as a run does; held-out for the data "
                   "of the model's run, all for other text if not given")
      ->check(CLI::IsMember({"train", "held-out", "all"}));
  command
      ->add_option("--tokenizer", state->tokenizerDir,
                   "folder with tokenizer.json, if the model's has none")
      ->type_name("DIR");
  command->add_flag("--as-bytes", state->asBytes,
                    "evaluate files that do not look like text");
  command
      ->add_option("--samples", state->samples,
                   "at most that many windows or questions; 0 for all of a "
                   "text, and up to 1000 questions")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--seed", state->seed,
                      "of computed samples; the run's if not given");
  command
      ->add_option("--batch-size", state->options.batch,
                   "sequences in a batch, of at most 65536 tokens together")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--seq-len", state->options.seqLen,
                   "tokens in a sequence; 0 for what the run was trained "
                   "with, or 256")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  addDType(*command, state->options);
  addStages(*command, state->options);
  state->deviceOption.add(*command);
  command->add_flag("--json", state->json, "print JSON");
  command->footer("A model is compiled as its run was (--dtype, "
                  "--depth-schedule, --attention).\n\n"
                  "The accuracy of multiplication is the share of questions "
                  "whose whole answer, steps and\nall, greedy generation gets "
                  "right. No question counts twice; where not all\nare asked, "
                  "the range that holds with 95 % confidence is given.\n\n"
                  "Examples:\n  attnres-run eval --model runs/book\n"
                  "  attnres-run eval --model runs/book --data other.txt\n"
                  "  attnres-run eval --model runs/mul --samples 5000");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
