// attnres-run train: trains a model and keeps the record of it in a folder.
#include "models/Parameters.h"
#include "runtime/data/TokenDataset.h"
#include "runtime/distributed/LocalCommunicator.h"
#include "runtime/training/Interrupt.h"
#include "runtime/training/RunDirectory.h"
#include "runtime/training/TrainingLoop.h"
#include "support/File.h"
#include "support/Hash.h"
#include "tools/compile/MemoryEstimate.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Commands.h"
#include "tools/run/DeviceOption.h"
#include "tools/run/FirstParameters.h"
#include "tools/run/LearningRateFinder.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"
#include "tools/run/PeakShare.h"
#include "tools/run/PipelineRun.h"
#include "tools/run/ProfileTable.h"
#include "tools/run/RankAgreement.h"
#include "tools/run/RankedRun.h"
#include "tools/run/RunRecord.h"
#include "tools/run/TrainEnd.h"
#include "tools/run/TrainModel.h"
#include "tools/run/TrainProgress.h"
#include "tools/run/TrainSampler.h"
#include "tools/run/TrainSettings.h"
#include "tools/run/TrainingData.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include <unistd.h>

namespace attnres::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using runtime::LearningRateSchedule;
using runtime::Program;
using runtime::RunDirectory;
using runtime::TrainingLoop;
using runtime::TrainingProgress;

class TrainCommand {
public:
  void addTo(CLI::App &app);

private:
  void run();
  void takeSettingsOfRun();
  void note(const std::string &text) const;
  void setMicroBatch();
  void shareSteps();
  void shareStages();
  void findData();
  RunDirectory claimFolder() const;
  void openTokenizer();
  void openData();
  ModelChoice chosenModel() const {
    return {preset,      configPath,       modelPath,
            attnresMode, attnresBlockSize, assignments};
  }
  void readModel();
  void chooseDocumentToken();
  void setSteps();
  void checkFolder() const;
  void chooseDevice();
  void compile();
  void createTrainer();
  void createSampler();
  void initializeParameters();
  void createMean();
  void load(const std::string &path,
            const std::vector<runtime::DeviceTensor> &tensors);
  void writeRunFile() const;
  void sayWhatChanges() const;
  runtime::TrainingOptions loopOptions() const;
  double flopsPerToken() const;
  std::vector<ordered_json> drawSamples(TrainProgress &progress);
  void findRate();

  CLI::App *command = nullptr;
  TrainSettings settings;
  CompileOptions options;
  DumpOption dumps;
  std::string preset, configPath, modelPath, resumeDir, out;
  std::string attnresMode, profilePath;
  int64_t attnresBlockSize = 0;
  std::vector<std::string> assignments;
  DeviceOption deviceOption;
  int64_t stopAfter = 0;
  int64_t stages = 1; ///< of a pipeline
  bool allowChangedData = false, allowExtra = false;
  bool json = false;
  bool findsRate = false;

  RankedRun ranks;
  /// The one rank of a process alone that has a micro-batch.
  std::unique_ptr<runtime::Communicator> alone;

  // In the order in which run() fills them.
  std::string resumedRun;           ///< the folder of the run that goes on
  std::optional<RunRecord> resumed; ///< its run.json
  TrainSettings before;             ///< those of that run
  bool inPlace = false;             ///< it goes on in its own folder
  RunRecord record;                 ///< what this run is made of
  std::optional<runtime::HeldCheckpoint> origin; ///< where it goes on from
  DataSource found;
  bool hasTokens = false;   ///< a file holds tokens
  FoundTokenizer tokenizer; ///< none for token files alone
  TrainingData data;
  std::optional<int64_t> documentToken; ///< with --document-masks
  std::string modelFile; ///< name and text of the model in checkpoints
  ModelSource source;
  std::unique_ptr<runtime::Device> device;
  runtime::TrainingPrograms programs;
  std::shared_ptr<const Program> evaluation;
  int64_t plannedBytes = 0; ///< of programs, parameters and moments
  std::unique_ptr<runtime::Trainer> trainer;
  std::unique_ptr<runtime::Evaluator> evaluator;
  std::optional<runtime::ParameterMean> mean; ///< with --ema
  std::unique_ptr<runtime::Evaluator> meanEvaluator;
  std::unique_ptr<TrainSampler> sampler;
  bool canSample = true;
  TrainingProgress start;
};

