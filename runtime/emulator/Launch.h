// Runs a prepared launch: clusters on host threads, in rounds.

#ifndef ATTNRES_RUNTIME_EMULATOR_LAUNCH_H
#define ATTNRES_RUNTIME_EMULATOR_LAUNCH_H

#include "runtime/emulator/Machine.h"
#include "support/Status.h"

namespace attnres::emulator {

/// Executes every block of `launch` on up to `threads` host threads and adds to
/// `counters` and `executions` (per instruction of the kernel). An error means
/// that the kernel was stopped; findings say where.
Status runLaunch(LaunchState &launch, unsigned threads, Counters &counters,
                 std::vector<WorkerState::Execution> &executions);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_LAUNCH_H
