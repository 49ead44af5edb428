// attnres-run plan: what a model costs, without running it.
#include "runtime/MemoryLimit.h"
#include "runtime/device/CpuDevice.h"
#include "tools/compile/PipelineStarts.h"
#include "tools/compile/PlanReport.h"
#include "tools/compile/TrainingCompiler.h"
#include "tools/run/Commands.h"
#include "tools/run/GpuEstimate.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/ModuleFiles.h"
#include "tools/run/Options.h"
#include "tools/run/PlanPipeline.h"
#include "tools/run/PlanRanks.h"
#include "tools/run/TrainSettings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

std::string printRanks(const std::vector<RankPlan> &plans) {
  std::string text = fmt::format(
      "{:>6} {:>6} {:>12} {:>9} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "ranks",
      "parts", "sent", "owned", "gradients", "exposed", "update", "gather",
      "step");
  text +=
      fmt::format("{:>6} {:>6} {:>12} {:>9} {:>10} {:>10} {:>10} {:>10} "
                  "{:>10}\n",
                  "", "each", "MiB each", "%", "ms", "ms", "ms", "ms", "ms");
  for (const RankPlan &plan : plans)
    text += fmt::format("{:>6} {:>6} {:>12.2f} {:>9.2f} {:>10.2f} {:>10.2f} "
                        "{:>10.2f} {:>10.2f} {:>10.2f}\n",
                        plan.ranks, plan.parts, plan.sentBytes / (1 << 20),
                        100 * plan.ownedShare, 1e3 * plan.compute,
                        1e3 * plan.exposed, 1e3 * plan.update,
                        1e3 * plan.gather, 1e3 * plan.step());
  return text;
}

std::string printJson(const std::vector<RankPlan> &plans,
                      const RankRates &rates) {
  nlohmann::ordered_json json = {{"flops_per_second", rates.flops},
                                 {"memory_bytes_per_second", rates.memory},
                                 {"network_bytes_per_second", rates.network},
                                 {"seconds_per_message", rates.message}};
  json["plans"] = nlohmann::ordered_json::array();
  for (const RankPlan &plan : plans)
    json["plans"].push_back({{"ranks", plan.ranks},
                             {"parts", plan.parts},
                             {"sent_bytes", plan.sentBytes},
                             {"owned_share", plan.ownedShare},
                             {"moment_bytes", plan.momentBytes},
                             {"gradient_seconds", plan.compute},
                             {"communication_seconds", plan.communication},
                             {"exposed_seconds", plan.exposed},
                             {"update_seconds", plan.update},
                             {"gather_seconds", plan.gather},
                             {"step_seconds", plan.step()}});
  return json.dump(2) + "\n";
}

std::string printPipelines(const std::vector<PipelinePlan> &plans) {
  std::string text = fmt::format(
      "{:>6} {:>6} {:>10} {:>10} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9} {:>9} "
      "{:>10}\n",
      "stages", "parts", "state", "activity", "forward", "published", "back",
      "gradients", "waiting", "passing", "update", "step");
  text += fmt::format(
      "{:>6} {:>6} {:>10} {:>10} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9} {:>9} "
      "{:>10}\n",
      "", "", "MiB", "MiB", "vectors", "vectors", "vectors", "ms", "ms", "ms",
      "ms", "ms");
  for (const PipelinePlan &plan : plans)
    text += fmt::format(
        "{:>6} {:>6} {:>10.2f} {:>10.2f} {:>9.2f} {:>9} {:>9.2f} {:>10.2f} "
        "{:>9.2f} {:>9.2f} {:>9.2f} {:>10.2f}\n",
        plan.stages, plan.parts, plan.stateBytes / (1 << 20),
        plan.activityBytes / (1 << 20), plan.forward,
        plan.published ? fmt::format("{:.2f}", *plan.published) : "", plan.back,
        1e3 * plan.compute, 1e3 * plan.bubble, 1e3 * plan.passing,
        1e3 * plan.update, 1e3 * plan.step());
  return text;
}

std::string printJson(const std::vector<PipelinePlan> &plans) {
  nlohmann::ordered_json json;
  json["plans"] = nlohmann::ordered_json::array();
  for (const PipelinePlan &plan : plans) {
    nlohmann::ordered_json one = {{"stages", plan.stages},
                                  {"parts", plan.parts},
                                  {"state_bytes", plan.stateBytes},
                                  {"activity_bytes", plan.activityBytes},
                                  {"forward_vectors", plan.forward},
                                  {"back_vectors", plan.back}};
    if (plan.published)
      one["published_vectors"] = *plan.published;
    one.update({{"gradient_seconds", plan.compute},
                {"waiting_seconds", plan.bubble},
                {"passing_seconds", plan.passing},
                {"update_seconds", plan.update},
                {"step_seconds", plan.step()}});
    json["plans"].push_back(one);
  }
  return json.dump(2) + "\n";
}

struct PlanCommand {
  ConfigOption config;
  std::string module; ///< instead of a configuration
  CompileOptions options;
  bool train = false;
  bool json = false;
  // Of steps on several ranks.
  std::vector<int64_t> ranks, stages;
  std::string network, machine;
  int64_t microBatch = 0;
  EstimateChoice estimates;

