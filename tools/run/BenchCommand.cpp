// attnres-run bench: kernels against the limits of the machine.
//
// Every case is a compiled program of one operation. Rounds interleave the
// cases with the loops that measure the limits, and medians are reported, so
// that a disturbance hits both sides. Inputs are random, memory is poisoned
// before a first run, and an output that is not finite is an error.
#include "tools/run/Commands.h"
#include "tools/run/GenerationBenchmark.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/OperationCases.h"
#include "tools/run/Options.h"
#include "tools/run/StepBenchmark.h"

#include "runtime/CpuDevice.h"
#include "runtime/Philox.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attnres::run {
namespace {

using runtime::AlignedBuffer;
using runtime::Binding;
using runtime::BindingRole;

/// A case compiled and bound, ready to be timed.
class Running {
public:
  Running(OperationCase source, runtime::CpuDevice &device,
          const CompileOptions &options)
      : info(std::move(source)),
        program(std::make_shared<const runtime::Program>(
            unwrap(compileText(info.text, options)))),
        executable(unwrap(runtime::Executable::create(device, program))) {
    runtime::RandomStream random(1, 0);
    uint64_t next = 0;
    for (size_t i = 0; i < program->bindings.size(); ++i) {
      const Binding &binding = program->bindings[i];
      buffers.emplace_back();
      if (binding.updates >= 0)
        continue;
      buffers.back() =
          unwrap(AlignedBuffer::allocate(static_cast<size_t>(binding.bytes())));
      std::byte *memory = buffers.back().data();
      check(executable->bind(static_cast<int64_t>(i), memory, binding.bytes()));
      if (binding.role == BindingRole::Output)
        continue;
      if (binding.dtype == runtime::DType::I64) {
        auto *values = reinterpret_cast<int64_t *>(memory);
        for (int64_t k = 0; k < binding.bytes() / 8; ++k)
          values[k] = static_cast<int64_t>(random.uniform(next++) *
                                           static_cast<double>(info.classes));
      } else {
        auto *values = reinterpret_cast<float *>(memory);
        for (int64_t k = 0; k < binding.bytes() / 4; ++k)
          values[k] = static_cast<float>(
              info.leastInput + (1 - info.leastInput) * random.uniform(next++));
      }
    }
    runtime::Executable::RunOptions first;
    first.poison = true;
    check(executable->run(first));
    for (size_t i = 0; i < buffers.size(); ++i)
      if (const Binding &binding = program->bindings[i];
          binding.role == BindingRole::Output)
        checkFinite(
            binding,
            buffers[binding.updates >= 0 ? static_cast<size_t>(binding.updates)
                                         : i]);
  }

  void time() {
    auto start = std::chrono::steady_clock::now();
    check(executable->run());
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  }

  /// Operations, or bytes of the operation's own tensors: what it must do.
  double work() const {
    double flops = 0, bytes = 0;
    for (const runtime::Launch &launch : program->launches)
      flops += static_cast<double>(program->kernels[launch.kernel].flops);
    for (const Binding &binding : program->bindings)
      bytes += static_cast<double>(binding.bytes());
    return info.bound == Bound::Arithmetic ? flops : bytes;
  }

  /// Names in the order of their first launches, with their numbers.
  std::string kernels() const {
    std::vector<int64_t> order, launches(program->kernels.size());
    for (const runtime::Launch &launch : program->launches)
      if (launches[static_cast<size_t>(launch.kernel)]++ == 0)
        order.push_back(launch.kernel);
    std::string names;
    for (int64_t kernel : order) {
      auto index = static_cast<size_t>(kernel);
      names += (names.empty() ? "" : " + ") + program->kernels[index].name;
      if (launches[index] > 1)
        names += fmt::format(" x {}", launches[index]);
    }
    return names;
  }

