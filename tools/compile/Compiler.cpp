//===- Compiler.cpp - from a configuration to a program -------------------===//
#include "tools/compile/Compiler.h"

#include "passes/Target.h"
#include "tools/compile/Compilation.h"
#include "tools/compile/EmitProgram.h"
#include "tools/compile/MemoryEstimate.h"

using namespace mlir;
using namespace attnres;

/// Logits of more bytes than this are not materialized for a loss alone.
static constexpr double kMaxLogitBytes = 32 << 20;

bool attnres::wantsFusedLoss(const ModelConfig &config,
                             const CompileOptions &options) {
  return options.loss && !options.logits &&
         static_cast<double>(options.batch) *
                 static_cast<double>(options.seqLen) *
                 static_cast<double>(config.vocabSize) >
             kMaxLogitBytes / 4;
}

Result<std::string> attnres::printStage(const ModelConfig &config,
                                        const CompileOptions &options,
                                        Stage stage) {
  Compilation compilation(config, options);
  if (Status status = compilation.advance(stage); !status.ok())
    return status;
  return compilation.print();
}

static Status unknownTarget(const CompileOptions &options) {
  return invalidArgument("unknown target '", options.stages.target, "'");
}

/// The program that `compilation` leads to.
static Result<runtime::Program> finish(Compilation &compilation,
                                       const CompileOptions &options,
                                       const StageObserver &observer) {
  std::unique_ptr<Target> target = createTarget(options.stages.target);
  if (!target)
    return unknownTarget(options);
  if (Status status = compilation.advance(Stage::Planned, observer);
      !status.ok())
    return status;
  if (Status status = expectMemory(compilation.plannedMemory()); !status.ok())
    return status;
  if (Status status = compilation.advance(target->stage(), observer);
      !status.ok())
    return status;
  Result<runtime::Program> program =
      compileProgram(compilation.module(), *target, options.isCancelled);
  if (program.ok())
    if (std::string update = compilation.printUpdate(); !update.empty())
      program->metadata[kUpdateMetadata] = update;
  return program;
}

Result<runtime::Program> attnres::compileText(const std::string &text,
                                              const CompileOptions &options,
                                              const std::string &name,
                                              Stage from,
                                              const StageObserver &observer) {
  Compilation compilation(text, name, options, from);
  return finish(compilation, options, observer);
}

Result<runtime::Program> attnres::compileModel(const ModelConfig &config,
                                               const CompileOptions &options,
                                               const StageObserver &observer) {
  // What a stage of a model takes is known once it is cut.
  if (options.stages.pipelineStages <= 1)
    if (Status status = expectMemoryToCompile(estimateMemory(config, options));
        !status.ok())
      return status;
  Compilation compilation(config, options);
  Result<runtime::Program> program = finish(compilation, options, observer);
  if (!program.ok())
    return program;
  bool twoPhase = options.stages.schedule == DepthSchedule::TwoPhase;
  bool flash = options.stages.attention == AttentionForm::Flash;
  program->metadata.insert({{"config", config.toJson()},
                            {"dtype", options.bf16 ? "bf16" : "f32"},
                            {"schedule", twoPhase ? "two-phase" : "naive"},
                            {"attention", flash ? "flash" : "naive"}});
  return program;
}
