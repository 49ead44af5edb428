// attnres-exec info: what a file of programs has.
#include "tools/exec/Commands.h"
#include "tools/exec/ProgramOption.h"

#include "runtime/MemoryLimit.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace attnres::exec {
namespace {

struct InfoCommand {
  ProgramOption file;

  void run() {
    file.openFile();
    std::cout << fmt::format("{:<10} {:<24} {:>7} {:>8} {:>12} {:>12}  {}\n",
                             "purpose", "target", "kernels", "launches",
                             "tensors", "workspace", "tokens");
    for (const auto &program : file.pack().programs)
      std::cout << describe(*program);
  }

  static std::string describe(const runtime::Program &program) {
    int64_t bytes = 0;
    std::string tokens = "-";
    for (const runtime::Binding &binding : program.bindings) {
      if (binding.updates < 0)
        bytes += binding.bytes();
      if (binding.name == "tokens" && binding.shape.size() == 2)
        tokens = fmt::format("{} x {}", binding.shape[0], binding.shape[1]);
    }
    return fmt::format("{:<10} {:<24} {:>7} {:>8} {:>12} {:>12}  {}\n",
                       runtime::purposeOf(program), program.target,
                       program.kernels.size(), program.launches.size(),
                       runtime::formatBytes(bytes),
                       runtime::formatBytes(program.workspaceBytes), tokens);
  }
};

} // namespace

void addInfoCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("info", "list the programs of a file");
  auto state = std::make_shared<InfoCommand>();
  state->file.addFile(*command);
  command->footer("Example:\n  attnres-exec info toy.program");
  command->callback([state] { state->run(); });
}

} // namespace attnres::exec
