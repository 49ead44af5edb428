//===- Compiler.h - from a configuration to a program -----------*- C++ -*-===//
//
// What the command line tools ask of the compiler. Free of MLIR, so that its
// users may use exceptions and need no MLIR headers.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_COMPILE_COMPILER_H
#define ATTNRES_TOOLS_COMPILE_COMPILER_H

#include "models/ModelConfig.h"
#include "runtime/Status.h"

#include <string>

namespace attnres {

/// What to compile a model for.
struct CompileOptions {
  int64_t batch = 1;
  int64_t seqLen = 1;
  bool bf16 = false; ///< storage of activations and of what products read
  bool loss = true;
  bool logits = true;
  bool fuseLoss = false; ///< loss without materialized logits
};

/// The model-stage IR of a configuration, as text.
runtime::Result<std::string> printModel(const ModelConfig &config,
                                        const CompileOptions &options);

} // namespace attnres

#endif
