// A training run from one step to the last: batches, updates, evaluations,
// checkpoints and the record of it all in a folder.
#ifndef ATTNRES_RUNTIME_TRAINING_TRAININGLOOP_H
#define ATTNRES_RUNTIME_TRAINING_TRAININGLOOP_H

#include "runtime/data/Dataset.h"
#include "runtime/training/Checkpoint.h"
#include "runtime/training/Evaluator.h"
#include "runtime/training/EventFile.h"
#include "runtime/training/MetricsLog.h"
#include "runtime/training/ParameterMean.h"
#include "runtime/training/Schedule.h"
#include "runtime/training/Trainer.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace attnres::runtime {

struct TrainingOptions {
  int64_t parts = 1; ///< runs of the program per step (gradient accumulation)
  int64_t steps = 0; ///< of the whole run
  LearningRateSchedule schedule; ///< may end before the run or after it
  uint64_t seed = 0;             ///< of the order of the data
  int64_t evalEvery = 0;         ///< steps between evaluations; 0: at the end
  int64_t evalSamples = 0;       ///< at most that many in each
  int64_t saveEvery = 0;         ///< steps between checkpoints; 0: at the end
  int64_t keep = 2;              ///< checkpoints that stay
  /// Whether RUN/best is the checkpoint with the least validation loss, and
  /// stays.
  bool keepBest = false;
  /// End after that many evaluations in a row without a better loss; 0: do not.
  int64_t patience = 0;
  int64_t logEvery = 1;     ///< steps between lines of metrics.jsonl
  bool tensorboard = false; ///< also write event files of TensorBoard
  int64_t stopAfter = 0;    ///< end early after that step; 0: do not
  std::string directory;    ///< of the run
  /// Files of every checkpoint beside those that the loop writes.
  std::map<std::string, std::string> files;
  /// Fields of every checkpoint's trainer.json beside those of the loop: what
  /// the run is made of.
  nlohmann::ordered_json origin = nlohmann::ordered_json::object();
};

/// How far a run has come; what resuming starts from.
struct TrainingProgress {
  int64_t step = 0;
  int64_t tokens = 0; ///< fed to the model
  double seconds = 0; ///< spent in this and earlier processes
  // The evaluation with the least loss, and how many came after it.
  std::optional<double> bestLoss;
  int64_t bestStep = 0;
  int64_t evaluationsSinceBest = 0;
  /// Since the last evaluation: steps, and by part of the model the sum over
  /// them of the norm of its gradient.
  int64_t normedSteps = 0;
  std::map<std::string, double> normSums;
};

/// Told what happens, for people who watch.
class TrainingListener {
public:
  virtual ~TrainingListener() = default;
  /// `tokensPerSecond` is that of recent steps, without evaluations.
  virtual void onStep(const TrainingProgress &progress,
                      const StepResult &result, double learningRate,
                      double tokensPerSecond) = 0;
  virtual void onEvaluation(const TrainingProgress &progress,
                            const EvaluationResult &result) = 0;
  virtual void onSave(const std::string &path) = 0;
  /// Something went wrong that does not end the run.
  virtual void onWarning(const std::string &message) = 0;
};

/// Called at every evaluation for records of kind "sample".
using TextSampler = std::function<std::vector<nlohmann::ordered_json>()>;

/// With a trainer that shares its steps, every rank runs the loop alike; rank 0
/// alone keeps the record and the checkpoints.
class TrainingLoop {
public:
  /// All arguments, and the data of `validation`, outlive the loop.
  /// `evaluator` may be null, and `validation` is empty then.
  TrainingLoop(const TrainingOptions &options, Trainer &trainer,
               const Dataset &data, Evaluator *evaluator,
               std::vector<EvaluationSet> validation,
               TrainingListener &listener)
      : options(options), trainer(trainer), data(data), evaluator(evaluator),
        validation(std::move(validation)), listener(listener),
        checkpoints(options.directory) {}

  /// Called on rank 0; every stage of a pipeline has to have one.
  void setSampler(TextSampler function) { sampler = std::move(function); }