void TrainCommand::addTo(CLI::App &app) {
  command = app.add_subcommand("train", "train a model");
  auto *model = command->add_option_group("model");
  std::string presets;
  for (std::string_view name : presetNames())
    presets += (presets.empty() ? "" : ", ") + std::string(name);
  model->add_option("--preset", preset, "one of " + presets)->type_name("NAME");
  model->add_option("--config", configPath, "a config.json")->type_name("FILE");
  model
      ->add_option("--model", modelPath,
                   "a model of your own: @main takes parameters, tokens and "
                   "targets, and returns the loss")
      ->type_name("FILE.mlir");
  model
      ->add_option("--resume", resumeDir,
                   "folder of a run to go on with, with its settings; with "
                   "--out also one of its checkpoints")
      ->type_name("DIR");
  model->require_option(1);
  command->add_flag("--allow-extra", allowExtra,
                    "leave out what --init-from has and the model has not");
  addAttnResMode(*command, attnresMode);
  command
      ->add_option("--attnres-block-size", attnresBlockSize,
                   "decoder blocks in a depth block, with --attnres block")
      ->check(CLI::PositiveNumber);
  addFieldAssignments(*command, assignments,
                      "replace a field of --preset or --config, any number of "
                      "times");
  command->add_option("--out", out, "folder for the run")->type_name("DIR");
  settings.addOptions(*command);
  addIsa(*command, settings.target);
  dumps.add(*command);
  deviceOption.add(*command);
  command
      ->add_option("--stop-after", stopAfter,
                   "save and end after that step of the run, to go on later")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--pipeline-stages", stages,
                   "cut the model into P stages between depth blocks, one for "
                   "each of P ranks; changes no result")
      ->type_name("P")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--profile", profilePath,
                   "write a trace of some steps for Perfetto or Chrome, and "
                   "print the time of every kernel")
      ->type_name("FILE");
  command->add_flag("--allow-changed-data", allowChangedData,
                    "go on although the data is not what the run began with");
  command->add_flag("--find-lr", findsRate,
                    "instead of a run, 100 steps with a learning rate that "
                    "rises from 1e-6 to 1: how the loss answers, and what to "
                    "choose for --lr; writes nothing");
  command->add_flag("--json", json, "print the result as JSON");
  command->footer(
      "Writes to the folder: run.json (settings), metrics.jsonl (one line per\n"
      "step, evaluation and checkpoint), checkpoints/step-N, lock, with a\n"
      "tokenizer tokens.bin, the encoded text, and with --keep-best the link\n"
      "best to a checkpoint. Ctrl-C and\n"
      "SIGTERM save a checkpoint and end; --resume goes on bit for bit. With\n"
      "--out NEW a copy of the run goes on in another folder.\n\n"
      "Examples:\n"
      "  attnres-run train --preset toy --attnres block --data "
      "multiplication:2 --steps 600 --out runs/mul\n"
      "  attnres-run train --preset toy --data book.txt --batch-size 8 --out "
      "runs/book\n"
      "  attnres-run train --preset toy --data web.txt code.txt --data-weights "
      "3 1 --val-data a.txt b.txt --out runs/mix\n"
      "  attnres-run train --preset toy --data book.txt --find-lr\n"
      "  attnres-run train --config gpt2.json --data train.bin --val-data "
      "val.bin --out runs/tokens\n"
      "  attnres-run train --resume runs/book --steps 4000\n"
      "  mpirun -np 4 attnres-run train --preset toy --data book.txt --out "
      "runs/book\n"
      "  mpirun -np 2 attnres-run train --preset toy --attnres block "
      "--pipeline-stages 2 --data book.txt --out runs/book");
  command->callback([this] { ranks.run([this] { run(); }); });
}

