// attnres-run train: trains a model and keeps the record of it in a folder.
#include "models/Parameters.h"
#include "runtime/File.h"
#include "runtime/StrictJson.h"
#include "runtime/data/Tokenizer.h"
#include "runtime/training/Interrupt.h"
#include "runtime/training/TrainingLoop.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Commands.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"
#include "tools/run/ProfileTable.h"
#include "tools/run/TrainProgress.h"
#include "tools/run/TrainSampler.h"
#include "tools/run/TrainSettings.h"
#include "tools/run/TrainingData.h"

#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

namespace attnres::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using runtime::concat;
using runtime::inQuotes;
using runtime::LearningRateSchedule;
using runtime::Program;
using runtime::TrainingLoop;
using runtime::TrainingProgress;

class TrainCommand {
public:
  void addTo(CLI::App &app);

private:
  void run();
  void takeSettingsOfRun();
  void openData();
  void readModel();
  void checkFolder() const;
  void createFolder() const;
  void compile();
  void createTrainer();
  void createSampler();
  void initializeParameters();
  void writeRunFile() const;
  runtime::TrainingOptions loopOptions() const;
  double flopsPerToken() const;
  void report(const TrainingLoop::Outcome &outcome) const;

  CLI::App *command = nullptr;
  TrainSettings settings;
  CompileOptions options;
  std::string preset, configPath, modelPath, resumeDir, out;
  std::string attnresMode, profilePath;
  int64_t attnresBlockSize = 0;
  int threads = 0;
  int64_t stopAfter = 0;
  bool json = false;

  // In the order in which run() fills them.
  std::string modelFile; ///< name and text of the model in checkpoints
  ModelSource source;
  TrainingData data;
  std::map<std::string, std::string> tokenizerFiles; ///< of checkpoints
  std::unique_ptr<runtime::CpuDevice> device;
  runtime::TrainingPrograms programs;
  std::shared_ptr<const Program> evaluation;
  std::unique_ptr<runtime::Trainer> trainer;
  std::unique_ptr<runtime::Evaluator> evaluator;
  std::unique_ptr<TrainSampler> sampler;
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
                   "folder of a run to go on with, with its settings")
      ->type_name("DIR");
  model->require_option(1);
  addAttnResMode(*command, attnresMode);
  command
      ->add_option("--attnres-block-size", attnresBlockSize,
                   "decoder blocks in a depth block, with --attnres block")
      ->check(CLI::PositiveNumber);
  command->add_option("--out", out, "folder for the run")->type_name("DIR");
  settings.addOptions(*command);
  addThreads(*command, threads);
  command
      ->add_option("--stop-after", stopAfter,
                   "save and end after that step of the run, to go on later")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--profile", profilePath,
                   "write a trace of some steps for Perfetto or Chrome, and "
                   "print the time of every kernel")
      ->type_name("FILE");
  command->add_flag("--json", json, "print the result as JSON");
  command->footer(
      "Writes to the folder: run.json (settings), metrics.jsonl (one line per\n"
      "step, evaluation and checkpoint), checkpoints/step-N, and with a\n"
      "tokenizer tokens.bin, the encoded text. Ctrl-C and\n"
      "SIGTERM save a checkpoint and end; --resume goes on bit for bit.\n\n"
      "Examples:\n"
      "  attnres-run train --preset toy --attnres block --data "
      "multiplication:2 --steps 600 --out runs/mul\n"
      "  attnres-run train --preset toy --data book.txt --batch-size 8 --out "
      "runs/book\n"
      "  attnres-run train --resume runs/book --steps 4000");
  command->callback([this] { run(); });
}

void TrainCommand::run() {
  // A write beyond a file size limit is an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  if (!resumeDir.empty())
    takeSettingsOfRun();
  if (out.empty())
    throw CommandError("--out is required");
  check(settings.validate());
  openData();
  readModel();
  if (settings.epochs)
    settings.steps = static_cast<int64_t>(std::ceil(
        *settings.epochs * static_cast<double>(data.train->size()) /
        static_cast<double>(settings.batchSize * settings.gradAccumulation)));
  checkFolder();

  runtime::CpuOptions cpu;
  cpu.threads = threads;
  device = std::make_unique<runtime::CpuDevice>(cpu);
  compile();
  createTrainer();
  createSampler();
  runtime::TrainingOptions loop = loopOptions();
  // Until now a signal ends the process at once: there is nothing to save.
  runtime::catchInterrupts();
  createFolder();
  writeRunFile();

  MachineLimits limits(*device, programs.gradients->isa);
  TrainProgress progress(settings.steps, flopsPerToken(),
                         limits.measureFlops());
  TrainingLoop training(loop, *trainer, *data.train, evaluator.get(),
                        data.validation.get(), progress);
  if (sampler)
    training.setSampler([this] { return (*sampler)(*trainer); });
  runtime::Profile profile;
  if (!profilePath.empty())
    training.profileSteps(profile);
  TrainingLoop::Outcome outcome = unwrap(training.run(start));
  if (!profilePath.empty()) {
    check(profile.writeTrace(profilePath));
    printProfile(profile, limits.measureFlops(), limits.measureCopy());
  }
  report(outcome);
}

