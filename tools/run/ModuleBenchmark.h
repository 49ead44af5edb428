// attnres-run bench module: what a module in MLIR takes, kernel by kernel.
#ifndef ATTNRES_TOOLS_RUN_MODULEBENCHMARK_H
#define ATTNRES_TOOLS_RUN_MODULEBENCHMARK_H

#include "support/ExactNumbers.h"

namespace attnres::run {

void addModuleBenchmark(CLI::App &bench);

} // namespace attnres::run

#endif
