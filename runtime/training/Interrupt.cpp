// Handlers that remember one number.
#include "runtime/training/Interrupt.h"

#include <atomic>
#include <csignal>

namespace attnres::runtime {
namespace {

std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

/// Whoever was first is the reason; closed pipes often follow.
void remember(int signal) {
  int none = 0;
  received.compare_exchange_strong(none, signal);
}

struct Caught {
  int signal;
  const char *name;
  unsigned flags;
  bool evenIfIgnored; ///< shells start background jobs so
};
constexpr Caught caught[] = {
    {SIGINT, "SIGINT", SA_RESETHAND | SA_RESTART, true},
    {SIGTERM, "SIGTERM", SA_RESETHAND | SA_RESTART, true},
    // A terminal that goes away may say so through its shell too.
    {SIGHUP, "SIGHUP", SA_RESTART, false},
    // Comes every second from the soft limit to the hard one.
    {SIGXCPU, "SIGXCPU", SA_RESTART, false},
    {SIGUSR1, "SIGUSR1", SA_RESTART, false},
    {SIGUSR2, "SIGUSR2", SA_RESTART, false},
};

} // namespace

void catchInterrupts() {
  for (const Caught &entry : caught) {
    struct sigaction before = {};
    sigaction(entry.signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN && !entry.evenIfIgnored)
      continue;
    struct sigaction action = {};
    action.sa_handler = remember;
    action.sa_flags = static_cast<int>(entry.flags);
    sigemptyset(&action.sa_mask);
    sigaction(entry.signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

void requestEnd(int signal) { remember(signal); }

int interruptSignal() { return received; }

const char *signalName(int signal) {
  for (const Caught &entry : caught)
    if (entry.signal == signal)
      return entry.name;
  return signal == SIGPIPE ? "a closed pipe" : "a signal";
}

} // namespace attnres::runtime
