//===- PlanReport.h - what a compiled model costs ---------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_PLANREPORT_H
#define ATTNRES_TOOLS_COMPILE_PLANREPORT_H

#include "tools/compile/Compiler.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnres {

/// One kernel and all its launches together.
struct KernelCost {
  std::string name;
  int64_t launches = 0;
  int64_t flops = 0; ///< of matrix products and attention
  int64_t bytes = 0; ///< read and written
};

/// How much the forward pass moves to join its sublayers, for each token and
/// sublayer, in units of one vector of the hidden size.
struct DepthTraffic {
  int64_t sublayers = 0;
  /// Counted on the scheduled stage: what mixtures, merges and additions to the
  /// residual or partial sum read and write.
  double counted = 0;
  /// What the publication (arXiv 2603.15031, table 1) gives for the mode, and
  /// its formula: "3", "(N + 3) / 2", "S + n" or "n / S + 5".
  double published = 0;
  std::string formula;
};

struct PlanReport {
  std::vector<KernelCost> kernels; ///< by bytes, largest first
  int64_t launches = 0;
  int64_t flops = 0;
  int64_t bytes = 0;
  int64_t argumentBytes = 0; ///< parameters and inputs
  int64_t resultBytes = 0;   ///< results with memory of their own
  int64_t constantBytes = 0;
  int64_t workspaceBytes = 0;
  int64_t liveBytes = 0; ///< the largest live set; no plan can go below
  DepthTraffic depth;
};

/// Compiles up to the stage `scheduled` and counts.
Result<DepthTraffic> findDepthTraffic(const ModelConfig &config,
                                      const CompileOptions &options);

/// Compiles up to the memory plan and counts.
Result<PlanReport> planModel(const ModelConfig &config,
                             const CompileOptions &options);

/// The same of a module of the model stage, given as text, without what joins
/// sublayers.
Result<PlanReport> planText(const std::string &text,
                            const CompileOptions &options,
                            const std::string &name);

} // namespace attnres

#endif
