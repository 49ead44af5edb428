// Memory of the two programs, and the calls that a prompt is cut into.
#include "runtime/generation/CachedModel.h"

#include "runtime/BFloat16.h"
#include "support/BindingNames.h"

#include <algorithm>
#include <cstring>

namespace attnres::runtime {
namespace {

/// Whether both programs use the tensor: it is no input of a call.
bool isShared(const Binding &binding) {
  return binding.direction == Direction::Input && binding.role != Role::Data;
}

/// Positions of a model without caches.
constexpr int64_t kUnlimited = int64_t{1} << 40;

int64_t divideCeil(int64_t x, int64_t y) { return (x + y - 1) / y; }

/// The binding, which has to have the rank and type.
Result<const Binding *> expectBinding(const Program &program,
                                      const std::string &name, Direction role,
                                      size_t rank) {
  int64_t index = program.findBinding(name, role);
  if (index < 0)
    return invalidArgument(
        "no ", role == Direction::Input ? "input " : "output ", inQuotes(name));
  const Binding &binding = program.bindings[static_cast<size_t>(index)];
  bool isFloat = binding.dtype == DType::F32 || binding.dtype == DType::BF16;
  bool hasType =
      role == Direction::Input ? binding.dtype == DType::I64 : isFloat;
  if (!hasType || binding.shape.size() != rank)
    return invalidArgument(inQuotes(name), " has an unexpected type");
  return &binding;
}

/// Whether the tensor can be the binding, in its own type or rounded to it.
Status checkParameter(const Binding &binding, const TensorView *tensor) {
  if (!tensor)
    return invalidData("parameter ", inQuotes(binding.name), " is missing");
  if (tensor->shape != binding.shape)
    return invalidData("parameter ", inQuotes(binding.name),
                       " has another shape than in the program");
  bool isRounded = tensor->dtype == DType::F32 && binding.dtype == DType::BF16;
  if (tensor->dtype != binding.dtype && !isRounded)
    return invalidData("parameter ", inQuotes(binding.name), ": expected ",
                       dtypeName(binding.dtype), ", got ",
                       dtypeName(tensor->dtype));
  return {};
}

/// The parameter in the device's own memory.
Status uploadParameter(Device &device, const Binding &binding,
                       const TensorView &tensor, DeviceMemory memory) {
  if (tensor.dtype == binding.dtype)
    return device.upload(memory, tensor.data);
  Result<HostMapping> mapping = device.map(memory, Access::Write);
  if (!mapping.ok())
    return mapping.status();
  const char *source = static_cast<const char *>(tensor.data);
  auto *target = mapping->as<uint16_t>();
  for (int64_t i = 0; i < binding.bytes() / 2; ++i) {
    float value; // not necessarily aligned in a file
    std::memcpy(&value, source + i * sizeof value, sizeof value);
    target[i] = toBF16(value);
  }
  return mapping->unmap();
}

} // namespace

int64_t chunkLength(int64_t longest, int64_t most) {
  if (longest <= most)
    return longest;
  int64_t even = divideCeil(longest, divideCeil(longest, most));
  return std::min(most, divideCeil(even, 64) * 64);
}

int64_t positionsFor(int64_t longest, int64_t chunk) {
  return divideCeil(longest, chunk) * chunk;
}

void CachedModel::Part::setText(int64_t b, const int64_t *text, int64_t count,
                                int64_t at) {
  auto row = tokens.values.begin() + b * tokensPerCall;
  std::fill(std::copy_n(text, count, row), row + tokensPerCall, 0);
  auto index = static_cast<size_t>(b);
  // What is no token stands at a position that there always is.
  start.values[index] = count > 0 ? at : 0;
  length.values[index] = count;
  if (tokensPerCall > 1)
    last.values[index] = std::max<int64_t>(count - 1, 0);
}

Result<std::unique_ptr<CachedModel>>
CachedModel::create(Device &device, std::shared_ptr<const Program> prefill,
                    std::shared_ptr<const Program> decode,
                    const ParameterSource &parameters, ParameterMemory memory) {
  std::unique_ptr<CachedModel> model(new CachedModel(device));
  if (Status status = model->prepare(model->decode, decode, "decode");
      !status.ok())
    return status;
  if (model->decode.tokensPerCall != 1)
    return invalidArgument("decode program: expected one token for each text, "
                           "got ",
                           model->decode.tokensPerCall);
  if (Status status = model->prepare(model->prefill, prefill, "prefill");
      !status.ok())
    return status;
  if (Status status = model->allocateShared(*decode, parameters, memory);
      !status.ok())
    return status;
  if (Status status = model->bindShared(model->decode, "decode"); !status.ok())
    return status;
  if (Status status = model->bindShared(model->prefill, "prefill");
      !status.ok())
    return status;
  return model;
}

Status CachedModel::prepare(Part &part, std::shared_ptr<const Program> program,
                            const std::string &name) {
  auto inProgram = [&](const Status &status) {
    return Status(status.code(), name + " program: " + status.message());
  };
  Result<const Binding *> tokens =
      expectBinding(*program, names::tokens, Direction::Input, 2);
  if (!tokens.ok())
    return inProgram(tokens.status());
  part.tokensPerCall = (*tokens)->shape[1];
  Result<const Binding *> logits =
      expectBinding(*program, names::logits, Direction::Output, 2);
  if (!logits.ok())
    return inProgram(logits.status());
  part.logitsType = (*logits)->dtype;
  if (&part == &decode) {
    texts = (*tokens)->shape[0];
    vocabulary = (*logits)->shape[1];
  }
  if ((*tokens)->shape[0] != texts || (*logits)->shape[0] != texts ||
      (*logits)->shape[1] != vocabulary)
    return inProgram(invalidArgument("expected ", texts,
                                     " texts and a vocabulary of ", vocabulary,
                                     " tokens"));
  Result<std::unique_ptr<Executable>> executable = device.load(program);
  if (!executable.ok())
    return executable.status();
  part.executable = *std::move(executable);

  struct Own {
    const char *name;
    Direction direction;
    size_t rank;
    Part::Input *input; ///< null for the logits
  };
  for (Own own : {Own{names::tokens, Direction::Input, 2, &part.tokens},
                  Own{names::start, Direction::Input, 1, &part.start},
                  Own{names::length, Direction::Input, 1, &part.length},
                  Own{names::last, Direction::Input, 1, &part.last},
                  Own{names::logits, Direction::Output, 2, nullptr}}) {
    if (own.input == &part.last && part.tokensPerCall == 1)
      continue;
    Result<const Binding *> binding =
        expectBinding(*program, own.name, own.direction, own.rank);
    if (!binding.ok())
      return inProgram(binding.status());
    Result<DeviceBuffer> buffer = device.allocate((*binding)->bytes());
    if (!buffer.ok())
      return buffer.status();
    if (Status status =
            part.executable->bind(own.name, own.direction, buffer->memory());
        !status.ok())
      return inProgram(status);
    if (own.input)
      own.input->values.resize(static_cast<size_t>(buffer->bytes()) /
                               sizeof(int64_t));
    (own.input ? own.input->memory : part.logits) = *std::move(buffer);
  }
  return {};
}

Status CachedModel::allocateShared(const Program &program,
                                   const ParameterSource &parameters,
                                   ParameterMemory kind) {
  for (const Binding &binding : program.bindings) {
    if (!isShared(binding))
      continue;
    const TensorView *parameter = nullptr;
    if (binding.role == Role::Parameter) {
      parameter = parameters(binding.name);
      if (Status status = checkParameter(binding, parameter); !status.ok())
        return status;
      bytesOfParameters += binding.bytes();
      bool fits = kind == ParameterMemory::Borrowed &&
                  parameter->dtype == binding.dtype;
      auto borrowed = fits ? device.borrow(const_cast<void *>(parameter->data),
                                           binding.bytes())
                           : std::nullopt;
      if (borrowed) {
        shared.push_back({binding, DeviceBuffer(), *borrowed});
        continue;
      }
    }
    Result<DeviceBuffer> buffer = device.allocate(binding.bytes());
    if (!buffer.ok())
      return buffer.status();
    DeviceMemory memory = buffer->memory();
    if (parameter) {
      if (Status status = uploadParameter(device, binding, *parameter, memory);
          !status.ok())
        return status;
    } else {
      if (Status status = expectState(binding, positions); !status.ok())
        return status;
      if (binding.role == Role::Cache)
        positions = binding.shape[1];
      else
        hasRecurrentState = true;
    }
    shared.push_back({binding, *std::move(buffer), memory});
  }
  if (positions == 0)
    positions = kUnlimited;
  if (positions < prefill.tokensPerCall)
    return invalidArgument("the caches have ", positions,
                           " positions, a call of the prefill program needs ",
                           prefill.tokensPerCall);
  lengths.assign(static_cast<size_t>(texts), 0);
  return {};
}

Status CachedModel::expectState(const Binding &binding, int64_t most) const {
  bool isCache = binding.role == Role::Cache;
  if (binding.shape.size() < (isCache ? 2u : 1u) || binding.shape[0] != texts ||
      (isCache && most != 0 && binding.shape[1] != most))
    return invalidArgument("decode program: ", isCache ? "cache " : "state ",
                           inQuotes(binding.name), " has an unexpected shape");
  return {};
}

Status CachedModel::enlarge(std::shared_ptr<const Program> program) {
  decode = Part();
  prefill = Part();
  if (Status status = prepare(decode, program, "decode"); !status.ok())
    return status;
  if (decode.tokensPerCall != 1)
    return invalidArgument("decode program: expected one token for each text, "
                           "got ",
                           decode.tokensPerCall);
  if (Status status = prepare(prefill, program, "prefill"); !status.ok())
    return status;
  if (Status status = enlargeState(*program); !status.ok())
    return status;
  if (Status status = bindShared(decode, "decode"); !status.ok())
    return status;
  return bindShared(prefill, "prefill");
}

/// Copies the caches into those of `program`, one at a time; recurrent states
/// stay what they are.
Status CachedModel::enlargeState(const Program &program) {
  int64_t capacity = 0;
  for (const Binding &larger : program.bindings) {
    if (!isShared(larger) || larger.role == Role::Parameter)
      continue;
    if (Status status = expectState(larger, capacity); !status.ok())
      return status;
    if (larger.role != Role::Cache)
      continue;
    capacity = larger.shape[1];
    auto cache =
        std::find_if(shared.begin(), shared.end(), [&](const Shared &tensor) {
          return tensor.binding.name == larger.name;
        });
    if (cache == shared.end() || cache->binding.role != larger.role ||
        capacity < positions)
      return invalidArgument("decode program: cache ", inQuotes(larger.name),
                             " has an unexpected shape");
    Result<DeviceBuffer> buffer = device.allocate(larger.bytes());
    if (!buffer.ok())
      return buffer.status();
    DeviceMemory memory = buffer->memory();
    int64_t before = cache->binding.bytes() / texts;
    int64_t after = larger.bytes() / texts;
    for (int64_t b = 0; b < texts; ++b)
      if (Status status = device.copy(memory.part(b * after, before),
                                      cache->memory.part(b * before, before));
          !status.ok())
        return status;
    *cache = {larger, *std::move(buffer), memory};
  }
  if (capacity != 0)
    positions = capacity;
  return {};
}

Status CachedModel::bindShared(Part &part, const std::string &name) {
  size_t bound = 0;
  for (Shared &tensor : shared) {
    const Program &program = part.executable->program();
    int64_t index = program.findBinding(tensor.binding.name, Direction::Input);
    if (index < 0)
      return invalidArgument(name, " program: no input ",
                             inQuotes(tensor.binding.name));
    const Binding &binding = program.bindings[static_cast<size_t>(index)];
    if (binding.dtype != tensor.binding.dtype ||
        binding.shape != tensor.binding.shape)
      return invalidArgument(name, " program: input ", inQuotes(binding.name),
                             " differs from that of the decode program");
    if (Status status = part.executable->bind(index, tensor.memory);
        !status.ok())
      return status;
    ++bound;
  }
  for (const Binding &binding : part.executable->program().bindings)
    bound -= isShared(binding);
  if (bound != 0)
    return invalidArgument(name, " program: has inputs that the decode program "
                                 "lacks");
  return {};
}

Status CachedModel::run(Part &part) {
  for (Part::Input *input :
       {&part.tokens, &part.start, &part.length, &part.last})
    if (Status status =
            device.upload(input->memory.memory(), input->values.data());
        !status.ok())
      return status;
  Executable::RunOptions options;
  options.poison = poison;
  return part.executable->run(options);
}

Status CachedModel::copyLogits(const Part &part,
                               const std::vector<bool> &isWanted,
                               float *logits) const {
  Result<HostMapping> mapping = device.map(part.logits.memory(), Access::Read);
  if (!mapping.ok())
    return mapping.status();
  for (size_t row = 0; row < isWanted.size(); ++row) {
    if (!isWanted[row])
      continue;
    int64_t begin = static_cast<int64_t>(row) * vocabulary;
    if (part.logitsType == DType::F32) {
      std::copy_n(mapping->as<const float>() + begin, vocabulary,
                  logits + begin);
      continue;
    }
    const auto *source = mapping->as<const uint16_t>() + begin;
    std::transform(source, source + vocabulary, logits + begin, fromBF16);
  }
  return {};
}

Status CachedModel::read(const std::vector<std::vector<int64_t>> &prompts,
                         float *logits) {
  int64_t longest = 0;
  for (const std::vector<int64_t> &prompt : prompts) {
    auto length = static_cast<int64_t>(prompt.size());
    if (length < 1 || length > positions)
      return invalidArgument("expected prompts of 1 to ", positions,
                             " tokens, got ", length);
    longest = std::max(longest, length);
  }
  if (static_cast<int64_t>(prompts.size()) != texts)
    return invalidArgument("expected ", texts, " prompts, got ",
                           prompts.size());
  for (const Shared &tensor : shared)
    if (tensor.binding.role == Role::State)
      if (Status status = device.fill(tensor.memory, 0); !status.ok())
        return status;
  for (int64_t begin = 0; begin < longest;) {
    // Padding needs positions too.
    Part &part = begin + prefill.tokensPerCall <= positions ? prefill : decode;
    if (Status status = readChunk(part, prompts, begin, logits); !status.ok())
      return status;
    begin += part.tokensPerCall;
  }
  for (size_t b = 0; b < prompts.size(); ++b)
    lengths[b] = static_cast<int64_t>(prompts[b].size());
  return {};
}

Status CachedModel::readChunk(Part &part,
                              const std::vector<std::vector<int64_t>> &prompts,
                              int64_t begin, float *logits) {
  int64_t end = begin + part.tokensPerCall;
  std::vector<bool> endsHere;
  for (int64_t b = 0; b < texts; ++b) {
    const std::vector<int64_t> &prompt = prompts[static_cast<size_t>(b)];
    auto length = static_cast<int64_t>(prompt.size());
    int64_t count = std::max<int64_t>(std::min(length, end) - begin, 0);
    part.setText(b, prompt.data() + (count > 0 ? begin : 0), count, begin);
    endsHere.push_back(length > begin && length <= end);
  }
  if (Status status = run(part); !status.ok())
    return status;
  return copyLogits(part, endsHere, logits);
}

Status CachedModel::readNext(const int64_t *tokens, const int64_t *at,
                             float *logits) {
  std::vector<bool> goesOn;
  for (int64_t b = 0; b < texts; ++b) {
    goesOn.push_back(tokens[b] != noToken);
    if (!goesOn.back()) {
      decode.setText(b, tokens, 0, 0);
      continue;
    }
    int64_t length = lengths[static_cast<size_t>(b)];
    if (at[b] < 0 || at[b] >= positions || at[b] > length)
      return invalidArgument("expected positions from 0 to ",
                             std::min(length, positions - 1), ", got ", at[b]);
    if (hasRecurrentState && at[b] != length)
      return invalidArgument("expected position ", length, ", got ", at[b],
                             ": what was read cannot be taken back");
    decode.setText(b, tokens + b, 1, at[b]);
  }
  if (Status status = run(decode); !status.ok())
    return status;
  for (int64_t b = 0; b < texts; ++b)
    if (goesOn[static_cast<size_t>(b)])
      lengths[static_cast<size_t>(b)] = at[b] + 1;
  return copyLogits(decode, goesOn, logits);
}

Status CachedModel::copyText(int64_t place, const CachedModel &from) {
  int64_t length = from.length(0);
  if (place < 0 || place >= texts || length > positions)
    return invalidArgument("no room for a text of ", length, " tokens at ",
                           place);
  for (const Shared &to : shared) {
    if (to.binding.role == Role::Parameter)
      continue;
    auto found = std::find_if(from.shared.begin(), from.shared.end(),
                              [&](const Shared &tensor) {
                                return tensor.binding.name == to.binding.name &&
                                       tensor.binding.role == to.binding.role &&
                                       tensor.binding.dtype == to.binding.dtype;
                              });
    if (found == from.shared.end())
      return invalidArgument("the other model has no ",
                             inQuotes(to.binding.name));
    int64_t here = to.binding.bytes() / texts;
    int64_t bytes = found->binding.bytes() / from.texts;
    if (to.binding.role == Role::Cache) {
      bytes = bytes / found->binding.shape[1] * length;
      if (here / to.binding.shape[1] * length != bytes)
        return invalidArgument("cache ", inQuotes(to.binding.name),
                               " has another shape in the other model");
    } else if (bytes != here) {
      return invalidArgument("state ", inQuotes(to.binding.name),
                             " has another shape in the other model");
    }
    if (Status status = device.copy(to.memory.part(place * here, bytes),
                                    found->memory.part(0, bytes));
        !status.ok())
      return status;
  }
  lengths[static_cast<size_t>(place)] = length;
  return {};
}

std::vector<TensorView> CachedModel::parameters() const {
  std::vector<TensorView> views;
  for (const Shared &tensor : shared)
    if (tensor.binding.role == Role::Parameter)
      views.push_back({tensor.binding.name, tensor.binding.dtype,
                       tensor.binding.shape,
                       reinterpret_cast<const void *>(tensor.memory.address),
                       tensor.memory.bytes});
  return views;
}

} // namespace attnres::runtime
