// attnres-exec train: a training run of a compiled program. Its folder is like
// those of attnres-run, which evaluates, reports and generates from it.
#include "tools/exec/Commands.h"
#include "tools/exec/ProgramOption.h"

#include "runtime/training/InitialRules.h"
#include "runtime/training/Interrupt.h"
#include "runtime/training/RunDirectory.h"
#include "runtime/training/TrainingLoop.h"
#include "support/File.h"
#include "tools/run/InitialParameters.h"
#include "tools/run/TrainProgress.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace attnres::exec {
namespace {

using nlohmann::ordered_json;
using runtime::Program;
using runtime::TrainingLoop;

struct TrainCommand {
  ProgramOption file;
  DataOption data;
  runtime::TrainingOptions loop;
  double lr = 1e-3;
  std::optional<double> minLr;
  std::string shape = "cosine", initFrom;
  bool resume = false;

  void addTo(CLI::App &command);
  void run();

private:
  void expectSameRun(const std::string &checkpoint) const;
  void openTrainer();
  void initialize();
  void openRecord();
  double flopsPerToken() const;
  void report(const TrainingLoop::Outcome &outcome,
              run::TrainProgress &shown) const;

  std::shared_ptr<const Program> step, forward; ///< the latter may be null
  run::RunRecord record;
  run::TrainingData samples;
  std::unique_ptr<runtime::Trainer> trainer;
  std::unique_ptr<runtime::Evaluator> evaluator;
  runtime::TrainingProgress start;
};

void TrainCommand::run() {
  file.open();
  step = file.program("train");
  if (file.pack().has("forward"))
    forward = file.program("forward");
  data.open(record);
  runtime::RunDirectory directory =
      unwrap(runtime::RunDirectory::own(loop.directory));
  std::string latest = runtime::CheckpointFolder(loop.directory).latest();
  if (latest.empty() == resume)
    throw CommandError(
        loop.directory +
        (resume ? " holds no run to go on with"
                : " holds a run already; --resume goes on with it"));
  if (resume)
    expectSameRun(latest);
  openTrainer();
  if (resume) {
    start = unwrap(runtime::readProgress(latest));
    loadInto(file.device(), trainer->parameters(),
             latest + "/model.safetensors");
    loadInto(file.device(), trainer->moments(),
             latest + "/optimizer.safetensors");
  } else {
    initialize();
  }
  openRecord();

  runtime::catchInterrupts();
  run::TrainProgress shown(loop.steps, flopsPerToken(),
                           [](double) { return std::nullopt; });
  shown.setAllQuestions(samples.allQuestions);
  std::vector<runtime::EvaluationSet> validation;
  if (evaluator)
    for (const run::NamedSet &set : samples.validation)
      validation.push_back({set.name, set.set.get()});
  TrainingLoop training(loop, *trainer, *samples.train, evaluator.get(),
                        validation, shown);
  report(unwrap(training.run(start)), shown);
}

/// Fails when data, tokenizer or seed are not those that the run began with.
void TrainCommand::expectSameRun(const std::string &checkpoint) const {
  auto before = unwrap(run::RunRecord::ofCheckpoint(checkpoint));
  if (!before)
    return;
  bool isSame = before->data.size() == record.data.size();
  for (size_t i = 0; isSame && i < record.data.size(); ++i)
    isSame = record.data[i].sameContent(before->data[i]);
  if (!isSame)
    throw CommandError("--data is not what the run was trained on, see " +
                       before->where);
  if (before->tokenizer &&
      !(record.tokenizer && *record.tokenizer == *before->tokenizer))
    throw CommandError("--tokenizer is not that of the run, which has " +
                       before->tokenizer->describe());
  auto seed = before->settings.value("seed", loop.seed);
  if (seed != loop.seed)
    throw CommandError(
        concat("--seed of a run cannot change when it is resumed; ",
               before->where, " says ", seed));
}

void TrainCommand::openTrainer() {
  runtime::TrainingPrograms programs;
  programs.gradients = step;
  trainer = unwrap(runtime::Trainer::create(file.device(), programs));
  ModelConfig config = file.config(*step);
  run::Encoding encoding = {data.tokenizer().tokenizer.get(),
                            loop.directory + "/tokens.bin", config.vocabSize};
  int64_t questions = std::max<int64_t>(loop.evalSamples, 4);
  samples = unwrap(run::TrainingData::open(
      data.source(), data.source().multiplication ? 0 : trainer->length(),
      loop.seed, encoding, questions));
  record.seqLen = samples.train->length();
  if (record.seqLen != trainer->length())
    throw CommandError(concat(file.path(), " takes ", trainer->length(),
                              " tokens in a sequence, the data has ",
                              record.seqLen));
  if (samples.train->vocabularySize() > config.vocabSize)
    throw CommandError(concat("the data has a vocabulary of ",
                              samples.train->vocabularySize(),
                              " tokens, the model one of ", config.vocabSize));
  if (forward) {
    evaluator = unwrap(runtime::Evaluator::create(file.device(), forward,
                                                  trainer->parameters()));
    if (!data.source().multiplication)
      evaluator->ignoreAnswers();
  }
}

void TrainCommand::initialize() {
  auto mapped = unwrap(runtime::mapTensors(file.device(), trainer->parameters(),
                                           runtime::Access::Write));
  auto rules = step->metadata.find(runtime::kInitialMetadata);
  if (rules != step->metadata.end())
    check(runtime::initializeByRules(rules->second, mapped.tensors));
  else if (initFrom.empty())
    throw CommandError(file.path() + " does not say how parameters begin; "
                                     "--init-from names a model that does");
  if (!initFrom.empty()) {
    auto missing = unwrap(
        run::copyParameters(initFrom, mapped.tensors, /*allowExtra=*/false));
    if (!missing.empty() && rules == step->metadata.end())
      throw CommandError(concat(initFrom, ": has no ", missing.front()));
  }
  check(mapped.unmap());
}

/// What later commands want to know of the run.
void TrainCommand::openRecord() {
  ordered_json settings = {{"program", file.path()},
                           {"batch_size", trainer->batchSize()},
                           {"seq_len", trainer->length()},
                           {"seed", loop.seed}};
  for (auto [key, name] : {std::make_pair("dtype", "dtype"),
                           std::make_pair("schedule", "depth_schedule"),
                           std::make_pair("attention", "attention")})
    if (auto found = step->metadata.find(key); found != step->metadata.end())
      settings[name] = found->second;
  loop.files = data.tokenizer().files;
  loop.files["config.json"] = file.config(*step).toJson();
  loop.origin = record.toJson();
  loop.origin["settings"] = settings;
  if (resume)
    return;
  int64_t parameters = 0;
  for (const runtime::DeviceTensor &tensor : trainer->parameters())
    parameters += tensor.memory.bytes / static_cast<int64_t>(sizeof(float));
  settings["steps"] = loop.steps;
  settings["lr"] = lr;
  ordered_json run = {
      {"version", 1},
      {"parameters", parameters},
      {"tokens_per_step", trainer->batchSize() * trainer->length()},
      {"settings", settings}};
  run.update(record.toJson());
  run["config"] = ordered_json::parse(loop.files["config.json"]);
  check(
      writeFileAtomically(loop.directory + "/run.json", {run.dump(2) + "\n"}));
}

double TrainCommand::flopsPerToken() const {
  double flops = 0;
  for (const runtime::Launch &launch : step->launches)
    flops += static_cast<double>(
        step->kernels[static_cast<size_t>(launch.kernel)].flops);
  return flops / static_cast<double>(trainer->batchSize() * trainer->length());
}

void TrainCommand::report(const TrainingLoop::Outcome &outcome,
                          run::TrainProgress &shown) const {
  if (outcome.end == TrainingLoop::End::Diverged)
    throw CommandError(concat(outcome.failure, "; the state before it is in ",
                              outcome.checkpoint));
  bool finished = outcome.end == TrainingLoop::End::Finished;
  std::cout << fmt::format(
      "{} at step {} after {}: {}\n", finished ? "finished" : "stopped",
      outcome.progress.step, run::formatSeconds(outcome.progress.seconds),
      outcome.checkpoint);
  std::cout.flush();
  if (int signal = runtime::interruptSignal())
    throw run::Interrupted{signal};
  if (outcome.lostWrites > 0)
    throw CommandError(concat(outcome.lostWrites,
                              " writes were lost, the first by ",
                              outcome.firstLoss));
}

void TrainCommand::addTo(CLI::App &command) {
  file.add(command);
  data.add(command);
  command.add_option("--steps", loop.steps, "steps of the whole run")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40))
      ->required();
  command.add_option("--out", loop.directory, "folder of the run")
      ->type_name("DIR")
      ->required();
  command.add_flag("--resume", resume, "go on with the run in --out");
  command
      .add_option("--init-from", initFrom,
                  "folder of a model, or safetensors file, that the parameters "
                  "begin with")
      ->type_name("DIR");
  command.add_option("--lr", lr, "peak learning rate")->capture_default_str();
  command.add_option("--min-lr", minLr,
                     "learning rate at the end; a tenth of the peak if not "
                     "given");
  command
      .add_option("--warmup", loop.schedule.warmup,
                  "steps in which the learning rate rises from zero")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  command.add_option("--lr-schedule", shape, "learning rate after the warm-up")
      ->check(CLI::IsMember({"cosine", "wsd", "constant"}))
      ->capture_default_str();
  command.add_option("--seed", loop.seed, "of the order of the data")
      ->capture_default_str();
  command
      .add_option("--eval-every", loop.evalEvery,
                  "steps between evaluations; 0: at the end alone")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  loop.evalSamples = 256;
  command
      .add_option("--eval-samples", loop.evalSamples,
                  "samples of an evaluation, at most")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40))
      ->capture_default_str();
  command
      .add_option("--save-every", loop.saveEvery,
                  "steps between checkpoints; 0: at the end alone")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  command.footer(
      "Needs a program to train, and one to go forward for evaluations.\n"
      "Example:\n  attnres-exec train toy.program --data book.txt --steps 300 "
      "--out runs/book --device cuda");
}

} // namespace

void addTrainCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("train", "train a compiled model");
  auto state = std::make_shared<TrainCommand>();
  state->addTo(*command);
  command->callback([state] {
    runtime::LearningRateSchedule &schedule = state->loop.schedule;
    schedule.shape = *runtime::parseScheduleShape(state->shape);
    schedule.peak = state->lr;
    schedule.minimum = state->minLr.value_or(state->lr / 10);
    schedule.steps = state->loop.steps;
    state->run();
  });
}

} // namespace attnres::exec
