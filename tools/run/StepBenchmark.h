// attnres-run bench step: a whole training step, and where its time goes.
#ifndef ATTNRES_TOOLS_RUN_STEPBENCHMARK_H
#define ATTNRES_TOOLS_RUN_STEPBENCHMARK_H

#include "support/ExactNumbers.h"

namespace attnres::run {

void addStepBenchmark(CLI::App &bench);

} // namespace attnres::run

#endif
