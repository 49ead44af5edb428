// attnres-exec run: a program once, on tensors of files.
#include "tools/exec/Commands.h"
#include "tools/exec/ProgramOption.h"

#include "runtime/device/BoundProgram.h"
#include "support/File.h"

#include <memory>

namespace attnres::exec {
namespace {

struct RunCommand {
  ProgramOption file;
  std::string purpose, out;
  std::vector<std::string> inputs;
  bool poison = false;

  void run() {
    check(checkWritable(out));
    file.open();
    std::vector<runtime::SafetensorsFile> files;
    std::vector<const runtime::SafetensorsFile *> pointers;
    files.reserve(inputs.size());
    for (const std::string &path : inputs)
      pointers.push_back(
          &files.emplace_back(unwrap(runtime::SafetensorsFile::open(path))));
    auto bound = unwrap(
        runtime::BoundProgram::create(file.device(), file.program(purpose)));
    check(bound.uploadInputs(pointers));
    runtime::Executable::RunOptions options;
    options.poison = poison;
    check(bound.executable().run(options));
    check(runtime::writeSafetensors(out, unwrap(bound.outputs()).tensors));
  }
};

} // namespace

void addRunCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("run", "run a program once on given tensors");
  auto state = std::make_shared<RunCommand>();
  state->file.add(*command);
  addPurpose(*command, state->purpose);
  command
      ->add_option("--inputs", state->inputs,
                   "safetensors files with a tensor for each input, by name; "
                   "the first that has one counts")
      ->type_name("FILE")
      ->required();
  command->add_option("--out", state->out, "safetensors file for the results")
      ->type_name("FILE")
      ->required();
  command->add_flag("--poison", state->poison,
                    "fill all memory with NaN first, to find reads of what "
                    "nothing wrote");
  command->footer("Example:\n  attnres-exec run toy.program --purpose forward "
                  "--inputs model.safetensors batch.safetensors \\\n    --out "
                  "results.safetensors");
  command->callback([state] { state->run(); });
}

} // namespace attnres::exec
