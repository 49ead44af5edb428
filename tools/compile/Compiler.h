//===- Compiler.h - from a configuration to a program -----------*- C++ -*-===//
//
// What the command line tools ask of the compiler. Free of MLIR, so that its
// users may use exceptions and need no MLIR headers.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_COMPILE_COMPILER_H
#define ATTNRES_TOOLS_COMPILE_COMPILER_H

#include "models/ModelConfig.h"
#include "passes/Pipelines.h"
#include "runtime/Program.h"
#include "runtime/ThreadPool.h"
#include "support/Status.h"

#include <functional>
#include <string>
#include <vector>

namespace attnres {

/// What to compile a model for.
struct CompileOptions {
  /// For this machine's threads.
  CompileOptions() { stages.threads = runtime::defaultThreadCount(); }

  int64_t batch = 1;
  int64_t seqLen = 1;
  bool bf16 = false; ///< storage of activations and of what products read
  bool loss = true;
  bool logits = true;
  bool fuseLoss = false; ///< loss without materialized logits
  /// Rows hold several texts each, see ModelOptions.
  bool documents = false;
  /// Of training programs.
  double dropout = 0, labelSmoothing = 0;
  bool activations = false; ///< return magnitudes too, see ModelOptions
  /// Positions of the caches of a program that continues texts by `seqLen`
  /// tokens, see buildCachedModel(); 0: a program that sees whole texts.
  int64_t capacity = 0;
  /// Say where the model can be cut, see ModelOptions; it is cut by
  /// stages.pipelineStages.
  bool parts = false;
  std::vector<int64_t> pipelineStarts;
  StageOptions stages;
  int compileThreads = 2;
  /// Asked between stages and kernels: whether to give up with an error.
  std::function<bool()> isCancelled;
};

/// Called with every stage that was reached and its IR as text.
struct StageObserver {
  std::function<bool(Stage)> wants; ///< whether to print the stage at all
  std::function<void(Stage, const std::string &)> see;
};

/// Whether the logits of a loss are too large to be in memory at once, and are
/// not wanted otherwise.
bool wantsFusedLoss(const ModelConfig &config, const CompileOptions &options);

/// In the metadata of a program that sums gradients: the text of the module
/// whose @main updates the parameters by the sums, without its optimizer.
inline constexpr char kUpdateMetadata[] = "update";

/// The IR of a configuration at one stage, as text.
Result<std::string> printStage(const ModelConfig &config,
                               const CompileOptions &options, Stage stage);

/// Compiles a configuration for the CPU; what does not fit into memory is
/// refused before any code is generated. The program's metadata holds the
/// configuration ("config"), the storage type ("dtype") and the names of the
/// schedule and attention.
Result<runtime::Program> compileModel(const ModelConfig &config,
                                      const CompileOptions &options,
                                      const StageObserver &observer = {});

/// Compiles a module of the stage `from`, given as text: what `@main` of it
/// computes. Arguments and results need attnres.name. Errors name the line of
/// the file `name`.
Result<runtime::Program> compileText(const std::string &text,
                                     const CompileOptions &options,
                                     const std::string &name = "model",
                                     Stage from = Stage::Model,
                                     const StageObserver &observer = {});

} // namespace attnres

#endif
