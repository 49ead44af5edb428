//===- Explanation.h - what a compilation did -------------------*- C++ -*-===//
//
// A model on its way to the code of several targets, as facts to look at. Free
// of MLIR, as are its users.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_COMPILE_EXPLANATION_H
#define ATTNRES_TOOLS_COMPILE_EXPLANATION_H

#include "passes/Targets.h"
#include "tools/compile/Compiler.h"
#include "tools/compile/PlanReport.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attnres {

/// Operations by name, all regions included.
using OperationCounts = std::map<std::string, int64_t>;

/// One pass that was run.
struct PassEffect {
  std::string name;        ///< "attnres-two-phase"
  std::string description; ///< one line
  double seconds = 0;
  OperationCounts before, after; ///< of operations whose number changed
  bool changesText = false;      ///< whether the printed module is another one
  /// What the pass counted itself: what, and how many.
  std::vector<std::pair<std::string, int64_t>> statistics;
};

struct StageView {
  std::string name;               ///< "scheduled"
  std::vector<PassEffect> passes; ///< that led to it; none to the model
  OperationCounts operations;
  std::string text; ///< the module, large constants left out
};

/// How a mixture over depth gets one of its sources in a two-phase schedule.
struct DepthRead {
  enum class Kind {
    Absent,  ///< it does not read it
    Alone,   ///< in a depth attention of its own
    Grouped, ///< in one that serves several mixtures
    Merged,  ///< later, added to what it has
  };
  Kind kind = Kind::Absent;
  size_t group = 0; ///< of kind Grouped: from 0
};

struct DepthSchedulePicture {
  std::vector<std::string> mixtures, sources; ///< names
  std::vector<std::vector<DepthRead>> reads;  ///< by mixture and source
  size_t groups = 0;
};

/// Bytes that the forward pass moves to join its sublayers.
struct DepthBytes {
  std::string mode, schedule; ///< "block", "two-phase"
  DepthTraffic traffic;
  double bytesPerToken = 0;     ///< of all sublayers, counted
  double publishedPerToken = 0; ///< the same by the formula; 0 without one
};

struct ExplainedKernel {
  std::string name;
  int64_t launches = 0;
  int64_t operations = 0; ///< in its code, all regions included
  int64_t scratchBytes = 0;
  // Of a processor: work items. Of a GPU: blocks and their threads.
  std::vector<int64_t> grid, block;
  int64_t sharedBytes = 0; ///< of a block
};

struct ExplainedLaunch {
  size_t kernel; ///< index
  int phase;     ///< as runtime::Phase
  int64_t flops;
  int64_t bytesRead, bytesWritten;
};

/// A tensor in the arena, from the launch that writes it to the last that reads
/// it.
struct ExplainedBuffer {
  std::string type;
  int64_t offset, bytes;
  size_t begin, end; ///< launches, both included
};

struct TargetView {
  std::string name; ///< "cpu:avx2"
  bool isGpu = false;
  std::vector<TargetFact> facts;
  std::vector<StageView> stages; ///< kernels, planned, and that of the code
  std::vector<ExplainedKernel> kernels;
  std::vector<ExplainedLaunch> launches;
  std::vector<ExplainedBuffer> buffers;
  int64_t arenaBytes = 0, liveBytes = 0, constantBytes = 0, argumentBytes = 0;
};

struct Explanation {
  std::vector<StageView>
      stages; ///< model to training, the same for all targets
  DepthSchedulePicture depth;
  std::vector<DepthBytes> depthBytes; ///< of every mode and schedule
  std::vector<TargetView> targets;
};

/// Compiles `config` for each of `targets`. `options` says the rest.
Result<Explanation> explain(const ModelConfig &config,
                            const CompileOptions &options,
                            const std::vector<std::string> &targets);

} // namespace attnres

#endif
