//===- RandomPipeline.h - passes in random order with random options
//-------===//
#ifndef ATTNRES_TOOLS_FUZZ_RANDOMPIPELINE_H
#define ATTNRES_TOOLS_FUZZ_RANDOMPIPELINE_H

#include "tools/fuzz/Random.h"

#include <string>
#include <vector>

namespace attnres::fuzz {

/// A pipeline on a module, as its elements: "canonicalize",
/// "func.func(attnres-recompute{budget-bytes=0})", "attnres-to-cpu{isa=avx2}".
using Pipeline = std::vector<std::string>;

Pipeline randomPipeline(Random &random);

/// The elements as attnres-opt takes them: "a,b,c".
std::string toString(const Pipeline &pipeline);

/// The names of this project's passes and pipelines that are drawn from.
std::vector<std::string> knownPasses();

} // namespace attnres::fuzz

#endif
