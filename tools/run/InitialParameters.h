// Parameters that a run begins with, drawn or from another model.
#ifndef ATTNRES_TOOLS_RUN_INITIALPARAMETERS_H
#define ATTNRES_TOOLS_RUN_INITIALPARAMETERS_H

#include "models/ModelConfig.h"
#include "runtime/device/Device.h"
#include "support/Status.h"
#include "tools/run/TrainSettings.h"

#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

/// Copies parameters by name into the memory of `tensors`, which are f32.
/// `path` is a safetensors file, the index of one in several parts, or the
/// folder of a model, a checkpoint or a run, which stands for its last
/// checkpoint; its tensors may be f32, f16 or bf16. Returns the names that it
/// lacks, whose memory stays as it is.
///
/// Errors: a tensor of another shape or type; one that is not among `tensors`,
/// unless `allowExtra`; none that is.
Result<std::vector<std::string>>
copyParameters(const std::string &path,
               const std::vector<runtime::TensorView> &tensors,
               bool allowExtra);

/// Gives the parameters of a new run, in memory of the device, their first
/// values: by the seed of the settings, and where it names a model those of
/// that one. Returns the names of those that it lacks.
Result<std::vector<std::string>>
beginParameters(runtime::Device &device,
                const std::vector<runtime::DeviceTensor> &parameters,
                const std::optional<ModelConfig> &model,
                const TrainSettings &settings, bool allowExtra);

} // namespace attnres::run

#endif
