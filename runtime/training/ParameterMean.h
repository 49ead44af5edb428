// A moving mean of the parameters of a run.
#ifndef ATTNRES_RUNTIME_TRAINING_PARAMETERMEAN_H
#define ATTNRES_RUNTIME_TRAINING_PARAMETERMEAN_H

#include "runtime/device/Device.h"

#include <cstdint>
#include <vector>

namespace attnres::runtime {

/// mean += (1 - d) (parameter - mean) after every step s, in f32, with
/// d = min(decay, (1 + s) / (10 + s)): what the mean begins with is soon
/// forgotten, also by a decay near 1.
class ParameterMean {
public:
  /// In memory of its own on the device of the parameters, which are f32 and
  /// outlive the result, as the device does. Begins with what they are now.
  static Result<ParameterMean>
  create(Device &device, const std::vector<DeviceTensor> &parameters,
         double decay);

  /// Takes the parameters after step `step`, counted from 1.
  Status add(int64_t step);

  /// Under the names of the parameters, in their order.
  const std::vector<DeviceTensor> &tensors() const { return means; }

private:
  ParameterMean(Device &device, const std::vector<DeviceTensor> &parameters,
                double decay)
      : device(&device), parameters(parameters), decay(decay) {}

  Status mix(float share);

  Device *device;
  std::vector<DeviceTensor> parameters, means;
  std::vector<DeviceBuffer> buffers;
  double decay;
};

} // namespace attnres::runtime
#endif
