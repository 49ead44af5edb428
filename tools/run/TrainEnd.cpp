// How a training run ended.
#include "tools/run/TrainEnd.h"

#include "runtime/training/Interrupt.h"
#include "support/Streams.h"
#include "tools/run/Options.h"

#include <fmt/format.h>

#include <iostream>

namespace attnres::run {

using nlohmann::ordered_json;
using runtime::TrainingLoop;

void TrainEnd::report(const TrainingLoop::Outcome &outcome) const {
  const runtime::TrainingProgress &progress = outcome.progress;
  if (outcome.end == TrainingLoop::End::Diverged)
    throw SharedError(concat(outcome.failure, "; the state before it is in ",
                             outcome.checkpoint));
  int signal = runtime::interruptSignal();
  if (!ranks.isFirst()) {
    if (signal)
      throw Interrupted{signal};
    return;
  }
  bool stalled = outcome.end == TrainingLoop::End::Stalled;
  bool finished = outcome.end == TrainingLoop::End::Finished || stalled;
  const char *end = finished ? "finished" : "stopped";
  if (stalled)
    shown.say(fmt::format("no better validation loss in {} evaluations; the "
                          "best, {:.4f}, is that of step {}",
                          progress.evaluationsSinceBest, *progress.bestLoss,
                          progress.bestStep));
  if (signal)
    shown.say(concat(
        "ended by ", runtime::signalName(signal), " at step ", progress.step,
        " of ", steps,
        outcome.lacksEvaluation ? ", without the last evaluation" : "",
        finished ? ""
                 : "; go on with `attnres-run train --resume " + folder + "`"));
  if (json) {
    ordered_json result = {{"end", end},
                           {"step", progress.step},
                           {"tokens", progress.tokens},
                           {"seconds", progress.seconds},
                           {"checkpoint", outcome.checkpoint}};
    if (progress.bestLoss)
      result["best"] = {{"step", progress.bestStep},
                        {"loss", *progress.bestLoss}};
    std::cout << result.dump(2) << '\n';
  } else
    std::cout << fmt::format("{} at step {} after {}: {}\n", end, progress.step,
                             formatSeconds(progress.seconds),
                             outcome.checkpoint);
  flushStandardOutput();
  if (signal)
    throw Interrupted{signal};
  if (outcome.lostWrites > 0)
    throw CommandError(concat("the state of step ", progress.step,
                              " is saved, but ", outcome.lostWrites,
                              " earlier writes were lost, the first by ",
                              outcome.firstLoss));
  if (!shown.lost().empty())
    throw CommandError("a part of what was to be shown is lost, by " +
                       shown.lost());
}

} // namespace attnres::run
