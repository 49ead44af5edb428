// Compiling a model for one batch and running it once.
#include "tools/run/Evaluation.h"

#include "runtime/CpuDevice.h"
#include "tools/run/ModelFiles.h"

#include <cstring>

namespace attnres::run {
namespace {

using runtime::AlignedBuffer;
using runtime::Binding;
using runtime::BindingRole;
using runtime::TensorView;

/// Memory for every binding of a program; inputs hold the tensors of the files.
class Bindings {
public:
  Bindings(const runtime::Program &program, const ModelFiles &model,
           const BatchFile &batch)
      : program(program) {
    for (const Binding &binding : program.bindings) {
      buffers.push_back(
          unwrap(AlignedBuffer::allocate(static_cast<size_t>(binding.bytes()))));
      if (binding.role != BindingRole::Input)
        continue;
      const TensorView *tensor = model.parameters.find(binding.name);
      if (!tensor)
        tensor = batch.file.find(binding.name);
      if (binding.bytes() > 0)
        std::memcpy(buffers.back().data(), tensor->data,
                    static_cast<size_t>(binding.bytes()));
    }
  }

  void bind(runtime::Executable &executable) const {
    for (size_t i = 0; i < buffers.size(); ++i)
      check(executable.bind(static_cast<int64_t>(i), buffers[i].data(),
                            program.bindings[i].bytes()));
  }

  std::vector<TensorView> outputs() const {
    std::vector<TensorView> tensors;
    for (size_t i = 0; i < buffers.size(); ++i) {
      const Binding &binding = program.bindings[i];
      if (binding.role == BindingRole::Output)
        tensors.push_back({binding.name, binding.dtype, binding.shape,
                           buffers[i].data(), binding.bytes()});
    }
    return tensors;
  }

private:
  const runtime::Program &program;
  std::vector<AlignedBuffer> buffers;
};

} // namespace

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
  command
      .add_option("--threads", threads,
                  "threads that run kernels; 0 takes what the machine allows")
      ->check(CLI::Range(0, 1024));
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
  options.batch = batch.tokens->shape[0];
  options.seqLen = batch.tokens->shape[1];

  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileModel(model.config, options, dumps.observer())));
  runtime::CpuOptions cpu;
  cpu.threads = threads;
  runtime::CpuDevice device(cpu);
  std::unique_ptr<runtime::Executable> executable =
      unwrap(runtime::Executable::create(device, program));
  Bindings bindings(*program, model, batch);
  bindings.bind(*executable);
  runtime::Executable::RunOptions runOptions;
  runOptions.poison = poison;
  check(executable->run(runOptions));
  check(runtime::writeSafetensors(outPath, bindings.outputs()));
}

} // namespace attnres::run
