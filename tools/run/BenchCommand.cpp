// attnres-run bench: kernels against the limits of the machine.
//
// Every case is a compiled program of one operation. Rounds interleave the
// cases with the loops that measure the limits, and medians are reported, so
// that a disturbance hits both sides. Inputs are random, memory is poisoned
// before a first run, and an output that is not finite is an error.
#include "tools/compile/OperationCases.h"
#include "tools/run/Commands.h"
#include "tools/run/GenerationBenchmark.h"
#include "tools/run/GpuEstimate.h"
#include "tools/run/MachineBenchmark.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/ModuleBenchmark.h"
#include "tools/run/NetworkBenchmark.h"
#include "tools/run/Options.h"
#include "tools/run/StepBenchmark.h"

#include "runtime/ProgramPack.h"
#include "runtime/device/BoundProgram.h"
#include "runtime/device/CpuDevice.h"
#include "support/File.h"
#include "support/Philox.h"

#include <charconv>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attnres::run {
namespace {

using runtime::Binding;
using runtime::Direction;

uint32_t floatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// A case compiled and bound, ready to be timed.
class Running {
public:
  Running(OperationCase source, runtime::CpuDevice &device,
          const CompileOptions &options)
      : info(std::move(source)),
        program(std::make_shared<const runtime::Program>(
            unwrap(compileText(info.text, options)))),
        bound(unwrap(runtime::BoundProgram::create(device, program))) {
    RandomStream random(1, 0);
    uint64_t next = 0;
    size_t inputs = 0;
    for (size_t i = 0; i < program->bindings.size(); ++i) {
      const Binding &binding = program->bindings[i];
      if (binding.direction == Direction::Output)
        continue;
      InputRange range =
          inputs < info.ranges.size() ? info.ranges[inputs] : InputRange();
      ++inputs;
      runtime::HostMapping memory =
          unwrap(bound.map(i, runtime::Access::Write));
      auto fill = [&](auto *values, auto makeValue) {
        int64_t count = binding.bytes() / static_cast<int64_t>(sizeof *values);
        for (int64_t k = 0; k < count; ++k)
          values[k] = makeValue(random.uniform(next++));
      };
      auto toInput = [&](double uniform) {
        return static_cast<float>(range.least +
                                  (range.end - range.least) * uniform);
      };
      if (binding.dtype == runtime::DType::I64)
        fill(memory.as<int64_t>(), [&](double uniform) {
          return static_cast<int64_t>(range.least +
                                      (range.end - range.least) * uniform);
        });
      else if (binding.dtype == runtime::DType::BF16)
        fill(memory.as<uint16_t>(), [&](double uniform) {
          return static_cast<uint16_t>(floatBits(toInput(uniform)) >> 16);
        });
      else
        fill(memory.as<float>(), toInput);
      check(memory.unmap());
    }
    runtime::Executable::RunOptions first;
    first.poison = true;
    check(bound.executable().run(first));
    for (const runtime::TensorView &output : unwrap(bound.outputs()).tensors)
      checkFinite(output);
  }

  void time() {
    auto start = std::chrono::steady_clock::now();
    check(bound.executable().run());
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  }

  /// Operations, or bytes of the operation's own tensors: what it must do.
  double work(Bound bound) const {
    double flops = 0, bytes = 0;
    for (const runtime::Launch &launch : program->launches)
      flops += static_cast<double>(program->kernels[launch.kernel].flops);
    for (const Binding &binding : program->bindings)
      bytes += static_cast<double>(binding.bytes());
    return countsFlops(bound) ? flops : bytes;
  }

