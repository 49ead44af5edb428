// Runs compiled training steps.
#include "runtime/training/Trainer.h"

#include "runtime/data/Dataset.h"
#include "runtime/data/Documents.h"
#include "support/BindingNames.h"

#include <algorithm>
#include <cmath>

namespace attnres::runtime {
namespace {

int64_t countLive(const int64_t *targets, int64_t count) {
  return count - std::count(targets, targets + count, ignoredTarget);
}

int64_t numElements(const DeviceTensor &tensor) {
  return tensor.memory.bytes / dtypeBytes(tensor.dtype);
}

} // namespace

Result<std::unique_ptr<Trainer>> Trainer::create(Device &device,
                                                 TrainingPrograms programs) {
  std::unique_ptr<Trainer> trainer(new Trainer(device));
  for (auto [program, executable] :
       {std::make_pair(programs.gradients, &trainer->gradients),
        std::make_pair(programs.update, &trainer->update)}) {
    if (!program)
      continue;
    Result<std::unique_ptr<Executable>> created = device.load(program);
    if (!created.ok())
      return created.status();
    *executable = *std::move(created);
    if (Status status = trainer->bind(**executable); !status.ok())
      return status;
    trainer->launchesBeforeUpdate = program->firstLaunch(Phase::Update);
  }
  if (Status status = trainer->findTensors(); !status.ok())
    return status;
  if (Status status = trainer->checkTensors(); !status.ok())
    return status;
  trainer->programs = std::move(programs);
  if (trainer->isStage())
    trainer->findOthers();
  return trainer;
}

Status Trainer::bind(Executable &executable) {
  const std::vector<Binding> &bindings = executable.program().bindings;
  for (size_t i = 0; i < bindings.size(); ++i) {
    if (bindings[i].updates >= 0)
      continue;
    auto found = buffers.find(bindings[i].name);
    if (found == buffers.end()) {
      Result<DeviceBuffer> buffer = device_.allocate(bindings[i].bytes());
      if (!buffer.ok())
        return buffer.status();
      found = buffers.emplace(bindings[i].name, *std::move(buffer)).first;
      memories_[bindings[i].name] = found->second.memory();
    }
    if (Status status =
            executable.bind(static_cast<int64_t>(i), found->second.memory());
        !status.ok())
      return status;
  }
  return {};
}

Status Trainer::findTensors() {
  // Those that are not learned are no inputs of an update.
  for (const Binding &binding : gradients->program().bindings)
    if (binding.role == Role::Parameter && binding.updates < 0)
      parameters_.push_back({binding.name, binding.dtype, binding.shape,
                             buffers.at(binding.name).memory()});
  squares.resize(parameters_.size());
  const Program &last = update ? update->program() : gradients->program();
  for (const Binding &binding : last.bindings) {
    if (binding.updates >= 0)
      continue;
    DeviceTensor tensor = {binding.name, binding.dtype, binding.shape,
                           buffers.at(binding.name).memory()};
    switch (binding.role) {
    case Role::FirstMoment:
    case Role::SecondMoment:
      moments_.push_back(std::move(tensor));
      break;
    case Role::GradientSum:
      sums.push_back(std::move(tensor));
      break;
    case Role::GradientSquares: {
      const std::string &name =
          last.bindings[static_cast<size_t>(binding.parameter)].name;
      auto parameter = std::find_if(
          parameters_.begin(), parameters_.end(),
          [&](const DeviceTensor &other) { return other.name == name; });
      if (parameter == parameters_.end())
        return invalidArgument("the training program updates ", inQuotes(name),
                               ", which it does not read");
      squares[static_cast<size_t>(parameter - parameters_.begin())] =
          std::move(tensor);
      break;
    }
    case Role::GradientNorm:
      norm = tensor.memory;
      break;
    default:
      break;
    }
  }
  auto found = buffers.find(names::loss);
  if (found != buffers.end())
    loss = found->second.memory();
  int64_t index =
      gradients->program().findBinding(names::tokens, Direction::Input);
  const Binding *tokens = nullptr;
  if (index >= 0)
    tokens = &gradients->program().bindings[static_cast<size_t>(index)];
  if (!tokens || tokens->dtype != DType::I64 || tokens->shape.size() != 2)
    return invalidArgument("the training program's tokens are not i64 [B, T]");
  batch = tokens->shape[0];
  tokensPerRow = tokens->shape[1];
  return {};
}

Status Trainer::checkTensors() const {
  std::vector<const char *> needed = {names::targets, names::step,
                                      names::learningRate};
  if (update)
    needed.push_back(names::lossWeight);
  for (const char *name : needed)
    if (!buffers.count(name))
      return invalidArgument("the training program has no tensor ",
                             inQuotes(name));
  // The last stage computes the loss.
  if (loss.bytes != int64_t{sizeof(float)} && !isStage())
    return invalidArgument("the training program returns no loss");
  if (norm.bytes != int64_t{sizeof(float)})
    return invalidArgument(
        "the training program returns no norm of the gradients");
  if (std::none_of(squares.begin(), squares.end(),
                   [](const auto &tensor) { return tensor.has_value(); }))
    return invalidArgument("the training program updates no parameters");
  if (buffers.at(names::targets).bytes() != buffers.at(names::tokens).bytes())
    return invalidArgument("the training program's targets are not i64 [B, T]");
  return {};
}

const DeviceMemory *Trainer::find(const std::string &name, size_t slot) const {
  const Pipeline::Memories &memories =
      slot == 0 ? memories_ : moreSlots[slot - 1].memories;
  auto found = memories.find(name);
  return found == memories.end() ? nullptr : &found->second;
}

Status Trainer::setScalar(const std::string &name, double value, size_t slot) {
  auto element = static_cast<float>(value);
  return device_.upload(*find(name, slot), &element);
}

Result<double> Trainer::scalar(DeviceMemory memory) const {
  float value;
  if (Status status = device_.download(&value, memory); !status.ok())
    return status;
  return static_cast<double>(value);
}

Status Trainer::uploadBatch(int64_t number, const int64_t *tokens,
                            const int64_t *targets, size_t slot) {
  if (const DeviceMemory *memory = find(names::documents, slot)) {
    if (!documentToken)
      return invalidArgument("no token is known to begin a text");
    std::vector<int64_t> documents(static_cast<size_t>(batch * tokensPerRow));
    findDocuments(tokens, batch, tokensPerRow, *documentToken,
                  documents.data());
    if (Status status = device_.upload(*memory, documents.data()); !status.ok())
      return status;
  }
  if (const DeviceMemory *memory = find(names::random, slot)) {
    int64_t random[] = {static_cast<int64_t>(seed), number};
    if (Status status = device_.upload(*memory, random); !status.ok())
      return status;
  }
  if (Status status = device_.upload(*find(names::tokens, slot), tokens);
      !status.ok())
    return status;
  return device_.upload(*find(names::targets, slot), targets);
}

Result<StepResult> Trainer::step(int64_t step, double learningRate,
                                 int64_t parts, const int64_t *tokens,
                                 const int64_t *targets) {
  if (Status status = setScalar(names::step, static_cast<double>(step));
      !status.ok())
    return status;
  if (Status status = setScalar(names::learningRate, learningRate);
      !status.ok())
    return status;
  if (ranks_)
    return stepShared(step, tokens, targets);
  if (update)
    return stepParts(step, parts, tokens, targets);
  if (parts != 1)
    return invalidArgument("a step of ", parts,
                           " parts needs an update program");
  return stepWhole(step, tokens, targets);
}

Result<StepResult> Trainer::stepWhole(int64_t step, const int64_t *tokens,
                                      const int64_t *targets) {
  if (Status status = uploadBatch(step - 1, tokens, targets); !status.ok())
    return status;
  if (Status status = run(*gradients, 0, launchesBeforeUpdate); !status.ok())
    return status;
  Result<double> mean = scalar(loss);
  if (!mean.ok())
    return mean.status();
  StepResult result;
  result.loss = *mean;
  return finish(*gradients, result);
}

Result<StepResult> Trainer::stepParts(int64_t step, int64_t parts,
                                      const int64_t *tokens,
                                      const int64_t *targets) {
  int64_t perPart = batch * tokensPerRow;
  auto live = static_cast<double>(countLive(targets, parts * perPart));
  for (const DeviceTensor &sum : sums)
    if (Status status = device_.fill(sum.memory, 0); !status.ok())
      return status;
  StepResult result;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t *partTargets = targets + part * perPart;
    double weight = static_cast<double>(countLive(partTargets, perPart)) /
                    std::max(live, 1.0);
    if (Status status = uploadBatch((step - 1) * parts + part,
                                    tokens + part * perPart, partTargets);
        !status.ok())
      return status;
    if (Status status = setScalar(names::lossWeight, weight); !status.ok())
      return status;
    if (Status status = run(*gradients, 0, -1); !status.ok())
      return status;
    Result<double> mean = scalar(loss);
    if (!mean.ok())
      return mean.status();
    result.loss += weight * *mean;
  }
  if (Status status = run(*update, 0, launchesBeforeUpdate); !status.ok())
    return status;
  return finish(*update, result);
}

