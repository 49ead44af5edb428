//===- PipelineStarts.h - where a training run is cut -----------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_PIPELINESTARTS_H
#define ATTNRES_TOOLS_COMPILE_PIPELINESTARTS_H

#include "tools/compile/Compiler.h"

namespace attnres {

/// The parts of the model's stack that `stages` stages begin with, for all
/// programs of a run alike: each program can be cut there, and the stages of
/// the first one, that of the gradients, are as equal as possible. An error of
/// one line when they cannot be cut so often.
Result<std::vector<int64_t>>
choosePipelineStarts(const ModelConfig &config,
                     const std::vector<CompileOptions> &programs,
                     int64_t stages);

} // namespace attnres

#endif
