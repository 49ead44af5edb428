// What programs of PTX kernels are on every GPU, emulated or not: the values of
// kernels' parameters; attnres_kernel.h says what these are.
#ifndef ATTNRES_RUNTIME_DEVICE_GPUEXECUTABLE_H
#define ATTNRES_RUNTIME_DEVICE_GPUEXECUTABLE_H

#include "runtime/device/Device.h"

#include <optional>
#include <string>
#include <vector>

namespace attnres::runtime {

class GpuExecutable : public Executable {
protected:
  GpuExecutable(Device &device, std::shared_ptr<const Program> program)
      : Executable(device, std::move(program)) {}

  /// To be called first. Fails when launches of a kernel have different
  /// arguments.
  Status findParameters();
  /// Bytes of each parameter of a kernel, scratch included.
  std::vector<size_t> parameterBytes(size_t kernel) const;
  /// Allocates constants and scratch, the latter by `allocateScratch`.
  Status allocateMemory();

  virtual Result<DeviceBuffer> allocateScratch(int64_t bytes) {
    return device.allocate(bytes);
  }

  /// For the parameters of a launch, a pointer to the value of each.
  std::vector<const void *> argumentsOf(size_t launch) const;
  /// Whether the launch has blocks at all.
  bool hasBlocks(size_t launch) const;

  Status resolve() override;
  Status poisonScratch() override {
    return device.fill(scratch.memory(), poisonByte);
  }

private:
  /// What the kernels of a program have as parameters, besides scratch.
  struct Parameter {
    bool isList = false;
    /// Of a list: the largest count in any launch.
    size_t capacity = 0;

    size_t words() const { return isList ? 1 + capacity : 1; }
  };

  std::vector<std::vector<Parameter>> parameters; // per kernel
  DeviceBuffer constants, scratch;
  /// Of every launch: its parameters one after the other.
  std::vector<std::vector<uint64_t>> words;
};

} // namespace attnres::runtime
#endif
