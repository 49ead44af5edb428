// The files of a model and of a batch, checked against the configuration.
#include "tools/run/ModelFiles.h"

#include "models/Parameters.h"
#include "runtime/training/Checkpoint.h"
#include "support/BindingNames.h"

#include <cstring>
#include <filesystem>
#include <vector>

namespace attnres::run {

using runtime::SafetensorsFile;
using runtime::TensorView;

namespace {

constexpr int64_t ignoredTarget = -100;

/// Checks that the file holds the parameters, and stacks those that a model has
/// as one.
Status takeParameters(const ModelConfig &config, SafetensorsFile &file,
                      const std::string &path) {
  std::vector<TensorView> tensors;
  for (const Parameter &parameter : parameterShapes(config))
    tensors.push_back(
        {parameter.name, runtime::DType::F32, parameter.shape, nullptr, 0});
  if (Status status = runtime::checkTensors(file, path, tensors,
                                            "is not a parameter of the model");
      !status.ok())
    return status;
  file.stack(tensors);
  return {};
}

/// Every element of a checked tensor is in [0, vocabSize), or `ignored`.
Status checkIndices(const TensorView &tensor, int64_t vocabSize,
                    const int64_t *ignored, const std::string &path) {
  const char *data = static_cast<const char *>(tensor.data);
  int64_t columns = tensor.shape[1];
  for (int64_t i = 0; i < tensor.shape[0] * columns; ++i) {
    int64_t value;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    if ((value < 0 || value >= vocabSize) && !(ignored && value == *ignored))
      return invalidData(path, ": ", tensor.name, "[", i / columns, ", ",
                         i % columns, "] is ", value, ", expected 0 to ",
                         vocabSize - 1,
                         ignored ? concat(" or ", *ignored) : "");
  }
  return {};
}

Status checkBatchTensor(const TensorView &tensor, const std::string &path) {
  if (tensor.dtype != runtime::DType::I64)
    return invalidData(path, ": tensor ", inQuotes(tensor.name),
                       ": expected I64, got ",
                       runtime::dtypeName(tensor.dtype));
  if (tensor.shape.size() != 2)
    return invalidData(path, ": tensor ", inQuotes(tensor.name),
                       ": expected shape [batch, tokens], got ",
                       runtime::describeShape(tensor.shape));
  return {};
}

} // namespace

Status checkFolder(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) ||
      std::filesystem::is_directory(path, error))
    return {};
  std::string folder = std::filesystem::path(path).parent_path();
  return invalidArgument(
      path,
      ": is a file; --model takes the folder with config.json and "
      "model.safetensors, perhaps ",
      folder.empty() ? "." : folder);
}

Result<ModelFiles> ModelFiles::open(const std::string &path, bool mean) {
  if (Status status = checkFolder(path); !status.ok())
    return status;
  auto held = runtime::HeldCheckpoint::open(path);
  std::string directory = held.path();
  if (std::error_code error;
      directory == path && std::filesystem::exists(path + "/run.json", error))
    return invalidData(path, ": the run has no checkpoint yet");
  Result<ModelConfig> config =
      ModelConfig::fromFile(directory + "/config.json");
  if (!config.ok())
    return config.status();
  std::string file =
      directory + (mean ? "/ema.safetensors" : "/model.safetensors");
  Result<SafetensorsFile> parameters =
      mean ? SafetensorsFile::open(file)
           : SafetensorsFile::openModel(directory);
  if (!parameters.ok())
    return parameters.status();
  parameters->widenHalves();
  if (Status status = takeParameters(*config, *parameters, file); !status.ok())
    return status;
  return ModelFiles{directory, *std::move(config), *std::move(parameters),
                    std::move(held)};
}

Result<BatchFile> BatchFile::open(const std::string &path, int64_t vocabSize) {
  Result<SafetensorsFile> opened = SafetensorsFile::open(path);
  if (!opened.ok())
    return opened.status();
  BatchFile batch{*std::move(opened), nullptr, nullptr};
  batch.tokens = batch.file.find(names::tokens);
  batch.targets = batch.file.find(names::targets);
  if (!batch.tokens)
    return invalidData(path, ": tensor 'tokens' is missing");
  for (const TensorView &tensor : batch.file.tensors())
    if (&tensor != batch.tokens && &tensor != batch.targets)
      return invalidData(path, ": tensor ", inQuotes(tensor.name),
                         " is neither 'tokens' nor 'targets'");
  if (Status status = checkBatchTensor(*batch.tokens, path); !status.ok())
    return status;
  if (Status status = checkIndices(*batch.tokens, vocabSize, nullptr, path);
      !status.ok())
    return status;
  if (!batch.targets)
    return batch;
  if (Status status = checkBatchTensor(*batch.targets, path); !status.ok())
    return status;
  if (batch.targets->shape != batch.tokens->shape)
    return invalidData(path, ": tensor 'targets': expected shape ",
                       runtime::describeShape(batch.tokens->shape),
                       " as 'tokens', got ",
                       runtime::describeShape(batch.targets->shape));
  if (Status status =
          checkIndices(*batch.targets, vocabSize, &ignoredTarget, path);
      !status.ok())
    return status;
  return batch;
}

} // namespace attnres::run
