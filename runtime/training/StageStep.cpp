// The steps of a trainer that is one stage of a pipeline.
#include "runtime/training/Trainer.h"

#include "support/BindingNames.h"
#include "support/PipelineNames.h"

#include <algorithm>

namespace attnres::runtime {

Status Trainer::shareStages(Communicator &ranks, int64_t parts) {
  Result<std::vector<ReducedGradient>> reduced = findGradients();
  if (!reduced.ok())
    return reduced.status();
  leaves = parts;
  ranks_ = &ranks;
  if (Status status = findStages(); !status.ok())
    return status;
  reduction =
      std::make_unique<GradientReduction>(ranks, *reduced, parts, homes);
  if (Status status = findShares(update->program()); !status.ok())
    return status;
  if (Status status =
          addSlots(Pipeline::slotsOf(ranks.rank(), ranks.size(), parts) - 1);
      !status.ok())
    return status;
  std::vector<Pipeline::Memories> slots = {memories_};
  for (const Slot &slot : moreSlots)
    slots.push_back(slot.memories);
  Result<std::unique_ptr<Pipeline>> connected =
      Pipeline::connect(ranks, device_, gradients->program(), slots);
  if (!connected.ok())
    return connected.status();
  pipeline = *std::move(connected);
  return {};
}

/// Which stages compute and read what.
Status Trainer::findStages() {
  const Program &program = gradients->program(), &last = update->program();
  std::vector<bool> used = usedBindings(program);
  enum : char { Computes = 1, Reads = 2 };
  std::string own(sums.size(), 0);
  for (size_t g = 0; g < sums.size(); ++g) {
    int64_t sum = program.findBinding(sums[g].name, Direction::Input);
    own[g] = std::any_of(program.bindings.begin(), program.bindings.end(),
                         [&](const Binding &binding) {
                           return sum >= 0 && binding.updates == sum;
                         })
                 ? Computes
                 : 0;
    int64_t parameter = last.bindings[static_cast<size_t>(last.findBinding(
                                          sums[g].name, Direction::Input))]
                            .parameter;
    int64_t binding = program.findBinding(
        last.bindings[static_cast<size_t>(parameter)].name, Direction::Input);
    if (binding >= 0 && used[static_cast<size_t>(binding)])
      own[g] = static_cast<char>(own[g] | Reads);
  }
  Result<std::vector<std::string>> all = ranks_->allGather(own);
  if (!all.ok())
    return all.status();
  for (size_t g = 0; g < sums.size(); ++g) {
    std::vector<bool> reading;
    std::vector<int> computing;
    for (size_t r = 0; r < all->size(); ++r) {
      char flags = (*all)[r][g];
      reading.push_back(flags & Reads);
      if (flags & Computes)
        computing.push_back(static_cast<int>(r));
    }
    if (computing.size() != 1)
      return invalidArgument("expected one stage to compute ",
                             inQuotes(sums[g].name), ", got ",
                             computing.size());
    homes.push_back(computing.front());
    readers.push_back(reading);
    // Who updates it need not read it, but keeps it.
    readers.back()[static_cast<size_t>(homes.back())] = true;
    otherReaders.push_back(reading);
    otherReaders.back()[static_cast<size_t>(homes.back())] = false;
  }
  return {};
}

Status Trainer::addSlots(int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Slot slot;
    Result<std::unique_ptr<Executable>> loaded =
        device_.load(programs.gradients);
    if (!loaded.ok())
      return loaded.status();
    slot.executable = *std::move(loaded);
    auto allocate = [&](int64_t bytes) -> Result<DeviceMemory> {
      Result<DeviceBuffer> buffer = device_.allocate(bytes);
      if (!buffer.ok())
        return buffer.status();
      slot.buffers.push_back(*std::move(buffer));
      return slot.buffers.back().memory();
    };
    const Program &program = gradients->program();
    for (size_t b = 0; b < program.bindings.size(); ++b) {
      const Binding &binding = program.bindings[b];
      if (binding.updates >= 0)
        continue;
      DeviceMemory memory = memories_.at(binding.name);
      if (binding.role == Role::Data) {
        Result<DeviceMemory> own = allocate(binding.bytes());
        if (!own.ok())
          return own.status();
        memory = *own;
      }
      slot.memories[binding.name] = memory;
      if (Status status =
              slot.executable->bind(static_cast<int64_t>(b), memory);
          !status.ok())
        return status;
    }
    if (program.workspaceBytes > 0) {
      Result<DeviceMemory> workspace = allocate(program.workspaceBytes);
      if (!workspace.ok())
        return workspace.status();
      slot.executable->setWorkspace(*workspace);
    }
    moreSlots.push_back(std::move(slot));
  }
  return {};
}

