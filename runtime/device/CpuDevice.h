// The processor as a device: object code, run on threads.
#ifndef ATTNRES_RUNTIME_DEVICE_CPUDEVICE_H
#define ATTNRES_RUNTIME_DEVICE_CPUDEVICE_H

#include "runtime/CpuFeatures.h"
#include "runtime/ThreadPool.h"
#include "runtime/device/Device.h"

namespace attnres::runtime {

struct CpuOptions {
  int threads = 0; ///< 0: defaultThreadCount()
  /// What programs may use; less than the machine has is a way to test.
  CpuFeatures features = CpuFeatures::detect();
};

/// Memory is the host's own, so that nothing is copied to be seen. Addresses
/// are pointers.
class CpuDevice final : public Device {
public:
  explicit CpuDevice(const CpuOptions &options = {});

  const CpuFeatures &features() const { return features_; }
  ThreadPool &threads() { return threads_; }

  std::string name() const override;
  Status expectTarget(const std::string &target) const override;
  Result<DeviceBuffer> allocate(int64_t bytes) override;
  Status upload(DeviceMemory to, const void *from) override;
  Status download(void *to, DeviceMemory from) override;
  Status copy(DeviceMemory to, DeviceMemory from) override;
  Status fill(DeviceMemory to, uint8_t value) override;
  std::optional<DeviceMemory> borrow(void *data, int64_t bytes) override;
  Result<HostMapping> map(DeviceMemory memory, Access access) override;

  /// Memory of the host, wherever it begins, as that of any such device.
  static DeviceMemory shared(const void *data, int64_t bytes) {
    return {reinterpret_cast<uintptr_t>(data), bytes};
  }

  /// Memory private to a thread, as large as the largest kernel needs.
  const AlignedBuffer &scratch(int thread) const {
    return scratch_[static_cast<size_t>(thread)];
  }

protected:
  Result<std::unique_ptr<Executable>>
  create(std::shared_ptr<const Program> program) override;

private:
  Status reserveScratch(const Program &program);

  CpuFeatures features_;
  ThreadPool threads_;
  std::vector<AlignedBuffer> scratch_; // per thread
};

} // namespace attnres::runtime
#endif
