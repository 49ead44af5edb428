// attnres-run bench module: what a module in MLIR takes, kernel by kernel.
//
// Inputs are random. Every round measures the limits of the machine and runs
// the program; medians over the rounds are reported.
#include "tools/run/ModuleBenchmark.h"

#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "support/Philox.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/ModuleFiles.h"
#include "tools/run/Options.h"
#include "tools/run/ProfileTable.h"

#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace attnres::run {
namespace {

using runtime::Binding;
using runtime::DType;

constexpr uint64_t kSeed = 1;

/// Numbers of about 1; integers that choose, from the last range they may have.
void fill(void *data, const Binding &binding, uint64_t stream) {
  RandomStream random(kSeed, stream);
  auto each = [&](auto *elements, auto value) {
    auto count = static_cast<uint64_t>(binding.bytes()) / sizeof(*elements);
    for (uint64_t i = 0; i < count; ++i)
      elements[i] =
          static_cast<std::remove_reference_t<decltype(*elements)>>(value(i));
  };
  auto normal = [&](uint64_t i) { return random.normal(i); };
  runtime::IndexRange range{0, 1};
  if (!binding.limits.empty())
    range = binding.limits.back();
  auto integer = [&](uint64_t i) {
    double size = static_cast<double>(range.high - range.low) + 1;
    return range.low + static_cast<int64_t>(random.uniform(i) * size);
  };
  auto upperHalf = [&](uint64_t i) {
    float value = random.normal(i);
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits >> 16;
  };
  if (binding.dtype == DType::F32)
    each(static_cast<float *>(data), normal);
  else if (binding.dtype == DType::F64)
    each(static_cast<double *>(data), normal);
  else if (binding.dtype == DType::BF16)
    each(static_cast<uint16_t *>(data), upperHalf);
  else if (binding.dtype == DType::I64)
    each(static_cast<int64_t *>(data), integer);
  else if (binding.dtype == DType::I32)
    each(static_cast<int32_t *>(data), integer);
}

struct ModuleBenchmark {
  std::string module;
  CompileOptions options;
  TimingOptions timing;

  void run() {
    auto program = std::make_shared<const runtime::Program>(
        unwrap(compileText(readModule(module), options, module)));
    runtime::CpuOptions cpu;
    cpu.threads = timing.threads;
    runtime::CpuDevice device(cpu);
    auto bound = unwrap(runtime::BoundProgram::create(device, program));
    for (size_t i = 0; i < program->bindings.size(); ++i)
      if (program->bindings[i].direction == runtime::Direction::Input) {
        auto memory = unwrap(bound.map(i, runtime::Access::Write));
        fill(memory.as<char>(), program->bindings[i], i);
        check(memory.unmap());
      }
    MachineLimits limits(device, instructionSet(options));
    std::vector<double> seconds;
    std::vector<std::vector<double>> launches(program->launches.size());
    for (int round = -1; round < timing.rounds; ++round) {
      if (round >= 0)
        for (Limit limit : {Limit::Flops, Limit::ProductFlops, Limit::Copy})
          limits.measure(limit);
      std::vector<runtime::LaunchTime> times;
      runtime::Executable::RunOptions run;
      run.launchTimes = &times;
      run.poison = round < 0;
      auto start = std::chrono::steady_clock::now();
      check(bound.executable().run(run));
      if (round < 0)
        continue; // pages are touched for the first time
      seconds.push_back(std::chrono::duration<double>(
                            std::chrono::steady_clock::now() - start)
                            .count());
      for (size_t i = 0; i < times.size(); ++i)
        launches[i].push_back(times[i].seconds());
    }
    report(*program, median(seconds), launches, device.threads().size(),
           limits);
  }

  void report(const runtime::Program &program, double seconds,
              const std::vector<std::vector<double>> &launches, int threads,
              MachineLimits &limits) const {
    std::map<int64_t, runtime::Profile::Kernel> kernels;
    for (size_t i = 0; i < launches.size(); ++i) {
      int64_t number = program.launches[i].kernel;
      const runtime::Kernel &of = program.kernels[static_cast<size_t>(number)];
      runtime::Profile::Kernel &kernel = kernels[number];
      kernel.name = of.name;
      kernel.launches += 1;
      kernel.seconds += median(launches[i]);
      kernel.flops += static_cast<double>(of.flops);
      kernel.bytes += static_cast<double>(of.bytesRead + of.bytesWritten);
    }
    std::vector<runtime::Profile::Kernel> rows;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (auto &[number, kernel] : kernels) {
      if (timing.json)
        list.push_back({{"kernel", kernel.name},
                        {"launches", kernel.launches},
                        {"seconds", kernel.seconds},
                        {"flops", kernel.flops},
                        {"bytes", kernel.bytes},
                        {"share_of_limit",
                         toJson(findKernelShare(kernel, &limits, false))}});
      rows.push_back(std::move(kernel));
    }
    if (timing.json)
      return fmt::print("{}\n", nlohmann::ordered_json{{"threads", threads},
                                                       {"isa", limits.isa()},
                                                       {"seconds", seconds},
                                                       {"kernels", list}}
                                    .dump(1));
    fmt::print("{:.3f} ms, {} threads, {}\n\n", seconds * 1e3, threads,
               limits.isa());
    printKernelTable(std::move(rows), seconds, &limits, /*bf16=*/false);
  }
};

} // namespace

void addModuleBenchmark(CLI::App &bench) {
  CLI::App *command =
      bench.add_subcommand("module", "a module in MLIR, of random inputs");
  auto state = std::make_shared<ModuleBenchmark>();
  command->add_option("module", state->module, "file of the module")
      ->type_name("FILE.mlir")
      ->required();
  command->add_flag("--gradients", state->options.stages.gradients,
                    "with the gradients of its loss");
  addStages(*command, state->options);
  state->timing.add(*command);
  command->footer("Limits are measured in the same rounds, as those of bench "
                  "step.\nExample:\n  attnres-run bench module "
                  "examples/import/model.mlir --gradients");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
