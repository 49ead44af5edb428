// attnres-run bench step: a whole training step, and where its time goes.
//
// Every round measures the limits of the machine and runs one step; medians
// over the rounds are reported, in total and for each kernel.
#include "tools/run/StepBenchmark.h"

#include "models/Parameters.h"
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "support/BindingNames.h"
#include "support/Philox.h"
#include "tools/compile/PlanReport.h"
#include "tools/run/GpuEstimate.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"
#include "tools/run/ProfileTable.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

namespace attnres::run {
namespace {

using runtime::Binding;
using runtime::Direction;
using runtime::Kernel;
using runtime::Program;

constexpr uint64_t kSeed = 1;
constexpr float kLearningRate = 1e-4f;

/// A training step with memory: initial parameters, zero moments, random
/// tokens.
class TrainingStep {
public:
  TrainingStep(const ModelConfig &config, const CompileOptions &options,
               runtime::Device &device)
      : program(std::make_shared<const Program>(
            unwrap(compileModel(config, options)))),
        device(device),
        bound(unwrap(runtime::BoundProgram::create(device, program))) {
    std::map<std::string, Parameter> parameters;
    for (Parameter &parameter : parameterShapes(config))
      parameters.emplace(parameter.name, parameter);
    for (size_t i = 0; i < program->bindings.size(); ++i) {
      const Binding &binding = program->bindings[i];
      if (binding.direction == Direction::Output)
        continue;
      auto parameter = parameters.find(binding.name);
      if (parameter != parameters.end()) {
        auto memory = unwrap(bound.map(i, runtime::Access::Write));
        initializeParameter(config, parameter->second, kSeed,
                            memory.as<float>());
        check(memory.unmap());
      } else if (binding.dtype == runtime::DType::I64) {
        auto memory = unwrap(bound.map(i, runtime::Access::Write));
        auto *tokens = memory.as<int64_t>();
        RandomStream random(kSeed, i);
        for (int64_t k = 0; k < binding.bytes() / 8; ++k)
          tokens[k] =
              static_cast<int64_t>(random.uniform(static_cast<uint64_t>(k)) *
                                   static_cast<double>(config.vocabSize));
        check(memory.unmap());
      } else if (binding.name == names::learningRate) {
        check(device.upload(bound.tensor(i).memory, &kLearningRate));
      } else if (binding.name == names::step) {
        stepMemory = bound.tensor(i).memory;
      }
    }
  }

  struct Times {
    double seconds;               ///< of the whole step
    std::vector<double> launches; ///< seconds of each
  };

  /// Runs the next step.
  Times run(bool poison = false) {
    stepNumber += 1;
    check(device.upload(stepMemory, &stepNumber));
    std::vector<runtime::LaunchTime> times;
    runtime::Executable::RunOptions options;
    options.poison = poison;
    options.launchTimes = &times;
    auto start = std::chrono::steady_clock::now();
    check(bound.executable().run(options));
    Times result;
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    for (const runtime::LaunchTime &time : times)
      result.launches.push_back(time.seconds());
    return result;
  }

  float loss() const {
    auto index = static_cast<size_t>(
        program->findBinding(names::loss, Direction::Output));
    float value;
    check(device.download(&value, bound.tensor(index).memory));
    return value;
  }

  /// Tensors, workspace, constants and scratch.
  int64_t memoryBytes(int threads) const {
    int64_t bytes = program->workspaceBytes, scratch = 0;
    bytes += static_cast<int64_t>(program->constants.size());
    bytes += bound.tensorBytes();
    for (const Kernel &kernel : program->kernels)
      scratch = std::max(scratch, kernel.scratchBytes);
    return bytes + scratch * threads;
  }

