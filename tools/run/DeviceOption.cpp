// --device and --threads: what programs run on.
#include "tools/run/DeviceOption.h"

#include "passes/Targets.h"
#include "runtime/device/Devices.h"

#include <algorithm>

namespace attnres::run {

void DeviceOption::add(CLI::App &app) {
  command = &app;
  app.add_option("--device", name,
                 "what runs the program: the processor, an NVIDIA GPU, or the "
                 "emulator of GPUs, which checks every access")
      ->check(CLI::IsMember(runtime::deviceNames()))
      ->capture_default_str();
  addThreads(app, threads);
}

void DeviceOption::shareMachine(int processes) {
  if (threads == 0)
    threads = std::max(1, runtime::defaultThreadCount() / processes);
}

std::unique_ptr<runtime::Device> DeviceOption::create() const {
  return unwrap(runtime::openDevice(name, threads));
}

std::unique_ptr<runtime::Device>
DeviceOption::createFor(CompileOptions &options) const {
  std::unique_ptr<runtime::Device> device = create();
  std::string &target = options.stages.target;
  auto runs = [&](const std::string &candidate) {
    return device->expectTarget(resolveTarget(candidate));
  };
  auto isGiven = [&](const char *option) {
    const CLI::Option *found = command->get_option_no_throw(option);
    return found && found->count() > 0;
  };
  if (target == StageOptions().target && !isGiven("--target") &&
      !isGiven("--isa") && !runs(target).ok()) {
    std::vector<std::string> all = targetNames();
    auto found =
        std::find_if(all.begin(), all.end(), [&](const std::string &candidate) {
          return runs(candidate).ok();
        });
    if (found != all.end())
      target = *found;
  }
  check(runs(target));
  return device;
}

runtime::CpuDevice *processorOf(runtime::Device &device) {
  return dynamic_cast<runtime::CpuDevice *>(&device);
}

} // namespace attnres::run