void TrainCommand::run() {
  if (!resumeDir.empty())
    takeSettingsOfRun();
  if (findsRate)
    return findRate();
  if (out.empty())
    throw CommandError("--out is required");
  check(settings.validate());
  if (stages > 1)
    expectStages(ranks, stages,
                 {{"--ema", settings.ema > 0},
                  {"--model", !modelPath.empty()},
                  {"--dump-stage", dumps.isGiven()}});
  if (!profilePath.empty())
    check(checkWritable(profilePath));
  check(dumps.checkWritable());
  findData();
  std::optional<RunDirectory> directory;
  if (ranks.isFirst())
    directory.emplace(claimFolder());
  openTokenizer();
  ranks.inTurn([this] { openData(); });
  chooseDocumentToken();
  readModel();
  setMicroBatch();
  setSteps();
  if (ranks.isFirst())
    checkFolder();
  ordered_json own =
      fingerprintOfRun(record, found.multiplication.has_value(), source.text);
  own["--stop-after"] = stopAfter;
  own["--resume"] = resumed.has_value();
  own["--pipeline-stages"] = stages;
  ranks.expectSame(own);

  chooseDevice();
  if (stages > 1)
    cutModel(ranks, source, /*logits=*/data.digits > 0, stages, options);
  if (ranks.isFirst() || stages > 1)
    compile();
  if (stages == 1)
    for (auto *program : {&programs.gradients, &programs.update, &evaluation})
      ranks.share(*program);
  createTrainer();
  shareSteps();
  createSampler();
  runtime::TrainingOptions loop = loopOptions();
  // Until now a signal ends the process at once: there is nothing to save.
  runtime::catchInterrupts();
  if (ranks.isFirst())
    writeRunFile();
  sayWhatChanges();

  // An emulator's time says nothing of a machine.
  std::optional<MachineLimits> measured;
  if (runtime::CpuDevice *processor = processorOf(*device))
    measured.emplace(*processor, *runtime::cpuIsa(programs.gradients->target));
  MachineLimits *limits = measured ? &*measured : nullptr;
  TrainProgress progress(settings.steps, flopsPerToken(),
                         PeakShare(limits, settings.dtype == "bf16"));
  progress.setAllQuestions(data.allQuestions);
  std::vector<runtime::EvaluationSet> validation;
  for (const NamedSet &set : data.validation)
    validation.push_back({set.name, set.set.get()});
  Silence silence;
  TrainingLoop training(
      loop, *trainer, *data.train, evaluator.get(), std::move(validation),
      ranks.isFirst() ? static_cast<runtime::TrainingListener &>(progress)
                      : silence);
  if (mean)
    training.setMean(*mean, *meanEvaluator);
  if (sampler && (ranks.isFirst() || stages > 1))
    training.setSampler([&] { return drawSamples(progress); });
  runtime::Profile profile;
  if (!profilePath.empty())
    training.profileSteps(profile);
  TrainingLoop::Outcome outcome = unwrap(training.run(start));
  if (!profilePath.empty() && ranks.isFirst()) {
    check(profile.writeTrace(profilePath));
    printProfile(profile, limits, settings.dtype == "bf16");
  }
  TrainEnd{ranks, progress, out, settings.steps, json}.report(outcome);
}

/// What --find-lr does instead of a run.
void TrainCommand::findRate() {
  if (!resumeDir.empty())
    throw CommandError("--find-lr is for new runs; --init-from begins with "
                       "the parameters of an old one");
  if (ranks.size() > 1 || stages > 1)
    throw SharedError("--find-lr is for one process");
  check(settings.validate());
  findData();
  openTokenizer();
  openData();
  chooseDocumentToken();
  readModel();
  setSteps();
  chooseDevice();
  compile();
  createTrainer();
  runtime::catchInterrupts();
  RateSearch search =
      unwrap(searchRate(*trainer, *data.train, settings.seed, settings.parts(),
                        /*steps=*/100, 1e-6, 1));
  writeText(json ? search.toJson().dump(2) + "\n" : search.toText(), "");
  if (int signal = runtime::interruptSignal())
    throw Interrupted{signal};
}

/// No sample is worth the run.
std::vector<ordered_json> TrainCommand::drawSamples(TrainProgress &progress) {
  if (canSample) {
    try {
      return (*sampler)(*trainer);
    } catch (const CommandError &error) {
      progress.onWarning(concat("no samples from now on: ", error.what()));
      canSample = false; // its tokenizer may be that of the data
    }
  }
  return {};
}

/// Says something to people that does not end the run.
void TrainCommand::note(const std::string &text) const {
  if (ranks.isFirst())
    std::cerr << text << std::endl;
}

