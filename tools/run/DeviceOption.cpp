// --device and --threads: what programs run on.
#include "tools/run/DeviceOption.h"

#include "runtime/device/CpuDevice.h"
#include "runtime/device/EmulatedDevice.h"

namespace attnres::run {

/// The generation of GPUs that the emulator stands in for without --target.
static constexpr const char kEmulatedTarget[] = "sm_80";

void DeviceOption::add(CLI::App &app) {
  command = &app;
  app.add_option("--device", name,
                 "what runs the program: the processor, or the emulator of "
                 "GPUs, which checks every access")
      ->check(CLI::IsMember({"cpu", "emulator"}))
      ->capture_default_str();
  addThreads(app, threads);
}

void DeviceOption::chooseTarget(CompileOptions &options) const {
  bool isGiven = false;
  for (const char *option : {"--target", "--isa"})
    if (const CLI::Option *known = command->get_option_no_throw(option))
      isGiven |= known->count() > 0;
  std::string &target = options.stages.target;
  if (isEmulator() && !isGiven)
    target = kEmulatedTarget;
  if (isEmulator() != (target.rfind("sm_", 0) == 0))
    throw CommandError(concat("--device ", name, " runs no programs for ",
                              inQuotes(target), "; ",
                              isEmulator() ? "--target sm_80 is one for GPUs"
                                           : "--device emulator does"));
}

std::unique_ptr<runtime::Device> DeviceOption::create() const {
  if (isEmulator()) {
    emulator::DeviceOptions options;
    options.threads = static_cast<unsigned>(threads);
    return std::make_unique<runtime::EmulatedDevice>(options);
  }
  runtime::CpuOptions options;
  options.threads = threads;
  return std::make_unique<runtime::CpuDevice>(options);
}

} // namespace attnres::run
