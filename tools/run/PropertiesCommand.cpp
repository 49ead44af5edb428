// attnres-run properties: what a user may rely on, on a configuration.
#include "tools/run/CompilerCommands.h"
#include "tools/run/Options.h"
#include "tools/run/Properties.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace attnres::run {
namespace {

struct PropertiesCommand {
  ConfigOption config;
  PropertyOptions options;
  bool json = false;

  void run() const {
    ModelConfig model = config.read();
    bool wasOff = model.attnres == AttnResMode::Off;
    if (wasOff)
      model.attnres = AttnResMode::Block;
    if (!json)
      fmt::print("attnres {}{}, {} x {} tokens\n\n", toString(model.attnres),
                 wasOff ? " (off in the configuration)" : "", options.batch,
                 options.seqLen);
    std::vector<PropertyResult> results =
        findProperties(model, options, [this](const PropertyResult &result) {
          if (json)
            return;
          fmt::print("{:>2}  {:<5}  {:<59}  {} {:.4g} ({}){}{}\n",
                     result.number, result.holds ? "holds" : "FAILS",
                     result.name, result.quantity, result.value,
                     result.expected, result.note.empty() ? "" : ", ",
                     result.note);
          std::fflush(stdout);
        });
    if (json)
      writeText(toJson(model, results), "");
    std::string failed;
    for (const PropertyResult &result : results)
      if (!result.holds)
        failed += concat(failed.empty() ? "" : ", ", result.number);
    if (!failed.empty())
      throw CommandError("properties that do not hold: " + failed);
  }

  static std::string toJson(const ModelConfig &model,
                            const std::vector<PropertyResult> &results) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const PropertyResult &result : results)
      list.push_back({{"number", result.number},
                      {"property", result.name},
                      {"holds", result.holds},
                      {"quantity", result.quantity},
                      {"value", result.value},
                      {"expected", result.expected},
                      {"note", result.note}});
    return nlohmann::ordered_json{{"attnres", toString(model.attnres)},
                                  {"properties", list}}
               .dump(1) +
           "\n";
  }
};

} // namespace

void addPropertiesCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "properties", "what models with attention residuals guarantee, checked "
                    "on a configuration");
  auto state = std::make_shared<PropertiesCommand>();
  state->config.add(*command);
  PropertyOptions &options = state->options;
  command->add_option("--batch-size", options.batch, "sequences in a batch")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->capture_default_str();
  command->add_option("--seq-len", options.seqLen, "tokens in a sequence")
      ->check(CLI::Range(int64_t(2), int64_t(1) << 20))
      ->capture_default_str();
  command->add_option("--steps", options.steps, "of training on a single batch")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 30))
      ->capture_default_str();
  command->add_option("--learning-rate", options.learningRate, "of these steps")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", options.seed, "of parameters and tokens")
      ->capture_default_str();
  addThreads(*command, options.threads);
  command->add_flag("--json", state->json, "machine-readable");
  command->footer(
      "Each line has the property's number, whether it holds, and what was "
      "measured. A configuration\nwithout attention residuals is checked in "
      "mode block. The exit code is 1 when a property fails.\nExample:\n  "
      "attnres-run properties --preset toy --attnres full");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
