// Shows a training run to people.
#include "tools/run/TrainProgress.h"

#include "runtime/training/Interrupt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <unistd.h>

namespace attnres::run {

using runtime::EvaluationResult;
using runtime::StepResult;
using runtime::TrainingProgress;
using Clock = std::chrono::steady_clock;

namespace {
// Seconds between updates of the live line, and between plain lines.
constexpr double liveInterval = 0.1, plainInterval = 5;
} // namespace

std::string formatSeconds(double seconds) {
  auto total = static_cast<int64_t>(std::llround(std::max(seconds, 0.0)));
  if (total >= 3600)
    return fmt::format("{}h{:02}m", total / 3600, total / 60 % 60);
  if (total >= 60)
    return fmt::format("{}m{:02}s", total / 60, total % 60);
  return fmt::format("{}s", total);
}

std::pair<double, double> confidence(double share, int64_t count) {
  constexpr double z = 1.959963984540054; // of the normal distribution
  auto n = static_cast<double>(std::max<int64_t>(count, 1));
  double scale = 1 / (1 + z * z / n);
  double center = scale * (share + z * z / (2 * n));
  double half =
      scale * z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {std::max(center - half, 0.0), std::min(center + half, 1.0)};
}

TrainProgress::TrainProgress(int64_t steps, double flopsPerToken,
                             FindShare findShare)
    : steps(steps), flopsPerToken(flopsPerToken),
      findShare(std::move(findShare)),
      isTerminal(::isatty(STDERR_FILENO) != 0) {}

void TrainProgress::onStep(const TrainingProgress &progress,
                           const StepResult &result, double learningRate,
                           double tokensPerSecond) {
  auto now = Clock::now();
  double sinceShown = std::chrono::duration<double>(now - lastShown).count();
  bool last = progress.step == steps;
  if (first && !last &&
      sinceShown < (isTerminal ? liveInterval : plainInterval))
    return;
  if (!first)
    first = progress;
  lastShown = now;
  std::string left;
  if (int64_t done = progress.step - first->step; done > 0 && !last)
    left = ", " +
           formatSeconds((progress.seconds - first->seconds) /
                         static_cast<double>(done) *
                         static_cast<double>(steps - progress.step)) +
           " left";
  std::string peak;
  if (std::optional<double> share = findShare(tokensPerSecond * flopsPerToken))
    peak = fmt::format(" ({:.0f} % of peak)", 100 * *share);
  std::string line = fmt::format(
      "step {}/{}, loss {:.4f}, grad norm {:.3f}, lr {:.2e}, {:.0f} tokens/s{}"
      "{}",
      progress.step, steps, result.loss, result.gradientNorm, learningRate,
      tokensPerSecond, peak, left);
  if (!isTerminal) {
    say(line);
    return;
  }
  write("\r" + line + "\033[K");
  lineOpen = true;
}

void TrainProgress::onEvaluation(const TrainingProgress &progress,
                                 const EvaluationResult &result) {
  std::string line =
      fmt::format("step {}: validation loss {:.4f}, perplexity {:.3f}",
                  progress.step, result.loss, std::exp(result.loss));
  for (size_t i = 0; i < result.sets.size(); ++i)
    line += fmt::format("{}{} {:.4f}", i ? ", " : " (", result.sets[i].first,
                        result.sets[i].second);
  if (!result.sets.empty())
    line += ")";
  if (result.meanLoss)
    line += fmt::format(", {:.4f} with mean parameters", *result.meanLoss);
  if (result.accuracy)
    line += fmt::format(", {:.1f} % of {} answers exact",
                        100 * *result.accuracy, result.samples);
  if (result.accuracy && !allQuestions) {
    auto [low, high] = confidence(*result.accuracy, result.samples);
    line += fmt::format(" ({:.1f} to {:.1f} with 95 % confidence)", 100 * low,
                        100 * high);
  }
  for (size_t i = 0; i < result.setAccuracies.size(); ++i)
    line += fmt::format("{}{} {:.1f} %", i ? ", " : "; ",
                        result.setAccuracies[i].first,
                        100 * result.setAccuracies[i].second);
  say(line);
}

void TrainProgress::onSave(const std::string &path) { say("saved " + path); }

void TrainProgress::onWarning(const std::string &message) {
  say("warning: " + message);
}

void TrainProgress::say(const std::string &line) {
  finishLine();
  write(line + "\n");
}

void TrainProgress::finishLine() {
  if (lineOpen)
    write("\n");
  lineOpen = false;
}

/// Whether standard error takes bytes: waits for a slow reader, but once a
/// signal asks for the end, no longer than a second.
static bool waitUntilWritable() {
  constexpr int interval = 100, patience = 1000; // ms
  pollfd stream = {STDERR_FILENO, POLLOUT, 0};
  for (int waited = 0; waited < patience;) {
    if (::poll(&stream, 1, interval) > 0)
      return true;
    if (runtime::interruptSignal())
      waited += interval;
  }
  return false;
}

void TrainProgress::write(std::string_view text) {
  while (!text.empty()) {
    // A pipe that is ready takes this much without waiting.
    std::string_view piece = text.substr(0, PIPE_BUF);
    ssize_t written = -1;
    if (waitUntilWritable())
      written = ::write(STDERR_FILENO, piece.data(), piece.size());
    else
      errno = EAGAIN;
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0 && errno == EPIPE)
      runtime::requestEnd(SIGPIPE);
    if (written < 0) {
      if (failure.empty())
        failure = std::string("standard error: ") + std::strerror(errno);
      return;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
}

} // namespace attnres::run
