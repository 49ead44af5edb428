//===- Pipelines.cpp - the stages of the compiler -------------------------===//
#include "passes/Pipelines.h"

#include "passes/Passes.h"
#include "passes/cpu/CpuTarget.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string_view attnres::toString(Stage stage) {
  switch (stage) {
  case Stage::Model:
    return "model";
  case Stage::Naive:
    return "naive";
  case Stage::Scheduled:
    return "scheduled";
  case Stage::Training:
    return "training";
  case Stage::Kernels:
    return "kernels";
  case Stage::Planned:
    return "planned";
  case Stage::Cpu:
    return "cpu";
  }
  llvm_unreachable("unknown stage");
}

std::optional<Stage> attnres::parseStage(std::string_view name) {
  for (Stage stage : kStages)
    if (toString(stage) == name)
      return stage;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static void addCleanup(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

/// Dialects alive afterwards: attnres without stack, arith, math, linalg,
/// tensor, func.
static void addNaive(OpPassManager &passes, const StageOptions &options) {
  passes.addPass(createFlatten());
  ExpandStackOptions expand;
  expand.recordWeights = options.recordWeights;
  passes.addPass(createExpandStack(expand));
  passes.addPass(createRaiseAttention());
  passes.addPass(createHoistSelections());
  addCleanup(passes);
}

/// The same dialects.
static void addScheduled(OpPassManager &passes, const StageOptions &options) {
  if (options.schedule != DepthSchedule::TwoPhase)
    return;
  TwoPhaseOptions twoPhase;
  twoPhase.countBackward = options.gradients;
  passes.addPass(createTwoPhase(twoPhase));
}

static void addGradients(OpPassManager &passes, const StageOptions &options) {
  DifferentiateOptions differentiate;
  differentiate.lossWeight = options.sumGradients;
  passes.addPass(createDifferentiate(differentiate));
  if (options.sumGradients)
    passes.addPass(createSumGradients());
  addCleanup(passes);
  passes.addPass(createAccumulateGradients());
  RecomputeOptions recompute;
  recompute.budgetBytes = options.residualBytes;
  passes.addNestedPass<func::FuncOp>(createRecompute(recompute));
}

/// The same dialects, with backward operations and the optimizer's.
static void addTraining(OpPassManager &passes, const StageOptions &options) {
  if (options.gradients)
    addGradients(passes, options);
  passes.addPass(createIndexLimits());
  if (!options.optimizer)
    return;
  OptimizerOptions optimizer;
  optimizer.beta1 = options.learningBeta1;
  optimizer.beta2 = options.learningBeta2;
  optimizer.eps = options.optimizerEps;
  optimizer.weightDecay = options.weightDecay;
  optimizer.clipNorm = options.clipNorm;
  optimizer.returnSquares = true;
  passes.addPass(createOptimizer(optimizer));
}

/// In main: launches, arith.constant, tensor views. In kernels: attnres on
/// lists and tensors, linalg, arith, math, tensor.
static void addKernels(OpPassManager &passes, const StageOptions &options) {
  // What has no kernel of its own becomes one for each linalg operation.
  DecomposeOptions decompose;
  decompose.ops = {"attnres.static_weights"};
  if (options.attention == AttentionForm::Naive)
    llvm::append_range(decompose.ops,
                       std::initializer_list<std::string>{
                           "attnres.attention", "attnres.attention_backward"});
  passes.addPass(createDecompose(decompose));
  passes.addPass(createRopeTables());
  passes.addPass(createLowerLoss());
  passes.addPass(createSplitReductions());
  PackMatmulOptions pack;
  if (auto target = cpu::CpuTarget::forLevel(options.isa)) {
    pack.tile = target->tileColumns;
    pack.amx = target->hasAmx;
    pack.dots = target->usesDots;
  }
  passes.addPass(createPackMatmul(pack));
  passes.addPass(createLowerTensors());
  addCleanup(passes);
  passes.addPass(createFormKernels());
  passes.addPass(createShareKernels());
  passes.addPass(createAnnotateCosts());
  passes.addPass(createAnnotatePhases());
}

/// The same dialects.
static void addPlanned(OpPassManager &passes, const StageOptions &options) {
  passes.addPass(createPlanMemory());
  passes.addPass(createCheckMemoryPlan());
}

/// In kernels: arith, func, llvm (list arguments), math, memref, scf, vector.
static void addCpu(OpPassManager &passes, const StageOptions &options) {
  VectorizeRowsOptions rows;
  rows.isa = options.isa;
  passes.addPass(createVectorizeRows(rows));
  VectorizeColumnsOptions columns;
  columns.isa = options.isa;
  passes.addPass(createVectorizeColumns(columns));
  TileMatmulOptions matmul;
  matmul.isa = options.isa;
  matmul.threads = options.threads;
  passes.addPass(createTileMatmul(matmul));
  FlashAttentionOptions attention;
  attention.isa = options.isa;
  passes.addPass(createFlashAttention(attention));
  LowerLinalgKernelsOptions linalg;
  linalg.isa = options.isa;
  passes.addPass(createLowerLinalgKernels(linalg));
}

static void addPasses(OpPassManager &passes, Stage stage,
                      const StageOptions &options) {
  switch (stage) {
  case Stage::Model:
    return;
  case Stage::Naive:
    return addNaive(passes, options);
  case Stage::Scheduled:
    return addScheduled(passes, options);
  case Stage::Training:
    return addTraining(passes, options);
  case Stage::Kernels:
    return addKernels(passes, options);
  case Stage::Planned:
    return addPlanned(passes, options);
  case Stage::Cpu:
    return addCpu(passes, options);
  }
}

void attnres::addStage(OpPassManager &passes, Stage stage,
                       const StageOptions &options) {
  addPasses(passes, stage, options);
  VerifyStageOptions verify;
  verify.stage = toString(stage);
  passes.addPass(createVerifyStage(verify));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {

/// StageOptions as attnres-opt writes them.
struct CommandLineOptions : PassPipelineOptions<CommandLineOptions> {
  Option<bool> recordWeights{
      *this, "record-weights",
      llvm::cl::desc("return the weights of every depth mixture"),
      llvm::cl::init(false)};
  Option<DepthSchedule> schedule{
      *this, "schedule", llvm::cl::desc("how depth mixtures are computed"),
      llvm::cl::init(DepthSchedule::TwoPhase),
      llvm::cl::values(
          clEnumValN(DepthSchedule::Naive, "naive", "one at a time"),
          clEnumValN(DepthSchedule::TwoPhase, "two-phase",
                     "shared sources once for a group"))};
  Option<bool> gradients{*this, "gradients",
                         llvm::cl::desc("return the gradients of the loss"),
                         llvm::cl::init(false)};
  Option<int64_t> residualBytes{
      *this, "residual-bytes",
      llvm::cl::desc(
          "bytes kept for the backward pass; the rest is recomputed"),
      llvm::cl::init(-1)};
  Option<bool> optimizer{*this, "optimizer",
                         llvm::cl::desc("update the parameters"),
                         llvm::cl::init(false)};
  Option<AttentionForm> attention{
      *this, "attention", llvm::cl::desc("how sequence attention is computed"),
      llvm::cl::init(AttentionForm::Flash),
      llvm::cl::values(
          clEnumValN(AttentionForm::Naive, "naive",
                     "with all scores in memory"),
          clEnumValN(AttentionForm::Flash, "flash", "tile by tile"))};
  Option<std::string> isa{*this, "isa",
                          llvm::cl::desc("instruction set of the kernels"),
                          llvm::cl::init("host")};

  StageOptions stageOptions() const {
    StageOptions options;
    options.recordWeights = recordWeights;
    options.schedule = schedule;
    options.gradients = gradients;
    options.residualBytes = residualBytes;
    options.optimizer = optimizer;
    options.attention = attention;
    options.isa = isa;
    return options;
  }
};

} // namespace

void attnres::registerStagePipelines() {
  for (Stage last : ArrayRef(kStages).drop_front()) {
    std::string name(toString(last));
    PassPipelineRegistration<CommandLineOptions>(
        "attnres-to-" + name, "all passes from the model stage to " + name,
        [last](OpPassManager &passes, const CommandLineOptions &options) {
          for (Stage stage : kStages)
            if (stage <= last)
              addStage(passes, stage, options.stageOptions());
        });
  }
}
