//===- Compilation.cpp - a model on its way through the stages ------------===//
#include "tools/compile/Compilation.h"

#include "dialect/Attnres.h"
#include "models/ModelBuilder.h"
#include "tools/compile/CheckProgram.h"
#include "tools/compile/Diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace attnres;
using runtime::Result;
using runtime::Status;

static ModelOptions modelOptions(const CompileOptions &options) {
  ModelOptions result;
  result.batch = options.batch;
  result.seqLen = options.seqLen;
  result.dtype = options.bf16 ? StorageType::BF16 : StorageType::F32;
  result.loss = options.loss;
  result.logits = options.logits;
  result.fuseLoss = options.fuseLoss;
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
  registry.insert<AttnresDialect, func::FuncDialect>();
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
                         const CompileOptions &options)
    : Compilation(options) {
  DiagnosticCapture diagnostics(context);
  module_ = parseSourceString<ModuleOp>(text, &context, name);
  if (!module_)
    status = diagnostics.status("parsing");
  else if (failed(checkProgram(*module_, options.stages.gradients)))
    status = diagnostics.status("reading the model");
}

Status Compilation::advance(Stage last, const StageObserver &observer) {
  for (; status.ok() && nextStage < std::size(kStages); ++nextStage) {
    Stage stage = kStages[nextStage];
    if (stage > last)
      break;
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

Status Compilation::runStage(Stage stage) {
  DiagnosticCapture diagnostics(context);
  PassManager passes(&context);
  addStage(passes, stage, options.stages);
  if (failed(passes.run(module())))
    return diagnostics.status(runtime::concat("stage '", toString(stage), "'"));
  return {};
}
