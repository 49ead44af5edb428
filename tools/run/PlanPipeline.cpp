// What a training step on the stages of a pipeline would take.
#include "tools/run/PlanPipeline.h"

#include "models/DepthLayout.h"
#include "runtime/distributed/Pipeline.h"
#include "support/BindingNames.h"
#include "support/PipelineNames.h"

#include <algorithm>
#include <set>

namespace attnres::run {
namespace {

using runtime::Binding;
using runtime::Launch;
using runtime::Program;
using runtime::Role;

/// Elements and bytes of the inputs whose names begin so.
struct Volume {
  double elements = 0, bytes = 0;
};

Volume received(const Program &program, const std::string &prefix) {
  Volume volume;
  for (const Binding &binding : program.bindings)
    if (binding.name.compare(0, prefix.size(), prefix) == 0) {
      auto bytes = static_cast<double>(binding.bytes());
      volume.bytes += bytes;
      volume.elements +=
          bytes / static_cast<double>(runtime::dtypeBytes(binding.dtype));
    }
  return volume;
}

/// The names of the parameters whose gradients a stage computes.
std::set<std::string> ownedBy(const Program &stage) {
  std::set<std::string> names;
  for (const Binding &binding : stage.bindings)
    if (binding.updates >= 0 && binding.role == Role::GradientSum)
      names.insert(stage.bindings[static_cast<size_t>(binding.parameter)].name);
  return names;
}

double stateOf(const Program &stage, const Program &update,
               const std::set<std::string> &owned) {
  double bytes = 0;
  std::vector<bool> used = runtime::usedBindings(stage);
  for (size_t i = 0; i < used.size(); ++i) {
    const Binding &binding = stage.bindings[i];
    if (used[i] && binding.updates < 0 && binding.role != Role::Data)
      bytes += static_cast<double>(binding.bytes());
  }
  for (const Binding &binding : update.bindings)
    if (binding.updates < 0 &&
        (binding.role == Role::FirstMoment ||
         binding.role == Role::SecondMoment) &&
        owned.count(
            update.bindings[static_cast<size_t>(binding.parameter)].name))
      bytes += static_cast<double>(binding.bytes());
  return bytes;
}

double updateOf(const Program &update, const std::set<std::string> &owned,
                const RankRates &rates) {
  double seconds = 0;
  for (const Launch &launch : update.launches)
    if (launch.owner < 0 ||
        owned.count(update.bindings[static_cast<size_t>(launch.owner)].name))
      seconds += secondsOf(update, launch, rates);
  return seconds;
}

} // namespace

PipelinePlan planPipeline(const std::vector<Program> &stages,
                          const Program &update, const ModelConfig &config,
                          int64_t parts, const RankRates &rates) {
  PipelinePlan plan;
  auto count = static_cast<int64_t>(stages.size());
  plan.stages = count;
  plan.parts = parts;
  int64_t index =
      stages[0].findBinding(names::tokens, runtime::Direction::Input);
  const std::vector<int64_t> &shape =
      stages[0].bindings[static_cast<size_t>(index)].shape;
  auto vectors = static_cast<double>(shape[0] * shape[1] * config.hiddenSize);

  std::vector<double> seconds;     // of a part in each stage
  std::vector<double> links = {0}; // in front of each stage, both ways at once
  double way = 0;                  // of one part through all stages and back
  for (int64_t s = 0; s < count; ++s) {
    const Program &stage = stages[static_cast<size_t>(s)];
    double part = 0;
    for (const Launch &launch : stage.launches)
      part += secondsOf(stage, launch, rates);
    seconds.push_back(part);
    way += part;
    Volume previous = received(stage, names::fromPrevious),
           next = received(stage, names::fromNext);
    plan.forward += previous.elements / vectors;
    plan.back += next.elements / vectors;
    auto slots = static_cast<double>(runtime::Pipeline::slotsOf(
        static_cast<int>(s), static_cast<int>(count), parts));
    plan.activityBytes = std::max(
        plan.activityBytes, slots * (static_cast<double>(stage.workspaceBytes) +
                                     previous.bytes + next.bytes));
    std::set<std::string> owned = ownedBy(stage);
    plan.stateBytes = std::max(plan.stateBytes, stateOf(stage, update, owned));
    plan.update = std::max(plan.update, updateOf(update, owned, rates));
    if (s + 1 == count)
      break;
    double forward =
        received(stages[static_cast<size_t>(s + 1)], names::fromPrevious).bytes;
    double both = std::max(forward, next.bytes);
    links.push_back(rates.message + both / rates.network);
    way += 2 * rates.message + (forward + next.bytes) / rates.network;
  }
  links.push_back(0);
  // The stage with the longest period sets the pace.
  size_t slowest = 0;
  auto period = [&](size_t s) { return seconds[s] + links[s] + links[s + 1]; };
  for (size_t s = 1; s < stages.size(); ++s)
    if (period(s) > period(slowest))
      slowest = s;
  auto all = static_cast<double>(parts);
  plan.compute = all * seconds[slowest];
  plan.passing = all * (links[slowest] + links[slowest + 1]);
  plan.bubble = std::max(0.0, way - period(slowest));
  int64_t blocks = config.attnres == AttnResMode::Block
                       ? static_cast<int64_t>(depthBlocks(config).size())
                       : config.numSublayers();
  bool hasBlocks = config.attnres == AttnResMode::Block ||
                   config.attnres == AttnResMode::Full;
  if (hasBlocks && blocks % count == 0)
    plan.published =
        static_cast<double>(count * (count - 1) / 2 * (blocks / count));
  return plan;
}

} // namespace attnres::run
