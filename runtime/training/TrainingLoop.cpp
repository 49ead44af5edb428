// A training run from one step to the last.
#include "runtime/training/TrainingLoop.h"

#include "runtime/training/Interrupt.h"
#include "runtime/training/ParameterGroup.h"
#include "support/File.h"
#include "support/StrictJson.h"

#include <algorithm>
#include <cmath>

#include <sys/resource.h>

namespace attnres::runtime {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

Result<TrainingLoop::Outcome> TrainingLoop::run(const TrainingProgress &start) {
  progress = start;
  secondsBefore = start.seconds;
  started = Clock::now();
  if (writes())
    if (Status status = openRecords(start.step); !status.ok())
      return status;
  if (start.step > 0) {
    savedPath = checkpoints.find(start.step);
    if (isShared()) // what one sees of a folder, another may see later
      if (Status status = trainer.ranks()->broadcast(0, savedPath);
          !status.ok())
        return status;
    if (!savedPath.empty())
      savedStep = start.step;
    else if (Status status = save(); !status.ok())
      return status;
  }

  Outcome outcome;
  Status trained = train(outcome);
  // The moments that a rank owns are lost with it.
  if (!trained.ok() && isShared())
    return Status(trained.code(),
                  concat(trained.message(), "; ", describeSaved()));
  Status saved = save();
  if (!trained.ok() && saved.ok())
    return Status(
        trained.code(),
        concat(trained.message(), "; the state before it is in ", savedPath));
  if (!trained.ok())
    return Status(trained.code(), concat(trained.message(),
                                         "; the state before it cannot be "
                                         "saved: ",
                                         saved.message()));
  if (!saved.ok())
    return Status(saved.code(), concat(saved.message(), "; ", describeSaved()));
  outcome.progress = progress;
  outcome.checkpoint = savedPath;
  outcome.lostWrites = lostWrites;
  outcome.firstLoss = firstLoss;
  outcome.lacksEvaluation = lacksEvaluation;
  return outcome;
}

Status TrainingLoop::openRecords(int64_t step) {
  checkpoints.removeUnfinished();
  Result<MetricsLog> opened =
      MetricsLog::open(options.directory + "/metrics.jsonl", step);
  if (!opened.ok())
    return opened.status();
  metrics.emplace(*std::move(opened));
  if (options.tensorboard) {
    Result<EventFile> file = EventFile::create(options.directory, step);
    if (!file.ok())
      return file.status();
    events.emplace(*std::move(file));
  }
  return {};
}

Result<int> TrainingLoop::agreeOnSignal() {
  int own = interruptSignal();
  if (!isShared())
    return own;
  // They have told each other in the step before, if there was one: now
  // parameters may be on their way.
  if (stepsDone == 0) {
    Result<std::vector<int>> all = trainer.ranks()->allGather(own);
    if (!all.ok())
      return all.status();
    auto first = std::find_if(all->begin(), all->end(),
                              [](int signal) { return signal != 0; });
    agreedSignal = first == all->end() ? 0 : *first;
  }
  if (agreedSignal != 0)
    requestEnd(agreedSignal);
  return agreedSignal;
}

/// Step after step until the run ends in one way or another.
Status TrainingLoop::train(Outcome &outcome) {
  while (progress.step < options.steps && outcome.end == End::Finished) {
    bool stops = options.stopAfter > 0 && progress.step >= options.stopAfter;
    Result<int> signal = agreeOnSignal();
    if (!signal.ok())
      return signal.status();
    if (*signal || stops) {
      outcome.end = End::Interrupted;
      break;
    }
    StepResult result;
    if (Status status = step(result); !status.ok())
      return status;
    if (!result.failure.empty()) {
      outcome.end = End::Diverged;
      outcome.failure = result.failure;
      break;
    }
    bool last = progress.step == options.steps;
    if (last || due(options.evalEvery))
      if (Status status = evaluate(); !status.ok())
        return status;
    if (!last && options.patience > 0 &&
        progress.evaluationsSinceBest >= options.patience) {
      outcome.end = End::Stalled;
      break;
    }
    if (!last && due(options.saveEvery))
      if (Status status = save(); !status.ok())
        lose(status);
  }
  return {};
}

/// What the folder holds when the last state could not be saved.
std::string TrainingLoop::describeSaved() const {
  if (savedPath.empty())
    return "no checkpoint was written";
  return concat("step ", savedStep, " is in ", savedPath);
}

/// Goes on without what could not be written, and remembers that.
void TrainingLoop::lose(const Status &status) {
  if (lostWrites++ == 0)
    firstLoss = status.message();
  // A full disk would say the same at every step.
  if (status.message() == lastLoss)
    return;
  lastLoss = status.message();
  listener.onWarning(lastLoss);
}

bool TrainingLoop::due(int64_t every) const {
  return every > 0 && progress.step % every == 0;
}

double TrainingLoop::secondsSince(Clock::time_point time) const {
  return std::chrono::duration<double>(Clock::now() - time).count();
}

/// Draws what this rank computes of the next batch, which has that many rows.
Status TrainingLoop::fillOwnRows(int64_t rows) {
  auto [first, last] = trainer.ownParts(options.parts);
  int64_t begin = first * trainer.batchSize(),
          count = (last - first) * trainer.batchSize(),
          length = trainer.length();
  tokens.resize(static_cast<size_t>(count * length));
  targets.resize(tokens.size());
  for (int64_t row = 0; row < count; ++row)
    if (Status status = data.draw(
            options.seed, progress.step * rows + begin + row,
            tokens.data() + row * length, targets.data() + row * length);
        !status.ok())
      return status;
  return {};
}

/// Computes the forward pass of the batch once more, and adds to `failure`
/// where in the model something is not finite first.
Status TrainingLoop::nameBadActivation(std::string &failure) {
  if (!evaluator || evaluator->batchSize() != trainer.batchSize())
    return {};
  int64_t perPart = trainer.batchSize() * trainer.length();
  auto parts = static_cast<int64_t>(tokens.size()) / perPart;
  for (int64_t part = 0; part < parts; ++part) {
    Result<std::optional<std::string>> bad = evaluator->firstBadActivation(
        tokens.data() + part * perPart, targets.data() + part * perPart);
    if (!bad.ok())
      return bad.status();
    if (!*bad)
      continue;
    failure += concat(", the first activation that is not finite is ", **bad);
    return {};
  }
  return {};
}

/// Names what is not finite in the batches of any rank, in the same words on
/// all of them.
Status TrainingLoop::agreeOnFailure(std::string &failure) {
  if (Status status = nameBadActivation(failure); !status.ok())
    return status;
  if (!isShared())
    return {};
  auto all = trainer.ranks()->allGather(failure);
  if (!all.ok())
    return all.status();
  failure = all->front();
  for (const std::string &text : *all) // the first that knows more
    if (text.size() > failure.size()) {
      failure = text;
      break;
    }
  return {};
}

Status TrainingLoop::step(StepResult &result) {
  auto begin = Clock::now();
  int64_t rows = trainer.batchSize() * options.parts;
  int64_t number = progress.step + 1;
  if (Status status = fillOwnRows(rows); !status.ok())
    return status;
  double rate = options.schedule.at(number);
  bool recorded = stepsDone > 0 && stepsDone <= profiledSteps;
  trainer.setProfile(recorded ? profile : nullptr);
  ++stepsDone;
  Result<StepResult> done =
      trainer.step(number, rate, options.parts, tokens.data(), targets.data());
  if (!done.ok())
    return done.status();
  result = *std::move(done);
  agreedSignal = result.signal;
  if (!result.failure.empty()) {
    result.failure = concat("step ", number, ": ", result.failure);
    return agreeOnFailure(result.failure);
  }
  if (mean) {
    if (Status status = trainer.settle(); !status.ok())
      return status;
    if (Status status = mean->add(number); !status.ok())
      return status;
  }
  Result<std::map<std::string, double>> norms = normsByGroup();
  if (!norms.ok())
    return norms.status();
  ++progress.normedSteps;
  for (const auto &[group, norm] : *norms)
    progress.normSums[group] += norm;
  progress.step = number;
  progress.tokens += rows * trainer.length();
  progress.seconds = secondsBefore + secondsSince(started);
  recentTokens += rows * trainer.length();
  recentSeconds += secondsSince(begin);
  double rateOfTokens = static_cast<double>(recentTokens) / recentSeconds;
  listener.onStep(progress, result, rate, rateOfTokens);
  if (due(options.logEvery) || number == options.steps) {
    log({{"kind", "step"},
         {"step", number},
         {"loss", result.loss},
         {"grad_norm", result.gradientNorm},
         {"learning_rate", rate},
         {"tokens", progress.tokens},
         {"tokens_per_second", rateOfTokens},
         {"seconds", progress.seconds}});
    recentTokens = 0;
    recentSeconds = 0;
  }
  return {};
}

Result<std::map<std::string, double>> TrainingLoop::normsByGroup() const {
  Result<std::vector<double>> norms = trainer.gradientNorms();
  if (!norms.ok())
    return norms.status();
  std::map<std::string, double> groups;
  for (size_t i = 0; i < norms->size(); ++i)
    groups[parameterGroup(trainer.parameters()[i].name)] +=
        (*norms)[i] * (*norms)[i];
  for (auto &[group, value] : groups)
    value = std::sqrt(value);
  return groups;
}

/// The most memory that this process has had, the compiler's included.
static int64_t peakBytes() {
  struct rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

Status TrainingLoop::evaluate() {
  if (Status status = trainer.settle(); !status.ok())
    return status;
  ordered_json line = {{"kind", "eval"}, {"step", progress.step}};
  EvaluationResult result;
  // Ranks end together, at a step.
  auto cancelled = [&] { return !isShared() && interruptSignal() != 0; };
  if (evaluator) {
    Result<std::optional<EvaluationResult>> run =
        evaluator->run(validation, options.evalSamples, cancelled);
    if (!run.ok())
      return run.status();
    if (!*run) { // interrupted
      lacksEvaluation = progress.step == options.steps;
      return {};
    }
    result = **std::move(run);
    if (mean) {
      auto ofMeans =
          meanEvaluator->run(validation, options.evalSamples, cancelled);
      if (!ofMeans.ok())
        return ofMeans.status();
      if (!*ofMeans) {
        lacksEvaluation = progress.step == options.steps;
        return {};
      }
      result.meanLoss = (*ofMeans)->loss;
      line["ema_loss"] = (*ofMeans)->loss;
    }
    line["loss"] = result.loss;
    line["perplexity"] = std::exp(result.loss);
    for (const auto &[name, loss] : result.sets)
      line["sets"][name] = loss;
    if (result.accuracy)
      line["accuracy"] = *result.accuracy;
    for (const auto &[name, accuracy] : result.setAccuracies)
      line["set_accuracies"][name] = accuracy;
  }
  Result<std::map<std::string, double>> norms = normsByGroup();
  if (!norms.ok())
    return norms.status();
  // In the order of the model, which the parameters have.
  ordered_json last = ordered_json::object(), means = ordered_json::object();
  for (const DeviceTensor &parameter : trainer.parameters()) {
    std::string group = parameterGroup(parameter.name);
    last[group] = (*norms)[group];
    if (progress.normedSteps > 0)
      means[group] =
          progress.normSums[group] / static_cast<double>(progress.normedSteps);
  }
  line["gradient_norms"] = std::move(last);
  line["mean_gradient_norms"] = std::move(means);
  progress.normedSteps = 0;
  progress.normSums.clear();
  for (auto &[name, rows] :
       {std::make_pair("depth_weights", &result.depthWeights),
        std::make_pair("router_load", &result.routerLoad),
        std::make_pair("decay", &result.decay),
        std::make_pair("state_norms", &result.stateNorms)})
    if (!rows->empty())
      line[name] = *rows;
  if (!result.activations.empty()) {
    ordered_json norms = ordered_json::object();
    for (const ActivationNorm &norm : result.activations)
      norms[norm.name] = norm.mean;
    line["activation_norms"] = std::move(norms);
  }
  progress.seconds = secondsBefore + secondsSince(started);
  line["seconds"] = progress.seconds;
  line["peak_bytes"] = peakBytes();
  log(line);
  if (evaluator) {
    listener.onEvaluation(progress, result);
    rank(result.loss);
  }
  return sampler ? sample() : Status();
}

Status TrainingLoop::sample() {
  if (Status status = trainer.gatherParameters(); !status.ok())
    return status;
  if (writes())
    for (ordered_json &sample : sampler()) {
      ordered_json record = {{"kind", "sample"}, {"step", progress.step}};
      record.update(sample);
      log(record);
    }
  if (trainer.isStage())
    trainer.releaseState();
  return {};
}

void TrainingLoop::rank(double loss) {
  if (progress.bestLoss && !(loss < *progress.bestLoss)) {
    ++progress.evaluationsSinceBest;
    return;
  }
  progress.bestLoss = loss;
  progress.bestStep = progress.step;
  progress.evaluationsSinceBest = 0;
  if (!options.keepBest)
    return;
  Status status = save();
  if (status.ok() && writes())
    status = checkpoints.setBest(progress.step);
  if (!status.ok())
    lose(status);
}

Status TrainingLoop::save() {
  if (savedStep == progress.step)
    return {};
  auto begin = Clock::now();
  progress.seconds = secondsBefore + secondsSince(started);
  if (Status status = trainer.settle(); !status.ok())
    return status;
  if (isShared())
    if (Status status = trainer.gatherState(); !status.ok())
      return status;
  std::string path;
  Status written = writes() ? write(path) : Status();
  if (isShared()) {
    trainer.releaseState();
    written = agreeOnSave(written, path);
  }
  if (!written.ok())
    return written;
  savedStep = progress.step;
  savedPath = path;
  if (!writes())
    return {};
  checkpoints.prune(options.keep, options.keepBest ? progress.bestStep : -1);
  std::string relative = savedPath.substr(options.directory.size() + 1);
  log({{"kind", "save"},
       {"step", progress.step},
       {"path", relative},
       {"seconds", secondsSince(begin)}});
  listener.onSave(savedPath);
  return {};
}

Status TrainingLoop::agreeOnSave(Status written, std::string &path) {
  Communicator &ranks = *trainer.ranks();
  std::string failure = written.message();
  if (Status status = ranks.broadcast(0, failure); !status.ok())
    return status;
  if (Status status = ranks.broadcast(0, path); !status.ok())
    return status;
  if (failure.empty())
    return {};
  return ioError("rank 0: ", failure);
}

Status TrainingLoop::write(std::string &path) {
  CheckpointContent content;
  content.files = options.files;
  ordered_json state = {
      {"step", progress.step},
      {"tokens", progress.tokens},
      {"seconds", progress.seconds},
      {"samples", progress.step * trainer.batchSize() * options.parts},
      {"seed", options.seed}};
  if (progress.bestLoss) {
    state["best"] = {{"step", progress.bestStep}, {"loss", *progress.bestLoss}};
    state["evaluations_since_best"] = progress.evaluationsSinceBest;
  }
  if (progress.normedSteps > 0)
    state["gradient_norms"] = {{"steps", progress.normedSteps},
                               {"sums", progress.normSums}};
  state.update(options.origin);
  content.files["trainer.json"] = state.dump(2) + "\n";
  Result<MappedTensors> parameters =
      mapTensors(trainer.device(), trainer.parameters(), Access::Read);
  if (!parameters.ok())
    return parameters.status();
  Result<MappedTensors> moments =
      mapTensors(trainer.device(), trainer.moments(), Access::Read);
  if (!moments.ok())
    return moments.status();
  Result<MappedTensors> means = mapTensors(
      trainer.device(), mean ? mean->tensors() : std::vector<DeviceTensor>(),
      Access::Read);
  if (!means.ok())
    return means.status();
  content.means = means->tensors;
  content.parameters = parameters->tensors;
  content.moments = moments->tensors;
  Result<std::string> saved = checkpoints.save(progress.step, content);
  if (!saved.ok())
    return saved.status();
  path = *saved;
  return {};
}

void TrainingLoop::log(const ordered_json &line) {
  if (!writes())
    return;
  if (Status status = metrics->append(line); !status.ok())
    lose(status);
  if (events)
    logEvents(line);
}

/// The curves among the fields of a line.
void TrainingLoop::logEvents(const ordered_json &line) {
  bool isStep = line["kind"] == "step";
  if (!isStep && line["kind"] != "eval")
    return;
  std::string group = isStep ? "train/" : "validation/";
  std::vector<std::pair<std::string, double>> values;
  auto add = [&](const std::string &name, const ordered_json &value) {
    if (value.is_number())
      values.emplace_back(group + name, value.get<double>());
  };
  for (const char *name : {"loss", "ema_loss", "grad_norm", "learning_rate",
                           "tokens_per_second", "perplexity", "accuracy"})
    if (auto field = line.find(name); field != line.end())
      add(name, *field);
  if (auto sets = line.find("sets"); sets != line.end())
    for (const auto &[name, loss] : sets->items())
      add("loss of " + name, loss);
  if (Status status = events->append(progress.step, values); !status.ok())
    lose(status);
}

Result<TrainingProgress> readProgress(const std::string &path) {
  std::string file = path + "/trainer.json";
  Result<std::string> text = readFile(file, 1 << 20);
  if (!text.ok())
    return text.status();
  Result<nlohmann::json> parsed = parseStrictJson(*text, file);
  if (!parsed.ok())
    return parsed.status();
  const nlohmann::json &state = *parsed;
  for (const char *field : {"step", "tokens"})
    if (!state.is_object() || !state.contains(field) ||
        !state[field].is_number_unsigned() ||
        state[field].get<uint64_t>() > (uint64_t{1} << 62))
      return invalidData(file, ": field '", field,
                         "': expected an integer of at least 0");
  TrainingProgress progress;
  progress.step = state["step"].get<int64_t>();
  progress.tokens = state["tokens"].get<int64_t>();
  if (state.contains("seconds") && state["seconds"].is_number())
    progress.seconds = state["seconds"].get<double>();
  if (auto best = state.find("best");
      best != state.end() && best->is_object() &&
      best->value("loss", nlohmann::json()).is_number() &&
      best->value("step", nlohmann::json()).is_number_integer()) {
    progress.bestLoss = (*best)["loss"].get<double>();
    progress.bestStep = (*best)["step"].get<int64_t>();
    auto since = state.find("evaluations_since_best");
    if (since != state.end() && since->is_number_integer())
      progress.evaluationsSinceBest = since->get<int64_t>();
  }
  // Absent in what was written before these sums were kept.
  auto norms = state.find("gradient_norms");
  if (norms != state.end() && norms->is_object() &&
      norms->value("steps", nlohmann::json()).is_number_unsigned() &&
      norms->value("sums", nlohmann::json()).is_object()) {
    progress.normedSteps = (*norms)["steps"].get<int64_t>();
    for (const auto &[group, sum] : (*norms)["sums"].items())
      if (sum.is_number())
        progress.normSums[group] = sum.get<double>();
  }
  return progress;
}

} // namespace attnres::runtime
