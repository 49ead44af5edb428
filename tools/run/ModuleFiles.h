// The files of a model in MLIR: the module, and the parameters beside it.
#ifndef ATTNRES_TOOLS_RUN_MODULEFILES_H
#define ATTNRES_TOOLS_RUN_MODULEFILES_H

#include "runtime/Safetensors.h"
#include "runtime/training/Checkpoint.h"
#include "support/Status.h"

#include <optional>
#include <string>

namespace attnres::run {

/// Whether --model names a module in MLIR, as text or bytecode, rather than a
/// folder.
bool isModule(const std::string &path);
/// The text of a module, or its bytecode. Throws CommandError.
std::string readModule(const std::string &path);

struct ModuleFiles {
  std::string path;      ///< of the module
  std::string directory; ///< where it is
  std::string text;
  /// Of model.safetensors, as they are in the file.
  runtime::SafetensorsFile parameters;
  /// Keeps other files of the folder while a run goes on in it.
  runtime::HeldCheckpoint held;

  /// Those of `path` when that is a module, FILE.mlir with model.safetensors
  /// beside it, or the folder of a run, or checkpoint, of one; nothing when it
  /// is anything else. With `mean`, the parameters are those of
  /// ema.safetensors.
  static Result<std::optional<ModuleFiles>> find(const std::string &path,
                                                 bool mean = false);
};

} // namespace attnres::run

#endif
