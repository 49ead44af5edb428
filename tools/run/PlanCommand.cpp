// attnres-run plan: what a model costs, without running it.
#include "runtime/MemoryLimit.h"
#include "tools/compile/PlanReport.h"
#include "tools/run/Commands.h"
#include "tools/run/GpuEstimate.h"
#include "tools/run/Options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

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
  text += fmt::format(
      "\njoining {} sublayers moves {:.2f} vectors of the hidden size for each "
      "token and sublayer",
      depth.sublayers, depth.counted);
  if (!depth.formula.empty())
    text += fmt::format(" (published: {} = {:.2f})", depth.formula,
                        depth.published);
  return text + "\n";
}

nlohmann::ordered_json toJson(const PlanReport &report) {
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
  return json;
}

struct PlanCommand {
  ConfigOption config;
  CompileOptions options;
  bool train = false;
  bool json = false;
  EstimateChoice estimates;

  void run() {
    options.stages.gradients = options.stages.optimizer = train;
    options.logits = !train;
    ModelConfig model = config.read();
    options.fuseLoss = wantsFusedLoss(model, options);
    PlanReport report = unwrap(planModel(model, options));
    std::optional<GpuEstimate> gpu;
    if (hasEstimates(options))
      gpu = estimate(model, report);
    if (!json)
      return writeText(printTable(report) + (gpu ? "\n" + gpu->table() : ""),
                       "");
    nlohmann::ordered_json all = toJson(report);
    if (gpu)
      all["gpu_estimate"] = gpu->json();
    writeText(all.dump(2) + "\n", "");
  }

private:
  GpuEstimate estimate(const ModelConfig &model, const PlanReport &report) {
    for (const KernelCost &kernel : report.kernels)
      estimates.options.bytes[kernel.name] = static_cast<double>(kernel.bytes);
    return GpuEstimate::make(std::make_shared<const runtime::Program>(
                                 unwrap(compileModel(model, options))),
                             estimates);
  }
};

} // namespace

void addPlanCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "plan", "kernels, memory and traffic of a model, without running it");
  auto state = std::make_shared<PlanCommand>();
  state->config.add(*command);
  addSizes(*command, state->options);
  addDType(*command, state->options);
  addStages(*command, state->options);
  command->add_flag("--train", state->train,
                    "a whole training step instead of the forward pass");
  command->add_flag("--json", state->json, "machine-readable");
  state->estimates.add(*command);
  command->footer(
      "With the target of a GPU also what its kernels need there at least.\n"
      "Example:\n  attnres-run plan --preset toy --batch-size 8 "
      "--seq-len 256 --train\n  attnres-run plan --preset toy --batch-size 8 "
      "--seq-len 256 --train --dtype bf16 --target sm_90a");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
