// What the experts and the states of a run did, as heat maps of a report.
#ifndef ATTNRES_TOOLS_REPORT_LAYERMAPS_H
#define ATTNRES_TOOLS_REPORT_LAYERMAPS_H

#include "tools/report/RunFolder.h"

namespace attnres::report {

/// HTML; empty when nothing was recorded. Layers are named by the run's
/// configuration, or numbered without one.

/// Share of the choices that each expert of each router had at the last
/// evaluation, and the largest share of each over time.
std::string drawRouterLoad(const RunFolder &run);
/// How much of a state one token leaves, and how large states were.
std::string drawStates(const RunFolder &run);

} // namespace attnres::report
#endif
