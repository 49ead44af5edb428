//===- Processes.h - runs in processes of their own -------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_FUZZ_PROCESSES_H
#define ATTNRES_TOOLS_FUZZ_PROCESSES_H

#include "tools/fuzz/Run.h"

#include <chrono>
#include <map>

namespace attnres::fuzz {

struct Limits {
  /// Processor time of one run.
  int64_t seconds = 20;
  /// Resident memory of one process.
  int64_t megabytes = 4096;
};

/// What a run did that no run may do.
struct Finding {
  FindingKind kind = FindingKind::None;
  uint64_t seed = 0;
  /// The pass, or "generate", "parse", "interpret".
  std::string phase;
  std::string message;
  /// The functions that were active, innermost first; those of this program are
  /// marked.
  struct Frame {
    std::string function;
    bool isOwn = false;
  };
  std::vector<Frame> stack;
  Case theCase;

  /// Equal for findings that probably have one cause.
  std::string signature() const;
  /// Whether the code at fault is MLIR's own: one of its passes.
  bool isForeign() const;
};

struct Totals {
  uint64_t runs = 0;
  std::map<std::string, int64_t> counts;
};

/// Runs the seeds from `first` on, `count` of them, in `jobs` processes at a
/// time. `report` is called for each finding.
Totals runSeeds(Runner &runner, uint64_t first, uint64_t count, int64_t jobs,
                const Limits &limits,
                llvm::function_ref<void(const Finding &)> report);

/// Runs one case in a process; a finding of kind None when there is none.
Finding runCase(Runner &runner, const Case &theCase, const Limits &limits);

} // namespace attnres::fuzz

#endif
