// Options that several subcommands share, and how they fail.
#include "tools/run/Options.h"

#include "runtime/File.h"

#include <iostream>

namespace attnres::run {

void check(const runtime::Status &status) {
  if (!status.ok())
    throw CommandError(status.message());
}

void ConfigOption::add(CLI::App &command) {
  std::string presets;
  for (std::string_view name : presetNames())
    presets += (presets.empty() ? "" : ", ") + std::string(name);
  auto *group = command.add_option_group("model");
  group->add_option("--model", modelDir, "folder with config.json")
      ->type_name("DIR");
  group->add_option("--preset", preset, "one of " + presets)
      ->type_name("NAME");
  group->require_option(1);
}

ModelConfig ConfigOption::read() const {
  return unwrap(preset.empty() ? ModelConfig::fromFile(modelDir + "/config.json")
                               : ModelConfig::preset(preset));
}

void addSizes(CLI::App &command, CompileOptions &options) {
  command.add_option("--batch-size", options.batch, "sequences in a batch")
      ->capture_default_str();
  command.add_option("--seq-len", options.seqLen, "tokens in a sequence")
      ->capture_default_str();
}

void addDType(CLI::App &command, CompileOptions &options) {
  command
      .add_option_function<std::string>(
          "--dtype",
          [&options](const std::string &name) {
            options.bf16 = name == "bf16";
          },
          "storage of activations")
      ->check(CLI::IsMember({"f32", "bf16"}))
      ->default_str("f32");
}

void writeText(const std::string &text, const std::string &path) {
  if (path.empty()) {
    std::cout << text << std::flush;
    if (!std::cout)
      throw CommandError("cannot write to standard output");
    return;
  }
  check(runtime::writeFileAtomically(path, {text}));
}

} // namespace attnres::run
