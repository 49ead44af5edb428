//===- TrainingCompiler.cpp - the programs of a training run --------------===//
#include "tools/compile/TrainingCompiler.h"

using namespace attnres;
using runtime::Program;

static Result<Program> compile(const ModelSource &source,
                               const CompileOptions &options,
                               const ProgramCache &cache,
                               const StageObserver &observer = {}) {
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

static void chooseLoss(const ModelSource &source, CompileOptions &options) {
  if (source.config)
    options.fuseLoss = wantsFusedLoss(*source.config, options);
}

CompileOptions attnres::trainingOptions(const ModelSource &source,
                                        const CompileOptions &options,
                                        bool inParts) {
  CompileOptions training = options;
  training.loss = true;
  training.logits = false;
  training.stages.gradients = true;
  training.stages.sumGradients = inParts;
  training.stages.optimizer = !inParts;
  chooseLoss(source, training);
  return training;
}

CompileOptions attnres::evaluationOptions(const ModelSource &source,
                                          const CompileOptions &options,
                                          bool logits) {
  CompileOptions evaluation = options;
  evaluation.loss = true;
  evaluation.dropout = evaluation.labelSmoothing = 0;
  evaluation.activations = true;
  evaluation.logits = logits;
  evaluation.stages.recordWeights = true;
  chooseLoss(source, evaluation);
  return evaluation;
}

Result<TrainingCompilation> attnres::compileTraining(
    const ModelSource &source, const CompileOptions &options, bool inParts,
    const StageObserver &observer, const ProgramCache &cache) {
  Result<Program> gradients = compile(
      source, trainingOptions(source, options, inParts), cache, observer);
  if (!gradients.ok())
    return gradients.status();
  TrainingCompilation result{*std::move(gradients), std::nullopt};
  if (!inParts)
    return result;
  CompileOptions update = options;
  update.stages.optimizer = true;
  // Every stage updates what it owns by the whole program.
  update.stages.pipelineStages = 1;
  update.stages.pipelineStage = 0;
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
  return compile(source, evaluationOptions(source, options, logits), cache);
}
