// SIGINT and SIGTERM as a request that a loop can ask about.
#ifndef ATTNRES_RUNTIME_TRAINING_INTERRUPT_H
#define ATTNRES_RUNTIME_TRAINING_INTERRUPT_H

namespace attnres::runtime {

/// From now on the first SIGINT or SIGTERM only sets interruptSignal(); a
/// second one ends the process as usual.
void catchInterrupts();

/// The signal that asked the process to end, or 0.
int interruptSignal();

} // namespace attnres::runtime
#endif
