// A function from whole texts to logits, as a model that continues texts.
#include "runtime/generation/WholeModel.h"

#include "runtime/BFloat16.h"
#include "support/BindingNames.h"

#include <algorithm>

namespace attnres::runtime {

Result<std::unique_ptr<WholeModel>>
WholeModel::create(Device &device, std::shared_ptr<const Program> program,
                   const ParameterSource &parameters, int64_t texts) {
  Result<BoundProgram> bound = BoundProgram::create(device, std::move(program));
  if (!bound.ok())
    return bound.status();
  std::unique_ptr<WholeModel> model(
      new WholeModel(device, *std::move(bound), texts));
  if (Status status = model->findTokens(); !status.ok())
    return status;
  if (texts < 1 || texts > model->rows)
    return invalidArgument("the model reads ", model->rows,
                           " texts side by side, got ", texts);
  if (Status status = model->uploadParameters(parameters); !status.ok())
    return status;
  return model;
}

Status WholeModel::findTokens() {
  const std::vector<Binding> &bindings = program.program().bindings;
  bool hasTokens = false, hasLogits = false;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding &binding = bindings[i];
    if (binding.direction == Direction::Input &&
        binding.name == names::tokens) {
      if ((binding.dtype != DType::I64 && binding.dtype != DType::I32) ||
          binding.shape.size() != 2)
        return invalidArgument("expected tokens of I64 or I32 and the shape "
                               "[texts, tokens], got ",
                               dtypeName(binding.dtype), " ",
                               describeShape(binding.shape));
      tokensBinding = i;
      rows = binding.shape[0];
      length = binding.shape[1];
      hasTokens = true;
    }
    if (binding.direction == Direction::Output &&
        binding.name == names::logits) {
      logitsBinding = i;
      hasLogits = true;
    }
  }
  if (!hasTokens || !hasLogits)
    return invalidArgument("to continue texts, a model takes 'tokens' and "
                           "returns 'logits'; this one has no ",
                           hasTokens ? "'logits'" : "'tokens'");
  const Binding &logits = bindings[logitsBinding];
  if ((logits.dtype != DType::F32 && logits.dtype != DType::BF16) ||
      logits.shape.size() != 3 || logits.shape[0] != rows ||
      logits.shape[1] != length)
    return invalidArgument("expected logits of F32 or BF16 and the shape [",
                           rows, ", ", length, ", vocabulary], got ",
                           dtypeName(logits.dtype), " ",
                           describeShape(logits.shape));
  vocabulary = logits.shape[2];
  held.assign(static_cast<size_t>(rows * length), 0);
  return {};
}

Status WholeModel::uploadParameters(const ParameterSource &parameters) {
  const std::vector<Binding> &bindings = program.program().bindings;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding &binding = bindings[i];
    if (binding.direction != Direction::Input ||
        binding.role != Role::Parameter)
      continue;
    const TensorView *given = parameters(binding.name);
    if (!given)
      return invalidArgument("no tensor for the parameter '", binding.name,
                             "'");
    if (given->dtype != binding.dtype || given->shape != binding.shape)
      return invalidArgument(
          "parameter '", binding.name, "': expected ", dtypeName(binding.dtype),
          " ", describeShape(binding.shape), ", got ", dtypeName(given->dtype),
          " ", describeShape(given->shape));
    if (Status status = device.upload(program.tensor(i).memory, given->data);
        !status.ok())
      return status;
  }
  return {};
}

Status WholeModel::run(const std::vector<int64_t> &at, float *logits) {
  DeviceMemory memory = program.tensor(tokensBinding).memory;
  if (program.program().bindings[tokensBinding].dtype == DType::I64) {
    if (Status status = device.upload(memory, held.data()); !status.ok())
      return status;
  } else {
    std::vector<int32_t> narrow(held.begin(), held.end());
    if (Status status = device.upload(memory, narrow.data()); !status.ok())
      return status;
  }
  if (Status status = program.executable().run(); !status.ok())
    return status;
  Result<HostMapping> mapping = program.map(logitsBinding, Access::Read);
  if (!mapping.ok())
    return mapping.status();
  bool isWide = program.program().bindings[logitsBinding].dtype == DType::F32;
  for (int64_t b = 0; b < texts; ++b) {
    if (at[static_cast<size_t>(b)] < 0)
      continue;
    int64_t from = (b * length + at[static_cast<size_t>(b)]) * vocabulary;
    float *to = logits + b * vocabulary;
    if (isWide) {
      std::copy_n(mapping->as<const float>() + from, vocabulary, to);
    } else {
      const auto *narrow = mapping->as<const uint16_t>() + from;
      std::transform(narrow, narrow + vocabulary, to, fromBF16);
    }
  }
  return {};
}

Status WholeModel::read(const std::vector<std::vector<int64_t>> &prompts,
                        float *logits) {
  std::fill(held.begin(), held.end(), 0);
  std::vector<int64_t> at;
  for (size_t b = 0; b < prompts.size(); ++b) {
    auto count = static_cast<int64_t>(prompts[b].size());
    if (count < 1 || count > length)
      return invalidArgument("expected prompts of 1 to ", length,
                             " tokens, got ", count);
    std::copy(prompts[b].begin(), prompts[b].end(),
              held.begin() + static_cast<int64_t>(b) * length);
    at.push_back(count - 1);
  }
  return run(at, logits);
}

Status WholeModel::readNext(const int64_t *tokens, const int64_t *positions,
                            float *logits) {
  std::vector<int64_t> at;
  for (int64_t b = 0; b < texts; ++b) {
    bool goesOn = tokens[b] != noToken;
    at.push_back(goesOn ? positions[b] : -1);
    if (!goesOn)
      continue;
    if (positions[b] < 0 || positions[b] >= length)
      return invalidArgument("expected positions from 0 to ", length - 1,
                             ", got ", positions[b]);
    held[static_cast<size_t>(b * length + positions[b])] = tokens[b];
  }
  return run(at, logits);
}

} // namespace attnres::runtime