/// Reads run.json of the run that --resume names.
void TrainCommand::takeSettingsOfRun() {
  if (out.empty())
    out = resumeDir;
  std::string path = resumeDir + "/run.json";
  nlohmann::json file = unwrap(
      runtime::parseStrictJson(unwrap(runtime::readFile(path, 1 << 20)), path));
  if (!file.is_object() || !file.contains("settings"))
    throw CommandError(path + ": field 'settings' is missing");
  check(settings.takeFrom(file["settings"], *command, path));
  if (!attnresMode.empty() || attnresBlockSize > 0)
    throw CommandError(
        "the model of a run cannot change when it is resumed: --attnres and "
        "--attnres-block-size are for new runs");
}

void TrainCommand::openData() {
  TextEncoding encoding;
  if (!settings.tokenizer.empty()) {
    // A run that is resumed has the tokenizer in its checkpoints.
    encoding.tokenizer = resumeDir.empty()
                             ? settings.tokenizer
                             : runtime::resolveCheckpoint(resumeDir);
    tokenizerFiles = unwrap(runtime::Tokenizer::readFolder(encoding.tokenizer));
    encoding.cache = out + "/tokens.bin";
    createFolder();
  }
  data = unwrap(TrainingData::open(settings.data, settings.seqLen,
                                   settings.seed, encoding));
}

void TrainCommand::createFolder() const {
  std::error_code error;
  fs::create_directories(out, error);
  if (error)
    throw CommandError(out + ": cannot create: " + error.message());
}

void TrainCommand::readModel() {
  std::string folder;
  if (!resumeDir.empty()) {
    folder = runtime::resolveCheckpoint(resumeDir);
    if (fs::exists(folder + "/model.mlir"))
      modelPath = folder + "/model.mlir";
    else
      configPath = folder + "/config.json";
  }
  if (!modelPath.empty()) {
    if (!attnresMode.empty() || attnresBlockSize > 0)
      throw CommandError("--attnres needs a configuration; " + modelPath +
                         " says how its sublayers join");
    source.text = unwrap(runtime::readFile(modelPath, 64 << 20));
    modelFile = "model.mlir";
    return;
  }
  ModelConfig config = unwrap(preset.empty() ? ModelConfig::fromFile(configPath)
                                             : ModelConfig::preset(preset));
  if (!preset.empty())
    config.vocabSize = data.train->vocabularySize();
  if (!attnresMode.empty())
    config.attnres = *parseAttnResMode(attnresMode);
  if (attnresBlockSize > 0) {
    if (config.attnres != AttnResMode::Block)
      throw CommandError("--attnres-block-size needs --attnres block");
    config.attnresBlockSize = attnresBlockSize;
  }
  check(config.validate(preset.empty() ? configPath : preset));
  if (config.vocabSize < data.train->vocabularySize())
    throw CommandError(concat("the data has a vocabulary of ",
                              data.train->vocabularySize(),
                              " tokens, the model one of ", config.vocabSize));
  source.config = config;
  source.text = config.toJson();
  modelFile = "config.json";
}

void TrainCommand::checkFolder() const {
  if (resumeDir.empty() && !runtime::CheckpointFolder(out).latest().empty())
    throw CommandError(out +
                       " holds a run already; go on with it by --resume " +
                       out + ", or choose another --out");
}

void TrainCommand::compile() {
  options.batch = settings.batchSize;
  options.seqLen = data.train->length();
  options.bf16 = settings.dtype == "bf16";
  options.stages.learningBeta1 = settings.beta1;
  options.stages.learningBeta2 = settings.beta2;
  options.stages.weightDecay = settings.weightDecay;
  options.stages.clipNorm = settings.gradClip;
  TrainingCompilation compiled =
      unwrap(compileTraining(source, options, settings.gradAccumulation > 1));
  programs.gradients =
      std::make_shared<const Program>(std::move(compiled.gradients));
  if (compiled.update)
    programs.update =
        std::make_shared<const Program>(*std::move(compiled.update));
  evaluation = std::make_shared<const Program>(
      unwrap(compileEvaluation(source, options, /*logits=*/data.digits > 0)));
}

void TrainCommand::createTrainer() {
  trainer = unwrap(runtime::Trainer::create(*device, programs));
  if (trainer->batchSize() != settings.batchSize ||
      trainer->length() != data.train->length())
    throw CommandError(concat(modelPath, " takes tokens of [",
                              trainer->batchSize(), ", ", trainer->length(),
                              "], the settings ask for [", settings.batchSize,
                              ", ", data.train->length(), "]"));
  evaluator = unwrap(
      runtime::Evaluator::create(*device, evaluation, trainer->parameters()));
  if (resumeDir.empty()) {
    initializeParameters();
    return;
  }
  std::string checkpoint = runtime::resolveCheckpoint(resumeDir);
  start = unwrap(runtime::readProgress(checkpoint));
  check(runtime::loadTensors(checkpoint + "/model.safetensors",
                             trainer->parameters()));
  check(runtime::loadTensors(checkpoint + "/optimizer.safetensors",
                             trainer->moments()));
}

