// attnres-run bench network: what processes of an MPI job tell each other in a
// second.
#ifndef ATTNRES_TOOLS_RUN_NETWORKBENCHMARK_H
#define ATTNRES_TOOLS_RUN_NETWORKBENCHMARK_H

#include "tools/run/Options.h"

namespace attnres::run {

void addNetworkBenchmark(CLI::App &bench);

} // namespace attnres::run

#endif