/// Reads run.json of the run that --resume names.
void TrainCommand::takeSettingsOfRun() {
  resumedRun = runtime::runOfCheckpoint(resumeDir);
  if (resumedRun.empty())
    resumedRun = resumeDir; // the message about run.json names it
  bool isRun = RunDirectory::same(resumedRun, resumeDir);
  if (!isRun && out.empty())
    throw CommandError(concat(resumeDir, " is a checkpoint; --resume ",
                              resumedRun,
                              " goes on with the run, --out NEW "
                              "from here on in another folder"));
  if (out.empty())
    out = resumeDir;
  inPlace = isRun && RunDirectory::same(out, resumedRun);
  std::string path = resumedRun + "/run.json";
  resumed = unwrap(RunRecord::read(path));
  if (resumed->settings.empty())
    throw CommandError(path + ": field 'settings' is missing");
  check(settings.takeFrom(resumed->settings, command, path));
  check(before.takeFrom(resumed->settings, nullptr, path));
  // The schedule of a run stays as it is unless somebody says so.
  if (!before.scheduleSteps)
    before.scheduleSteps = before.steps;
  if (!settings.scheduleSteps)
    settings.scheduleSteps = before.scheduleSteps;
  if (chosenModel().changesFields())
    throw CommandError(
        "the model of a run cannot change when it is resumed: --attnres, "
        "--attnres-block-size and --set are for new runs");
}

/// Opens the files of --data, which a run that goes on compares with what it
/// began with. Writes nothing.
void TrainCommand::findData() {
  found.mixture = unwrap(MultiplicationName::parseMixture(settings.data));
  bool isMixture = !found.mixture.empty();
  if (!isMixture)
    found.multiplication = unwrap(MultiplicationName::parse(settings.data));
  std::vector<std::string> paths;
  for (size_t i = 0; i < settings.data.size(); ++i)
    if (!isMixture || !found.mixture[i])
      paths.push_back(settings.data[i]);
  bool isAllComputed = found.multiplication || (isMixture && paths.empty());
  if (isAllComputed && !settings.tokenizer.empty())
    throw CommandError(concat("--tokenizer is for text, and ",
                              inQuotes(settings.data.front()),
                              " has an alphabet of its own"));
  if (found.multiplication &&
      !(settings.dataWeights.empty() && settings.valData.empty()))
    throw CommandError(concat("--data-weights and --val-data are for files, "
                              "not for ",
                              inQuotes(settings.data.front())));
  if (isMixture && !settings.valData.empty())
    throw CommandError("--val-data is for files alone; of multiplications and "
                       "what they are mixed with, each has its held-out part");
  // By name where there is no content to compare.
  if (resumed && settings.data != before.data && !allowChangedData &&
      (found.multiplication || isMixture || resumed->data.empty()))
    throw CommandError(
        concat("--data of a run cannot change when it is resumed; ",
               resumed->where, " says ", ordered_json(before.data).dump(),
               " (--allow-changed-data goes on with other data)"));
  found.weights = settings.dataWeights;
  if (isAllComputed)
    return;
  DataSearch search;
  search.named = command->get_option("--data")->count() > 0;
  search.acceptChanged = allowChangedData;
  search.advice = "--data names the place of that text, --allow-changed-data "
                  "goes on with this one";
  search.note = [this](const std::string &text) { note(text); };
  auto fingerprints =
      [&](std::vector<runtime::FileFingerprint> RunRecord::*of) {
        return resumed ? *resumed.*of : std::vector<runtime::FileFingerprint>();
      };
  found.files =
      unwrap(openRecorded(paths, fingerprints(&RunRecord::data), search));
  search.named = command->get_option("--val-data")->count() > 0;
  search.option = "--val-data";
  search.use = "evaluated on";
  found.validation = unwrap(openRecorded(
      settings.valData, fingerprints(&RunRecord::validation), search));
  found.recognizes = !settings.asBytes;
  hasTokens = unwrap(found.hasTokens());
  for (const auto &file : found.files)
    record.data.push_back(file->fingerprint());
  for (const auto &file : found.validation)
    record.validation.push_back(file->fingerprint());
}

RunDirectory TrainCommand::claimFolder() const {
  RunDirectory directory = unwrap(RunDirectory::own(out));
  if (!directory.isLocked())
    note(out + ": the file system has no locks; nothing keeps a second "
               "process from this folder");
  if (!inPlace && !runtime::CheckpointFolder(out).latest().empty())
    throw CommandError(out +
                       " holds a run already; go on with it by --resume " +
                       out + ", or choose another --out");
  std::string cache = out + "/tokens.bin";
  if (!inPlace && fs::exists(cache) && !runtime::TokenDataset::isCache(cache))
    throw CommandError(cache + " is not of a run; choose another --out");
  return directory;
}

