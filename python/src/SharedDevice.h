// The processor as all Python objects of a process use it.
#ifndef ATTNRES_PYTHON_SHAREDDEVICE_H
#define ATTNRES_PYTHON_SHAREDDEVICE_H

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

/// What runs programs from now on. With the interpreter's lock. A process that
/// was forked has none of its parent's threads and gets a device of its own.
std::shared_ptr<SharedDevice> currentDevice();

/// 0: as many as the machine allows.
void setThreads(int threads);

} // namespace attnres::python

#endif
