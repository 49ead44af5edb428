// Compiling a model for one batch and running it once: what the forward and
// gradients commands have in common.
#ifndef ATTNRES_TOOLS_RUN_EVALUATION_H
#define ATTNRES_TOOLS_RUN_EVALUATION_H

#include "tools/run/DeviceOption.h"

#include "runtime/Safetensors.h"

namespace attnres::run {

struct Evaluation {
  std::string modelDir;
  std::vector<std::string> batchPaths;
  std::string outPath;
  DeviceOption device;
  bool poison = false;
  CompileOptions options;
  DumpOption dumps;

  void addOptions(CLI::App &command);
  /// Runs the model on the batch and writes its results. Expects what to
  /// return in `options`; sizes come from the batch, or are those of a module.
  void run();

private:
  void runConfig();
  void runModule();
  void runProgram(runtime::Program program,
                  const std::vector<const runtime::SafetensorsFile *> &inputs,
                  runtime::Device &device);
};

} // namespace attnres::run

#endif
