// attnres-run bench machine.
#ifndef ATTNRES_TOOLS_RUN_MACHINEBENCHMARK_H
#define ATTNRES_TOOLS_RUN_MACHINEBENCHMARK_H

#include "support/ExactNumbers.h"

namespace attnres::run {

void addMachineBenchmark(CLI::App &bench);

} // namespace attnres::run

#endif