Status Trainer::runStageOfParts(int64_t step, const int64_t *tokens,
                                const int64_t *targets,
                                const std::vector<double> &live,
                                std::vector<double> &losses) {
  int64_t perPart = batch * tokensPerRow;
  int64_t middle = gradients->program().firstLaunch(Phase::Backward);
  auto forward = [&](Executable &executable, int64_t leaf, size_t slot) {
    Status status =
        uploadBatch((step - 1) * leaves + leaf, tokens + leaf * perPart,
                    targets + leaf * perPart, slot);
    if (status.ok())
      status = setScalar(
          names::lossWeight,
          live[static_cast<size_t>(leaf)] / static_cast<double>(perPart), slot);
    return status.ok() ? run(executable, 0, middle) : status;
  };
  auto backward = [&](Executable &executable, int64_t leaf, size_t slot) {
    for (size_t g = 0; g < sums.size(); ++g)
      if (reduction->owns(g))
        if (Status status = device_.fill(sums[g].memory, 0); !status.ok())
          return status;
    if (Status status = run(executable, middle, -1); !status.ok())
      return status;
    if (pipeline->isLast()) {
      Result<double> mean = scalar(*find(names::loss, slot));
      if (!mean.ok())
        return mean.status();
      losses[static_cast<size_t>(leaf)] = *mean;
    }
    if (leaf + 1 < leaves)
      reduction->addLeaf();
    else
      reduction->post(0);
    return Status();
  };
  return pipeline->run(
      leaves, [&](PipelineStep what, int64_t leaf, int64_t number) {
        auto slot = static_cast<size_t>(number);
        Executable &executable =
            slot == 0 ? *gradients : *moreSlots[slot - 1].executable;
        return what == PipelineStep::Forward ? forward(executable, leaf, slot)
                                             : backward(executable, leaf, slot);
      });
}

Status Trainer::gatherParameters() {
  return pipeline ? reduction->gatherToFirst(sharedParameters) : Status();
}

void Trainer::findOthers() {
  const Program &program = gradients->program();
  std::vector<bool> used = usedBindings(program);
  // The first stage keeps what is not learned, for checkpoints.
  bool isFirst =
      std::none_of(program.bindings.begin(), program.bindings.end(),
                   [](const Binding &binding) {
                     return binding.name.rfind(names::fromPrevious, 0) == 0;
                   });
  std::set<std::string> owned;
  for (const Binding &binding : program.bindings)
    if (binding.updates >= 0 && binding.role == Role::GradientSum)
      owned.insert(
          program.bindings[static_cast<size_t>(binding.parameter)].name);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    int64_t binding =
        program.findBinding(parameters_[i].name, Direction::Input);
    bool isKept = isFirst && !squares[i];
    // What no launch of the model reads is updated all the same.
    isKept |= owned.count(parameters_[i].name) > 0;
    if (!used[static_cast<size_t>(binding)] && !isKept)
      ofOthers.insert(parameters_[i].name);
  }
  const std::vector<Binding> &last = update->program().bindings;
  for (const Binding &binding : last)
    if ((binding.role == Role::FirstMoment ||
         binding.role == Role::SecondMoment) &&
        !owned.count(last[static_cast<size_t>(binding.parameter)].name))
      ofOthers.insert(binding.name);
}

} // namespace attnres::runtime
