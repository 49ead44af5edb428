// attnres-run bench: kernels against the limits of the machine.
//
// Every case is a compiled program of one operation. Rounds interleave the
// cases with the loops that measure the limits, and medians are reported, so
// that a disturbance hits both sides. Inputs are random, memory is poisoned
// before a first run, and an output that is not finite is an error.
#include "tools/run/Commands.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"
#include "tools/run/StepBenchmark.h"

#include "runtime/CpuDevice.h"

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

/// One operation, and what bounds it.
struct Case {
  std::string name;
  std::string text; ///< a module
  bool boundByMemory;
};

std::string argument(int index, const std::string &type) {
  return fmt::format(
      "%a{}: {} {{attnres.name = \"a{}\", attnres.role = \"input\"}}", index,
      type, index);
}

/// @main of one operation: `operation` names its operands %a0, %a1, ...; the
/// function returns results 0 .. results.size() - 1.
std::string module(const std::vector<std::string> &arguments,
                   const std::string &operation,
                   const std::vector<std::string> &results) {
  std::string list, types, values;
  for (size_t i = 0; i < arguments.size(); ++i)
    list += (i ? ", " : "") + argument(static_cast<int>(i), arguments[i]);
  std::string named;
  for (size_t i = 0; i < results.size(); ++i) {
    named += fmt::format("{}{} {{attnres.name = \"r{}\"}}", i ? ", " : "",
                         results[i], i);
    types += (i ? ", " : "") + results[i];
    values += fmt::format("{}%r#{}", i ? ", " : "", i);
  }
  return fmt::format(
      "func.func @main({}) -> ({}) {{\n  %r:{} = {}\n  return {} "
      ": {}\n}}\n",
      list, named, results.size(), operation, values, types);
}

void addMatmul(std::vector<Case> &cases) {
  for (auto [m, k, n] : {std::array<int64_t, 3>{2048, 256, 256},
                         {2048, 256, 768},
                         {2048, 768, 256},
                         {2048, 768, 768},
                         {2048, 768, 3072},
                         {2048, 3072, 768}}) {
    std::string x = fmt::format("tensor<{}x{}xf32>", m, k);
    std::string w = fmt::format("tensor<{}x{}xf32>", n, k);
    std::string y = fmt::format("tensor<{}x{}xf32>", m, n);
    cases.push_back(
        {fmt::format("linear {}x{} to {}", m, k, n),
         module({x, w},
                fmt::format("\"attnres.linear\"(%a0, %a1) : ({}, {}) "
                            "-> {}",
                            x, w, y),
                {y}),
         false});
    cases.push_back(
        {fmt::format("its weight gradient, {}x{}", n, k),
         module({y, x},
                fmt::format("\"attnres.matmul\"(%a0, %a1) {{transpose_lhs}} : "
                            "({}, {}) -> {}",
                            y, x, w),
                {w}),
         false});
  }
}

void addAttention(std::vector<Case> &cases) {
  for (auto [batch, tokens, heads, size] :
       {std::array<int64_t, 4>{8, 256, 4, 64},
        {1, 2048, 8, 64},
        {1, 2048, 8, 128}}) {
    std::string q =
        fmt::format("tensor<{}x{}x{}x{}xf32>", batch, tokens, heads, size);
    std::string lse = fmt::format("tensor<{}x{}x{}xf32>", batch, tokens, heads);
    std::string label =
        fmt::format("B{} T{} H{} D{} causal", batch, tokens, heads, size);
    cases.push_back(
        {"attention " + label,
         module({q, q, q},
                fmt::format("\"attnres.attention\"(%a0, %a1, %a2) {{causal}} : "
                            "({0}, {0}, {0}) -> ({0}, {1})",
                            q, lse),
                {q, lse}),
         false});
    cases.push_back(
        {"its backward " + label,
         module(
             {q, q, q, q, lse, q},
             fmt::format("\"attnres.attention_backward\"(%a0, %a1, %a2, %a3, "
                         "%a4, %a5) {{causal}} : ({0}, {0}, {0}, {0}, {1}, "
                         "{0}) -> ({0}, {0}, {0})",
                         q, lse),
             {q, q, q}),
         false});
  }
}

void addDepth(std::vector<Case> &cases) {
  for (auto [sources, rows, width] : {std::array<int64_t, 3>{5, 16384, 768},
                                      {9, 16384, 768},
                                      {9, 65536, 256}}) {
    std::string v = fmt::format("tensor<{}x{}xf32>", rows, width);
    std::string w = fmt::format("tensor<{}xf32>", width);
    std::string lse = fmt::format("tensor<{}xf32>", rows);
    std::vector<std::string> arguments{w, w};
    std::string operands = "%a0, %a1", types = w + ", " + w, grads;
    for (int64_t i = 0; i < sources; ++i) {
      arguments.push_back(v);
      operands += fmt::format(", %a{}", i + 2);
      types += ", " + v;
      grads += v + ", ";
    }
    std::string label = fmt::format("{} sources {}x{}", sources, rows, width);
    cases.push_back(
        {"depth attention " + label,
         module(
             arguments,
             fmt::format("\"attnres.depth_attention\"({}) <{{eps = 1.0e-8 : "
                         "f64, operandSegmentSizes = array<i32: 1, 1, {}>}}> "
                         ": ({}) -> ({}, {})",
                         operands, sources, types, v, lse),
             {v, lse}),
         true});
    arguments.push_back(lse);
    arguments.push_back(v);
    std::vector<std::string> results(sources, v);
    results.push_back(w);
    results.push_back(w);
    cases.push_back(
        {"its backward " + label,
         module(
             arguments,
             fmt::format(
                 "\"attnres.depth_attention_backward\"({}, %a{}, %a{}) <{{eps "
                 "= 1.0e-8 : f64, operandSegmentSizes = array<i32: 1, 1, {}, "
                 "1, 1, 0, 0>}}> : ({}, {}, {}) -> ({}{}, {})",
                 operands, sources + 2, sources + 3, sources, types, lse, v,
                 grads, w, w),
             results),
         true});
  }
}

