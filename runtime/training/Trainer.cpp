// Runs compiled training steps.
#include "runtime/training/Trainer.h"

#include "runtime/data/Dataset.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attnres::runtime {
namespace {

int64_t countLive(const int64_t *targets, int64_t count) {
  return count - std::count(targets, targets + count, ignoredTarget);
}

int64_t numElements(const TensorView &tensor) {
  return tensor.bytes / dtypeBytes(tensor.dtype);
}

bool isFinite(const TensorView &tensor) {
  auto *data = static_cast<const float *>(tensor.data);
  return std::all_of(data, data + numElements(tensor),
                     [](float x) { return std::isfinite(x); });
}

} // namespace

Result<std::unique_ptr<Trainer>> Trainer::create(CpuDevice &device,
                                                 TrainingPrograms programs) {
  std::unique_ptr<Trainer> trainer(new Trainer());
  for (auto [program, executable] :
       {std::make_pair(programs.gradients, &trainer->gradients),
        std::make_pair(programs.update, &trainer->update)}) {
    if (!program)
      continue;
    Result<std::unique_ptr<Executable>> created =
        Executable::create(device, program);
    if (!created.ok())
      return created.status();
    *executable = *std::move(created);
    if (Status status = trainer->bind(**executable); !status.ok())
      return status;
    trainer->launchesBeforeUpdate = program->firstLaunch(Phase::Update);
  }
  if (Status status = trainer->findTensors(); !status.ok())
    return status;
  trainer->programs = std::move(programs);
  return trainer;
}

Status Trainer::bind(Executable &executable) {
  const std::vector<Binding> &bindings = executable.program().bindings;
  for (size_t i = 0; i < bindings.size(); ++i) {
    if (bindings[i].updates >= 0)
      continue;
    auto bytes = static_cast<size_t>(bindings[i].bytes());
    auto found = buffers.find(bindings[i].name);
    if (found == buffers.end()) {
      Result<AlignedBuffer> buffer = AlignedBuffer::allocate(bytes);
      if (!buffer.ok())
        return buffer.status();
      found = buffers.emplace(bindings[i].name, *std::move(buffer)).first;
    }
    if (Status status =
            executable.bind(static_cast<int64_t>(i), found->second.data(),
                            static_cast<int64_t>(found->second.bytes()));
        !status.ok())
      return status;
  }
  return {};
}

Status Trainer::findTensors() {
  const Program &last = update ? update->program() : gradients->program();
  auto view = [&](const Binding &binding) {
    return TensorView{binding.name, binding.dtype, binding.shape,
                      buffers.at(binding.name).data(), binding.bytes()};
  };
  for (const Binding &binding : last.bindings) {
    if (binding.updates >= 0)
      continue;
    switch (binding.role) {
    case Role::Parameter:
      parameters_.push_back(view(binding));
      break;
    case Role::FirstMoment:
    case Role::SecondMoment:
      moments_.push_back(view(binding));
      break;
    case Role::GradientSquares:
      squares.push_back(view(binding));
      break;
    case Role::GradientSum:
      sums.push_back(view(binding));
      break;
    default:
      break;
    }
  }
  std::vector<const char *> needed = {"tokens", "targets",  "step",
                                      "loss",   "grad_norm", "learning_rate"};
  if (update)
    needed.push_back("loss_weight");
  for (const char *name : needed)
    if (!buffers.count(name))
      return invalidArgument("the training program has no tensor ",
                             inQuotes(name));
  if (parameters_.empty() || squares.size() != parameters_.size() ||
      moments_.size() != 2 * parameters_.size())
    return invalidArgument("the training program updates no parameters");
  int64_t index =
      gradients->program().findBinding("tokens", Direction::Input);
  const Binding *tokens = nullptr;
  if (index >= 0)
    tokens = &gradients->program().bindings[static_cast<size_t>(index)];
  if (!tokens || tokens->dtype != DType::I64 || tokens->shape.size() != 2)
    return invalidArgument("the training program's tokens are not i64 [B, T]");
  batch = tokens->shape[0];
  tokensPerRow = tokens->shape[1];
  if (buffers.at("targets").bytes() != buffers.at("tokens").bytes())
    return invalidArgument(
        "the training program's targets are not i64 [B, T]");
  return {};
}