void TrainCommand::openTokenizer() {
  if (resumed) {
    origin = runtime::HeldCheckpoint::open(resumeDir);
    if (!fs::exists(origin->path() + "/model.safetensors"))
      throw CommandError(resumeDir +
                         " has no checkpoint to go on from; begin the run "
                         "again without --resume");
    bool given = command->get_option("--tokenizer")->count() > 0;
    tokenizer = unwrap(tokenizerOf(origin->path(),
                                   given ? settings.tokenizer : "", &*resumed));
    if (!tokenizer.tokenizer && !settings.tokenizer.empty())
      throw CommandError(origin->path() +
                         "/tokenizer.json is missing; "
                         "--tokenizer DIR names a folder that has it");
  } else if (!settings.tokenizer.empty()) {
    tokenizer = unwrap(run::openTokenizer(settings.tokenizer));
  }
  if (!tokenizer.tokenizer && !hasTokens)
    tokenizer = builtInTokenizer(found.isAllComputed());
  if (tokenizer.tokenizer)
    record.tokenizer = TokenizerFingerprint::of(*tokenizer.tokenizer);
}

void TrainCommand::openData() {
  // At least as many questions as samples are written about.
  int64_t questions = std::max<int64_t>(settings.evalSamples, 4);
  // Without a run, the encoded text is needed no longer than it is open.
  std::string cache = findsRate
                          ? (fs::temp_directory_path() /
                             ("attnres-tokens-" + std::to_string(::getpid())))
                                .string()
                          : out + "/tokens.bin";
  Encoding encoding = {tokenizer.tokenizer.get(), cache};
  std::string config = origin ? origin->path() + "/config.json" : configPath;
  if (hasTokens && fs::is_regular_file(config))
    encoding.vocabulary = unwrap(ModelConfig::fromFile(config)).vocabSize;
  auto opened = TrainingData::open(found, settings.seqLen, settings.seed,
                                   encoding, questions);
  std::error_code absent;
  if (findsRate)
    fs::remove(cache, absent);
  data = unwrap(std::move(opened));
  record.seqLen = data.train->length();
}

void TrainCommand::chooseDocumentToken() {
  if (!settings.documentMasks)
    return;
  if (found.multiplication)
    throw CommandError("--document-masks is for texts, and multiplications "
                       "are one in a sequence");
  documentToken = settings.documentToken;
  if (!documentToken && tokenizer.tokenizer)
    documentToken = tokenizer.tokenizer->endToken();
  if (!documentToken)
    throw CommandError("--document-masks: no tokenizer says what ends a text; "
                       "--document-token N does");
  if (*documentToken >= data.train->vocabularySize())
    throw CommandError(concat("--document-token: expected less than the ",
                              data.train->vocabularySize(),
                              " tokens of the data, got ", *documentToken));
}

void TrainCommand::readModel() {
  if (origin) {
    if (fs::exists(origin->path() + "/model.mlir"))
      modelPath = origin->path() + "/model.mlir";
    else
      configPath = origin->path() + "/config.json";
  }
  source = chosenModel().read(settings, data.train->vocabularySize());
  if (!source.config) {
    modelFile = "model.mlir";
    record.model = fnv1a64(source.text);
    if (resumed)
      check(resumed->compareModel(source.text, modelPath));
    return;
  }
  modelFile = "config.json";
  record.config = ordered_json::parse(source.text);
  if (!resumed || resumed->config.is_null())
    return;
  // As the present version writes it, whatever version wrote it.
  ModelConfig described = unwrap(ModelConfig::fromJson(
      resumed->config.dump(), resumed->where + ": config"));
  if (described.toJson() != source.text)
    throw CommandError(configPath + " is not the model that " + resumed->where +
                       " describes");
}

/// Ranks add gradients in a tree, whose leaves are the same for any number.
void TrainCommand::setMicroBatch() {
  if (!ranks.communicator())
    return;
  if (settings.microBatch == 0) {
    settings.microBatch =
        settings.suitableMicroBatch(data.train->length(), ranks.size());
    if (resumed)
      note(concat("from now on gradients are added by micro-batches of ",
                  settings.microBatch,
                  " sequences; the run so far added them in another order"));
  }
  if (stages == 1 && settings.sequences() < ranks.size())
    throw SharedError(concat("a step of ", settings.sequences(),
                             " sequences has none for some of ", ranks.size(),
                             " ranks"));
  if (stages == 1 && settings.parts() < ranks.size())
    throw SharedError(concat(
        "a step of ", settings.parts(), " micro-batches has none for some of ",
        ranks.size(), " ranks; --micro-batch 1 makes ", settings.sequences()));
  note(concat(ranks.describe(), "; ", settings.parts(), " micro-batches of ",
              settings.microBatch, " sequences in a step",
              stages > 1 ? concat(", in ", stages, " stages") : ""));
}

