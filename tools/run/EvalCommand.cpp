// attnres-run eval: how well a model predicts data.
#include "tools/run/EvalCommand.h"

#include "runtime/data/Multiplication.h"
#include "support/File.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Commands.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/ModuleFiles.h"
#include "tools/run/TrainProgress.h"
#include "tools/run/TrainSettings.h"

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

} // namespace

EvalCommand::Model EvalCommand::openModel() {
  auto module = unwrap(ModuleFiles::find(modelDir, mean));
  if (!module) {
    ModelFiles files = unwrap(ModelFiles::open(modelDir, mean));
    folder = files.directory;
    int64_t vocabulary = files.config.vocabSize;
    return {{std::move(files.config), ""},
            std::move(files.parameters),
            std::move(files.held),
            vocabulary};
  }
  folder = module->directory;
  return {{std::nullopt, std::move(module->text), module->path},
          std::move(module->parameters),
          std::move(module->held),
          0};
}

void EvalCommand::takeSizes(const runtime::Program &program, Model &model) {
  for (const runtime::Binding &binding : program.bindings) {
    if (binding.name == names::tokens &&
        binding.direction == runtime::Direction::Input) {
      if (options.seqLen != 0 && options.seqLen != binding.shape[1])
        throw CommandError(concat("--seq-len ", options.seqLen,
                                  ": the module is for ", binding.shape[1],
                                  " tokens"));
      options.batch = binding.shape[0];
      options.seqLen = binding.shape[1];
      if (!binding.limits.empty())
        model.vocabulary = binding.limits.back().high + 1;
    }
    if (binding.name == names::logits && binding.shape.size() == 3)
      model.vocabulary = binding.shape.back();
  }
  if (model.vocabulary == 0)
    throw CommandError(modelDir + " does not say how many tokens it knows");
}

void EvalCommand::findRecord() {
  record = unwrap(RunRecord::ofCheckpoint(folder));
  if (record)
    check(compileAsRun(record->settings, record->where, *command, options));
}

void EvalCommand::askAll() {
  if (!csv.empty())
    check(checkWritable(csv));
  if (!echoes)
    questions.echoTokens = 0;
  questions.seed = seed.value_or(questions.seed);
  if (command->count("--batch-size") > 0)
    questions.batch = options.batch;
  std::vector<QuestionResult> results;
  CompileOptions given = options;
  std::vector<std::string> givenData = data;
  for (const std::string &directory : modelDirs) {
    modelDir = directory;
    options = given;
    data = givenData;
    found = DataSource();
    results.push_back(ask());
  }
  if (!csv.empty())
    writeText(questionsToCsv(results), csv);
  writeText(json ? questionsToJson(results) : questionsToText(results, listed),
            "");
}

QuestionResult EvalCommand::ask() {
  ModelFiles model = unwrap(ModelFiles::open(modelDir, mean));
  folder = model.directory;
  findRecord();
  findData();
  if (!found.multiplication)
    throw CommandError(concat("--questions asks multiplications, ",
                              data.front(),
                              " is other data; --data multiplication:DIGITS "
                              "says which"));
  expectAlphabet(
      unwrap(tokenizerOf(folder, tokenizerDir, record ? &*record : nullptr)));
  questions.digits = found.multiplication->digits;
  std::unique_ptr<runtime::Device> device = deviceOption.createFor(options);
  bool isTerminal = ::isatty(STDERR_FILENO) != 0;
  QuestionResult result =
      askQuestions(model, *device, options, questions, [&](int64_t answered) {
        if (isTerminal)
          std::cerr << '\r' << modelDir << ": " << answered << " answered"
                    << std::flush;
      });
  if (isTerminal)
    std::cerr << '\n';
  return result;
}

void EvalCommand::expectAlphabet(const FoundTokenizer &tokenizer) const {
  if (found.multiplication && tokenizer.tokenizer &&
      tokenizer.tokenizer->fingerprint() !=
          runtime::MultiplicationTokenizer().fingerprint())
    throw CommandError(
        concat(inQuotes(data.front()),
               " has an alphabet of its own; the model was trained on text"));
}

