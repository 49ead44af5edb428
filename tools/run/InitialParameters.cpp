// Parameters that a run begins with, drawn or from another model.
#include "tools/run/InitialParameters.h"

#include "models/Parameters.h"
#include "runtime/training/Checkpoint.h"
#include "tools/run/DeviceOption.h"

#include <cstring>
#include <filesystem>
#include <map>
#include <set>

namespace attnres::run {

using runtime::SafetensorsFile;
using runtime::TensorView;

Result<std::vector<std::string>>
copyParameters(const std::string &path, const std::vector<TensorView> &tensors,
               bool allowExtra) {
  std::error_code error;
  bool isFolder = std::filesystem::is_directory(path, error);
  auto held = runtime::HeldCheckpoint::open(path);
  std::string name = isFolder ? held.path() + "/model.safetensors" : path;
  Result<SafetensorsFile> file =
      SafetensorsFile::openModel(isFolder ? held.path() : path);
  if (!file.ok())
    return file.status();
  file->widenHalves();

  std::vector<std::string> missing;
  std::set<std::string> known;
  std::vector<TensorView> slices = runtime::unstack(tensors);
  for (const TensorView &tensor : slices) {
    known.insert(tensor.name);
    const TensorView *stored = file->find(tensor.name);
    if (!stored) {
      missing.push_back(tensor.name);
      continue;
    }
    if (stored->shape != tensor.shape)
      return invalidData(name, ": tensor ", inQuotes(tensor.name),
                         ": the model has shape ",
                         runtime::describeShape(tensor.shape), ", the file ",
                         runtime::describeShape(stored->shape));
    if (stored->dtype != runtime::DType::F32)
      return invalidData(name, ": tensor ", inQuotes(tensor.name),
                         ": expected F32, F16 or BF16, got ",
                         runtime::dtypeName(stored->dtype));
  }
  if (missing.size() == slices.size())
    return invalidData(name, ": has no parameter of the model");
  for (const TensorView &stored : file->tensors())
    if (!allowExtra && !known.count(stored.name))
      return invalidData(name, ": tensor ", inQuotes(stored.name),
                         " is not a parameter of the model; --allow-extra "
                         "leaves such tensors out");
  for (const TensorView &tensor : slices)
    if (const TensorView *stored = file->find(tensor.name))
      if (tensor.bytes > 0)
        std::memcpy(const_cast<void *>(tensor.data), stored->data,
                    static_cast<size_t>(tensor.bytes));
  return missing;
}

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
