// What a training step on several ranks would take: a model made of counted
// bytes and operations, and of rates that somebody measured.
#ifndef ATTNRES_TOOLS_RUN_PLANRANKS_H
#define ATTNRES_TOOLS_RUN_PLANRANKS_H

#include "runtime/Program.h"
#include "support/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::run {

/// Of one rank, and of what connects it with the others.
struct RankRates {
  double flops = 0;   ///< a second
  double memory = 0;  ///< bytes a second
  double network = 0; ///< bytes a second that a rank sends
  double message = 0; ///< seconds that each message costs its sender
};

struct RankPlan {
  int64_t ranks = 1;
  int64_t parts = 1;        ///< micro-batches of a rank, the most
  double sentBytes = 0;     ///< by the rank that sends most, in a step
  double ownedShare = 1;    ///< of the parameters, by the rank that has most
  double momentBytes = 0;   ///< at that rank
  double compute = 0;       ///< seconds of gradients
  double communication = 0; ///< of sums, hidden or not
  double exposed = 0;       ///< of these, behind the last launch
  double update = 0;        ///< of owned parameters
  double gather = 0;        ///< of parameters

  double step() const { return compute + exposed + update + gather; }
};

/// What a launch takes at these rates: its operations or its bytes, whichever
/// is longer.
double secondsOf(const runtime::Program &program, const runtime::Launch &launch,
                 const RankRates &rates);

/// A step of `parts` micro-batches on `ranks` ranks. Launches follow each other
/// at the lower of two limits; sums leave in buckets behind the launches that
/// complete them, one bucket after the other; every rank sends each other one
/// what that one owns.
RankPlan planRanks(const runtime::Program &gradients,
                   const runtime::Program &update, int64_t parts, int64_t ranks,
                   const RankRates &rates);

/// "GB/s,us" as --network has it.
Status parseNetwork(const std::string &text, RankRates &rates);
/// "GFLOP/s,GB/s" as --machine has it.
Status parseMachine(const std::string &text, RankRates &rates);

} // namespace attnres::run

#endif
