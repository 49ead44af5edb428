// How a training run ended, for those who began it.
#ifndef ATTNRES_TOOLS_RUN_TRAINEND_H
#define ATTNRES_TOOLS_RUN_TRAINEND_H

#include "runtime/training/TrainingLoop.h"
#include "tools/run/RankedRun.h"
#include "tools/run/TrainProgress.h"

#include <cstdint>
#include <string>

namespace attnres::run {

/// What is said about the end of a run.
struct TrainEnd {
  const RankedRun &ranks;
  TrainProgress &shown;
  std::string folder;
  int64_t steps = 0; ///< of the whole run
  bool json = false;

  /// Prints one line, or JSON, on the first rank. Throws what ends the process
  /// with another status: a run that diverged, was interrupted, or lost a part
  /// of its record.
  void report(const runtime::TrainingLoop::Outcome &outcome) const;
};

} // namespace attnres::run

#endif