  /// Keeps `means` of the trainer's parameters, in every checkpoint too, and
  /// evaluates them with an evaluator of theirs. Both outlive the loop.
  void setMean(ParameterMean &means, Evaluator &evaluatorOfMeans) {
    mean = &means;
    meanEvaluator = &evaluatorOfMeans;
  }

  /// Records `profiledSteps` steps after the first one of this process.
  static constexpr int64_t profiledSteps = 10;
  void profileSteps(Profile &into) { profile = &into; }

  enum class End {
    Finished,
    Interrupted, ///< by a signal, see interruptSignal(), or by stopAfter
    Diverged,    ///< a loss or gradient was not finite
    Stalled,     ///< no better validation loss, see TrainingOptions::patience
  };
  struct Outcome {
    End end = End::Finished;
    TrainingProgress progress;
    std::string failure;    ///< what was not finite, when Diverged
    std::string checkpoint; ///< the last one written or resumed from
    /// Lines of metrics.jsonl and checkpoints that could not be written.
    int64_t lostWrites = 0;
    std::string firstLoss; ///< why the first of them could not
    /// A signal came before the evaluation of the last step.
    bool lacksEvaluation = false;
  };

  /// Goes on after `start`, whose parameters and moments are in the trainer,
  /// and saves them first if the folder has no checkpoint of that step. A run
  /// that ends early, by an error too, saves the state after its last good
  /// step. Fails when that, or the checkpoint at the end, cannot be written;
  /// the message says then which step the folder holds.
  Result<Outcome> run(const TrainingProgress &start);

private:
  Status openRecords(int64_t step);
  Status train(Outcome &outcome);
  /// The first signal that asked any rank to end, or 0, before a step.
  Result<int> agreeOnSignal();
  Status fillOwnRows(int64_t rows);
  Status step(StepResult &result);
  Status nameBadActivation(std::string &failure);
  Status agreeOnFailure(std::string &failure);
  Status evaluate();
  Status sample();
  /// By part of the model, the norm of the gradient in the last step.
  Result<std::map<std::string, double>> normsByGroup() const;
  /// Remembers a validation loss, and keeps the checkpoint of the best.
  void rank(double loss);
  Status save();
  Status write(std::string &path);
  /// Makes what rank 0 wrote, and whether it could, known to all.
  Status agreeOnSave(Status written, std::string &path);
  void log(const nlohmann::ordered_json &line);
  void logEvents(const nlohmann::ordered_json &line);
  void lose(const Status &status);
  std::string describeSaved() const;
  bool isShared() const {
    return trainer.ranks() && trainer.ranks()->size() > 1;
  }
  /// Whether this rank keeps the record of the run.
  bool writes() const {
    return !trainer.ranks() || trainer.ranks()->rank() == 0;
  }
  bool due(int64_t every) const;
  double secondsSince(std::chrono::steady_clock::time_point time) const;

  const TrainingOptions &options;
  Trainer &trainer;
  const Dataset &data;
  Evaluator *evaluator;
  std::vector<EvaluationSet> validation;
  TrainingListener &listener;
  TextSampler sampler;
  ParameterMean *mean = nullptr;
  Evaluator *meanEvaluator = nullptr;
  Profile *profile = nullptr;
  int64_t stepsDone = 0; ///< in this process
  int agreedSignal = 0;  ///< of all ranks, in the last of these steps
  CheckpointFolder checkpoints;
  std::optional<MetricsLog> metrics;
  std::optional<EventFile> events;

  TrainingProgress progress;
  double secondsBefore = 0; ///< this process
  std::chrono::steady_clock::time_point started;
  // Since the last line about a step.
  int64_t recentTokens = 0;
  double recentSeconds = 0;
  std::vector<int64_t> tokens, targets;
  std::string savedPath;
  int64_t savedStep = -1;
  int64_t lostWrites = 0;
  std::string firstLoss, lastLoss;
  bool lacksEvaluation = false;
};

/// What a checkpoint's trainer.json says. `path` is the checkpoint's folder.
Result<TrainingProgress> readProgress(const std::string &path);

} // namespace attnres::runtime
#endif