  OperationCase info;
  std::vector<double> seconds;

private:
  void checkFinite(const Binding &binding, const AlignedBuffer &buffer) const {
    const auto *values = reinterpret_cast<const float *>(buffer.data());
    for (int64_t k = 0; k < binding.bytes() / 4; ++k)
      if (!std::isfinite(values[k]))
        throw CommandError(fmt::format("{}: element {} of output '{}' is not "
                                       "finite",
                                       info.name, k, binding.name));
  }

  std::shared_ptr<const runtime::Program> program;
  std::unique_ptr<runtime::Executable> executable;
  std::vector<AlignedBuffer> buffers;
};

double measure(MachineLimits &limits, Bound bound) {
  switch (bound) {
  case Bound::Arithmetic:
    return limits.measureFlops();
  case Bound::Copying:
    return limits.measureCopy();
  case Bound::Reading:
    return limits.measureRead();
  }
  return 0;
}

struct OperationBenchmark {
  std::vector<OperationCase> (*cases)();
  CompileOptions options;
  TimingOptions timing;

  void run() {
    runtime::CpuOptions cpu;
    cpu.threads = timing.threads;
    runtime::CpuDevice device(cpu);
    MachineLimits limits(device, options.stages.isa);
    nlohmann::json report = nlohmann::json::array();
    if (!timing.json)
      fmt::print("{:<46} {:>9} {:>9} {:>9} {:>6}  kernels\n", "case", "ms",
                 "achieved", "limit", "share");
    for (OperationCase &source : cases()) {
      Running running(std::move(source), device, options);
      std::vector<double> limit;
      for (int round = 0; round < timing.rounds; ++round) {
        limit.push_back(measure(limits, running.info.bound));
        running.time();
      }
      double seconds = median(running.seconds), most = median(limit);
      double rate = running.work() / seconds;
      bool countsFlops = running.info.bound == Bound::Arithmetic;
      const char *unit = countsFlops ? "GFLOP/s" : "GB/s";
      if (timing.json)
        report.push_back({{"case", running.info.name},
                          {"seconds", seconds},
                          {"rate", rate},
                          {"limit", most},
                          {"unit", countsFlops ? "flop/s" : "byte/s"},
                          {"share", rate / most},
                          {"kernels", running.kernels()}});
      else
        fmt::print("{:<46} {:>9.3f} {:>9.1f} {:>9.1f} {:>5.1f}%  {} ({})\n",
                   running.info.name, seconds * 1e3, rate * 1e-9, most * 1e-9,
                   100 * rate / most, running.kernels(), unit);
      std::fflush(stdout);
    }
    if (timing.json)
      fmt::print("{}\n", nlohmann::json{{"threads", device.threads().size()},
                                        {"isa", limits.isa()},
                                        {"cases", report}}
                             .dump(1));
  }
};

void addOperationBenchmark(CLI::App &bench, const std::string &name,
                           const std::string &description,
                           std::vector<OperationCase> (*cases)()) {
  CLI::App *command = bench.add_subcommand(name, description);
  auto state = std::make_shared<OperationBenchmark>();
  state->cases = cases;
  addStages(*command, state->options);
  state->timing.add(*command);
  command->footer("Limits are measured in the same rounds: fused multiply-adds "
                  "on registers, and copying or reading memory beyond the "
                  "caches.");
  command->callback([state] { state->run(); });
}

} // namespace

void addBenchCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "bench", "time kernels as a share of what this machine can do");
  command->require_subcommand(1);
  addOperationBenchmark(*command, "matmul", "linear layers", matmulCases);
  addOperationBenchmark(*command, "attention", "causal attention",
                        attentionCases);
  addOperationBenchmark(*command, "depth", "depth attention", depthCases);
  addOperationBenchmark(*command, "norm", "normalization and SwiGLU",
                        normCases);
  addOperationBenchmark(*command, "loss",
                        "cross entropy, also fused with the output projection",
                        lossCases);
  addOperationBenchmark(*command, "optimizer", "AdamW", optimizerCases);
  addStepBenchmark(*command);
  addGenerationBenchmark(*command);
  command->footer("Example:\n  attnres-run bench attention --threads 2");
}

} // namespace attnres::run
