// What the parameters of a new run are.
#ifndef ATTNRES_TOOLS_RUN_FIRSTPARAMETERS_H
#define ATTNRES_TOOLS_RUN_FIRSTPARAMETERS_H

#include "models/ModelConfig.h"
#include "runtime/device/Device.h"
#include "support/Status.h"
#include "tools/run/TrainSettings.h"

#include <optional>
#include <string>
#include <vector>

namespace attnres::run {

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
