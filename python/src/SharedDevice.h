// The processor as all Python objects of a process use it.
#ifndef ATTNRES_PYTHON_SHAREDDEVICE_H
#define ATTNRES_PYTHON_SHAREDDEVICE_H

#include "python/src/Errors.h"
#include "runtime/device/CpuDevice.h"

#include <memory>
#include <mutex>

namespace attnres::python {

/// Programs share threads and the memory of intermediate results, and therefore
/// run one at a time.
struct SharedDevice {
  explicit SharedDevice(int threads) : device(withThreads(threads)) {}

  runtime::CpuDevice device;
  std::mutex running; ///< held while a program is loaded or runs

private:
  static runtime::CpuOptions withThreads(int threads) {
    runtime::CpuOptions options;
    options.threads = threads;
    return options;
  }
};

/// This thread runs programs as long as this exists. Fails in a callback of what
/// does so already, which would wait for itself.
class RunningHere {
public:
  RunningHere() {
    if (flag())
      throw Failure(invalidArgument(
          "on_token cannot run programs while texts are continued"));
    flag() = true;
  }
  ~RunningHere() { flag() = false; }
  RunningHere(const RunningHere &) = delete;

private:
  static bool &flag() {
    static thread_local bool value = false;
    return value;
  }
};

/// What runs programs from now on. With the interpreter's lock. A process that
/// was forked has none of its parent's threads and gets a device of its own.
std::shared_ptr<SharedDevice> currentDevice();

/// 0: as many as the machine allows.
void setThreads(int threads);

} // namespace attnres::python

#endif
