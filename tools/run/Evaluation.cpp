// Compiling a model for one batch and running it once.
#include "tools/run/Evaluation.h"

#include "runtime/device/BoundProgram.h"
#include "support/File.h"
#include "tools/run/ModelFiles.h"
#include "tools/run/ModuleFiles.h"

namespace attnres::run {

void Evaluation::addOptions(CLI::App &command) {
  command
      .add_option("--model", modelDir,
                  "folder with config.json and model.safetensors, or a module "
                  "in MLIR")
      ->type_name("DIR|FILE.mlir")
      ->required();
  command
      .add_option("--batch", batchPaths,
                  "safetensors file with tokens and targets, i64 [B, T]; of a "
                  "module, files with a tensor for each argument, by name")
      ->type_name("FILE")
      ->required();
  command.add_option("--out", outPath, "safetensors file for the results")
      ->type_name("FILE")
      ->required();
  addStages(command, options);
  addDType(command, options);
  device.add(command);
  command.add_flag("--poison", poison,
                   "fill all memory with NaN first, to find reads of what "
                   "nothing wrote");
  dumps.add(command);
}

void Evaluation::run() {
  if (isModule(modelDir))
    runModule();
  else
    runConfig();
}

void Evaluation::runConfig() {
  if (batchPaths.size() != 1)
    throw CommandError(
        concat("--batch takes one file for the model of a folder, got ",
               batchPaths.size()));
  const std::string &batchPath = batchPaths.front();
  ModelFiles model = unwrap(ModelFiles::open(modelDir));
  BatchFile batch = unwrap(BatchFile::open(batchPath, model.config.vocabSize));
  if (!batch.targets) {
    if (options.stages.gradients)
      throw CommandError(batchPath + ": tensor 'targets' is missing");
    options.loss = false;
  }
  check(checkWritable(outPath));
  check(dumps.checkWritable());
  std::unique_ptr<runtime::Device> made = device.createFor(options);
  options.batch = batch.tokens->shape[0];
  options.seqLen = batch.tokens->shape[1];
  runProgram(unwrap(compileModel(model.config, options, dumps.observer())),
             {&model.parameters, &batch.file}, *made);
}

void Evaluation::runModule() {
  // What the module returns, and nothing else.
  options.stages.recordWeights = false;
  std::string text = readModule(modelDir);
  std::vector<runtime::SafetensorsFile> files;
  std::vector<const runtime::SafetensorsFile *> inputs;
  files.reserve(batchPaths.size());
  for (const std::string &path : batchPaths)
    inputs.push_back(
        &files.emplace_back(unwrap(runtime::SafetensorsFile::open(path))));
  check(checkWritable(outPath));
  check(dumps.checkWritable());
  std::unique_ptr<runtime::Device> made = device.createFor(options);
  runProgram(unwrap(compileText(text, options, modelDir, Stage::Model,
                                dumps.observer())),
             inputs, *made);
}

void Evaluation::runProgram(
    runtime::Program compiled,
    const std::vector<const runtime::SafetensorsFile *> &inputs,
    runtime::Device &onto) {
  auto program = std::make_shared<const runtime::Program>(std::move(compiled));
  auto bound = unwrap(runtime::BoundProgram::create(onto, program));
  check(bound.uploadInputs(inputs));
  runtime::Executable::RunOptions run;
  run.poison = poison;
  check(bound.executable().run(run));
  check(runtime::writeSafetensors(outPath, unwrap(bound.outputs()).tensors));
}

} // namespace attnres::run
