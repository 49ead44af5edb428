// Everything that a training run can be told, as options of the command line
// and as the "settings" of run.json.
#ifndef ATTNRES_TOOLS_RUN_TRAINSETTINGS_H
#define ATTNRES_TOOLS_RUN_TRAINSETTINGS_H

#include "runtime/training/Schedule.h"
#include "support/ExactNumbers.h"
#include "support/Status.h"
#include "tools/compile/Compiler.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

struct TrainSettings {
  std::vector<std::string> data;
  std::vector<double> dataWeights;  ///< of each file; empty: they are joined
  std::vector<std::string> valData; ///< empty: the last tenth is held out
  /// Whether files are bytes whatever they look like.
  bool asBytes = false;
  std::string tokenizer; ///< folder; empty: bytes are the tokens of text
  bool documentMasks = false;           ///< attention and positions restart
  std::optional<int64_t> documentToken; ///< absent: the tokenizer's end token
  int64_t seqLen = 0;    ///< 0: what suits the data
  int64_t batchSize = 8;
  int64_t gradAccumulation = 1;
  /// Sequences whose gradients are added in a tree that does not depend on the
  /// number of ranks; 0: one process, one part after another.
  int64_t microBatch = 0;
  int64_t steps = 1000;
  std::optional<double> epochs; ///< instead of steps
  double lr = 3e-3;
  std::optional<double> minLr; ///< absent: a tenth of lr
  int64_t warmup = 50;
  std::string schedule = "cosine";
  /// Steps after which the schedule is over; absent: `steps`.
  std::optional<int64_t> scheduleSteps;
  std::string optimizer = "adamw";
  double momentum = 0.95; ///< of Muon and SGD
  double dropout = 0;
  double labelSmoothing = 0;
  double weightDecay = 0.1;
  double beta1 = 0.9;
  double beta2 = 0.95;
  double adamEps = 1e-8;
  double gradClip = 1;
  /// Patterns of names of parameters.
  std::vector<std::string> freeze, noDecay;
  std::vector<std::string> lrFor; ///< PATTERN=FACTOR
  double ema = 0; ///< decay of the means of the parameters; 0: none
  double initStd = 0.02;
  std::optional<double> initOutputScale; ///< absent: 1/sqrt(sublayers)
  std::string initFrom;                  ///< another model; empty: none
  std::string dtype = "f32";
  std::string depthSchedule = "two-phase", attention = "flash";
  std::string target = "cpu";
  int64_t residualBytes = -1; ///< negative: no limit
  uint64_t seed = 0;
  int64_t evalEvery = 100;
  int64_t evalSamples = 200;
  int64_t saveEvery = 200;
  int64_t keep = 2;
  bool keepBest = false;
  int64_t earlyStop = 0; ///< evaluations; 0: never
  int64_t logEvery = 1;
  bool tensorboard = false;

  /// Adds an option for each of them. `this` has to outlive the parsing.
  void addOptions(CLI::App &command);

  nlohmann::ordered_json toJson() const;
  /// Those that cannot change while the run goes on.
  nlohmann::ordered_json fixedToJson() const;
  /// Takes every setting from `json` that the command line did not give. One
  /// that it gave must be equal if the run so far depends on it, but for the
  /// data and the tokenizer, whose content counts, not their names. `where`
  /// names the file; without a `command` nothing was given.
  Status takeFrom(const nlohmann::json &json, const CLI::App *command,
                  const std::string &where);
  /// These settings with those of `changes`, an object of values by the names
  /// of run.json or of options ("lr_schedule"); one value stands for a list of
  /// it. `where` names what asks for them in messages.
  Result<TrainSettings> with(const nlohmann::json &changes,
                             const std::string &where) const;
  /// The options that make these settings of the defaults.
  std::vector<std::string> toArguments() const;
  /// Whether all are in range; the message names the option.
  Status validate() const;

  /// Sequences of a step, and the runs of the program with the gradients that
  /// they take.
  int64_t sequences() const { return batchSize * gradAccumulation; }
  int64_t rowsOfRun() const { return microBatch > 0 ? microBatch : batchSize; }
  int64_t parts() const { return sequences() / rowsOfRun(); }
  /// The micro-batch where nobody chose one: at least a few hundred tokens, as
  /// long as there is a part for each rank.
  int64_t suitableMicroBatch(int64_t length, int64_t ranks) const;

  /// How the programs of the run are compiled, its sizes aside.
  void setCompilation(CompileOptions &options) const;

  /// The learning rate of every step.
  runtime::LearningRateSchedule learningRate() const;
};

/// Compiles a model as its run does, of which the file `where` says the
/// settings, as far as the command line says nothing else: the storage type,
/// the schedule and the attention, which decide how results are rounded.
Status compileAsRun(const nlohmann::ordered_json &settings,
                    const std::string &where, const CLI::App &command,
                    CompileOptions &options);

} // namespace attnres::run

#endif
