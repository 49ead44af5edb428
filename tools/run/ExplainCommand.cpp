// attnres-run explain: what a compilation did, as a page.
#include "models/Parameters.h"
#include "passes/Targets.h"
#include "runtime/MemoryLimit.h"
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "support/BindingNames.h"
#include "support/File.h"
#include "support/Philox.h"
#include "support/machine/GpuSheet.h"
#include "tools/compile/Explanation.h"
#include "tools/report/ExplanationPage.h"
#include "tools/report/Text.h"
#include "tools/run/CompilerCommands.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

namespace attnres::run {
namespace {

using report::Roof;
using report::TimedTarget;
using runtime::Access;
using runtime::Binding;
using runtime::Direction;

constexpr uint64_t seed = 1;
/// Beyond so many launches a page is no longer read, and browsers get slow.
constexpr size_t manyLaunches = 5000;

struct ExplainCommand {
  ConfigOption config;
  CompileOptions options;
  std::vector<std::string> targets = {"cpu", "sm_90a"};
  std::string html;
  bool train = false, measure = false;
  int rounds = 9, threads = 0;
  CLI::App *command = nullptr;

  void run();

private:
  void findRoof(TimedTarget &target, runtime::CpuDevice &device) const;
  std::vector<double> measureLaunches(const ModelConfig &model,
                                      const std::string &target,
                                      runtime::CpuDevice &device) const;
  std::vector<std::string> facts(const ModelConfig &model) const;
};

void ExplainCommand::findRoof(TimedTarget &target,
                              runtime::CpuDevice &device) const {
  const TargetView &view = *target.view;
  if (view.isGpu) {
    const machine::GpuSheet *sheet = machine::gpuOfTarget(view.name);
    if (!sheet) {
      target.whyNoRoof = "Nothing is known here of the speed of such a GPU";
      return;
    }
    double multiplyAdds = options.bf16 ? std::max(sheet->groupMultiplyAdds,
                                                  sheet->warpMultiplyAdds)
                                       : sheet->floatLanes;
    target.roof =
        Roof{2 * multiplyAdds * static_cast<double>(sheet->processors) *
                 sheet->clock,
             sheet->memoryBytes,
             fmt::format("data sheet of the {}, {}", sheet->name,
                         options.bf16 ? "bf16 on tensor cores"
                                      : "f32 multiply-adds")};
    return;
  }
  if (!device.expectTarget(view.name).ok()) {
    target.whyNoRoof = "This is another processor, so that the target's speed "
                       "cannot be measured";
    return;
  }
  MachineLimits limits(device, view.name.substr(view.name.find(':') + 1));
  Limit products = MachineLimits::ofProducts(options.bf16);
  for (int round = 0; round < 3; ++round)
    for (Limit limit : {products, Limit::Copy})
      limits.measure(limit);
  std::optional<double> flops = limits.find(products);
  std::optional<double> bytes = limits.find(Limit::Copy);
  if (!flops || !bytes) {
    target.whyNoRoof = "Other programs had the processors when their speed was "
                       "to be measured";
    return;
  }
  target.roof =
      Roof{*flops, *bytes,
           fmt::format("measured here on {} threads, {} and a copy beyond "
                       "the caches",
                       device.threads().size(), limits.describe(products))};
}

/// Gives every input of a program random tokens, initial parameters, or what a
/// first step has.
void fillInputs(const ModelConfig &config, const runtime::Program &program,
                runtime::Device &device, const runtime::BoundProgram &bound) {
  std::map<std::string, Parameter> parameters;
  for (Parameter &parameter : parameterShapes(config))
    parameters.emplace(parameter.name, parameter);
  for (size_t i = 0; i < program.bindings.size(); ++i) {
    const Binding &binding = program.bindings[i];
    if (binding.direction == Direction::Output)
      continue;
    auto parameter = parameters.find(binding.name);
    if (parameter != parameters.end()) {
      auto memory = unwrap(bound.map(i, Access::Write));
      initializeParameter(config, parameter->second, seed, memory.as<float>());
      check(memory.unmap());
    } else if (binding.dtype == runtime::DType::I64) {
      auto memory = unwrap(bound.map(i, Access::Write));
      RandomStream random(seed, i);
      auto *tokens = memory.as<int64_t>();
      for (int64_t k = 0; k < binding.bytes() / 8; ++k)
        tokens[k] =
            static_cast<int64_t>(random.uniform(static_cast<uint64_t>(k)) *
                                 static_cast<double>(config.vocabSize));
      check(memory.unmap());
    } else if (binding.name == names::learningRate ||
               binding.name == names::step) {
      float value = binding.name == names::step ? 1 : 1e-4f;
      check(device.upload(bound.tensor(i).memory, &value));
    }
  }
}

/// Median seconds of every launch.
std::vector<double>
ExplainCommand::measureLaunches(const ModelConfig &model,
                                const std::string &target,
                                runtime::CpuDevice &device) const {
  CompileOptions own = options;
  own.stages.target = target;
  auto program = std::make_shared<const runtime::Program>(
      unwrap(compileModel(model, own)));
  auto bound = unwrap(runtime::BoundProgram::create(device, program));
  fillInputs(model, *program, device, bound);
  std::vector<std::vector<double>> samples(program->launches.size());
  for (int round = -1; round < rounds; ++round) {
    std::vector<runtime::LaunchTime> times;
    runtime::Executable::RunOptions run;
    run.launchTimes = &times;
    check(bound.executable().run(run));
    if (round >= 0) // the first one warms up
      for (const runtime::LaunchTime &time : times)
        samples[static_cast<size_t>(time.launch)].push_back(time.seconds());
  }
  std::vector<double> seconds;
  for (const std::vector<double> &launch : samples)
    seconds.push_back(median(launch));
  return seconds;
}

std::vector<std::string> ExplainCommand::facts(const ModelConfig &model) const {
  return {fmt::format("{} decoder blocks of width {}, attention residuals {}, "
                      "{} parameters",
                      model.numHiddenLayers, model.hiddenSize,
                      toString(model.attnres),
                      report::formatCount(countParameters(model))),
          fmt::format("{}, {} x {} tokens, {}",
                      train ? "a training step" : "a forward pass",
                      options.batch, options.seqLen,
                      options.bf16 ? "bf16" : "f32")};
}

void ExplainCommand::run() {
  check(checkWritable(html));
  ModelConfig model = config.read();
  options.stages.gradients = options.stages.optimizer = train;
  options.logits = !train;
  options.fuseLoss = wantsFusedLoss(model, options);
  Explanation explanation = unwrap(explain(model, options, targets));
  runtime::CpuOptions cpu;
  cpu.threads = threads;
  runtime::CpuDevice device(cpu);
  std::vector<TimedTarget> timed;
  std::string summary;
  for (size_t i = 0; i < targets.size(); ++i) {
    TimedTarget target;
    const TargetView &view = explanation.targets[i];
    target.view = &view;
    if (view.launches.size() > manyLaunches)
      throw CommandError(fmt::format(
          "{} launches for {}; explain is for small models, attnres-run plan "
          "for large ones",
          view.launches.size(), view.name));
    findRoof(target, device);
    if (target.roof)
      for (const ExplainedLaunch &launch : view.launches)
        target.seconds.predicted.push_back(
            report::predictSeconds(launch, *target.roof));
    if (measure && device.expectTarget(view.name).ok())
      target.seconds.measured = measureLaunches(model, targets[i], device);
    auto sum = [](const std::vector<double> &seconds) {
      return std::accumulate(seconds.begin(), seconds.end(), 0.0);
    };
    summary += fmt::format("{}: {} launches of {} kernels, arena {}", view.name,
                           view.launches.size(), view.kernels.size(),
                           runtime::formatBytes(view.arenaBytes));
    if (target.roof)
      summary += fmt::format(", at least {:.3f} ms",
                             1e3 * sum(target.seconds.predicted));
    if (!target.seconds.measured.empty())
      summary += fmt::format(", measured {:.3f} ms",
                             1e3 * sum(target.seconds.measured));
    summary += '\n';
    timed.push_back(std::move(target));
  }
  std::string title = "How a model is compiled";
  if (const CLI::Option *name = command->get_option_no_throw("--preset");
      name && name->count() > 0)
    title += ": " + name->as<std::string>();
  writeText(report::drawExplanation(title, facts(model), explanation, timed),
            html);
  writeText(summary + html + "\n", "");
}

} // namespace

void addExplainCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "explain", "a page about a compilation: stages, launches, memory");
  auto state = std::make_shared<ExplainCommand>();
  state->command = command;
  state->options.batch = 2;
  state->options.seqLen = 64;
  state->config.add(*command);
  addSizes(*command, state->options);
  addDType(*command, state->options);
  command
      ->add_option("--target", state->targets,
                   "what to compile for, one or several; cpu is this processor")
      ->check(CLI::IsMember(targetChoices()))
      ->capture_default_str();
  command->add_flag("--train", state->train,
                    "a whole training step instead of the forward pass");
  command->add_flag("--measure", state->measure,
                    "run it on this processor, and show what launches take");
  command->add_option("--rounds", state->rounds, "runs that are measured")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  addThreads(*command, state->threads);
  command
      ->add_option("--html", state->html,
                   "the page: one file without scripts that needs no network")
      ->type_name("FILE")
      ->required();
  command->footer(
      "What launches take at least follows from their counted operations and "
      "bytes, and from limits that\nare measured (processors) or published "
      "(GPUs). Most of all for small models: presets toy and "
      "kda-toy.\nExample:\n  attnres-run explain --preset toy --attnres block "
      "--measure --html toy.html");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
