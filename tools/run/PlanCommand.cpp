// attnres-run plan: what a model costs, without running it.
#include "runtime/MemoryLimit.h"
#include "tools/compile/PlanReport.h"
#include "tools/run/Commands.h"
#include "tools/run/ModuleFiles.h"
#include "tools/run/Options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace attnres::run {
namespace {

using runtime::formatBytes;

std::string printTable(const PlanReport &report) {
  std::string text = fmt::format("{:<48} {:>8} {:>12} {:>14}\n", "kernel",
                                 "launches", "Mflop", "moved");
  for (const KernelCost &kernel : report.kernels)
    text += fmt::format("{:<48} {:>8} {:>12.2f} {:>14}\n", kernel.name,
                        kernel.launches, kernel.flops * 1e-6,
                        formatBytes(kernel.bytes));
  text += fmt::format("{:<48} {:>8} {:>12.2f} {:>14}\n\n",
                      fmt::format("{} kernels", report.kernels.size()),
                      report.launches, report.flops * 1e-6,
                      formatBytes(report.bytes));
  const std::pair<const char *, int64_t> memory[] = {
      {"arguments", report.argumentBytes},
      {"results", report.resultBytes},
      {"constants", report.constantBytes},
      {"arena", report.workspaceBytes},
      {"largest live set", report.liveBytes}};
  for (auto [name, bytes] : memory)
    text += fmt::format("{:<20} {:>14}\n", name, formatBytes(bytes));
  const DepthTraffic &depth = report.depth;
  if (depth.sublayers == 0)
    return text;
  text += fmt::format(
      "\njoining {} sublayers moves {:.2f} vectors of the hidden size for each "
      "token and sublayer",
      depth.sublayers, depth.counted);
  if (!depth.formula.empty())
    text += fmt::format(" (published: {} = {:.2f})", depth.formula,
                        depth.published);
  return text + "\n";
}

std::string printJson(const PlanReport &report) {
  nlohmann::ordered_json json;
  json["kernels"] = nlohmann::ordered_json::array();
  for (const KernelCost &kernel : report.kernels)
    json["kernels"].push_back({{"name", kernel.name},
                               {"launches", kernel.launches},
                               {"flops", kernel.flops},
                               {"bytes", kernel.bytes}});
  json["launches"] = report.launches;
  json["flops"] = report.flops;
  json["bytes"] = report.bytes;
  json["argument_bytes"] = report.argumentBytes;
  json["result_bytes"] = report.resultBytes;
  json["constant_bytes"] = report.constantBytes;
  json["workspace_bytes"] = report.workspaceBytes;
  json["live_bytes"] = report.liveBytes;
  const DepthTraffic &depth = report.depth;
  auto &traffic = json["depth_vectors_per_token_and_sublayer"];
  traffic["sublayers"] = depth.sublayers;
  traffic["counted"] = depth.counted;
  if (!depth.formula.empty()) {
    traffic["published"] = depth.published;
    traffic["formula"] = depth.formula;
  }
  return json.dump(2) + "\n";
}

struct PlanCommand {
  ConfigOption config;
  std::string module; ///< instead of a configuration
  CompileOptions options;
  bool train = false;
  bool json = false;

  void run() {
    options.stages.gradients = options.stages.optimizer = train;
    options.logits = !train;
    PlanReport report = module.empty() ? planConfig() : planFile();
    writeText(json ? printJson(report) : printTable(report), "");
  }

private:
  PlanReport planConfig() {
    ModelConfig model = config.read();
    options.fuseLoss = wantsFusedLoss(model, options);
    return unwrap(planModel(model, options));
  }

  PlanReport planFile() const {
    return unwrap(planText(readModule(module), options, module));
  }
};

} // namespace

void addPlanCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "plan", "kernels, memory and traffic of a model, without running it");
  auto state = std::make_shared<PlanCommand>();
  state->config.add(*command, state->module);
  addSizes(*command, state->options);
  addDType(*command, state->options);
  addStages(*command, state->options);
  command->add_flag("--train", state->train,
                    "a whole training step instead of the forward pass");
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("Example:\n  attnres-run plan --preset toy --batch-size 8 "
                  "--seq-len 256 --train\n"
                  "  attnres-run plan --module model.mlir");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
