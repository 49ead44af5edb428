//===- TrainingCompiler.h - the programs of a training run ------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_TRAININGCOMPILER_H
#define ATTNRES_TOOLS_COMPILE_TRAININGCOMPILER_H

#include "tools/compile/Compiler.h"
#include "tools/compile/ProgramCache.h"

#include <optional>
#include <string>

namespace attnres {

/// What to train: a configuration, or without one, model-stage IR whose `@main`
/// takes parameters, tokens and targets and returns the loss.
struct ModelSource {
  std::optional<ModelConfig> config;
  std::string text;
  std::string name = "model"; ///< of the file of `text`, for errors
};

/// See runtime::TrainingPrograms.
struct TrainingCompilation {
  runtime::Program gradients;
  std::optional<runtime::Program> update;
};

/// How the program with the gradients, and that of evaluations, are compiled.
CompileOptions trainingOptions(const ModelSource &source,
                               const CompileOptions &options, bool inParts);
CompileOptions evaluationOptions(const ModelSource &source,
                                 const CompileOptions &options, bool logits);

/// Compiles the training step. `options` says the sizes, the storage type and
/// the constants of the optimizer; with `inParts` the gradients of several
/// batches are summed before an update. The observer, if any, sees the stages
/// of the program with the gradients, which is then compiled in any case.
Result<TrainingCompilation>
compileTraining(const ModelSource &source, const CompileOptions &options,
                bool inParts, const StageObserver &observer = {},
                const ProgramCache &cache = ProgramCache::standard());

/// Compiles the forward pass for evaluations: the loss, the weights of depth
/// mixtures, the magnitudes of a configuration's activations, and the logits on
/// request.
Result<runtime::Program>
compileEvaluation(const ModelSource &source, const CompileOptions &options,
                  bool logits,
                  const ProgramCache &cache = ProgramCache::standard());

} // namespace attnres

#endif
