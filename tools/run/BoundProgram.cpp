// A program with memory for all its tensors.
#include "tools/run/BoundProgram.h"

#include <cstring>

namespace attnres::run {

using runtime::AlignedBuffer;
using runtime::Binding;
using runtime::Direction;
using runtime::Executable;
using runtime::TensorView;

Result<BoundProgram>
BoundProgram::create(runtime::CpuDevice &device,
                     std::shared_ptr<const runtime::Program> program,
                     const ModelFiles &model, const BatchFile &batch) {
  BoundProgram result;
  Result<std::unique_ptr<Executable>> executable =
      Executable::create(device, std::move(program));
  if (!executable.ok())
    return executable.status();
  result.executable = *std::move(executable);
  for (const Binding &binding : result.executable->program().bindings) {
    auto bytes = static_cast<size_t>(binding.bytes());
    Result<AlignedBuffer> buffer = AlignedBuffer::allocate(bytes);
    if (!buffer.ok())
      return buffer.status();
    if (binding.direction == Direction::Input) {
      const TensorView *tensor = model.parameters.find(binding.name);
      if (!tensor)
        tensor = batch.file.find(binding.name);
      if (!tensor || tensor->bytes != binding.bytes())
        return invalidArgument("no tensor for the program's input ",
                               inQuotes(binding.name));
      if (bytes > 0)
        std::memcpy(buffer->data(), tensor->data, bytes);
    }
    auto index = static_cast<int64_t>(result.buffers.size());
    if (Status status =
            result.executable->bind(index, buffer->data(), binding.bytes());
        !status.ok())
      return status;
    result.buffers.push_back(*std::move(buffer));
  }
  return result;
}

Status BoundProgram::run(bool poison) {
  Executable::RunOptions options;
  options.poison = poison;
  return executable->run(options);
}

std::vector<TensorView> BoundProgram::outputs() const {
  std::vector<TensorView> tensors;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Binding &binding = executable->program().bindings[i];
    if (binding.direction == Direction::Output)
      tensors.push_back({binding.name, binding.dtype, binding.shape,
                         buffers[i].data(), binding.bytes()});
  }
  return tensors;
}

} // namespace attnres::run
