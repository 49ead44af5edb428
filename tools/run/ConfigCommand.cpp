// attnres-run config: presets, and configurations made from them.
#include "tools/run/Commands.h"
#include "tools/run/Options.h"

#include "models/Parameters.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace attnres::run {
namespace {

using nlohmann::ordered_json;

std::string groupDigits(int64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

struct ConfigCommand {
  bool list = false;
  std::string preset, file;
  std::vector<std::string> assignments;
  bool json = false;

  void run() const {
    if (preset.empty() && file.empty()) {
      if (!assignments.empty())
        throw CommandError("--set needs --preset or --file");
      return printList();
    }
    if (preset.empty())
      checkConfigPath(file);
    ModelConfig config = unwrap(preset.empty() ? ModelConfig::fromFile(file)
                                               : ModelConfig::preset(preset));
    config = unwrap(config.with(assignments, "--set"));
    if (!json)
      return writeText(config.toJson(), "");
    ordered_json result = {{"config", ordered_json::parse(config.toJson())},
                           {"parameters", countParameters(config)},
                           {"sublayers", config.numSublayers()}};
    if (config.attnres == AttnResMode::Block)
      result["sublayers_per_depth_block"] = config.sublayersPerBlock();
    writeText(result.dump(2) + "\n", "");
  }

private:
  void printList() const {
    ordered_json entries = ordered_json::array();
    std::string text = fmt::format("{:<22} {:>12}  {:<7} {}\n", "preset",
                                   "parameters", "attnres", "");
    for (std::string_view name : presetNames()) {
      ModelConfig config = unwrap(ModelConfig::preset(name));
      int64_t parameters = countParameters(config);
      std::string_view mode = toString(config.attnres);
      text +=
          fmt::format("{:<22} {:>12}  {:<7} {}\n", name,
                      groupDigits(parameters), mode, presetDescription(name));
      entries.push_back({{"name", name},
                         {"parameters", parameters},
                         {"attnres", mode},
                         {"description", presetDescription(name)}});
    }
    writeText(json ? entries.dump(2) + "\n" : text, "");
  }
};

} // namespace

void addConfigCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "config", "list presets, and make and check config.json");
  auto state = std::make_shared<ConfigCommand>();
  auto *source = command->add_option_group("source");
  source->add_flag("--list", state->list,
                   "every preset with its size; what happens without options");
  source->add_option("--preset", state->preset, "print a preset as config.json")
      ->type_name("NAME");
  source
      ->add_option("--file", state->file,
                   "check a config.json and print it with all fields")
      ->type_name("FILE");
  source->require_option(0, 1);
  addFieldAssignments(
      *command, state->assignments,
      "replace a field of --preset or --file, any number of times");
  command->add_flag("--json", state->json,
                    "machine-readable: the list, or the configuration with "
                    "its parameter count");
  command->footer(
      "Examples:\n  attnres-run config --list\n  attnres-run config --preset "
      "toy --set attnres=block --set num_hidden_layers=8 > config.json");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
