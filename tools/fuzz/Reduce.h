//===- Reduce.h - smaller cases with the same finding -----------*- C++ -*-===//
#ifndef ATTNRES_TOOLS_FUZZ_REDUCE_H
#define ATTNRES_TOOLS_FUZZ_REDUCE_H

#include "tools/fuzz/Processes.h"

namespace attnres::fuzz {

/// Drops passes, options, operations, functions, results, arguments and
/// attributes as long as the finding keeps its signature.
Finding reduce(Runner &runner, const Finding &finding, const Limits &limits);

} // namespace attnres::fuzz

#endif
