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
  std::unique_ptr<runtime::Device> create() const;

private:
  std::string name = "cpu";
  int threads = 0; ///< 0: the runtime's default
};

} // namespace attnres::run

#endif