  std::shared_ptr<const Program> program;

private:
  runtime::Device &device;
  runtime::BoundProgram bound;
  runtime::DeviceMemory stepMemory;
  float stepNumber = 0;
};

/// What one kernel does in a step, over all its launches.
struct KernelTime {
  std::string name;
  int64_t launches = 0;
  double flops = 0;
  double bytes = 0;
  std::vector<double> seconds; ///< of each round
};

struct StepBenchmark {
  ConfigOption config;
  CompileOptions options;
  TimingOptions timing;
  EstimateChoice estimates;

  void run();
  void estimate(const ModelConfig &model);
  void listKernels(const Program &program, const PlanReport &plan);
  void addTimes(const Program &program, const std::vector<double> &seconds);
  void printTable(double step, MachineLimits &limits) const;
  nlohmann::ordered_json listShares(MachineLimits &limits) const;

  std::vector<KernelTime> kernels; // as in the program
};

void StepBenchmark::listKernels(const Program &program,
                                const PlanReport &plan) {
  for (const Kernel &kernel : program.kernels)
    for (const KernelCost &cost : plan.kernels)
      if (cost.name == kernel.name)
        kernels.push_back({cost.name,
                           cost.launches,
                           static_cast<double>(cost.flops),
                           static_cast<double>(cost.bytes),
                           {}});
  if (kernels.size() != program.kernels.size())
    throw CommandError("the plan and the program have different kernels");
}

void StepBenchmark::addTimes(const Program &program,
                             const std::vector<double> &seconds) {
  for (KernelTime &time : kernels)
    time.seconds.push_back(0);
  for (size_t i = 0; i < seconds.size(); ++i)
    kernels[static_cast<size_t>(program.launches[i].kernel)].seconds.back() +=
        seconds[i];
}

void StepBenchmark::printTable(double step, MachineLimits &limits) const {
  std::vector<runtime::Profile::Kernel> rows;
  for (const KernelTime &kernel : kernels)
    rows.push_back({kernel.name, kernel.launches, median(kernel.seconds),
                    kernel.flops, kernel.bytes});
  fmt::print("\n");
  printKernelTable(std::move(rows), step, &limits, options.bf16);
}

nlohmann::ordered_json StepBenchmark::listShares(MachineLimits &limits) const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const KernelTime &kernel : kernels) {
    double seconds = median(kernel.seconds);
    list.push_back(
        {{"kernel", kernel.name},
         {"launches", kernel.launches},
         {"seconds", seconds},
         {"flops", kernel.flops},
         {"bytes", kernel.bytes},
         {"share_of_limit",
          toJson(findKernelShare({kernel.name, kernel.launches, seconds,
                                  kernel.flops, kernel.bytes},
                                 &limits, options.bf16))}});
  }
  return list;
}

/// Instead of timing, what a GPU would need.
void StepBenchmark::estimate(const ModelConfig &model) {
  for (const KernelCost &kernel : unwrap(planModel(model, options)).kernels)
    estimates.options.bytes[kernel.name] = static_cast<double>(kernel.bytes);
  estimates.options.threads = timing.threads;
  GpuEstimate gpu = GpuEstimate::make(
      std::make_shared<const Program>(unwrap(compileModel(model, options))),
      estimates);
  if (timing.json)
    return fmt::print("{}\n", gpu.json().dump(1));
  fmt::print("{}{:.0f} tokens/s at most\n", gpu.table(),
             static_cast<double>(options.batch * options.seqLen) /
                 gpu.estimate().seconds);
}

