#include "runtime/device/Devices.h"

#include "runtime/device/CpuDevice.h"
#include "runtime/device/CudaDevice.h"
#include "runtime/device/EmulatedDevice.h"

namespace attnres::runtime {

std::vector<std::string> deviceNames() { return {"cpu", "cuda", "emulator"}; }

Result<std::unique_ptr<Device>> openDevice(std::string_view name, int threads) {
  if (name == "cpu") {
    CpuOptions options;
    options.threads = threads;
    return std::unique_ptr<Device>(std::make_unique<CpuDevice>(options));
  }
  if (name == "emulator") {
    emulator::DeviceOptions options;
    options.threads = static_cast<unsigned>(threads);
    return std::unique_ptr<Device>(std::make_unique<EmulatedDevice>(options));
  }
  if (name != "cuda")
    return invalidArgument("unknown device ", inQuotes(name));
  Result<std::unique_ptr<CudaDevice>> device = CudaDevice::create();
  if (!device.ok())
    return Status(device.status().code(),
                  concat("device cuda: ", device.status().message()));
  return std::unique_ptr<Device>(*std::move(device));
}

} // namespace attnres::runtime
