// --device and --threads: what programs run on.
#include "tools/run/DeviceOption.h"

#include "runtime/device/CpuDevice.h"
#include "runtime/device/EmulatedDevice.h"

namespace attnres::run {

void DeviceOption::add(CLI::App &command) {
  command
      .add_option("--device", name,
                  "what runs the program: the processor, or the emulator of "
                  "GPUs, which checks every access")
      ->check(CLI::IsMember({"cpu", "emulator"}))
      ->capture_default_str();
  addThreads(command, threads);
}

std::unique_ptr<runtime::Device> DeviceOption::create() const {
  if (name == "emulator") {
    emulator::DeviceOptions options;
    options.threads = static_cast<unsigned>(threads);
    return std::make_unique<runtime::EmulatedDevice>(options);
  }
  runtime::CpuOptions options;
  options.threads = threads;
  return std::make_unique<runtime::CpuDevice>(options);
}

} // namespace attnres::run