runtime::EvaluationResult EvalCommand::evaluate() {
  Model model = openModel();
  findRecord();
  std::unique_ptr<runtime::Device> made = deviceOption.createFor(options);
  runtime::Device &device = *made;
  std::shared_ptr<const runtime::Program> ofModule;
  if (!model.source.config) {
    ofModule = std::make_shared<const runtime::Program>(
        unwrap(compileEvaluation(model.source, options, /*logits=*/true)));
    takeSizes(*ofModule, model);
  }
  findData();
  choosePart();
  openData(model.vocabulary);
  // Files need not align their tensors as kernels expect.
  std::vector<runtime::DeviceBuffer> buffers;
  std::vector<runtime::DeviceTensor> parameters;
  for (const runtime::TensorView &tensor : model.parameters.tensors()) {
    buffers.push_back(unwrap(device.allocate(tensor.bytes)));
    runtime::DeviceMemory memory = buffers.back().memory();
    check(device.upload(memory, tensor.data));
    parameters.push_back({tensor.name, tensor.dtype, tensor.shape, memory});
  }
  std::optional<runtime::EvaluationResult> all;
  for (const NamedSet &named : evaluation.sets) {
    const runtime::Dataset &set = *named.set;
    if (model.vocabulary < set.vocabularySize())
      throw CommandError(
          concat("the data has a vocabulary of ", set.vocabularySize(),
                 " tokens, the model one of ", model.vocabulary));
    // Compiled once for all sets of this length.
    CompileOptions sized = options;
    sized.seqLen = set.length();
    int64_t count = countOf(set);
    int64_t sensible =
        std::min(count, std::max<int64_t>(mostTokensAtOnce / set.length(), 1));
    sized.batch = std::min(options.batch, sensible);
    if (ofModule && set.length() != options.seqLen)
      throw CommandError(concat("the data has samples of ", set.length(),
                                " tokens, the module is for ", options.seqLen));
    auto program =
        ofModule ? ofModule
                 : std::make_shared<const runtime::Program>(unwrap(
                       compileEvaluation(model.source, sized,
                                         /*logits=*/evaluation.digits > 0)));
    auto evaluator =
        unwrap(runtime::Evaluator::create(device, program, parameters));
    if (evaluation.digits == 0)
      evaluator->ignoreAnswers();
    if (documentToken)
      evaluator->setDocumentToken(*documentToken);
    auto result = *unwrap(evaluator->run({{named.name, &set}}, count));
    if (all)
      all->add(result);
    else
      all = std::move(result);
  }
  return *std::move(all);
}

void EvalCommand::run() {
  if (questions.count > 0)
    return askAll();
  for (const char *option : {"--echo-study", "--csv", "--list-wrong"})
    if (command->count(option) > 0)
      throw CommandError(std::string(option) + " is for --questions");
  if (modelDirs.size() > 1)
    throw CommandError("--model: several models are for --questions");
  modelDir = modelDirs.front();
  print(evaluate());
}

/// Windows or questions of a set that are evaluated.
int64_t EvalCommand::countOf(const runtime::Dataset &set) const {
  int64_t count = samples > 0 ? std::min(samples, set.size()) : set.size();
  if (samples == 0 && part == DataPart::Train && evaluation.digits > 0)
    count = std::min(count, enoughQuestions);
  constexpr int64_t manyTokens = 10'000'000;
  if (count > manyTokens / set.length())
    note(fmt::format("{} windows of {} tokens; --samples N takes the first N",
                     count, set.length()));
  return count;
}

/// Finds the data of the model's run, or what --data names, and whether that is
/// the same.
void EvalCommand::findData() {
  std::vector<std::string> ofRun = namesInRecord("data");
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
  DataSearch search;
  search.advice = "--data FILE evaluates it as other text";
  search.note = note;
  found.recognizes = !asBytes;
  bool sameNames = false;
  if (isOwn) {
    found.files = unwrap(openRecorded(data, recorded, search));
  } else {
    found.files = unwrap(runtime::openDataFiles(data));
    isOwn = sameNames = recorded.size() == found.files.size();
    for (size_t i = 0; isOwn && i < recorded.size(); ++i)
      isOwn = found.files[i]->fingerprint().sameContent(recorded[i]);
    for (size_t i = 0; sameNames && i < recorded.size(); ++i)
      sameNames = found.files[i]->fingerprint().path == recorded[i].path;
  }
  if (isOwn) {
    // As the run read it; earlier versions took all files for bytes.
    const auto &settings = record->settings;
    found.recognizes = !settings.value("as_bytes", true);
    found.weights = settings.value("data_weights", std::vector<double>());
    search.option = "--val-data";
    search.use = "evaluated on";
    found.validation = unwrap(
        openRecorded(namesInRecord("val_data"), record->validation, search));
    return;
  }
  if (sameNames && !recorded.empty())
    note(concat(data.front(), " is not what the run was trained on, ",
                recorded.front().describe(),
                ", any more; it is evaluated as other text"));
}

