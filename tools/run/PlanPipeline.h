// What a training step on the stages of a pipeline would take and pass on: a
// model, as that of PlanRanks.h.
#ifndef ATTNRES_TOOLS_RUN_PLANPIPELINE_H
#define ATTNRES_TOOLS_RUN_PLANPIPELINE_H

#include "models/ModelConfig.h"
#include "tools/run/PlanRanks.h"

#include <optional>

namespace attnres::run {

struct PipelinePlan {
  int64_t stages = 1;
  int64_t parts = 1; ///< micro-batches of a step
  // Of the stage that has most.
  double stateBytes = 0;    ///< parameters, gradients and moments
  double activityBytes = 0; ///< arenas, and what it received, of all its parts
  // Over all cuts, for each token, in vectors of the hidden size.
  double forward = 0, back = 0;
  /// Of that the sums of depth blocks, as published: P (P - 1) / 2 N for N
  /// blocks in each of P stages. Absent where blocks do not divide so.
  std::optional<double> published;
  double compute = 0; ///< seconds of gradients on the busiest stage
  double bubble = 0;  ///< seconds in which that stage waits for others
  double passing = 0; ///< seconds in which it sends and receives
  double update = 0;  ///< of owned parameters, the most
  double step() const { return compute + bubble + passing + update; }
};

/// The programs with the gradients of all stages, in order, which take
/// `parts` micro-batches of [batch, seqLen] tokens one forward, one backward.
/// A stage computes or communicates; what neighbours send each other at the
/// same time takes as long as the larger one.
PipelinePlan planPipeline(const std::vector<runtime::Program> &stages,
                          const runtime::Program &update,
                          const ModelConfig &config, int64_t parts,
                          const RankRates &rates);

} // namespace attnres::run

#endif
