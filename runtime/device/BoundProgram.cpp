// A program with memory of its device for all its tensors.
#include "runtime/device/BoundProgram.h"

namespace attnres::runtime {

Result<BoundProgram>
BoundProgram::create(Device &device, std::shared_ptr<const Program> program) {
  BoundProgram result;
  result.device = &device;
  Result<std::unique_ptr<Executable>> executable =
      device.load(std::move(program));
  if (!executable.ok())
    return executable.status();
  result.executable_ = *std::move(executable);
  for (const Binding &binding : result.program().bindings) {
    auto index = static_cast<int64_t>(result.buffers.size());
    result.buffers.emplace_back();
    if (binding.updates >= 0)
      continue;
    Result<DeviceBuffer> buffer = device.allocate(binding.bytes());
    if (!buffer.ok())
      return buffer.status();
    if (Status status = result.executable_->bind(index, buffer->memory());
        !status.ok())
      return status;
    result.buffers.back() = *std::move(buffer);
  }
  return result;
}

DeviceTensor BoundProgram::tensor(size_t index) const {
  const Binding &binding = program().bindings[index];
  size_t owner =
      binding.updates >= 0 ? static_cast<size_t>(binding.updates) : index;
  return {binding.name, binding.dtype, binding.shape, buffers[owner].memory()};
}

Status
BoundProgram::uploadInputs(const std::vector<const SafetensorsFile *> &files) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Binding &binding = program().bindings[i];
    if (binding.direction != Direction::Input)
      continue;
    const TensorView *given = nullptr;
    for (size_t k = 0; k < files.size() && !given; ++k)
      given = files[k]->find(binding.name);
    if (!given)
      return invalidArgument("no tensor for the program's input ",
                             inQuotes(binding.name));
    if (given->dtype != binding.dtype || given->shape != binding.shape)
      return invalidArgument("tensor ", inQuotes(binding.name), ": expected ",
                             dtypeName(binding.dtype), " ",
                             describeShape(binding.shape), ", got ",
                             dtypeName(given->dtype), " ",
                             describeShape(given->shape));
    if (Status status = device->upload(buffers[i].memory(), given->data);
        !status.ok())
      return status;
  }
  return {};
}

Result<MappedTensors> BoundProgram::outputs() const {
  std::vector<DeviceTensor> tensors;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (program().bindings[i].direction == Direction::Output)
      tensors.push_back(tensor(i));
  return mapTensors(*device, tensors, Access::Read);
}

int64_t BoundProgram::tensorBytes() const {
  int64_t bytes = 0;
  for (const DeviceBuffer &buffer : buffers)
    bytes += buffer.bytes();
  return bytes;
}

} // namespace attnres::runtime