Result<StepResult> Trainer::finish(Executable &last, StepResult result) {
  Result<double> gradientNorm = scalar(norm);
  if (!gradientNorm.ok())
    return gradientNorm.status();
  result.gradientNorm = *gradientNorm;
  Result<std::string> failure = describeFailure(result.loss);
  if (!failure.ok())
    return failure.status();
  result.failure = *std::move(failure);
  if (!result.failure.empty())
    return result;
  if (Status status = runUpdate(last); !status.ok())
    return status;
  return result;
}

Status Trainer::runUpdate(Executable &last) {
  if (!ranks_)
    return run(last, launchesBeforeUpdate, -1);
  auto end = static_cast<int64_t>(last.program().launches.size());
  if (Status status = runOwned(launchesBeforeUpdate, end); !status.ok())
    return status;
  if (pipeline)
    return reduction->gatherTo(sharedParameters, otherReaders);
  groupsAwaited = 0;
  reduction->postGather(sharedParameters, gatherGroups);
  return {};
}

Status Trainer::run(Executable &executable, int64_t begin, int64_t end) {
  Executable::RunOptions options;
  options.begin = begin;
  options.end = end;
  if (!profile)
    return executable.run(options);
  Profile::Run record;
  record.program =
      &executable == update.get() ? programs.update : programs.gradients;
  options.launchTimes = &record.launches;
  Status status = executable.run(options);
  profile->add(std::move(record));
  return status;
}