  /// Bounds of which the nearest counts. Many heads that share what they read
  /// may be bound by what they compute from it.
  std::vector<Bound> bounds() const {
    if (info.bound == Bound::Reading && work(Bound::Arithmetic) > 0)
      return {Bound::Reading, Bound::Arithmetic};
    return {info.bound};
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
  void checkFinite(const runtime::TensorView &output) const {
    bool isBf16 = output.dtype == runtime::DType::BF16;
    const char *data = static_cast<const char *>(output.data);
    for (int64_t k = 0; k < output.bytes / (isBf16 ? 2 : 4); ++k) {
      uint32_t bits = 0;
      if (isBf16)
        std::memcpy(reinterpret_cast<char *>(&bits) + 2, data + 2 * k, 2);
      else
        std::memcpy(&bits, data + 4 * k, 4);
      constexpr uint32_t exponent = 0x7f800000;
      if ((bits & exponent) == exponent)
        throw CommandError(fmt::format("{}: element {} of output '{}' is not "
                                       "finite",
                                       info.name, k, output.name));
    }
  }

  std::shared_ptr<const runtime::Program> program;
  runtime::BoundProgram bound;
};

Limit limitOf(Bound bound, bool bf16) {
  switch (bound) {
  case Bound::Products:
    return MachineLimits::ofProducts(bf16);
  case Bound::Arithmetic:
    return bf16 ? Limit::Bf16Flops : Limit::Flops;
  case Bound::Copying:
    return Limit::Copy;
  case Bound::Updating:
    return Limit::Update;
  case Bound::Reading:
    return Limit::Read;
  }
  return Limit::Flops;
}

/// "2048x256" as a shape with the sizes that `benchmark` names.
Shape parseShape(const std::string &text, const OperationBenchmark &benchmark) {
  Shape shape;
  const char *next = text.data(), *end = next + text.size();
  while (shape.size() < benchmark.sizes.size()) {
    int64_t size = 0;
    auto [rest, error] = std::from_chars(next, end, size);
    if (error != std::errc() || size < 1)
      break;
    shape.push_back(size);
    next = rest == end || *rest != 'x' ? rest : rest + 1;
    if (next == rest)
      break;
  }
  if (shape.size() != benchmark.sizes.size() || next != end)
    throw CommandError(
        fmt::format("--shape: expected {} of at least 1, got '{}'",
                    fmt::join(benchmark.sizes, "x"), text));
  return shape;
}

struct OperationTimer {
  const OperationBenchmark &benchmark;
  std::vector<std::string> shapeTexts;
  CompileOptions options;
  TimingOptions timing;
  EstimateChoice estimates;
  std::string saveTo; ///< folder, or nothing

  std::vector<Shape> shapes() const {
    std::vector<Shape> given;
    for (const std::string &text : shapeTexts)
      given.push_back(parseShape(text, benchmark));
    return given.empty() ? benchmark.shapes : given;
  }

  std::vector<OperationCase> cases() const {
    std::vector<OperationCase> all;
    for (const Shape &shape : shapes())
      for (OperationCase &one : benchmark.cases(shape, options.bf16))
        all.push_back(std::move(one));
    return all;
  }

  /// BENCHMARK-SHAPE-N.program in a folder, for the GPU and for processors to
  /// compare with, and a file .json beside it, the estimate.
  void save(const OperationCase &source, const Shape &shape, size_t number,
            const runtime::Program &program, const GpuEstimate &gpu) const {
    std::string path = fmt::format("{}/{}-{}-{}", saveTo, benchmark.name,
                                   fmt::join(shape, "x"), number);
    CompileOptions onProcessor = options;
    onProcessor.stages.target = "cpu:avx2";
    runtime::ProgramPack pack;
    nlohmann::json ranges = nlohmann::json::array();
    for (InputRange range : source.ranges)
      ranges.push_back({range.least, range.end});
    for (runtime::Program one :
         {program, unwrap(compileText(source.text, onProcessor))}) {
      one.metadata[runtime::kPurposeMetadata] = benchmark.name;
      one.metadata[runtime::kRangesMetadata] = ranges.dump();
      pack.programs.push_back(
          std::make_shared<const runtime::Program>(std::move(one)));
    }
    check(pack.save(path + ".program"));
    nlohmann::ordered_json described = {
        {"benchmark", benchmark.name},
        {"shape", shape},
        {"number", number},
        {"case", source.name},
        {"dtype", options.bf16 ? "bf16" : "f32"},
        {"estimate", gpu.json()}};
    check(writeFileAtomically(path + ".json", {described.dump(1) + "\n"}));
  }

  /// Instead of timing, what a GPU would need.
  void estimate() {
    chooseEstimatedTarget(options);
    estimates.options.threads = timing.threads;
    nlohmann::ordered_json report = nlohmann::ordered_json::array();
    for (const Shape &shape : shapes()) {
      std::vector<OperationCase> ofShape = benchmark.cases(shape, options.bf16);
      for (size_t i = 0; i < ofShape.size(); ++i)
        estimate(ofShape[i], shape, i, report);
    }
    if (timing.json)
      fmt::print("{}\n", report.dump(1));
  }

  void estimate(const OperationCase &source, const Shape &shape, size_t number,
                nlohmann::ordered_json &report) const {
    auto program = std::make_shared<const runtime::Program>(
        unwrap(compileText(source.text, options)));
    GpuEstimate gpu = GpuEstimate::make(program, estimates);
    if (!saveTo.empty())
      save(source, shape, number, *program, gpu);
    double bytes = 0;
    for (const Binding &binding : program->bindings)
      bytes += static_cast<double>(binding.bytes());
    // What moving the operation's own tensors once would take.
    double least = bytes / machine::gpuOfTarget(program->target)->memoryBytes;
    if (timing.json) {
      report.push_back({{"case", source.name},
                        {"least_memory_seconds", least},
                        {"estimate", gpu.json()}});
      return;
    }
    fmt::print("{}: {:.2f} us, {:.2f} times its bytes once\n{}\n", source.name,
               gpu.estimate().seconds * 1e6, gpu.estimate().seconds / least,
               gpu.table());
    std::fflush(stdout);
  }

