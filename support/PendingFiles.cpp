// A fixed table, since signal handlers may neither allocate nor lock.
#include "support/PendingFiles.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <utility>

#include <unistd.h>

namespace attnres {
namespace {

struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> pending{false}; ///< the path is complete
  char path[1024];
};
Slot slots[32];
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

/// Installed for one signal: the second one ends the process in any case.
void removeAndEnd(int signal) {
  for (Slot &slot : slots)
    if (slot.pending)
      ::unlink(slot.path);
  for (Slot &slot : slots)
    if (slot.pending)
      ::rmdir(slot.path); // a folder, now that its files are gone
  ::raise(signal);        // once this handler returns, by the default action
}

} // namespace

void removePendingFilesOnSignals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN)
      continue;
    struct sigaction action = {};
    action.sa_handler = removeAndEnd;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

PendingFile::PendingFile(const std::string &path) {
  constexpr int count = sizeof slots / sizeof *slots;
  if (path.empty() || path.size() >= sizeof slots->path)
    return;
  for (int i = 0; i < count; ++i) {
    if (slots[i].taken.exchange(true))
      continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].pending = true;
    slot = i;
    return;
  }
}

PendingFile::PendingFile(PendingFile &&other) noexcept
    : slot(std::exchange(other.slot, -1)) {}

PendingFile &PendingFile::operator=(PendingFile &&other) noexcept {
  std::swap(slot, other.slot);
  return *this;
}

PendingFile::~PendingFile() {
  if (slot < 0)
    return;
  slots[slot].pending = false;
  slots[slot].taken = false;
}

} // namespace attnres
