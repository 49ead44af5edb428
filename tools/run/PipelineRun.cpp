// A training run whose ranks are the stages of a pipeline.
#include "tools/run/PipelineRun.h"

#include "passes/Targets.h"
#include "tools/compile/PipelineStarts.h"

#include <cmath>
#include <set>

namespace attnres::run {

using nlohmann::ordered_json;
using runtime::Binding;
using runtime::Program;
using runtime::Role;

void expectStages(const RankedRun &ranks, int64_t stages,
                  const std::vector<std::pair<std::string, bool>> &options) {
  if (ranks.size() != stages)
    throw SharedError(concat("--pipeline-stages: ", stages,
                             " stages are computed by as many "
                             "ranks, got ",
                             ranks.size(), "; mpirun -np ", stages,
                             " starts them"));
  for (const auto &[name, isGiven] : options)
    if (isGiven)
      throw SharedError(concat(name, " is not for pipelines; leave it out, or "
                                     "--pipeline-stages"));
}

void cutModel(const RankedRun &ranks, const ModelSource &source, bool logits,
              int64_t stages, CompileOptions &options) {
  if (!source.config)
    throw SharedError(source.name + " does not say where it can be cut; leave "
                                    "--pipeline-stages out");
  std::string starts;
  if (ranks.isFirst())
    starts =
        ordered_json(unwrap(choosePipelineStarts(
                         *source.config,
                         {trainingOptions(source, options, /*inParts=*/true),
                          evaluationOptions(source, options, logits)},
                         stages)))
            .dump();
  std::string target = resolveTarget(options.stages.target);
  for (std::string *text : {&starts, &target})
    check(ranks.communicator()->broadcast(0, *text));
  options.parts = true;
  options.pipelineStarts =
      ordered_json::parse(starts).get<std::vector<int64_t>>();
  options.stages.target = target;
  options.stages.pipelineStages = stages;
  options.stages.pipelineStage = ranks.rank();
}

runtime::MemoryNeed memoryOfStage(const runtime::TrainingPrograms &programs,
                                  const Program &evaluation,
                                  const RankedRun &ranks, int64_t parts) {
  const Program &stage = *programs.gradients;
  std::vector<bool> used = runtime::usedBindings(stage);
  double bound = 0, sums = 0, moments = 0;
  std::set<std::string> owned;
  for (size_t i = 0; i < used.size(); ++i) {
    const Binding &binding = stage.bindings[i];
    if (!used[i] || binding.updates >= 0)
      continue;
    auto bytes = static_cast<double>(binding.bytes());
    bound += bytes;
    if (binding.role != Role::GradientSum)
      continue;
    sums += bytes;
    owned.insert(stage.bindings[static_cast<size_t>(binding.parameter)].name);
  }
  const std::vector<Binding> &updated = programs.update->bindings;
  for (const Binding &binding : updated)
    if (binding.updates < 0 &&
        (binding.role == Role::FirstMoment ||
         binding.role == Role::SecondMoment) &&
        owned.count(updated[static_cast<size_t>(binding.parameter)].name))
      moments += static_cast<double>(binding.bytes());
  auto slots = static_cast<double>(
      runtime::Pipeline::slotsOf(ranks.rank(), ranks.size(), parts));
  runtime::MemoryNeed need;
  need.add("parameters, gradients and what stages pass on", bound);
  need.add("moments", moments);
  need.add("arenas", slots * static_cast<double>(stage.workspaceBytes));
  need.add("partial sums of gradients",
           std::floor(std::log2(static_cast<double>(parts))) * sums);
  need.add("arena of evaluations",
           static_cast<double>(evaluation.workspaceBytes));
  return need;
}

} // namespace attnres::run
