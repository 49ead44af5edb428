//===- Pipelines.h - the stages of the compiler -----------------*- C++ -*-===//
//
// A stage is a form of the program with a name. They form a tree: behind
// `planned`, each kind of target has its own. The passes that lead from one
// stage to the next are one function of Pipelines.cpp each, or a target's.
// Needs no MLIR headers, so that tools can use it that have none.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_PIPELINES_H
#define ATTNRES_PASSES_PIPELINES_H

#include "passes/training/OptimizerAlgorithm.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace attnres {

enum class Stage {
  Model,     ///< attnres.stack and the layers around it
  Naive,     ///< one depth attention for each sublayer, sources listed
  Scheduled, ///< shared depth sources read once for a group of sublayers
  Training,  ///< with gradients, and the optimizer step
  Kernels,   ///< kernels, and a main function of launches
  Planned,   ///< every tensor has its place in memory
  Cpu,       ///< kernels are loops and vectors over memory
  Nvptx,     ///< kernels are the code of a thread
};

inline constexpr Stage kStages[] = {
    Stage::Model,   Stage::Naive,   Stage::Scheduled, Stage::Training,
    Stage::Kernels, Stage::Planned, Stage::Cpu,       Stage::Nvptx};

/// The stage that `stage` follows; nothing for the model.
std::optional<Stage> parentOf(Stage stage);
/// The stages on the way from the model to `last`, both included.
std::vector<Stage> stagesTo(Stage last);

std::string_view toString(Stage stage);
std::optional<Stage> parseStage(std::string_view name);

enum class DepthSchedule { Naive, TwoPhase };
enum class AttentionForm {
  Naive, ///< scores as a tensor, through linalg: for comparison
  Flash,
};

/// What the passes of all stages are told.
struct StageOptions {
  /// Return the weights of every depth mixture, and what routers and states do;
  /// see attnres-record-layers.
  bool recordWeights = false;
  DepthSchedule schedule = DepthSchedule::TwoPhase;
  bool gradients = false;     ///< return the gradients of the parameters
  int64_t residualBytes = -1; ///< budget of recomputation; negative: none
  /// Add the gradients, scaled by an input, to sums that the caller keeps; see
  /// attnres-sum-gradients.
  bool sumGradients = false;
  /// Update the parameters: by the gradients, or without `gradients` by the
  /// results grad.NAME that the function has already.
  bool optimizer = false;
  OptimizerAlgorithm algorithm = OptimizerAlgorithm::AdamW;
  double momentum = 0.95; ///< of Muon and Sgd
  double learningBeta1 = 0.9;
  double learningBeta2 = 0.95;
  double optimizerEps = 1e-8;
  double weightDecay = 0.1;
  double clipNorm = 1.0; ///< 0: no clipping
  /// Patterns of names of parameters: those that stay as they are, those that
  /// do not decay, and as PATTERN=FACTOR factors on the learning rate.
  std::vector<std::string> frozen, undecayed, rates;
  AttentionForm attention = AttentionForm::Flash;
  std::string target = "cpu"; ///< see createTarget()
  int64_t threads = 4;        ///< that kernels are cut for; changes no result
  /// Keep one stage of a model that several processes compute in a row; see
  /// attnres-cut-pipeline.
  int64_t pipelineStages = 1;
  int64_t pipelineStage = 0;
};

/// Appends the passes that lead to `stage` from the stage before it. There is
/// a target of the name in the options; a stage of code is its own.
void addStage(mlir::OpPassManager &passes, Stage stage,
              const StageOptions &options);

/// Registers `--attnres-to-STAGE` for every stage but the first: all passes
/// from the model to that stage.
void registerStagePipelines();

} // namespace attnres

#endif
