// --device and --threads: what programs run on.
#ifndef ATTNRES_TOOLS_RUN_DEVICEOPTION_H
#define ATTNRES_TOOLS_RUN_DEVICEOPTION_H

#include "runtime/device/CpuDevice.h"
#include "tools/run/Options.h"

#include <memory>
#include <string>

namespace attnres::run {

class DeviceOption {
public:
  void add(CLI::App &command);
  /// Of a machine that `processes` share equally, unless --threads says more.
  void shareMachine(int processes);
  /// For programs that exist.
  std::unique_ptr<runtime::Device> create() const;
  /// For programs that are compiled with `options`. A target that nobody chose
  /// becomes one of the device; a command whose target does not run on it ends,
  /// before anything is compiled.
  std::unique_ptr<runtime::Device> createFor(CompileOptions &options) const;

private:
  CLI::App *command = nullptr;
  std::string name = "cpu";
  int threads = 0; ///< 0: the runtime's default
};

/// The processor that a device is, or null.
runtime::CpuDevice *processorOf(runtime::Device &device);

} // namespace attnres::run

#endif