void StepBenchmark::run() {
  if (timing.estimates())
    chooseEstimatedTarget(options);
  ModelConfig model = config.read();
  options.logits = false;
  options.fuseLoss = options.fuseLoss || wantsFusedLoss(model, options);
  // Backward, a product costs twice what it does forward.
  double modelFlops = 3.0 * unwrap(planModel(model, options)).flops;
  options.stages.gradients = true;
  options.stages.optimizer = true;
  if (timing.estimates())
    return estimate(model);

  runtime::CpuOptions cpu;
  cpu.threads = timing.threads;
  runtime::CpuDevice device(cpu);
  MachineLimits limits(device, instructionSet(options));
  TrainingStep step(model, options, device);
  listKernels(*step.program, unwrap(planModel(model, options)));
  step.run(/*poison=*/true);
  float firstLoss = step.loss();
  std::vector<double> steps, gaps;
  Limit flopLimit = MachineLimits::ofProducts(options.bf16);
  for (int round = 0; round < timing.rounds; ++round) {
    for (Limit limit : {Limit::Flops, flopLimit, Limit::Copy})
      limits.measure(limit);
    step.run(); // fetches what the copy displaced
    TrainingStep::Times times = step.run();
    steps.push_back(times.seconds);
    gaps.push_back(
        1 - std::accumulate(times.launches.begin(), times.launches.end(), 0.0) /
                times.seconds);
    addTimes(*step.program, times.launches);
  }
  if (!std::isfinite(firstLoss) || !std::isfinite(step.loss()))
    throw CommandError(
        fmt::format("the loss went from {} to {}", firstLoss, step.loss()));

  double seconds = median(steps), gap = median(gaps);
  std::optional<double> share =
      limits.findShare(flopLimit, modelFlops / seconds);
  double tokens = static_cast<double>(options.batch * options.seqLen);
  int64_t memory = step.memoryBytes(device.threads().size());
  if (timing.json) {
    fmt::print(
        "{}\n",
        nlohmann::ordered_json{{"threads", device.threads().size()},
                               {"isa", limits.isa()},
                               {"dtype", options.bf16 ? "bf16" : "f32"},
                               {"attnres", toString(model.attnres)},
                               {"parameters", countParameters(model)},
                               {"batch_size", options.batch},
                               {"seq_len", options.seqLen},
                               {"seconds", seconds},
                               {"tokens_per_second", tokens / seconds},
                               {"share_between_kernels", gap},
                               {"model_flops", modelFlops},
                               {"flop_limit", toJson(limits.find(flopLimit))},
                               {"copy_limit", toJson(limits.find(Limit::Copy))},
                               {"share_of_flop_limit", toJson(share)},
                               {"memory_bytes", memory},
                               {"first_loss", firstLoss},
                               {"last_loss", step.loss()},
                               {"kernels", listShares(limits)}}
            .dump(1));
    return;
  }
  fmt::print(
      "{} parameters, attnres {}, {}, {} x {} tokens, {} threads, {}\n"
      "step     {:.2f} ms, {:.0f} tokens/s, {:.2f}% of it between kernels\n"
      "products {:.2f} GFLOP of the model, {:.1f} GFLOP/s, {} of the "
      "limit ({})\n"
      "memory   {:.1f} MiB\n"
      "loss     {:.4f} to {:.4f}\n",
      countParameters(model), toString(model.attnres),
      options.bf16 ? "bf16" : "f32", options.batch, options.seqLen,
      device.threads().size(), limits.isa(), seconds * 1e3, tokens / seconds,
      100 * gap, modelFlops * 1e-9, modelFlops / seconds * 1e-9,
      formatShare(share), limits.describe(flopLimit),
      static_cast<double>(memory) / (1 << 20), firstLoss, step.loss());
  printTable(seconds, limits);
}

} // namespace

void addStepBenchmark(CLI::App &bench) {
  CLI::App *command = bench.add_subcommand(
      "step", "a training step: gradients, clipping and AdamW");
  auto state = std::make_shared<StepBenchmark>();
  state->options.batch = 8;
  state->options.seqLen = 256;
  state->config.add(*command);
  addSizes(*command, state->options);
  addDType(*command, state->options);
  addStages(*command, state->options);
  command->add_flag("--fuse-loss", state->options.fuseLoss,
                    "loss without ever materializing the logits");
  state->timing.add(*command, /*canEstimate=*/true);
  state->estimates.add(*command);
  command->footer("Limits are measured in the same rounds: fused multiply-adds "
                  "on registers, and a copy beyond the caches.\nExample:\n  "
                  "attnres-run bench step --preset toy --attnres block");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
