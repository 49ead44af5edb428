//===- Compiler.cpp - from a configuration to a program -------------------===//
#include "tools/compile/Compiler.h"

#include "dialect/Attnres.h"
#include "models/ModelBuilder.h"
#include "passes/cpu/CpuTarget.h"
#include "tools/compile/Diagnostics.h"
#include "tools/compile/EmitProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace attnres;
using runtime::concat;
using runtime::Result;
using runtime::Status;

namespace {

ModelOptions modelOptions(const CompileOptions &options) {
  ModelOptions result;
  result.batch = options.batch;
  result.seqLen = options.seqLen;
  result.dtype = options.bf16 ? StorageType::BF16 : StorageType::F32;
  result.loss = options.loss;
  result.logits = options.logits;
  result.fuseLoss = options.fuseLoss;
  return result;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << '\n';
  return text;
}

/// One model on its way through the stages.
class Compilation {
public:
  Compilation(const ModelConfig &config, const CompileOptions &options)
      : options(options),
        threads(llvm::hardware_concurrency(options.compileThreads)),
        context(MLIRContext::Threading::DISABLED) {
    if (options.compileThreads > 1)
      context.setThreadPool(threads);
    DialectRegistry registry;
    registerDifferentiableModels(registry);
    context.appendDialectRegistry(registry);
    Result<OwningOpRef<ModuleOp>> built =
        buildModel(context, config, modelOptions(options));
    if (built.ok())
      module_ = *std::move(built);
    else
      status = built.status();
  }

  /// Advances to `last`, showing the stages on the way.
  Status run(Stage last, const StageObserver &observer) {
    if (!status.ok())
      return status;
    for (Stage stage : kStages) {
      if (stage > last)
        break;
      if (Status failure = runStage(stage); !failure.ok())
        return failure;
      if (observer.wants && observer.wants(stage))
        observer.see(stage, print(module()));
    }
    return {};
  }

  ModuleOp module() { return *module_; }

private:
  Status runStage(Stage stage) {
    DiagnosticCapture diagnostics(context);
    PassManager passes(&context);
    addStage(passes, stage, options.stages);
    if (failed(passes.run(module())))
      return diagnostics.status(concat("stage '", toString(stage), "'"));
    return {};
  }

  const CompileOptions &options;
  llvm::DefaultThreadPool threads;
  MLIRContext context;
  OwningOpRef<ModuleOp> module_;
  Status status;
};

} // namespace

Result<std::string> attnres::printStage(const ModelConfig &config,
                                        const CompileOptions &options,
                                        Stage stage) {
  Compilation compilation(config, options);
  if (Status status = compilation.run(stage, {}); !status.ok())
    return status;
  return print(compilation.module());
}

Result<runtime::Program>
attnres::compileModel(const ModelConfig &config, const CompileOptions &options,
                      const StageObserver &observer) {
  std::optional<cpu::CpuTarget> target =
      cpu::CpuTarget::forLevel(options.stages.isa);
  if (!target)
    return runtime::invalidArgument("unknown instruction set '",
                                    options.stages.isa, "'");
  Compilation compilation(config, options);
  if (Status status = compilation.run(Stage::Cpu, observer); !status.ok())
    return status;
  Result<runtime::Program> program =
      compileProgram(compilation.module(), *target);
  if (!program.ok())
    return program;
  bool twoPhase = options.stages.schedule == DepthSchedule::TwoPhase;
  bool flash = options.stages.attention == AttentionForm::Flash;
  program->metadata = {{"config", config.toJson()},
                       {"dtype", options.bf16 ? "bf16" : "f32"},
                       {"schedule", twoPhase ? "two-phase" : "naive"},
                       {"attention", flash ? "flash" : "naive"}};
  return program;
}
