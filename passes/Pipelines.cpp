//===- Pipelines.cpp - the stages of the compiler -------------------------===//
#include "passes/Pipelines.h"

#include "passes/Passes.h"
#include "passes/Target.h"

#include "llvm/ADT/StringExtras.h"

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
  case Stage::Nvptx:
    return "nvptx";
  }
  llvm_unreachable("unknown stage");
}

std::optional<Stage> attnres::parentOf(Stage stage) {
  switch (stage) {
  case Stage::Model:
    return std::nullopt;
  case Stage::Naive:
    return Stage::Model;
  case Stage::Scheduled:
    return Stage::Naive;
  case Stage::Training:
    return Stage::Scheduled;
  case Stage::Kernels:
    return Stage::Training;
  case Stage::Planned:
    return Stage::Kernels;
  case Stage::Cpu:
  case Stage::Nvptx:
    return Stage::Planned;
  }
  llvm_unreachable("unknown stage");
}

std::vector<Stage> attnres::stagesTo(Stage last) {
  std::vector<Stage> stages;
  for (std::optional<Stage> stage = last; stage; stage = parentOf(*stage))
    stages.insert(stages.begin(), *stage);
  return stages;
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
  if (options.recordWeights)
    passes.addPass(createRecordLayers());
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
  differentiate.frozen = llvm::to_vector(options.frozen);
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
  optimizer.algorithm = options.algorithm;
  optimizer.momentum = options.momentum;
  optimizer.beta1 = options.learningBeta1;
  optimizer.beta2 = options.learningBeta2;
  optimizer.eps = options.optimizerEps;
  optimizer.weightDecay = options.weightDecay;
  optimizer.clipNorm = options.clipNorm;
  optimizer.returnSquares = true;
  optimizer.noDecay = llvm::to_vector(options.undecayed);
  optimizer.rates = llvm::to_vector(options.rates);
  passes.addPass(createOptimizer(optimizer));
}

/// In main: launches, arith.constant, tensor views. In kernels: attnres on
/// lists and tensors, linalg, arith, math, tensor.
static void addKernels(OpPassManager &passes, const StageOptions &options,
                       const Target &target) {
  // What has no kernel of its own becomes one for each linalg operation.
  DecomposeOptions decompose;
  llvm::append_range(decompose.ops, target.decomposed());
  if (options.attention == AttentionForm::Naive)
    llvm::append_range(decompose.ops,
                       std::initializer_list<std::string>{
                           "attnres.attention", "attnres.attention_backward"});
  decompose.documents = !target.attendsToDocuments();
  passes.addPass(createDecompose(decompose));
  passes.addPass(createRopeTables());
  passes.addPass(createLowerLoss());
  RowRanges ranges = target.rowRanges();
  passes.addPass(createSplitReductions({ranges.rows, ranges.most}));
  if (std::optional<MatmulPacking> packing = target.packing()) {
    PackMatmulOptions pack;
    pack.tile = packing->tileColumns;
    pack.bf16InKernels = packing->packsBf16;
    pack.f32InKernels = packing->packsF32FromRows;
    passes.addPass(createPackMatmul(pack));
  }
  passes.addPass(createLowerTensors());
  addCleanup(passes);
  passes.addPass(createFormKernels());
  passes.addPass(createShareKernels());
  passes.addPass(createAnnotateCosts());
  passes.addPass(createAnnotatePhases());
  passes.addPass(createPlaceCommunication());
  if (options.pipelineStages > 1)
    passes.addPass(
        createCutPipeline({options.pipelineStages, options.pipelineStage}));
}

/// The same dialects.
static void addPlanned(OpPassManager &passes) {
  passes.addPass(createPlanMemory());
  passes.addPass(createCheckMemoryPlan());
}

