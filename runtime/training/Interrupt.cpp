// SIGINT and SIGTERM as a request that a loop can ask about.
#include "runtime/training/Interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace attnres::runtime {
namespace {
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");
} // namespace

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { received = signal; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGINT, SIGTERM})
    sigaction(signal, &action, nullptr);
}

int interruptSignal() { return received; }

} // namespace attnres::runtime
