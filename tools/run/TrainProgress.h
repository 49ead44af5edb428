// Shows a training run to people: one live line on a terminal, plain lines
// elsewhere. Writes to standard error. A pipe that nobody reads any more asks
// for the end of the run, as Ctrl-C does; one whose reader waits does not keep
// the run from ending.
#ifndef ATTNRES_TOOLS_RUN_TRAINPROGRESS_H
#define ATTNRES_TOOLS_RUN_TRAINPROGRESS_H

#include "runtime/training/TrainingLoop.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace attnres::run {

class TrainProgress final : public runtime::TrainingListener {
public:
  /// What part of the machine's limit a number of operations in a second is;
  /// nothing if that cannot be told.
  using FindShare = std::function<std::optional<double>(double flops)>;

  /// `flopsPerToken` is what the compiler counted.
  TrainProgress(int64_t steps, double flopsPerToken, FindShare findShare);
  ~TrainProgress() override { finishLine(); }

  /// Whether evaluations see every question, not a sample of them.
  void setAllQuestions(bool all) { allQuestions = all; }

  void onStep(const runtime::TrainingProgress &progress,
              const runtime::StepResult &result, double learningRate,
              double tokensPerSecond) override;
  void onEvaluation(const runtime::TrainingProgress &progress,
                    const runtime::EvaluationResult &result) override;
  void onSave(const std::string &path) override;
  void onWarning(const std::string &message) override;

  /// Prints one line of its own.
  void say(const std::string &line);
  /// Why something that was to be shown is lost; empty if nothing is.
  const std::string &lost() const { return failure; }

private:
  void finishLine();
  void write(std::string_view text);

  int64_t steps;
  double flopsPerToken;
  FindShare findShare;
  bool isTerminal;
  bool allQuestions = false;
  bool lineOpen = false; ///< the live line is on the screen
  std::string failure;
  std::chrono::steady_clock::time_point lastShown;
  // For the time left: the first step of this process.
  std::optional<runtime::TrainingProgress> first;
};

/// What a rank that keeps no record says.
class Silence final : public runtime::TrainingListener {
  void onStep(const runtime::TrainingProgress &, const runtime::StepResult &,
              double, double) override {}
  void onEvaluation(const runtime::TrainingProgress &,
                    const runtime::EvaluationResult &) override {}
  void onSave(const std::string &) override {}
  void onWarning(const std::string &) override {}
};

/// "1h02m", "3m20s", "45s".
std::string formatSeconds(double seconds);

/// Where the share of a whole lies with 95 % confidence, given that it is
/// `share` in a sample of `count`: Wilson's interval.
std::pair<double, double> confidence(double share, int64_t count);

} // namespace attnres::run

#endif
