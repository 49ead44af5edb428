// A program with memory of its device for all its tensors.
#ifndef ATTNRES_RUNTIME_DEVICE_BOUNDPROGRAM_H
#define ATTNRES_RUNTIME_DEVICE_BOUNDPROGRAM_H

#include "runtime/Safetensors.h"
#include "runtime/device/Device.h"

namespace attnres::runtime {

class BoundProgram {
public:
  /// All tensors are zero. The device must outlive the result.
  static Result<BoundProgram> create(Device &device,
                                     std::shared_ptr<const Program> program);

  const Program &program() const { return executable_->program(); }
  Executable &executable() { return *executable_; }

  /// The tensor of a binding, which has the memory of the input that it
  /// updates, if it does.
  DeviceTensor tensor(size_t binding) const;
  Result<HostMapping> map(size_t binding, Access access) const {
    return device->map(tensor(binding).memory, access);
  }

  /// Uploads every input from the tensor of its name, type and shape in the
  /// first file that has one of its name.
  Status uploadInputs(const std::vector<const SafetensorsFile *> &files);
  /// The results as the host sees them, valid as long as both objects.
  Result<MappedTensors> outputs() const;

  /// Bytes of all tensors.
  int64_t tensorBytes() const;

private:
  Device *device = nullptr;
  std::unique_ptr<Executable> executable_;
  std::vector<DeviceBuffer> buffers; ///< of each binding
};

} // namespace attnres::runtime
#endif
