// attnres-run bench generate: reading prompts and decoding.
#ifndef ATTNRES_TOOLS_RUN_GENERATIONBENCHMARK_H
#define ATTNRES_TOOLS_RUN_GENERATIONBENCHMARK_H

#include "support/ExactNumbers.h"

namespace attnres::run {

void addGenerationBenchmark(CLI::App &bench);

} // namespace attnres::run

#endif
