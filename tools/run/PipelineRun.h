// A training run whose ranks are the stages of a pipeline: what it needs, and
// where its model is cut.
#ifndef ATTNRES_TOOLS_RUN_PIPELINERUN_H
#define ATTNRES_TOOLS_RUN_PIPELINERUN_H

#include "runtime/MemoryLimit.h"
#include "runtime/training/Trainer.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/RankedRun.h"

#include <string>
#include <utility>
#include <vector>

namespace attnres::run {

/// Fails on all ranks unless there is one for each stage, and none of the
/// options, which pipelines do not know, was given.
void expectStages(const RankedRun &ranks, int64_t stages,
                  const std::vector<std::pair<std::string, bool>> &options);

/// Lets `options` compile the stage of this rank. All ranks call it alike: rank
/// 0 says where the model is cut and what "cpu" means.
void cutModel(const RankedRun &ranks, const ModelSource &source, bool logits,
              int64_t stages, CompileOptions &options);

/// What the stage of this rank takes while steps of `parts` parts are trained.
runtime::MemoryNeed memoryOfStage(const runtime::TrainingPrograms &programs,
                                  const runtime::Program &evaluation,
                                  const RankedRun &ranks, int64_t parts);

} // namespace attnres::run

#endif
