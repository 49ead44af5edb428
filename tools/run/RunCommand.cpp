// attnres-run run: a compiled program once, on tensors of files.
#include "support/File.h"
#include "tools/run/BoundProgram.h"
#include "tools/run/Commands.h"
#include "tools/run/Options.h"

#include <memory>

namespace attnres::run {
namespace {

struct RunCommand {
  std::string program, inputs, out;
  int threads = 0;
  bool poison = false;

  void run() const {
    check(checkWritable(out));
    auto loaded = std::make_shared<const runtime::Program>(
        unwrap(runtime::Program::load(program)));
    runtime::SafetensorsFile file =
        unwrap(runtime::SafetensorsFile::open(inputs));
    runtime::CpuOptions cpu;
    cpu.threads = threads;
    runtime::CpuDevice device(cpu);
    BoundProgram bound = unwrap(BoundProgram::create(device, loaded, {&file}));
    check(bound.run(poison));
    check(runtime::writeSafetensors(out, bound.outputs()));
  }
};

} // namespace

void addRunCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("run", "run a program file once on given tensors");
  auto state = std::make_shared<RunCommand>();
  command->add_option("program", state->program, "written by compile")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--inputs", state->inputs,
                   "safetensors file with a tensor for each input, by name")
      ->type_name("FILE")
      ->required();
  command->add_option("--out", state->out, "safetensors file for the results")
      ->type_name("FILE")
      ->required();
  addThreads(*command, state->threads);
  command->add_flag("--poison", state->poison,
                    "fill all memory with NaN first, to find reads of what "
                    "nothing wrote");
  command->footer("Example:\n  attnres-run run toy.program --inputs "
                  "inputs.safetensors --out results.safetensors");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
