//===- Reference.h - what a model means, in float64 -------------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_COMPILE_REFERENCE_H
#define ATTNRES_TOOLS_COMPILE_REFERENCE_H

#include "tools/compile/Compiler.h"

#include <map>
#include <string>
#include <vector>

namespace attnres {

/// The elements of tensors by name, row-major; integers are whole numbers.
using NamedValues = std::map<std::string, std::vector<double>>;

/// Runs the forward pass of `config` at the stage `stage`, at most
/// Stage::Training, in the reference interpreter: all arithmetic is float64.
/// `inputs` has every parameter and input of the program, and their sizes.
/// Meant for small sizes: it favours the obvious formula over speed.
Result<NamedValues> interpretModel(const ModelConfig &config,
                                   const CompileOptions &options, Stage stage,
                                   const NamedValues &inputs);

} // namespace attnres

#endif