void TrainCommand::shareSteps() {
  runtime::Communicator *communicator = ranks.communicator();
  if (!communicator) {
    if (settings.microBatch == 0)
      return;
    alone = std::move(runtime::localCommunicators(1).front());
    communicator = alone.get();
  }
  if (stages > 1)
    return shareStages();
  check(trainer->share(*communicator, settings.parts()));
  evaluator->share(*communicator);
  if (meanEvaluator)
    meanEvaluator->share(*communicator);
  if (ranks.size() > 1) {
    trainer->releaseState();
    ranks.expectSame(
        unwrap(fingerprintOfState(*device, trainer->parameters(), start.step)));
  }
}

void TrainCommand::shareStages() {
  check(trainer->shareStages(*ranks.communicator(), settings.parts()));
  check(evaluator->shareStages(*ranks.communicator()));
  trainer->releaseState();
  ordered_json own = ordered_json::object();
  own["step to go on from"] = start.step;
  ranks.expectSame(own);
}

void TrainCommand::setSteps() {
  if (settings.epochs) {
    double steps =
        std::ceil(*settings.epochs * static_cast<double>(data.train->size()) /
                  static_cast<double>(settings.sequences()));
    constexpr double mostSteps = 0x1p53;
    if (steps > mostSteps)
      throw CommandError(concat("--epochs: ", *settings.epochs, " epochs are ",
                                steps, " steps, limit is ", mostSteps));
    settings.steps = static_cast<int64_t>(steps);
  }
  if (!settings.scheduleSteps)
    settings.scheduleSteps = settings.steps;
  record.settings = settings.toJson();
}

/// A run that ended before its first checkpoint may begin anew, but another one
/// does not take its place.
void TrainCommand::checkFolder() const {
  if (inPlace)
    return;
  std::string path = out + "/run.json";
  if (!fs::exists(path)) {
    if (fs::exists(out + "/metrics.jsonl"))
      throw CommandError(out + " holds a metrics.jsonl of something else; "
                               "choose another --out");
    return;
  }
  std::string difference = record.difference(unwrap(RunRecord::read(path)));
  if (!difference.empty())
    throw CommandError(out + " holds the beginning of another run (" +
                       difference + "); remove it or choose another --out");
}

/// Errors at a line of the model name its file already.
static std::string withPath(const std::string &message,
                            const std::string &path) {
  return message.find(path + ":") == std::string::npos ? path + ": " + message
                                                       : message;
}

/// What programs run on, and the sizes that they are compiled for.
void TrainCommand::chooseDevice() {
  settings.setCompilation(options);
  options.batch = settings.rowsOfRun();
  options.seqLen = data.train->length();
  deviceOption.shareMachine(ranks.ranksHere());
  device = deviceOption.createFor(options);
}

