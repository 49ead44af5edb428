// The processor as all Python objects of a process use it.
#include "python/src/SharedDevice.h"

#include <unistd.h>

namespace attnres::python {
namespace {

struct Current {
  std::shared_ptr<SharedDevice> device;
  int threads = 0;
  pid_t process = -1;
};

/// Never destroyed: the threads may be needed until the process ends.
Current &current() {
  static auto *value = new Current;
  return *value;
}

} // namespace

std::shared_ptr<SharedDevice> currentDevice() {
  Current &now = current();
  if (now.device && now.process == ::getpid())
    return now.device;
  // To destroy the parent's would be to wait for threads that are not here.
  if (now.device)
    new std::shared_ptr<SharedDevice>(now.device);
  now.device = std::make_shared<SharedDevice>(now.threads);
  now.process = ::getpid();
  return now.device;
}

void setThreads(int threads) {
  Current &now = current();
  if (now.device && now.process != ::getpid())
    new std::shared_ptr<SharedDevice>(now.device);
  now.threads = threads;
  now.device = nullptr;
}

} // namespace attnres::python
