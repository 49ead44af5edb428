// --device and --threads: what programs run on.
#ifndef ATTNRES_TOOLS_RUN_DEVICEOPTION_H
#define ATTNRES_TOOLS_RUN_DEVICEOPTION_H

#include "runtime/device/Device.h"
#include "tools/run/Options.h"

#include <memory>
#include <string>

namespace attnres::run {

class DeviceOption {
public:
  void add(CLI::App &command);
  /// Sets the target that programs are compiled for, unless --target or --isa
  /// was given, to what the device runs. Throws where the device does not run
  /// the one that was given.
  void chooseTarget(CompileOptions &options) const;
  std::unique_ptr<runtime::Device> create() const;

private:
  bool isEmulator() const { return name == "emulator"; }

  CLI::App *command = nullptr;
  std::string name = "cpu";
  int threads = 0; ///< 0: the runtime's default
};

} // namespace attnres::run

#endif