/// A case compiled and bound, ready to be timed.
class Running {
public:
  Running(Case source, runtime::CpuDevice &device,
          const CompileOptions &options)
      : info(std::move(source)),
        program(std::make_shared<const runtime::Program>(
            unwrap(compileText(info.text, options)))),
        executable(unwrap(runtime::Executable::create(device, program))) {
    uint32_t state = 1;
    for (size_t i = 0; i < program->bindings.size(); ++i) {
      const Binding &binding = program->bindings[i];
      buffers.push_back(unwrap(
          AlignedBuffer::allocate(static_cast<size_t>(binding.bytes()))));
      auto *values = reinterpret_cast<float *>(buffers.back().data());
      for (int64_t k = 0; k < binding.bytes() / 4; ++k) {
        state = state * 1664525u + 1013904223u;
        values[k] = static_cast<float>(state >> 8) / (1 << 23) - 1;
      }
      check(executable->bind(static_cast<int64_t>(i), values, binding.bytes()));
    }
    runtime::Executable::RunOptions first;
    first.poison = true;
    check(executable->run(first));
    for (size_t i = 0; i < buffers.size(); ++i)
      if (program->bindings[i].role == BindingRole::Output)
        checkFinite(program->bindings[i], buffers[i]);
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
    return info.boundByMemory ? bytes : flops;
  }

  std::string kernels() const {
    std::string names;
    for (const runtime::Launch &launch : program->launches)
      names +=
          (names.empty() ? "" : " + ") + program->kernels[launch.kernel].name;
    return names;
  }

  Case info;
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

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

struct OperationBenchmark {
  void (*addCases)(std::vector<Case> &);
  CompileOptions options;
  int threads = 0, rounds = 11;
  bool json = false;

  void run() {
    runtime::CpuOptions cpu;
    cpu.threads = threads;
    runtime::CpuDevice device(cpu);
    std::string level = options.stages.isa;
    if (level == "host")
      level = std::string(runtime::toString(device.features().level));
    MachineLimits limits(device.threads(), level);
    std::vector<Case> cases;
    addCases(cases);
    nlohmann::json report = nlohmann::json::array();
    if (!json)
      fmt::print("{:<46} {:>9} {:>9} {:>9} {:>6}  kernels\n", "case", "ms",
                 "achieved", "limit", "share");
    for (Case &source : cases) {
      Running running(std::move(source), device, options);
      std::vector<double> limit;
      for (int round = 0; round < rounds; ++round) {
        limit.push_back(running.info.boundByMemory ? limits.measureCopy()
                                                   : limits.measureFlops());
        running.time();
      }
      double seconds = median(running.seconds), most = median(limit);
      double rate = running.work() / seconds;
      const char *unit = running.info.boundByMemory ? "GB/s" : "GFLOP/s";
      if (json)
        report.push_back(
            {{"case", running.info.name},
             {"seconds", seconds},
             {"rate", rate},
             {"limit", most},
             {"unit", running.info.boundByMemory ? "byte/s" : "flop/s"},
             {"share", rate / most},
             {"kernels", running.kernels()}});
      else
        fmt::print("{:<46} {:>9.3f} {:>9.1f} {:>9.1f} {:>5.1f}%  {} ({})\n",
                   running.info.name, seconds * 1e3, rate * 1e-9, most * 1e-9,
                   100 * rate / most, running.kernels(), unit);
      std::fflush(stdout);
    }
    if (json)
      fmt::print("{}\n", nlohmann::json{{"threads", device.threads().size()},
                                        {"isa", level},
                                        {"cases", report}}
                             .dump(1));
  }
};

void addOperationBenchmark(CLI::App &bench, const std::string &name,
                           const std::string &description,
                           void (*addCases)(std::vector<Case> &)) {
  CLI::App *command = bench.add_subcommand(name, description);
  auto state = std::make_shared<OperationBenchmark>();
  state->addCases = addCases;
  addStages(*command, state->options);
  command
      ->add_option("--threads", state->threads,
                   "threads that run kernels; 0 takes what the machine allows")
      ->check(CLI::Range(0, 1024));
  command->add_option("--rounds", state->rounds, "timings of each case")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_flag("--json", state->json, "machine-readable");
  command->footer("Limits are measured in the same rounds: fused multiply-adds "
                  "on registers, and a copy beyond the caches.");
  command->callback([state] { state->run(); });
}

} // namespace

void addBenchCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "bench", "time kernels as a share of what this machine can do");
  command->require_subcommand(1);
  addOperationBenchmark(*command, "matmul", "linear layers", addMatmul);
  addOperationBenchmark(*command, "attention", "causal attention",
                        addAttention);
  addOperationBenchmark(*command, "depth", "depth attention", addDepth);
  addStepBenchmark(*command);
  command->footer("Example:\n  attnres-run bench attention --threads 2");
}

} // namespace attnres::run
