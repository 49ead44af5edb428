// Compiling a model for one batch and running it once.
#include "tools/run/Evaluation.h"

#include "runtime/device/BoundProgram.h"
#include "support/File.h"
#include "tools/run/ModelFiles.h"

namespace attnres::run {

void Evaluation::addOptions(CLI::App &command) {
  command
      .add_option("--model", modelDir,
                  "folder with config.json and model.safetensors")
      ->type_name("DIR")
      ->required();
  command
      .add_option("--batch", batchPath,
                  "safetensors file with tokens and targets, i64 [B, T]")
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

  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileModel(model.config, options, dumps.observer())));
  auto bound = unwrap(runtime::BoundProgram::create(*made, program));
  check(bound.uploadInputs({&model.parameters, &batch.file}));
  runtime::Executable::RunOptions run;
  run.poison = poison;
  check(bound.executable().run(run));
  check(runtime::writeSafetensors(outPath, unwrap(bound.outputs()).tensors));
}

} // namespace attnres::run
