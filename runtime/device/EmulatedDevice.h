// A GPU that the PTX emulator stands in for. It checks what kernels do: a
// finding, such as a data race, ends the run with its text.
#ifndef ATTNRES_RUNTIME_DEVICE_EMULATEDDEVICE_H
#define ATTNRES_RUNTIME_DEVICE_EMULATEDDEVICE_H

#include "runtime/device/Device.h"
#include "runtime/emulator/Counters.h"
#include "runtime/emulator/Device.h"

namespace attnres::runtime {

class EmulatedDevice final : public Device {
public:
  explicit EmulatedDevice(const emulator::DeviceOptions &options = {});

  std::string name() const override { return "emulator"; }
  Status expectTarget(const std::string &target) const override;
  Result<DeviceBuffer> allocate(int64_t bytes) override;
  Status upload(DeviceMemory to, const void *from) override;
  Status download(void *to, DeviceMemory from) override;
  Status copy(DeviceMemory to, DeviceMemory from) override;
  Status fill(DeviceMemory to, uint8_t value) override;
  std::vector<DeviceCounter> counters() const override;

  /// Executes a kernel, adds to the counters, and fails with the first finding.
  Status launch(const std::string &kernel, const emulator::LaunchConfig &config,
                const std::vector<const void *> &arguments);

  /// For what the interface does not say, such as parameters of kernels.
  emulator::Device &emulated() { return *gpu; }

  /// Memory that kernels have to write before they read it.
  Result<DeviceBuffer> allocateUnwritten(int64_t bytes);

protected:
  Result<DeviceBuffer> allocateWorkspace(int64_t bytes) override {
    return allocateUnwritten(bytes);
  }
  Result<std::unique_ptr<Executable>>
  create(std::shared_ptr<const Program> program) override;

private:
  std::shared_ptr<emulator::Device> gpu; ///< lives as long as its last buffer
  bool checksWrites;
  emulator::Counters total;
  int64_t launches = 0;
  int64_t programs = 0;
};

} // namespace attnres::runtime
#endif
