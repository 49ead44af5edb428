// Compiling a model for one batch and running it once: what the forward and
// gradients commands have in common.
#ifndef ATTNRES_TOOLS_RUN_EVALUATION_H
#define ATTNRES_TOOLS_RUN_EVALUATION_H

#include "tools/run/DeviceOption.h"

namespace attnres::run {

struct Evaluation {
  std::string modelDir;
  std::string batchPath;
  std::string outPath;
  DeviceOption device;
  bool poison = false;
  CompileOptions options;
  DumpOption dumps;

  void addOptions(CLI::App &command);
  /// Runs the model on the batch and writes its results. Expects what to
  /// return in `options`; sizes come from the batch.
  void run();
};

} // namespace attnres::run

#endif