/// A model of one's own has no program that continues texts, and one whose
/// vocabulary is larger than the data's may write what has no text.
void TrainCommand::createSampler() {
  if (!source.config ||
      source.config->vocabSize != data.train->vocabularySize())
    return;
  std::unique_ptr<runtime::Tokenizer> tokenizer;
  if (!settings.tokenizer.empty())
    tokenizer = unwrap(runtime::Tokenizer::openFolder(
        resumeDir.empty() ? settings.tokenizer
                          : runtime::resolveCheckpoint(resumeDir)));
  else if (data.digits > 0)
    tokenizer = std::make_unique<runtime::MultiplicationTokenizer>();
  else
    tokenizer = std::make_unique<runtime::ByteTokenizer>();
  sampler = std::make_unique<TrainSampler>(*device, *source.config, options,
                                           data, std::move(tokenizer));
}

void TrainCommand::initializeParameters() {
  // The rules go by name and shape, for models of one's own too.
  ModelConfig config = source.config.value_or(ModelConfig());
  std::vector<runtime::TensorView> tensors = trainer->parameters();
  auto initialize = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      initializeParameter(config, Parameter{tensors[i].name, tensors[i].shape},
                          settings.seed, trainer->find(tensors[i].name));
  };
  device->threads().run(
      static_cast<int64_t>(tensors.size()),
      [](void *context, int, int64_t begin, int64_t end) {
        (*static_cast<decltype(initialize) *>(context))(begin, end);
      },
      &initialize);
}

void TrainCommand::writeRunFile() const {
  int64_t parameters = 0;
  for (const runtime::TensorView &tensor : trainer->parameters())
    parameters += tensor.bytes / static_cast<int64_t>(sizeof(float));
  ordered_json shown = settings.toJson();
  if (source.config) {
    shown["attnres"] = toString(source.config->attnres);
    if (source.config->attnres == AttnResMode::Block)
      shown["sublayers_per_depth_block"] = source.config->sublayersPerBlock();
  }
  ordered_json run = {
      {"version", 1},
      {"parameters", parameters},
      {"tokens_per_step",
       settings.batchSize * settings.gradAccumulation * trainer->length()},
      {"settings", shown}};
  if (source.config)
    run["config"] = ordered_json::parse(source.text);
  check(runtime::writeFileAtomically(out + "/run.json", {run.dump(2) + "\n"}));
}

runtime::TrainingOptions TrainCommand::loopOptions() const {
  runtime::TrainingOptions loop;
  loop.parts = settings.gradAccumulation;
  loop.schedule.shape = *runtime::parseScheduleShape(settings.schedule);
  loop.schedule.peak = settings.lr;
  loop.schedule.minimum = settings.minLr.value_or(settings.lr / 10);
  loop.schedule.warmup = settings.warmup;
  loop.schedule.steps = settings.steps;
  loop.seed = settings.seed;
  loop.evalEvery = settings.evalEvery;
  loop.evalSamples = settings.evalSamples;
  loop.saveEvery = settings.saveEvery;
  loop.keep = settings.keep;
  loop.logEvery = settings.logEvery;
  loop.stopAfter = stopAfter;
  loop.directory = out;
  loop.files = tokenizerFiles;
  loop.files[modelFile] = source.text;
  return loop;
}

double TrainCommand::flopsPerToken() const {
  double flops = 0;
  for (const runtime::Launch &launch : programs.gradients->launches)
    flops += static_cast<double>(
        programs.gradients->kernels[static_cast<size_t>(launch.kernel)].flops);
  return flops / static_cast<double>(trainer->batchSize() * trainer->length());
}

void TrainCommand::report(const TrainingLoop::Outcome &outcome) const {
  const TrainingProgress &progress = outcome.progress;
  if (outcome.end == TrainingLoop::End::Diverged)
    throw CommandError(concat(outcome.failure, "; the state before it is in ",
                              outcome.checkpoint));
  const char *end =
      outcome.end == TrainingLoop::End::Finished ? "finished" : "stopped";
  if (json)
    std::cout << ordered_json({{"end", end},
                               {"step", progress.step},
                               {"tokens", progress.tokens},
                               {"seconds", progress.seconds},
                               {"checkpoint", outcome.checkpoint}})
                     .dump(2)
              << '\n';
  else
    std::cout << fmt::format("{} at step {} after {}: {}\n", end, progress.step,
                             formatSeconds(progress.seconds),
                             outcome.checkpoint);
  std::cout.flush();
  if (runtime::interruptSignal())
    throw Interrupted{runtime::interruptSignal()};
}

} // namespace

void addTrainCommand(CLI::App &app) {
  // Lives as long as the application that refers to it.
  static TrainCommand command;
  command.addTo(app);
}

} // namespace attnres::run