  void run() {
    if (!ranks.empty() && !stages.empty())
      throw CommandError("--ranks share batches and --pipeline-stages share "
                         "the model: one of the two");
    if (!ranks.empty())
      return planSteps();
    if (!stages.empty())
      return planStages();
    options.stages.gradients = options.stages.optimizer = train;
    options.logits = !train;
    PlanReport report = module.empty() ? planConfig() : planFile();
    std::optional<GpuEstimate> gpu;
    if (hasEstimates(options))
      gpu = estimate(report);
    if (!json)
      return writeText(printTable(report) + (gpu ? "\n" + gpu->table() : ""),
                       "");
    nlohmann::ordered_json all = toJson(report);
    if (gpu)
      all["gpu_estimate"] = gpu->json();
    writeText(all.dump(2) + "\n", "");
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

  RankRates readRates() const {
    RankRates rates;
    check(parseNetwork(network, rates));
    if (machine.empty())
      measureMachine(rates);
    else
      check(parseMachine(machine, rates));
    return rates;
  }

  /// Makes the batch of the options that of one run for `most` ranks. Returns
  /// how many runs a step takes.
  int64_t splitBatch(int64_t most) {
    TrainSettings settings;
    settings.batchSize = options.batch;
    settings.microBatch =
        microBatch > 0 ? microBatch
                       : settings.suitableMicroBatch(options.seqLen, most);
    if (settings.sequences() % settings.rowsOfRun() != 0)
      throw CommandError(concat("--micro-batch: expected a divisor of the ",
                                options.batch, " sequences, got ", microBatch));
    options.batch = settings.rowsOfRun();
    return settings.parts();
  }

  void planSteps() {
    RankRates rates = readRates();
    int64_t most = *std::max_element(ranks.begin(), ranks.end());
    int64_t parts = splitBatch(most);
    if (parts < most)
      throw CommandError(concat("a batch of ", parts,
                                " micro-batches has none for some of ", most,
                                " ranks; --batch-size says more"));
    ModelConfig model = config.read();
    TrainingCompilation compiled =
        unwrap(compileTraining({model, model.toJson()}, options, true));
    std::vector<RankPlan> plans;
    for (int64_t count : ranks)
      plans.push_back(
          planRanks(compiled.gradients, *compiled.update, parts, count, rates));
    writeText(json ? printJson(plans, rates) : printRanks(plans), "");
  }

  void planStages() {
    RankRates rates = readRates();
    int64_t parts = splitBatch(*std::max_element(stages.begin(), stages.end()));
    ModelConfig model = config.read();
    ModelSource source = {model, model.toJson()};
    std::vector<PipelinePlan> plans;
    for (int64_t count : stages) {
      CompileOptions cut = options;
      cut.parts = true;
      cut.pipelineStarts = unwrap(choosePipelineStarts(
          model,
          {trainingOptions(source, options, /*inParts=*/true),
           evaluationOptions(source, options, /*logits=*/false)},
          count));
      cut.stages.pipelineStages = count;
      std::vector<runtime::Program> programs;
      std::optional<runtime::Program> update;
      for (int64_t stage = 0; stage < count; ++stage) {
        cut.stages.pipelineStage = stage;
        TrainingCompilation compiled =
            unwrap(compileTraining(source, cut, /*inParts=*/true));
        programs.push_back(std::move(compiled.gradients));
        update = std::move(compiled.update);
      }
      plans.push_back(planPipeline(programs, *update, model, parts, rates));
    }
    writeText(json ? printJson(plans) : printPipelines(plans), "");
  }

  /// What one processor of this machine does: ranks share it.
  void measureMachine(RankRates &rates) const {
    runtime::CpuOptions cpu;
    cpu.threads = 1;
    runtime::CpuDevice device(cpu);
    MachineLimits limits(device, "host");
    Limit products = MachineLimits::ofProducts(options.bf16);
    std::optional<double> flops = limits.find(products),
                          memory = limits.find(Limit::Copy);
    if (!flops || !memory)
      throw CommandError("this machine is too busy to be measured; --machine "
                         "GFLOP/s,GB/s says what it does");
    rates.flops = *flops;
    rates.memory = *memory;
  }

  GpuEstimate estimate(const PlanReport &report) {
    for (const KernelCost &kernel : report.kernels)
      estimates.options.bytes[kernel.name] = static_cast<double>(kernel.bytes);
    runtime::Program program =
        module.empty()
            ? unwrap(compileModel(config.read(), options))
            : unwrap(compileText(readModule(module), options, module));
    return GpuEstimate::make(
        std::make_shared<const runtime::Program>(std::move(program)),
        estimates);
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
  command
      ->add_option("--ranks", state->ranks,
                   "predict training steps of the batch on so many ranks; "
                   "several numbers make a table")
      ->type_name("N")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20));
  command
      ->add_option("--pipeline-stages", state->stages,
                   "predict training steps of the batch on so many stages, "
                   "which share the model")
      ->type_name("P")
      ->check(CLI::Range(int64_t(1), int64_t(4096)));
  command
      ->add_option("--network", state->network,
                   "what a rank sends, and what a message costs, as `bench "
                   "network` measures them")
      ->type_name("GB/s,us");
  command
      ->add_option("--machine", state->machine,
                   "what a rank computes and moves; measured for one "
                   "processor of this machine if not given")
      ->type_name("GFLOP/s,GB/s");
  command->add_option("--micro-batch", state->microBatch,
                      "sequences whose gradients are computed together; 0: "
                      "as `train` chooses");
  command->add_flag("--json", state->json, "machine-readable");
  state->estimates.add(*command);
  command->footer(
      "With the target of a GPU also what its kernels need there at least.\n"
      "Examples:\n  attnres-run plan --preset toy --batch-size 8 "
      "--seq-len 256 --train\n  attnres-run plan --preset toy --batch-size 8 "
      "--seq-len 256 --train --dtype bf16 --target sm_90a\n  attnres-run plan "
      "--preset toy --batch-size 8 --seq-len 256 --ranks 1 2 4 --network "
      "2,50\n  attnres-run plan --preset toy --attnres block --batch-size 8 "
      "--seq-len 256 --pipeline-stages 1 2 --network 2,50\n  attnres-run plan "
      "--module model.mlir");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