  void run() {
    if (timing.estimates())
      return estimate();
    std::vector<OperationCase> sources = cases();
    runtime::CpuOptions cpu;
    cpu.threads = timing.threads;
    runtime::CpuDevice device(cpu);
    MachineLimits limits(device, instructionSet(options));
    nlohmann::json report = nlohmann::json::array();
    if (!timing.json)
      fmt::print("{:<46} {:>9} {:>9} {:>9} {:>6}  kernels\n", "case", "ms",
                 "achieved", "limit", "share");
    for (OperationCase &source : sources) {
      Running running(std::move(source), device, options);
      std::vector<Bound> bounds = running.bounds();
      for (int round = 0; round < timing.rounds; ++round) {
        for (Bound bound : bounds)
          limits.measure(limitOf(bound, options.bf16));
        running.time();
      }
      double seconds = median(running.seconds);
      Bound nearest = bounds.front();
      std::optional<double> share;
      for (Bound bound : bounds) {
        std::optional<double> other = limits.findShare(
            limitOf(bound, options.bf16), running.work(bound) / seconds);
        if (other && (!share || *other > *share)) {
          share = other;
          nearest = bound;
        }
      }
      double rate = running.work(nearest) / seconds;
      std::optional<double> most;
      if (share)
        most = rate / *share;
      bool isArithmetic = countsFlops(nearest);
      const char *unit = isArithmetic ? "GFLOP/s" : "GB/s";
      if (timing.json)
        report.push_back({{"case", running.info.name},
                          {"seconds", seconds},
                          {"rate", rate},
                          {"limit", toJson(most)},
                          {"unit", isArithmetic ? "flop/s" : "byte/s"},
                          {"share", toJson(share)},
                          {"kernels", running.kernels()}});
      else
        fmt::print("{:<46} {:>9.3f} {:>9.1f} {:>9} {}  {} ({})\n",
                   running.info.name, seconds * 1e3, rate * 1e-9,
                   most ? fmt::format("{:.1f}", *most * 1e-9) : "?",
                   formatShare(share, 6), running.kernels(), unit);
      std::fflush(stdout);
    }
    if (timing.json)
      fmt::print("{}\n",
                 nlohmann::json{{"threads", device.threads().size()},
                                {"isa", limits.isa()},
                                {"dtype", options.bf16 ? "bf16" : "f32"},
                                {"cases", report}}
                     .dump(1));
  }
};

void addOperationBenchmark(CLI::App &bench,
                           const OperationBenchmark &benchmark) {
  CLI::App *command =
      bench.add_subcommand(benchmark.name, benchmark.description);
  auto timer = std::make_shared<OperationTimer>(
      OperationTimer{benchmark, {}, {}, {}, {}, {}});
  command
      ->add_option("--shape", timer->shapeTexts,
                   "time this instead of the usual cases; may be repeated")
      ->type_name(fmt::format("{}", fmt::join(benchmark.sizes, "x")));
  addDType(*command, timer->options);
  addStages(*command, timer->options);
  timer->timing.add(*command, /*canEstimate=*/true);
  timer->estimates.add(*command);
  command
      ->add_option("--save-programs", timer->saveTo,
                   "folder for the programs of the cases, for the GPU and for "
                   "processors of AVX2, and the estimates")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command->footer(fmt::format(
      "Limits are measured in the same rounds: multiplications and additions "
      "on registers (AMX tiles\nfor products, a sixth of that for those of "
      "f32), and copying, updating or reading\nmemory beyond the "
      "caches. On the emulator nothing is timed: a few blocks are counted, and "
      "the H200, or the\nGPU of --target, is estimated.\nExample:\n"
      "  attnres-run bench {0} --shape {1}\n"
      "  attnres-run bench {0} --shape {1} --device emulator --dtype bf16",
      benchmark.name, fmt::join(benchmark.shapes.front(), "x")));
  command->callback([timer] { timer->run(); });
}

} // namespace

void addBenchCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "bench", "time kernels as a share of what this machine can do");
  command->require_subcommand(1);
  for (const OperationBenchmark &benchmark : operationBenchmarks())
    addOperationBenchmark(*command, benchmark);
  addMachineBenchmark(*command);
  addStepBenchmark(*command);
  addModuleBenchmark(*command);
  addGenerationBenchmark(*command);
  addNetworkBenchmark(*command);
  command->footer("Example:\n  attnres-run bench attention --threads 2");
}

} // namespace attnres::run
