// An NVIDIA GPU, through the driver that is installed with it.
#ifndef ATTNRES_RUNTIME_DEVICE_CUDADEVICE_H
#define ATTNRES_RUNTIME_DEVICE_CUDADEVICE_H

#include "runtime/device/CudaDriver.h"
#include "runtime/device/Device.h"

namespace attnres::runtime {

/// Programs are PTX, which the driver compiles when they are loaded. The
/// launches of a run become a graph, which later runs launch as one. Used by
/// one thread at a time.
class CudaDevice final : public Device {
public:
  /// The GPU of that number. Fails where there is no driver or no such GPU.
  static Result<std::unique_ptr<CudaDevice>> create(int ordinal = 0);
  ~CudaDevice() override;

  std::string name() const override;
  Status expectTarget(const std::string &target) const override;
  Result<DeviceBuffer> allocate(int64_t bytes) override;
  Status upload(DeviceMemory to, const void *from) override;
  Status download(void *to, DeviceMemory from) override;
  Status copy(DeviceMemory to, DeviceMemory from) override;
  Status fill(DeviceMemory to, uint8_t value) override;
  std::vector<DeviceCounter> counters() const override;

  const CudaDriver &driver() const;
  CudaDriver::Handle stream() const;
  /// Waits for everything that was asked for.
  Status synchronize();

  // Of all launches since the device was made, for counters().
  int64_t launches = 0, graphLaunches = 0;

protected:
  Result<DeviceBuffer> allocateWorkspace(int64_t bytes) override;
  Result<std::unique_ptr<Executable>>
  create(std::shared_ptr<const Program> program) override;

private:
  struct Context;
  explicit CudaDevice(std::shared_ptr<Context> context);
  Status check(int result, const char *name) const;

  std::shared_ptr<Context> context; ///< lives as long as its last buffer
};

} // namespace attnres::runtime
#endif