static void addPasses(OpPassManager &passes, Stage stage,
                      const StageOptions &options) {
  std::unique_ptr<Target> target = createTarget(options.target);
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
    return addKernels(passes, options, *target);
  case Stage::Planned:
    return addPlanned(passes);
  case Stage::Cpu:
  case Stage::Nvptx:
    return target->addCodePasses(passes, options);
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
      llvm::cl::desc("return the weights of every depth mixture, and what "
                     "routers and states do")};
  Option<DepthSchedule> schedule{
      *this, "schedule", llvm::cl::desc("how depth mixtures are computed"),
      llvm::cl::init(defaults.schedule),
      llvm::cl::values(
          clEnumValN(DepthSchedule::Naive, "naive", "one at a time"),
          clEnumValN(DepthSchedule::TwoPhase, "two-phase",
                     "shared sources once for a group"))};
  Option<bool> gradients{*this, "gradients",
                         llvm::cl::desc("return the gradients of the loss")};
  Option<int64_t> residualBytes{
      *this, "residual-bytes",
      llvm::cl::desc(
          "bytes kept for the backward pass; the rest is recomputed"),
      llvm::cl::init(defaults.residualBytes)};
  Option<bool> sumGradients{
      *this, "sum-gradients",
      llvm::cl::desc("add the gradients to sums that the caller keeps")};
  Option<bool> optimizer{*this, "optimizer",
                         llvm::cl::desc("update the parameters")};
  Option<OptimizerAlgorithm> algorithm{
      *this, "algorithm",
      llvm::cl::desc("how parameters follow their gradients"),
      llvm::cl::init(defaults.algorithm),
      llvm::cl::values(
          clEnumValN(OptimizerAlgorithm::AdamW, "adamw", "by both moments"),
          clEnumValN(OptimizerAlgorithm::Muon, "muon",
                     "matrices by orthogonalized momentum"),
          clEnumValN(OptimizerAlgorithm::Sgd, "sgd", "by momentum"),
          clEnumValN(OptimizerAlgorithm::Lion, "lion",
                     "by the sign of a momentum"))};
  Option<double> momentum{*this, "momentum",
                          llvm::cl::desc("decay of the moment of muon and sgd"),
                          llvm::cl::init(defaults.momentum)};
  Option<double> beta1{*this, "beta1",
                       llvm::cl::desc("decay of the first moments"),
                       llvm::cl::init(defaults.learningBeta1)};
  Option<double> beta2{*this, "beta2",
                       llvm::cl::desc("decay of the second moments"),
                       llvm::cl::init(defaults.learningBeta2)};
  Option<double> eps{*this, "eps",
                     llvm::cl::desc("added to the root of second moments"),
                     llvm::cl::init(defaults.optimizerEps)};
  Option<double> weightDecay{*this, "weight-decay",
                             llvm::cl::desc("decay of the parameters"),
                             llvm::cl::init(defaults.weightDecay)};
  Option<double> clipNorm{*this, "clip-norm",
                          llvm::cl::desc("largest norm of the gradients; 0: "
                                         "no clipping"),
                          llvm::cl::init(defaults.clipNorm)};
  ListOption<std::string> frozen{
      *this, "freeze",
      llvm::cl::desc("patterns of parameters that stay as they are")};
  ListOption<std::string> undecayed{
      *this, "no-decay",
      llvm::cl::desc("patterns of parameters that do not decay")};
  ListOption<std::string> rates{
      *this, "rates",
      llvm::cl::desc("PATTERN=FACTOR: factors on the learning rate")};
  Option<AttentionForm> attention{
      *this, "attention", llvm::cl::desc("how sequence attention is computed"),
      llvm::cl::init(defaults.attention),
      llvm::cl::values(
          clEnumValN(AttentionForm::Naive, "naive",
                     "with all scores in memory"),
          clEnumValN(AttentionForm::Flash, "flash", "tile by tile"))};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("what kernels are compiled for"),
                             llvm::cl::init(defaults.target)};
  Option<std::string> isa{*this, "isa",
                          llvm::cl::desc("short for target=cpu:ISA")};
  Option<int64_t> threads{*this, "threads",
                          llvm::cl::desc("that kernels are cut for"),
                          llvm::cl::init(defaults.threads)};
  Option<int64_t> pipelineStages{
      *this, "pipeline-stages",
      llvm::cl::desc("stages that processes compute one after the other"),
      llvm::cl::init(defaults.pipelineStages)};
  Option<int64_t> pipelineStage{*this, "pipeline-stage",
                                llvm::cl::desc("the one to compile, from 0"),
                                llvm::cl::init(defaults.pipelineStage)};

  StageOptions stageOptions() const {
    // The bindings stop compiling when an option is added, so that none is
    // forgotten.
    StageOptions options;
    auto &[recordWeights_, schedule_, gradients_, residualBytes_, sumGradients_,
           optimizer_, algorithm_, momentum_, beta1_, beta2_, eps_,
           weightDecay_, clipNorm_, frozen_, undecayed_, rates_, attention_,
           target_, threads_, pipelineStages_, pipelineStage_] = options;
    recordWeights_ = recordWeights;
    schedule_ = schedule;
    gradients_ = gradients;
    residualBytes_ = residualBytes;
    sumGradients_ = sumGradients;
    optimizer_ = optimizer;
    algorithm_ = algorithm;
    momentum_ = momentum;
    beta1_ = beta1;
    beta2_ = beta2;
    eps_ = eps;
    weightDecay_ = weightDecay;
    clipNorm_ = clipNorm;
    frozen_.assign(frozen.begin(), frozen.end());
    undecayed_.assign(undecayed.begin(), undecayed.end());
    rates_.assign(rates.begin(), rates.end());
    attention_ = attention;
    target_ =
        isa.getValue().empty() ? target.getValue() : "cpu:" + isa.getValue();
    threads_ = threads;
    pipelineStages_ = pipelineStages;
    pipelineStage_ = pipelineStage;
    return options;
  }

private:
  static inline const StageOptions defaults;
};

} // namespace

/// Appends all passes from the model to `last`, unless there is no such target
/// or its code has another stage.
static LogicalResult
addStagesTo(Stage last, OpPassManager &passes, const StageOptions &options,
            function_ref<LogicalResult(const Twine &)> reportError) {
  std::unique_ptr<Target> target = createTarget(options.target);
  if (!target)
    return reportError("unknown target '" + options.target +
                       "', expected cpu or one of " +
                       llvm::join(targetNames(), ", "));
  std::vector<Stage> stages = stagesTo(last);
  bool isNeutral = llvm::is_contained(stagesTo(Stage::Planned), last);
  if (!isNeutral && last != target->stage())
    return reportError("target '" + options.target + "' has no stage '" +
                       StringRef(toString(last)) + "'");
  for (Stage stage : stages)
    addStage(passes, stage, options);
  return success();
}

void attnres::registerStagePipelines() {
  for (Stage last : ArrayRef(kStages).drop_front()) {
    std::string name(toString(last));
    registerPassPipeline(
        "attnres-to-" + name, "all passes from the model stage to " + name,
        [last](OpPassManager &passes, StringRef text,
               function_ref<LogicalResult(const Twine &)> reportError) {
          CommandLineOptions options;
          if (failed(options.parseFromString(text)))
            return failure();
          return addStagesTo(last, passes, options.stageOptions(), reportError);
        },
        [](function_ref<void(const mlir::detail::PassOptions &)> show) {
          show(CommandLineOptions());
        });
  }
}
