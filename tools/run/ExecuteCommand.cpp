// attnres-run execute: a compiled program, run once on tensors of files.
#include "tools/run/Commands.h"
#include "tools/run/DeviceOption.h"

#include "runtime/device/BoundProgram.h"
#include "support/File.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace attnres::run {
namespace {

using runtime::SafetensorsFile;
using runtime::TensorView;

struct ExecuteCommand {
  std::string programPath, outPath, countersPath;
  std::vector<std::string> inputPaths;
  DeviceOption device;
  bool poison = false;

  void addTo(CLI::App &app);
  void run() const;
};

void ExecuteCommand::addTo(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "execute", "a compiled program, run once on tensors of files");
  command->add_option("PROGRAM", programPath, "what `compile` wrote")
      ->required();
  command
      ->add_option("--inputs", inputPaths,
                   "safetensors files with the program's inputs, by name")
      ->type_name("FILE");
  command->add_option("--out", outPath, "safetensors file for the results")
      ->type_name("FILE")
      ->required();
  device.add(*command);
  command->add_flag("--poison", poison,
                    "fill all memory with NaN first, to find reads of what "
                    "nothing wrote");
  command
      ->add_option("--counters", countersPath,
                   "JSON file for what the device counted, if it does")
      ->type_name("FILE");
  command->footer("Example:\n  attnres-run execute model.program --inputs "
                  "model.safetensors batch.safetensors \\\n    --out "
                  "result.safetensors");
}

void ExecuteCommand::run() const {
  auto program = std::make_shared<const runtime::Program>(
      unwrap(runtime::Program::load(programPath)));
  std::vector<SafetensorsFile> files;
  for (const std::string &path : inputPaths)
    files.push_back(unwrap(SafetensorsFile::open(path)));
  check(checkWritable(outPath));
  std::unique_ptr<runtime::Device> made = device.create();
  auto bound = unwrap(runtime::BoundProgram::create(*made, program));
  check(bound.uploadInputs([&](const std::string &name) {
    const TensorView *found = nullptr;
    for (const SafetensorsFile &file : files)
      if (!found)
        found = file.find(name);
    return found;
  }));
  runtime::Executable::RunOptions options;
  options.poison = poison;
  check(bound.executable().run(options));
  check(runtime::writeSafetensors(outPath, unwrap(bound.outputs()).tensors));
  if (countersPath.empty())
    return;
  nlohmann::ordered_json counters = {{"device", made->name()}};
  for (const runtime::DeviceCounter &counter : made->counters())
    counters[counter.name] = counter.value;
  check(writeFileAtomically(countersPath, {counters.dump(2) + "\n"}));
}

} // namespace

void addExecuteCommand(CLI::App &app) {
  auto state = std::make_shared<ExecuteCommand>();
  state->addTo(app);
  app.get_subcommand("execute")->callback([state] { state->run(); });
}

} // namespace attnres::run
