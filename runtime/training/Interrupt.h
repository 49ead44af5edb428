// The signals that ask a process to end, as a request that a loop asks about.
#ifndef ATTNRES_RUNTIME_TRAINING_INTERRUPT_H
#define ATTNRES_RUNTIME_TRAINING_INTERRUPT_H

namespace attnres::runtime {

/// From now on the signals by which people, terminals, batch systems and limits
/// end a process only set interruptSignal(): SIGINT, SIGTERM, SIGHUP, SIGXCPU,
/// SIGUSR1 and SIGUSR2. A second SIGINT or SIGTERM ends the process as usual;
/// the others may come several times. A SIGHUP that was ignored before, by
/// nohup, stays ignored. SIGPIPE is ignored: a write to a closed pipe fails.
void catchInterrupts();

/// Asks for the end as `signal` would.
void requestEnd(int signal);

/// The first signal that asked the process to end, or 0.
int interruptSignal();

/// "SIGTERM", "a closed pipe" for SIGPIPE.
const char *signalName(int signal);

} // namespace attnres::runtime
#endif
