//===- TrainingCompiler.cpp - the programs of a training run --------------===//
#include "tools/compile/TrainingCompiler.h"

using namespace attnres;
using runtime::Program;

static Result<Program> compile(const ModelSource &source,
                               CompileOptions options,
                               const ProgramCache &cache,
                               const StageObserver &observer = {}) {
  if (source.config)
    options.fuseLoss = wantsFusedLoss(*source.config, options);
  auto compileNow = [&] {
    return source.config ? compileModel(*source.config, options, observer)
                         : compileText(source.text, options, source.name,
                                       Stage::Model, observer);
  };
  if (observer.wants)
    return compileNow();
  return cache.get(source.config ? source.config->toJson() : source.text,
                   options, compileNow);
}

Result<TrainingCompilation> attnres::compileTraining(
    const ModelSource &source, const CompileOptions &options, bool inParts,
    const StageObserver &observer, const ProgramCache &cache) {
  CompileOptions training = options;
  training.loss = true;
  training.logits = false;
  training.stages.gradients = true;
  training.stages.sumGradients = inParts;
  training.stages.optimizer = !inParts;
  Result<Program> gradients = compile(source, training, cache, observer);
  if (!gradients.ok())
    return gradients.status();
  TrainingCompilation result{*std::move(gradients), std::nullopt};
  if (!inParts)
    return result;
  CompileOptions update = options;
  update.stages.optimizer = true;
  Result<Program> program =
      compile({std::nullopt, result.gradients.metadata.at(kUpdateMetadata)},
              update, cache);
  if (!program.ok())
    return program.status();
  result.update = *std::move(program);
  return result;
}

Result<Program> attnres::compileEvaluation(const ModelSource &source,
                                           const CompileOptions &options,
                                           bool logits,
                                           const ProgramCache &cache) {
  CompileOptions evaluation = options;
  evaluation.loss = true;
  evaluation.dropout = evaluation.labelSmoothing = 0;
  evaluation.activations = true;
  evaluation.logits = logits;
  evaluation.stages.recordWeights = true;
  return compile(source, evaluation, cache);
}