Result<std::vector<double>> Trainer::gradientNorms() const {
  std::vector<double> norms;
  for (const std::optional<DeviceTensor> &tensor : squares) {
    if (!tensor) {
      norms.push_back(0);
      continue;
    }
    Result<HostMapping> parts = device_.map(tensor->memory, Access::Read);
    if (!parts.ok())
      return parts.status();
    double sum = 0;
    for (int64_t i = 0; i < numElements(*tensor); ++i)
      sum += static_cast<double>(parts->as<const float>()[i]);
    norms.push_back(std::sqrt(sum));
  }
  return norms;
}

Result<bool> Trainer::isFinite(const DeviceTensor &tensor) const {
  Result<HostMapping> mapping = device_.map(tensor.memory, Access::Read);
  if (!mapping.ok())
    return mapping.status();
  const auto *data = mapping->as<const float>();
  return std::all_of(data, data + numElements(tensor),
                     [](float x) { return std::isfinite(x); });
}

Result<std::string> Trainer::describeFailure(double loss) const {
  Result<std::vector<double>> norms = gradientNorms();
  if (!norms.ok())
    return norms.status();
  auto bad = std::find_if_not(norms->begin(), norms->end(),
                              [](double x) { return std::isfinite(x); });
  if (std::isfinite(loss) && bad == norms->end())
    return std::string();
  std::string text;
  if (!std::isfinite(loss)) // never "-nan": the sign means nothing
    text = std::isnan(loss) ? "the loss is nan" : concat("the loss is ", loss);
  auto add = [&](const std::string &what) {
    text += (text.empty() ? "" : ", ") + what;
  };
  for (const DeviceTensor &parameter : parameters_) {
    Result<bool> good = isFinite(parameter);
    if (!good.ok())
      return good.status();
    if (*good)
      continue;
    add(concat("the first bad tensor is parameter ", inQuotes(parameter.name)));
    return text;
  }
  if (bad != norms->end())
    add(concat(
        "all parameters are finite, the first bad gradient is that of ",
        inQuotes(parameters_[static_cast<size_t>(bad - norms->begin())].name)));
  return text;
}

} // namespace attnres::runtime
