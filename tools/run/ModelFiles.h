// The files of a model and of a batch, checked against the configuration.
#ifndef ATTNRES_TOOLS_RUN_MODELFILES_H
#define ATTNRES_TOOLS_RUN_MODELFILES_H

#include "models/ModelConfig.h"
#include "runtime/Safetensors.h"
#include "runtime/training/Checkpoint.h"
#include "support/Status.h"

#include <string>

namespace attnres::run {

/// Whether `path`, of an option --model, is not a file where a folder is
/// expected.
Status checkFolder(const std::string &path);

/// DIR/config.json and DIR/model.safetensors. DIR may also be the folder of a
/// training run and stands for its last checkpoint then.
struct ModelFiles {
  std::string directory; ///< where the files are
  ModelConfig config;
  /// Holds exactly the parameters of the configuration, in f32, stacks as one
  /// tensor. A file may have them in f16 or bf16, which are widened.
  runtime::SafetensorsFile parameters;
  /// Keeps other files of the folder while a run goes on in it.
  runtime::HeldCheckpoint held;

  /// With `mean`, the parameters are those of ema.safetensors, which `train
  /// --ema` keeps.
  static Result<ModelFiles> open(const std::string &path, bool mean = false);
};

/// Tokens, and targets if the file has them: i64 [B, T], every token in the
/// vocabulary, every target in it or -100.
struct BatchFile {
  runtime::SafetensorsFile file;
  const runtime::TensorView *tokens;
  const runtime::TensorView *targets; ///< null when there are none

  static Result<BatchFile> open(const std::string &path, int64_t vocabSize);
};

} // namespace attnres::run

#endif
