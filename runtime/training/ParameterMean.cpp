// A moving mean of the parameters of a run.
#include "runtime/training/ParameterMean.h"

#include <algorithm>

namespace attnres::runtime {

Result<ParameterMean> ParameterMean::create(
    Device &device, const std::vector<DeviceTensor> &parameters, double decay) {
  ParameterMean mean(device, parameters, decay);
  for (const DeviceTensor &parameter : parameters) {
    Result<DeviceBuffer> buffer = device.allocate(parameter.memory.bytes);
    if (!buffer.ok())
      return buffer.status();
    mean.buffers.push_back(*std::move(buffer));
    mean.means.push_back(parameter);
    mean.means.back().memory = mean.buffers.back().memory();
    if (Status status = device.copy(mean.means.back().memory, parameter.memory);
        !status.ok())
      return status;
  }
  return mean;
}

Status ParameterMean::add(int64_t step) {
  auto s = static_cast<double>(step);
  return mix(static_cast<float>(1 - std::min(decay, (1 + s) / (10 + s))));
}

/// Moves the means by a share of their way to the parameters.
Status ParameterMean::mix(float share) {
  std::vector<float> mixed;
  for (size_t i = 0; i < means.size(); ++i) {
    Result<HostMapping> from = device->map(parameters[i].memory, Access::Read);
    if (!from.ok())
      return from.status();
    int64_t count = means[i].memory.bytes / static_cast<int64_t>(sizeof(float));
    // Mapped to write, it would lose what it holds.
    Result<HostMapping> old = device->map(means[i].memory, Access::Read);
    if (!old.ok())
      return old.status();
    mixed.assign(old->as<const float>(), old->as<const float>() + count);
    const float *values = from->as<const float>();
    for (int64_t j = 0; j < count; ++j)
      mixed[static_cast<size_t>(j)] +=
          share * (values[j] - mixed[static_cast<size_t>(j)]);
    if (Status status = device->upload(means[i].memory, mixed.data());
        !status.ok())
      return status;
  }
  return {};
}

} // namespace attnres::runtime
