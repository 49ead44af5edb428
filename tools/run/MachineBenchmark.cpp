// attnres-run bench machine: what the compiler assumes of a target, and what
// this machine can do.
#include "tools/run/MachineBenchmark.h"

#include "passes/Targets.h"
#include "tools/run/MachineLimits.h"
#include "tools/run/Options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace attnres::run {
namespace {

constexpr std::pair<Limit, const char *> kLimits[] = {
    {Limit::Flops, "flops"},          {Limit::ProductFlops, "product_flops"},
    {Limit::Bf16Flops, "bf16_flops"}, {Limit::Copy, "copy"},
    {Limit::Update, "update"},        {Limit::Read, "read"}};

struct MachineBenchmark {
  CompileOptions options;
  TimingOptions timing;

  void run() const {
    runtime::CpuOptions cpu;
    cpu.threads = timing.threads;
    runtime::CpuDevice device(cpu);
    MachineLimits limits(device, instructionSet(options));
    for (int round = 0; round < timing.rounds; ++round)
      for (auto [limit, name] : kLimits)
        limits.measure(limit);
    std::string target = resolveTarget(options.stages.target);
    std::vector<TargetFact> facts = describeTarget(target);
    if (timing.json)
      return printJson(target, facts, limits, device.threads().size());
    fmt::print("{}\n", target);
    for (const TargetFact &fact : facts)
      fmt::print("  {:<18} {:<24} {:>9.10g} {:<8} {}\n", fact.group, fact.name,
                 fact.value, fact.unit, fact.meaning);
    fmt::print("\nmeasured on {} threads\n", device.threads().size());
    for (auto [limit, name] : kLimits) {
      std::optional<double> rate = limits.find(limit);
      fmt::print("  {:<18} {:>8} {:<8} {}\n", name,
                 rate ? fmt::format("{:.1f}", *rate * 1e-9) : "?",
                 isFlops(limit) ? "GFLOP/s" : "GB/s", limits.describe(limit));
    }
  }

private:
  static bool isFlops(Limit limit) {
    return limit == Limit::Flops || limit == Limit::ProductFlops ||
           limit == Limit::Bf16Flops;
  }

  static void printJson(const std::string &target,
                        const std::vector<TargetFact> &facts,
                        MachineLimits &limits, int threads) {
    nlohmann::ordered_json assumed, measured;
    for (const TargetFact &fact : facts)
      assumed[fact.group][fact.name] = {{"value", fact.value},
                                        {"unit", fact.unit},
                                        {"meaning", fact.meaning}};
    for (auto [limit, name] : kLimits)
      measured[name] = toJson(limits.find(limit));
    fmt::print("{}\n", nlohmann::ordered_json{{"target", target},
                                              {"assumed", assumed},
                                              {"threads", threads},
                                              {"measured", measured}}
                           .dump(1));
  }
};

} // namespace

void addMachineBenchmark(CLI::App &bench) {
  CLI::App *command = bench.add_subcommand(
      "machine", "what the compiler assumes of a target, and what this machine "
                 "can do");
  auto state = std::make_shared<MachineBenchmark>();
  addTarget(*command, state->options);
  state->timing.add(*command);
  command->footer("Example:\n  attnres-run bench machine --rounds 3 --json");
  command->callback([state] { state->run(); });
}

} // namespace attnres::run
