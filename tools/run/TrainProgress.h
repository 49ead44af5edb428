// Shows a training run to people: one live line on a terminal, plain lines
// elsewhere. Writes to standard error.
#ifndef ATTNRES_TOOLS_RUN_TRAINPROGRESS_H
#define ATTNRES_TOOLS_RUN_TRAINPROGRESS_H

#include "runtime/training/TrainingLoop.h"

#include <functional>
#include <optional>

namespace attnres::run {

class TrainProgress final : public runtime::TrainingListener {
public:
  /// What part of the machine's limit a number of operations in a second is;
  /// nothing if that cannot be told.
  using FindShare = std::function<std::optional<double>(double flops)>;

  /// `flopsPerToken` is what the compiler counted.
  TrainProgress(int64_t steps, double flopsPerToken, FindShare findShare);
  ~TrainProgress() override { finishLine(); }

  void onStep(const runtime::TrainingProgress &progress,
              const runtime::StepResult &result, double learningRate,
              double tokensPerSecond) override;
  void onEvaluation(const runtime::TrainingProgress &progress,
                    const runtime::EvaluationResult &result) override;
  void onSave(const std::string &path) override;
  void onWarning(const std::string &message) override;

private:
  void say(const std::string &line);
  void finishLine();

  int64_t steps;
  double flopsPerToken;
  FindShare findShare;
  bool isTerminal;
  bool lineOpen = false; ///< the live line is on the screen
  std::chrono::steady_clock::time_point lastShown;
  // For the time left: the first step of this process.
  std::optional<runtime::TrainingProgress> first;
};

/// "1h02m", "3m20s", "45s".
std::string formatSeconds(double seconds);

} // namespace attnres::run

#endif