void TrainCommand::compile() {
  auto compilation = compileTraining(
      source, options, settings.gradAccumulation > 1 || settings.microBatch > 0,
      dumps.isGiven() ? dumps.observer() : StageObserver());
  if (!compilation.ok() && !source.config)
    throw CommandError(withPath(compilation.status().message(), modelPath));
  TrainingCompilation compiled = unwrap(std::move(compilation));
  programs.gradients =
      std::make_shared<const Program>(std::move(compiled.gradients));
  if (compiled.update)
    programs.update =
        std::make_shared<const Program>(*std::move(compiled.update));
  evaluation = std::make_shared<const Program>(
      unwrap(compileEvaluation(source, options, /*logits=*/data.digits > 0)));
  if (stages > 1) {
    runtime::MemoryNeed need =
        memoryOfStage(programs, *evaluation, ranks, settings.parts());
    check(need.expectWithin(runtime::memoryLimit(), "training a stage"));
    plannedBytes = need.total();
    return;
  }
  // They share the parameters; the arenas are both there.
  runtime::MemoryNeed need = memoryOf(*programs.gradients);
  if (programs.update)
    need.add("arena of the update",
             static_cast<double>(programs.update->workspaceBytes));
  if (settings.ema > 0) {
    double bytes = 0;
    for (const runtime::Binding &binding : programs.gradients->bindings)
      if (binding.role == runtime::Role::Parameter && binding.updates < 0)
        bytes += static_cast<double>(binding.bytes());
    need.add("means of the parameters", bytes);
  }
  if (settings.microBatch > 0) {
    int64_t own = (settings.parts() + ranks.size() - 1) / ranks.size();
    double bytes = 0;
    for (const runtime::Binding &binding : programs.gradients->bindings)
      if (binding.role == runtime::Role::GradientSum && binding.updates < 0)
        bytes += static_cast<double>(binding.bytes());
    need.add("partial sums of gradients",
             std::floor(std::log2(static_cast<double>(own))) * bytes);
  }
  need.add("arena of evaluations",
           static_cast<double>(evaluation->workspaceBytes));
  check(need.expectWithin(runtime::memoryLimit(), "training"));
  plannedBytes = need.total();
}

void TrainCommand::createTrainer() {
  trainer = unwrap(runtime::Trainer::create(*device, programs));
  if (trainer->batchSize() != settings.rowsOfRun() ||
      trainer->length() != data.train->length())
    throw CommandError(concat(modelPath, " takes tokens of [",
                              trainer->batchSize(), ", ", trainer->length(),
                              "], the settings ask for [", settings.rowsOfRun(),
                              ", ", data.train->length(), "]"));
  trainer->setSeed(settings.seed);
  evaluator = unwrap(
      runtime::Evaluator::create(*device, evaluation, trainer->parameters()));
  if (data.digits == 0)
    evaluator->ignoreAnswers();
  if (documentToken) {
    trainer->setDocumentToken(*documentToken);
    evaluator->setDocumentToken(*documentToken);
  }
  if (resumeDir.empty()) {
    initializeParameters();
    createMean();
    return;
  }
  const std::string &checkpoint = origin->path();
  RunRecord saved = unwrap(RunRecord::read(checkpoint + "/trainer.json"));
  check(saved.compareSettings(*resumed));
  start = unwrap(runtime::readProgress(checkpoint));
  load(checkpoint + "/model.safetensors", trainer->parameters());
  load(checkpoint + "/optimizer.safetensors", trainer->moments());
  createMean();
  if (mean)
    load(checkpoint + "/ema.safetensors", mean->tensors());
  origin.reset();
}

/// Of the parameters as they are.
void TrainCommand::createMean() {
  if (settings.ema == 0)
    return;
  mean = unwrap(runtime::ParameterMean::create(*device, trainer->parameters(),
                                               settings.ema));
  meanEvaluator =
      unwrap(runtime::Evaluator::create(*device, evaluation, mean->tensors()));
  if (documentToken)
    meanEvaluator->setDocumentToken(*documentToken);
}

void TrainCommand::load(const std::string &path,
                        const std::vector<runtime::DeviceTensor> &tensors) {
  auto mapped =
      unwrap(runtime::mapTensors(*device, tensors, runtime::Access::Write));
  std::vector<bool> wanted;
  for (const runtime::DeviceTensor &tensor : tensors)
    wanted.push_back(trainer->needs(tensor));
  check(runtime::loadTensors(path, mapped.tensors, wanted));
  check(mapped.unmap());
}

/// A model of one's own has no program that continues texts, and tokens without
/// a tokenizer are no text.
void TrainCommand::createSampler() {
  if (!source.config || !tokenizer.tokenizer)
    return;
  CompileOptions whole = options;
  whole.parts = false;
  whole.stages.pipelineStages = 1;
  sampler = std::make_unique<TrainSampler>(*device, *source.config, whole, data,
                                           std::move(tokenizer.tokenizer));
}

void TrainCommand::initializeParameters() {
  // A file is read as a whole; what begins by a rule can be left to others.
  std::vector<runtime::DeviceTensor> own;
  for (const runtime::DeviceTensor &parameter : trainer->parameters())
    if (!settings.initFrom.empty() || trainer->needs(parameter))
      own.push_back(parameter);
  std::vector<std::string> missing = unwrap(
      beginParameters(*device, own, source.config, settings, allowExtra));
  if (missing.empty())
    return;
  constexpr size_t shown = 3;
  std::string names;
  for (size_t i = 0; i < std::min(shown, missing.size()); ++i)
    names += concat(i ? ", " : "", missing[i]);
  if (missing.size() > shown)
    names += concat(" and ", missing.size() - shown, " more");
  note(concat(settings.initFrom, ": the model begins anew with ", names));
}

