// attnres-run run: a compiled program once, on tensors of files.
#include "tools/run/Commands.h"
#include "tools/run/DeviceOption.h"

#include "runtime/ProgramPack.h"
#include "runtime/device/BoundProgram.h"
#include "support/File.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace attnres::run {
namespace {

using runtime::SafetensorsFile;

struct RunCommand {
  std::string program, purpose, out, counters;
  std::vector<std::string> inputs;
  DeviceOption device;
  bool poison = false;

  void addTo(CLI::App &command);
  void run() const;
  void writeCounters(const runtime::Device &device) const;
};

void RunCommand::addTo(CLI::App &command) {
  command.add_option("program", program, "written by compile")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--purpose", purpose,
                  "which program of a file of several; the first for the "
                  "device without it")
      ->type_name("NAME");
  command
      .add_option("--inputs", inputs,
                  "safetensors files with a tensor for each input, by name; "
                  "the first that has one counts")
      ->type_name("FILE")
      ->required();
  command.add_option("--out", out, "safetensors file for the results")
      ->type_name("FILE")
      ->required();
  device.add(command);
  command.add_flag("--poison", poison,
                   "fill all memory with NaN first, to find reads of what "
                   "nothing wrote");
  command
      .add_option("--counters", counters,
                  "JSON file for what the device counted, if it does")
      ->type_name("FILE");
  command.footer("Example:\n  attnres-run run toy.program --inputs "
                 "model.safetensors batch.safetensors \\\n    --out "
                 "results.safetensors");
}

void RunCommand::run() const {
  check(checkWritable(out));
  auto pack = unwrap(runtime::ProgramPack::load(program));
  std::vector<SafetensorsFile> files;
  std::vector<const SafetensorsFile *> pointers;
  files.reserve(inputs.size());
  for (const std::string &path : inputs)
    pointers.push_back(
        &files.emplace_back(unwrap(SafetensorsFile::open(path))));
  std::unique_ptr<runtime::Device> made = device.create();
  auto bound = unwrap(runtime::BoundProgram::create(
      *made, unwrap(pack.choose(*made, purpose))));
  check(bound.uploadInputs(pointers));
  runtime::Executable::RunOptions options;
  options.poison = poison;
  check(bound.executable().run(options));
  check(runtime::writeSafetensors(out, unwrap(bound.outputs()).tensors));
  if (!counters.empty())
    writeCounters(*made);
}

void RunCommand::writeCounters(const runtime::Device &used) const {
  nlohmann::ordered_json json = {{"device", used.name()}};
  for (const runtime::DeviceCounter &counter : used.counters())
    json[counter.name] = counter.value;
  check(writeFileAtomically(counters, {json.dump(2) + "\n"}));
}

} // namespace

void addRunCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("run", "run a program file once on given tensors");
  auto state = std::make_shared<RunCommand>();
  state->addTo(*command);
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
