// What the parameters of a new run are.
#include "tools/run/FirstParameters.h"

#include "models/Parameters.h"
#include "tools/run/DeviceOption.h"
#include "tools/run/InitialParameters.h"

#include <map>

namespace attnres::run {

Result<std::vector<std::string>>
beginParameters(runtime::Device &device,
                const std::vector<runtime::DeviceTensor> &parameters,
                const std::optional<ModelConfig> &model,
                const TrainSettings &settings, bool allowExtra) {
  ModelConfig config = model.value_or(ModelConfig());
  std::map<std::string, Parameter> declared;
  if (model)
    for (Parameter &parameter : parameterShapes(config))
      declared.emplace(parameter.name, std::move(parameter));
  auto mapped = runtime::mapTensors(device, parameters, runtime::Access::Write);
  if (!mapped.ok())
    return mapped.status();
  const std::vector<runtime::TensorView> &tensors = mapped->tensors;
  auto describe = [&](const runtime::TensorView &tensor) {
    auto found = declared.find(tensor.name);
    if (found != declared.end())
      return found->second;
    return Parameter{tensor.name, tensor.shape,
                     guessInitialValue(tensor.name, tensor.shape)};
  };
  auto initialize = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      auto index = static_cast<size_t>(i);
      initializeParameter(config, describe(tensors[index]), settings.seed,
                          mapped->mappings[index].as<float>(),
                          {settings.initStd, settings.initOutputScale});
    }
  };
  auto count = static_cast<int64_t>(tensors.size());
  if (runtime::CpuDevice *processor = processorOf(device))
    processor->threads().run(
        count,
        [](void *context, int, int64_t begin, int64_t end) {
          (*static_cast<decltype(initialize) *>(context))(begin, end);
        },
        &initialize);
  else
    initialize(0, count);
  std::vector<std::string> missing;
  if (!settings.initFrom.empty()) {
    auto copied = copyParameters(settings.initFrom, tensors, allowExtra);
    if (!copied.ok())
      return copied.status();
    missing = *std::move(copied);
  }
  if (Status status = mapped->unmap(); !status.ok())
    return status;
  return missing;
}

} // namespace attnres::run
