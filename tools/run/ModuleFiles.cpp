// The files of a model in MLIR: the module, and the parameters beside it.
#include "tools/run/ModuleFiles.h"

#include "support/File.h"
#include "tools/run/Options.h"

#include <filesystem>

namespace attnres::run {

namespace fs = std::filesystem;

bool isModule(const std::string &path) {
  std::string extension = fs::path(path).extension();
  std::error_code error;
  return (extension == ".mlir" || extension == ".mlirbc") &&
         !fs::is_directory(path, error);
}

std::string readModule(const std::string &path) {
  return unwrap(readFile(path, size_t{256} << 20));
}

Result<std::optional<ModuleFiles>> ModuleFiles::find(const std::string &path,
                                                     bool mean) {
  bool isFile = isModule(path);
  std::string folder = isFile ? fs::path(path).parent_path().string() : path;
  if (folder.empty())
    folder = ".";
  auto held = runtime::HeldCheckpoint::open(folder);
  std::string directory = isFile ? folder : held.path();
  std::string module = isFile ? path : directory + "/model.mlir";
  std::error_code error;
  // A folder with a configuration is the model that this describes.
  if (!isFile && (fs::exists(directory + "/config.json", error) ||
                  !fs::exists(module, error)))
    return std::optional<ModuleFiles>();
  Result<std::string> text = readFile(module, size_t{256} << 20);
  if (!text.ok())
    return text.status();
  Result<runtime::SafetensorsFile> parameters = runtime::SafetensorsFile::open(
      directory + (mean ? "/ema.safetensors" : "/model.safetensors"));
  if (!parameters.ok())
    return parameters.status();
  return std::optional<ModuleFiles>(
      ModuleFiles{module, directory, *std::move(text), *std::move(parameters),
                  std::move(held)});
}

} // namespace attnres::run