float *Trainer::find(const std::string &name) {
  auto found = buffers.find(name);
  return found == buffers.end()
             ? nullptr
             : reinterpret_cast<float *>(found->second.data());
}

float &Trainer::scalar(const std::string &name) { return *find(name); }

void Trainer::copyBatch(const int64_t *tokens, const int64_t *targets) {
  auto copy = [&](const char *name, const int64_t *from) {
    const AlignedBuffer &to = buffers.at(name);
    if (to.bytes() > 0)
      std::memcpy(to.data(), from, to.bytes());
  };
  copy("tokens", tokens);
  copy("targets", targets);
}

Result<StepResult> Trainer::step(int64_t step, double learningRate,
                                 int64_t parts, const int64_t *tokens,
                                 const int64_t *targets) {
  scalar("step") = static_cast<float>(step);
  scalar("learning_rate") = static_cast<float>(learningRate);
  if (update)
    return stepParts(parts, tokens, targets);
  if (parts != 1)
    return invalidArgument("a step of ", parts,
                           " parts needs an update program");
  return stepWhole(tokens, targets);
}

Result<StepResult> Trainer::stepWhole(const int64_t *tokens,
                                      const int64_t *targets) {
  copyBatch(tokens, targets);
  if (Status status = run(*gradients, 0, launchesBeforeUpdate); !status.ok())
    return status;
  StepResult result{scalar("loss"), scalar("grad_norm"), ""};
  result.failure = describeFailure(result.loss);
  if (!result.failure.empty())
    return result;
  if (Status status = run(*gradients, launchesBeforeUpdate, -1); !status.ok())
    return status;
  return result;
}

Result<StepResult> Trainer::stepParts(int64_t parts, const int64_t *tokens,
                                      const int64_t *targets) {
  int64_t perPart = batch * tokensPerRow;
  auto live = static_cast<double>(countLive(targets, parts * perPart));
  for (const TensorView &sum : sums)
    std::memset(find(sum.name), 0, static_cast<size_t>(sum.bytes));
  StepResult result;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t *partTargets = targets + part * perPart;
    double weight =
        static_cast<double>(countLive(partTargets, perPart)) / std::max(live, 1.0);
    copyBatch(tokens + part * perPart, partTargets);
    scalar("loss_weight") = static_cast<float>(weight);
    if (Status status = run(*gradients, 0, -1); !status.ok())
      return status;
    result.loss += weight * scalar("loss");
  }
  if (Status status = run(*update, 0, launchesBeforeUpdate); !status.ok())
    return status;
  result.gradientNorm = scalar("grad_norm");
  result.failure = describeFailure(result.loss);
  if (!result.failure.empty())
    return result;
  if (Status status = run(*update, launchesBeforeUpdate, -1); !status.ok())
    return status;
  return result;
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

std::vector<double> Trainer::gradientNorms() const {
  std::vector<double> norms;
  for (const TensorView &tensor : squares) {
    auto *parts = static_cast<const float *>(tensor.data);
    double sum = 0;
    for (int64_t i = 0; i < numElements(tensor); ++i)
      sum += parts[i];
    norms.push_back(std::sqrt(sum));
  }
  return norms;
}

std::string Trainer::describeFailure(double loss) const {
  std::vector<double> norms = gradientNorms();
  auto bad = std::find_if_not(norms.begin(), norms.end(),
                              [](double x) { return std::isfinite(x); });
  if (std::isfinite(loss) && bad == norms.end())
    return "";
  std::string text;
  if (!std::isfinite(loss)) // never "-nan": the sign means nothing
    text = std::isnan(loss) ? "the loss is nan" : concat("the loss is ", loss);
  auto add = [&](const std::string &what) {
    text += (text.empty() ? "" : ", ") + what;
  };
  for (const TensorView &parameter : parameters_)
    if (!isFinite(parameter)) {
      add(concat("the first bad tensor is parameter ",
                 inQuotes(parameter.name)));
      return text;
    }
  if (bad != norms.end())
    add(concat("all parameters are finite, the first bad gradient is that of ",
               inQuotes(parameters_[static_cast<size_t>(bad - norms.begin())]
                            .name)));
  return text;
}

} // namespace attnres::runtime