void TrainCommand::writeRunFile() const {
  int64_t parameters = 0;
  for (const runtime::DeviceTensor &tensor : trainer->parameters())
    parameters += tensor.memory.bytes / static_cast<int64_t>(sizeof(float));
  ordered_json shown = settings.toJson();
  if (source.config) {
    shown["attnres"] = toString(source.config->attnres);
    if (source.config->attnres == AttnResMode::Block)
      shown["sublayers_per_depth_block"] = source.config->sublayersPerBlock();
  }
  ordered_json run = {
      {"version", 1},
      {"parameters", parameters},
      {"tokens_per_step", settings.sequences() * trainer->length()},
      {"planned_bytes", plannedBytes},
      {"settings", shown}};
  run.update(record.toJson());
  if (resumed && !inPlace)
    run["forked_from"] = {{"run", fs::weakly_canonical(resumedRun).string()},
                          {"step", start.step}};
  else if (resumed && !resumed->forkedFrom.is_null())
    run["forked_from"] = resumed->forkedFrom;
  if (!record.config.is_null())
    run["config"] = record.config;
  check(writeFileAtomically(out + "/run.json", {run.dump(2) + "\n"}));
  // The history of a fork; the loop removes what comes after the checkpoint.
  std::string history = resumedRun + "/metrics.jsonl";
  std::error_code error;
  if (resumed && !inPlace && fs::exists(history, error))
    fs::copy_file(history, out + "/metrics.jsonl",
                  fs::copy_options::overwrite_existing, error);
  if (error)
    throw CommandError(history + ": cannot copy: " + error.message());
}

/// What somebody who resumes a run may not expect.
void TrainCommand::sayWhatChanges() const {
  if (!resumed)
    return;
  if (start.step >= settings.steps)
    note(fmt::format("{}: all {} steps are done; --steps N with a larger N "
                     "trains on",
                     resumeDir, start.step));
  LearningRateSchedule was = before.learningRate(),
                       is = settings.learningRate();
  int64_t next = start.step + 1;
  if (is.at(next) != was.at(next))
    note(fmt::format("the learning rate of step {} is {:.3g}; as the run was "
                     "it would be {:.3g}",
                     next, is.at(next), was.at(next)));
  else if (settings.steps > is.steps && settings.steps != before.steps &&
           is.shape != LearningRateSchedule::Shape::Constant)
    note(fmt::format("the schedule ends at step {0} as before: the learning "
                     "rate of step {1} is {2:.3g}; --schedule-steps {1} "
                     "stretches it",
                     is.steps, settings.steps, is.at(settings.steps)));
}

runtime::TrainingOptions TrainCommand::loopOptions() const {
  runtime::TrainingOptions loop;
  loop.parts = settings.parts();
  loop.steps = settings.steps;
  loop.schedule = settings.learningRate();
  loop.seed = settings.seed;
  loop.evalEvery = settings.evalEvery;
  loop.evalSamples = settings.evalSamples;
  loop.saveEvery = settings.saveEvery;
  loop.keep = settings.keep;
  loop.keepBest = settings.keepBest || settings.earlyStop > 0;
  loop.patience = settings.earlyStop;
  loop.logEvery = settings.logEvery;
  loop.tensorboard = settings.tensorboard;
  loop.stopAfter = stopAfter;
  loop.directory = out;
  loop.files = tokenizer.files;
  loop.files[modelFile] = source.text;
  loop.origin = record.toJson();
  loop.origin["settings"] = settings.fixedToJson();
  return loop;
}

double TrainCommand::flopsPerToken() const {
  double flops = 0;
  for (const runtime::Launch &launch : programs.gradients->launches)
    flops += static_cast<double>(
        programs.gradients->kernels[static_cast<size_t>(launch.kernel)].flops);
  return flops / static_cast<double>(trainer->batchSize() * trainer->length());
}

} // namespace

void addTrainCommand(CLI::App &app) {
  // Lives as long as the application that refers to it.
  static TrainCommand command;
  command.addTo(app);
}

} // namespace attnres::run