/// A list of names among the settings of the model's run.
std::vector<std::string> EvalCommand::namesInRecord(const char *setting) const {
  std::vector<std::string> names;
  if (record && record->settings.contains(setting) &&
      record->settings[setting].is_array())
    for (const auto &value : record->settings[setting])
      if (value.is_string())
        names.push_back(value.get<std::string>());
  return names;
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
void EvalCommand::openData(int64_t vocabulary) {
  FoundTokenizer tokenizer =
      unwrap(tokenizerOf(folder, tokenizerDir, record ? &*record : nullptr));
  expectAlphabet(tokenizer);
  // The record of a run on bytes has their tokenizer.
  bool readsTokens =
      record && !record->tokenizer && !record->settings.value("as_bytes", true);
  if (readsTokens && !found.multiplication && !tokenizer.tokenizer &&
      !unwrap(found.hasTokens()))
    throw CommandError(concat(data.front(),
                              ": not a token file; the model was trained on "
                              "tokens, --tokenizer DIR says how text becomes "
                              "them"));
  options.documents = record && record->settings.value("document_masks", false);
  if (options.documents) {
    const auto &token = record->settings["document_token"];
    if (token.is_number_integer())
      documentToken = token.get<int64_t>();
    else if (tokenizer.tokenizer)
      documentToken = tokenizer.tokenizer->endToken();
    if (!documentToken)
      throw CommandError(record->where +
                         ": setting 'document_token' is missing");
  }
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
  auto opened = EvaluationData::open(
      found, {tokenizer.tokenizer.get(), cache, vocabulary}, which);
  std::error_code absent;
  std::filesystem::remove(cache, absent);
  evaluation = unwrap(std::move(opened));
}

int64_t EvalCommand::countDifferent(int64_t count) const {
  auto &set = dynamic_cast<const runtime::multiplication::Samples &>(
      *evaluation.sets.front().set);
  std::set<std::pair<int64_t, int64_t>> pairs;
  for (int64_t i = 0; i < count; ++i) {
    runtime::multiplication::Operands pair = set.operands(i);
    pairs.emplace(pair.a, pair.b);
  }
  return static_cast<int64_t>(pairs.size());
}

int64_t EvalCommand::samplesOfAllSets() const {
  int64_t count = 0;
  for (const NamedSet &set : evaluation.sets)
    count += set.set->size();
  return count;
}

std::string
EvalCommand::describeSamples(const runtime::EvaluationResult &result) const {
  std::string text = concat(result.samples);
  if (evaluation.digits == 0)
    return result.samples == samplesOfAllSets()
               ? text
               : text + fmt::format(" of {}", samplesOfAllSets());
  if (part == DataPart::Train)
    return text + fmt::format(", {} of them different",
                              countDifferent(result.samples));
  return text + (evaluation.allQuestions && result.samples == samplesOfAllSets()
                     ? ", all held-out questions"
                     : " different ones of more");
}

void EvalCommand::print(const runtime::EvaluationResult &result) const {
  bool isSample = result.accuracy && !(evaluation.allQuestions &&
                                       result.samples == samplesOfAllSets());
  std::pair<double, double> range;
  if (isSample)
    range = confidence(*result.accuracy, result.samples);
  const char *name = partNames[static_cast<size_t>(part)];
  if (json) {
    nlohmann::ordered_json value = {
        {"data", data},
        {"part", name},
        {"seq_len", evaluation.sets.front().set->length()},
        {"samples", result.samples},
        {"targets", result.targets},
        {"loss", result.loss},
        {"perplexity", std::exp(result.loss)}};
    for (const auto &[name, loss] : result.sets)
      value["sets"][name] = loss;
    if (result.accuracy) {
      value["different_samples"] = countDifferent(result.samples);
      value["accuracy"] = *result.accuracy;
    }
    if (isSample)
      value["accuracy_95_percent"] = {range.first, range.second};
    for (auto &[name, rows] :
         {std::make_pair("depth_weights", &result.depthWeights),
          std::make_pair("router_load", &result.routerLoad),
          std::make_pair("decay", &result.decay),
          std::make_pair("state_norms", &result.stateNorms)})
      if (!rows->empty())
        value[name] = *rows;
    std::cout << value.dump(2) << '\n';
    return;
  }
  std::cout << fmt::format(
      "data        {}, {}\nsamples     {}\ntargets     {}\nloss        "
      "{:.6f}\nperplexity  {:.4f}\n",
      fmt::join(data, ", "), part == DataPart::All ? "all of it" : name,
      describeSamples(result), result.targets, result.loss,
      std::exp(result.loss));
  for (const auto &[name, loss] : result.sets)
    std::cout << fmt::format("loss        {:.6f} of {}\n", loss, name);
  if (!result.accuracy)
    return;
  std::cout << fmt::format("accuracy    {:.4f}", *result.accuracy);
  if (isSample)
    std::cout << fmt::format(" ({:.4f} to {:.4f} with 95 % confidence)",
                             range.first, range.second);
  std::cout << '\n';
}

void EvalCommand::addOptions(CLI::App &app) {
  command = &app;
  options.batch = 8;
  options.seqLen = 0;
  command
      ->add_option("--data", data,
                   "text or token files, or computed samples of "
                   "multiplication; those of the model's run if not given")
      ->type_name("FILE|multiplication:DIGITS[,count=N]");
  command
      ->add_option("--part", partName,
                   "of the data, split as a run does; held-out for the data "
                   "of the model's run, all for other text if not given")
      ->check(CLI::IsMember({"train", "held-out", "all"}));
  command
      ->add_option("--tokenizer", tokenizerDir,
                   "folder with tokenizer.json, if the model's has none")
      ->type_name("DIR");
  command->add_flag("--as-bytes", asBytes,
                    "evaluate files that do not look like text");
  command
      ->add_option("--samples", samples,
                   "at most that many windows or questions; 0 for all of a "
                   "text, and up to 1000 questions")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--seed", seed,
                      "of computed samples; the run's if not given");
  command
      ->add_option("--seq-len", options.seqLen,
                   "tokens in a sequence; 0 for what the run was trained "
                   "with, or 256")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  addDType(*command, options);
  addStages(*command, options);
  deviceOption.add(*command);
}

void addEvalCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("eval", "loss and accuracy of a model on data");
  auto state = std::make_shared<EvalCommand>();
  command
      ->add_option("--model", state->modelDirs,
                   "folder of a model, or of a training run, several of them "
                   "with --questions; or a module in MLIR with "
                   "model.safetensors beside it")
      ->type_name("DIR|FILE.mlir")
      ->required();
  state->addOptions(*command);
  command
      ->add_option("--questions", state->questions.count,
                   "let the model work out N multiplications that no training "
                   "set has, token by token, and name the first wrong step of "
                   "each wrong one")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_flag("--echo-study", state->echoes,
                    "go on behind the end token of every answer, and count "
                    "what follows");
  state->questions.echoTokens = 64;
  command
      ->add_option("--echo-tokens", state->questions.echoTokens,
                   "how far --echo-study goes on")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--list-wrong", state->listed,
                   "wrong answers that are printed")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--csv", state->csv, "a table of all answers to --questions")
      ->type_name("FILE");
  command
      ->add_option("--batch-size", state->options.batch,
                   "sequences in a batch, of at most 65536 tokens together; "
                   "128 questions, or as many as half of the memory holds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  addMean(*command, state->mean);
  command->add_flag("--json", state->json, "print JSON");
  command->footer("A model is compiled as its run was (--dtype, "
                  "--depth-schedule, --attention).\n\n"
                  "The accuracy of multiplication is the share of questions "
                  "whose whole answer, steps and\nall, greedy generation gets "
                  "right. No question counts twice; where not all\nare asked, "
                  "the range that holds with 95 % confidence is given.\n\n"
                  "Examples:\n  attnres-run eval --model runs/book\n"
                  "  attnres-run eval --model runs/book --data other.txt\n"
                  "  attnres-run eval --model runs/mul --samples 5000\n"
                  "  attnres-run eval --model runs/off runs/block --questions "
                  "5000 --echo-study --csv answers.csv");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
