// mbarrier objects: finding one and moving it on.

#ifndef ATTNRES_RUNTIME_EMULATOR_MBARRIERSTATE_H
#define ATTNRES_RUNTIME_EMULATOR_MBARRIERSTATE_H

#include "runtime/emulator/Machine.h"

namespace attnres::emulator {

/// The mbarrier at a generic shared address, in its own block or another one of
/// the cluster; null, with a finding, if there is none. `byCopy`: not the
/// thread but its copy accesses it, whose end the phase tells of.
Mbarrier *findMbarrier(Warp &warp, uint64_t address, unsigned lane,
                       bool byCopy = false);

/// Ends the current phase when nothing is pending any more.
void completePhase(Cluster &cluster, Mbarrier &barrier);

/// `bytes` of an asynchronous copy have arrived.
void completeTransaction(Cluster &cluster, Mbarrier &barrier, uint64_t bytes);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_MBARRIERSTATE_H
