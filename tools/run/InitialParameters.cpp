// Parameters that a run begins with, from another model.
#include "tools/run/InitialParameters.h"

#include "runtime/training/Checkpoint.h"

#include <cstring>
#include <filesystem>
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

} // namespace attnres::run
