// Ranks that are threads of one process, and the one rank of a process alone.
#ifndef ATTNRES_RUNTIME_DISTRIBUTED_LOCALCOMMUNICATOR_H
#define ATTNRES_RUNTIME_DISTRIBUTED_LOCALCOMMUNICATOR_H

#include "runtime/distributed/Communicator.h"

#include <memory>
#include <vector>

namespace attnres::runtime {

/// One for each rank, each for a thread of its own.
std::vector<std::unique_ptr<Communicator>> localCommunicators(int size);

} // namespace attnres::runtime
#endif
