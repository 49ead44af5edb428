//===- Compilation.cpp - a model on its way through the stages ------------===//
#include "tools/compile/Compilation.h"

#include "dialect/Attnres.h"
#include "models/ModelBuilder.h"
#include "passes/Passes.h"
#include "passes/import/NameBindings.h"
#include "passes/memory/MemoryPlan.h"
#include "tools/compile/CheckProgram.h"
#include "tools/compile/Diagnostics.h"
#include "tools/compile/MemoryEstimate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace attnres;

static ModelOptions modelOptions(const CompileOptions &options) {
  ModelOptions result;
  result.batch = options.batch;
  result.seqLen = options.seqLen;
  result.dtype = options.bf16 ? StorageType::BF16 : StorageType::F32;
  result.loss = options.loss;
  result.logits = options.logits;
  result.fuseLoss = options.fuseLoss;
  result.documents = options.documents;
  result.dropout = options.dropout;
  result.labelSmoothing = options.labelSmoothing;
  result.activations = options.activations;
  result.parts = options.parts;
  result.pipelineStarts = options.pipelineStarts;
  return result;
}

static CachedModelOptions cachedModelOptions(const CompileOptions &options) {
  CachedModelOptions result;
  result.batch = options.batch;
  result.tokens = options.seqLen;
  result.capacity = options.capacity;
  result.dtype = options.bf16 ? StorageType::BF16 : StorageType::F32;
  return result;
}

Compilation::Compilation(const CompileOptions &options)
    : options(options),
      threads(llvm::hardware_concurrency(options.compileThreads)),
      context(MLIRContext::Threading::DISABLED) {
  if (options.compileThreads > 1)
    context.setThreadPool(threads);
  DialectRegistry registry;
  registerDifferentiableModels(registry);
  registry.insert<AttnresDialect, arith::ArithDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
  context.appendDialectRegistry(registry);
}

Compilation::Compilation(const ModelConfig &config,
                         const CompileOptions &options)
    : Compilation(options) {
  Result<OwningOpRef<ModuleOp>> built =
      options.capacity > 0
          ? buildCachedModel(context, config, cachedModelOptions(options))
          : buildModel(context, config, modelOptions(options));
  if (built.ok())
    module_ = *std::move(built);
  else
    status = built.status();
}

Compilation::Compilation(StringRef text, StringRef name,
                         const CompileOptions &options, Stage from)
    : Compilation(options) {
  DiagnosticCapture diagnostics(context);
  module_ = parseSourceString<ModuleOp>(text, &context, name);
  if (!module_) {
    status = diagnostics.status("parsing");
    return;
  }
  if (from == Stage::Model)
    if (auto main = module_->lookupSymbol<func::FuncOp>("main");
        main && !main.isDeclaration())
      nameBindings(main);
  if (failed(checkProgram(*module_, options.stages.gradients)))
    status = diagnostics.status("reading the model");
  else
    status = checkSizes();
  if (status.ok() && from != Stage::Model) {
    status = verifyStage(from);
    passed = stagesTo(from).size();
  }
}

/// Bytes of a tensor as a number that does not overflow.
static double approximateBytes(Type type) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return 0;
  double bytes = tensor.getElementTypeBitWidth() / 8.0;
  for (int64_t extent : tensor.getShape())
    bytes *= static_cast<double>(std::max<int64_t>(extent, 0));
  return bytes;
}

/// Of a module that somebody wrote: no size overflows, and what main takes and
/// returns fits into memory.
Status Compilation::checkSizes() {
  Type largest;
  auto consider = [&](Type type) {
    if (approximateBytes(type) > approximateBytes(largest))
      largest = type;
  };
  module().walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), consider);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), consider);
  });
  constexpr double most = 4.6e18; // 2^62
  if (largest && approximateBytes(largest) > most) {
    std::string text;
    llvm::raw_string_ostream(text) << largest;
    return unsupported("a tensor of type ", text,
                       " has more bytes than can be counted");
  }
  auto main = module().lookupSymbol<func::FuncOp>("main");
  if (!main)
    return {};
  runtime::MemoryNeed need;
  double arguments = 0, results = 0;
  for (Type type : main.getArgumentTypes())
    arguments += approximateBytes(type);
  for (auto [index, type] : llvm::enumerate(main.getResultTypes()))
    if (!main.getResultAttr(index, kUpdatesAttr))
      results += approximateBytes(type);
  need.add("arguments", arguments);
  need.add("results", results);
  return expectMemoryToCompile(need);
}

runtime::MemoryNeed Compilation::plannedMemory() {
  auto main = module().lookupSymbol<func::FuncOp>("main");
  double arguments = 0, results = 0;
  // Arguments that a stage of a pipeline leaves to others take no memory.
  bool isStage = options.stages.pipelineStages > 1;
  for (Value argument : main.getArguments())
    if (!isStage || !argument.use_empty())
      arguments += static_cast<double>(tensorBytes(argument));
  Operation *exit = main.front().getTerminator();
  for (auto [index, value] : llvm::enumerate(exit->getOperands()))
    if (!main.getResultAttr(index, kUpdatesAttr))
      results += static_cast<double>(tensorBytes(value));
  auto planned = [&](StringRef name) {
    return static_cast<double>(
        module()->getAttrOfType<IntegerAttr>(name).getInt());
  };
  runtime::MemoryNeed need;
  need.add("arguments", arguments);
  need.add("results", results);
  need.add("constants", planned(kConstantBytesAttr));
  need.add("arena", planned(kWorkspaceBytesAttr));
  return need;
}

Status Compilation::advance(Stage last, const StageObserver &observer) {
  std::vector<Stage> way = stagesTo(last);
  for (; status.ok() && passed < way.size(); ++passed) {
    Stage stage = way[passed];
    if (options.isCancelled && options.isCancelled())
      return status = unsupported("compiling was interrupted");
    status = runStage(stage);
    if (status.ok() && observer.wants && observer.wants(stage))
      observer.see(stage, print());
  }
  return status;
}

std::string Compilation::print() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module().print(stream);
  stream << '\n';
  return text;
}

std::string Compilation::printUpdate() {
  auto update = module().lookupSymbol<func::FuncOp>(kUpdateFunction);
  if (!update)
    return "";
  OwningOpRef<func::FuncOp> copy = update.clone();
  copy->setName("main");
  std::string text;
  llvm::raw_string_ostream(text) << *copy << '\n';
  return text;
}

Status Compilation::verifyStage(Stage stage) {
  DiagnosticCapture diagnostics(context);
  PassManager passes(&context);
  passes.addPass(createVerifyStage({std::string(toString(stage))}));
  if (stage == Stage::Planned)
    passes.addPass(createCheckMemoryPlan());
  if (failed(passes.run(module())))
    return diagnostics.status(concat("reading stage '", toString(stage), "'"));
  return {};
}

Status Compilation::runStage(Stage stage) {
  DiagnosticCapture diagnostics(context);
  PassManager passes(&context);
  addStage(passes, stage, options.stages);
  if (prepare)
    prepare(passes);
  if (failed(passes.run(module())))
    return diagnostics.status(concat("stage '", toString(stage), "'"));
  return {};
}
