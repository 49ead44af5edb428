// Memory of the two programs, and the calls that a prompt is cut into.
#include "runtime/generation/CachedModel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attnres::runtime {
namespace {

/// Nearest bf16, ties to even; NaN stays NaN.
uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value))
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float fromBF16(uint16_t value) {
  uint32_t bits = uint32_t{value} << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

bool isCallInput(const std::string &name) {
  return name == "tokens" || name == "start" || name == "last";
}

/// The input that the binding is or updates, when it is a cache.
bool isCache(const Program &program, size_t input) {
  return std::any_of(program.bindings.begin(), program.bindings.end(),
                     [&](const Binding &binding) {
                       return binding.updates == static_cast<int64_t>(input);
                     });
}

/// The binding, which has to have the rank and type.
Result<const Binding *> expectBinding(const Program &program,
                                      const std::string &name, Direction role,
                                      size_t rank) {
  int64_t index = program.findBinding(name, role);
  if (index < 0)
    return invalidArgument("no ",
                           role == Direction::Input ? "input " : "output ",
                           inQuotes(name));
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

bool canBorrow(const Binding &binding, const TensorView &tensor) {
  return tensor.dtype == binding.dtype &&
         reinterpret_cast<uintptr_t>(tensor.data) % Executable::alignment == 0;
}

void copyParameter(const Binding &binding, const TensorView &tensor,
                   std::byte *memory) {
  if (binding.bytes() == 0)
    return;
  if (tensor.dtype == binding.dtype) {
    std::memcpy(memory, tensor.data, static_cast<size_t>(binding.bytes()));
    return;
  }
  const char *source = static_cast<const char *>(tensor.data);
  auto *target = reinterpret_cast<uint16_t *>(memory);
  for (int64_t i = 0; i < binding.bytes() / 2; ++i) {
    float value; // not necessarily aligned in a file
    std::memcpy(&value, source + i * sizeof value, sizeof value);
    target[i] = toBF16(value);
  }
}

} // namespace

int64_t chunkLength(int64_t longest, int64_t most) {
  if (longest <= most)
    return longest;
  auto divideCeil = [](int64_t x, int64_t y) { return (x + y - 1) / y; };
  int64_t even = divideCeil(longest, divideCeil(longest, most));
  return std::min(most, divideCeil(even, 64) * 64);
}

Result<std::unique_ptr<CachedModel>>
CachedModel::create(CpuDevice &device, std::shared_ptr<const Program> prefill,
                    std::shared_ptr<const Program> decode,
                    const ParameterSource &parameters, ParameterMemory memory) {
  std::unique_ptr<CachedModel> model(new CachedModel());
  if (Status status = model->prepare(model->decode, device, decode, "decode");
      !status.ok())
    return status;
  if (model->decode.tokensPerCall != 1)
    return invalidArgument("decode program: expected one token for each text, "
                           "got ",
                           model->decode.tokensPerCall);
  if (Status status =
          model->prepare(model->prefill, device, prefill, "prefill");
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

Status CachedModel::prepare(Part &part, CpuDevice &device,
                            std::shared_ptr<const Program> program,
                            const std::string &name) {
  auto inProgram = [&](const Status &status) {
    return Status(status.code(), name + " program: " + status.message());
  };
  Result<const Binding *> tokens =
      expectBinding(*program, "tokens", Direction::Input, 2);
  if (!tokens.ok())
    return inProgram(tokens.status());
  part.tokensPerCall = (*tokens)->shape[1];
  Result<const Binding *> logits =
      expectBinding(*program, "logits", Direction::Output, 2);
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
  Result<std::unique_ptr<Executable>> executable =
      Executable::create(device, program);
  if (!executable.ok())
    return executable.status();
  part.executable = *std::move(executable);

  struct Own {
    const char *name;
    Direction direction;
    size_t rank;
    AlignedBuffer *memory;
  };
  for (Own own : {Own{"tokens", Direction::Input, 2, &part.tokens},
                  Own{"start", Direction::Input, 1, &part.start},
                  Own{"last", Direction::Input, 1, &part.last},
                  Own{"logits", Direction::Output, 2, &part.logits}}) {
    if (own.memory == &part.last && part.tokensPerCall == 1)
      continue;
    Result<const Binding *> binding =
        expectBinding(*program, own.name, own.direction, own.rank);
    if (!binding.ok())
      return inProgram(binding.status());
    Result<AlignedBuffer> memory =
        AlignedBuffer::allocate(static_cast<size_t>((*binding)->bytes()));
    if (!memory.ok())
      return memory.status();
    *own.memory = *std::move(memory);
    if (Status status = part.executable->bind(
            own.name, own.direction, own.memory->data(), (*binding)->bytes());
        !status.ok())
      return inProgram(status);
  }
  return {};
}

Status CachedModel::allocateShared(const Program &program,
                                   const ParameterSource &parameters,
                                   ParameterMemory kind) {
  for (size_t i = 0; i < program.bindings.size(); ++i) {
    const Binding &binding = program.bindings[i];
    if (binding.direction != Direction::Input || isCallInput(binding.name))
      continue;
    const TensorView *parameter = nullptr;
    if (!isCache(program, i)) {
      parameter = parameters(binding.name);
      if (Status status = checkParameter(binding, parameter); !status.ok())
        return status;
      bytesOfParameters += binding.bytes();
      if (kind == ParameterMemory::Borrowed && canBorrow(binding, *parameter)) {
        shared.push_back(
            {binding, AlignedBuffer(), const_cast<void *>(parameter->data)});
        continue;
      }
    }
    Result<AlignedBuffer> memory =
        AlignedBuffer::allocate(static_cast<size_t>(binding.bytes()));
    if (!memory.ok())
      return memory.status();
    if (parameter) {
      copyParameter(binding, *parameter, memory->data());
    } else {
      if (binding.shape.size() < 2 || binding.shape[0] != texts ||
          (positions != 0 && binding.shape[1] != positions))
        return invalidArgument("decode program: cache ", inQuotes(binding.name),
                               " has an unexpected shape");
      positions = binding.shape[1];
      bytesOfCaches += binding.bytes();
    }
    void *data = memory->data();
    shared.push_back({binding, *std::move(memory), data});
  }
  if (positions < prefill.tokensPerCall)
    return invalidArgument("the caches have ", positions,
                           " positions, a call of the prefill program needs ",
                           prefill.tokensPerCall);
  return {};
}

Status CachedModel::enlarge(CpuDevice &device,
                            std::shared_ptr<const Program> program) {
  decode = Part();
  prefill = Part();
  if (Status status = prepare(decode, device, program, "decode"); !status.ok())
    return status;
  if (decode.tokensPerCall != 1)
    return invalidArgument("decode program: expected one token for each text, "
                           "got ",
                           decode.tokensPerCall);
  if (Status status = prepare(prefill, device, program, "prefill");
      !status.ok())
    return status;
  if (Status status = enlargeCaches(*program); !status.ok())
    return status;
  if (Status status = bindShared(decode, "decode"); !status.ok())
    return status;
  return bindShared(prefill, "prefill");
}

/// Copies the caches into those of `program`, one at a time.
Status CachedModel::enlargeCaches(const Program &program) {
  bytesOfCaches = 0;
  for (size_t i = 0; i < program.bindings.size(); ++i) {
    const Binding &larger = program.bindings[i];
    if (larger.direction != Direction::Input || !isCache(program, i))
      continue;
    auto cache =
        std::find_if(shared.begin(), shared.end(), [&](const Shared &tensor) {
          return tensor.binding.name == larger.name;
        });
    if (cache == shared.end() || larger.shape.size() < 2 ||
        larger.shape[0] != texts || larger.shape[1] < positions)
      return invalidArgument("decode program: cache ", inQuotes(larger.name),
                             " has an unexpected shape");
    Result<AlignedBuffer> memory =
        AlignedBuffer::allocate(static_cast<size_t>(larger.bytes()));
    if (!memory.ok())
      return memory.status();
    auto before = static_cast<size_t>(cache->binding.bytes() / texts);
    auto after = static_cast<size_t>(larger.bytes() / texts);
    for (size_t b = 0; b < static_cast<size_t>(texts); ++b)
      std::memcpy(memory->data() + b * after,
                  static_cast<std::byte *>(cache->data) + b * before, before);
    void *data = memory->data();
    *cache = {larger, *std::move(memory), data};
    bytesOfCaches += larger.bytes();
  }
  for (const Shared &tensor : shared)
    if (int64_t index =
            program.findBinding(tensor.binding.name, Direction::Input);
        index >= 0 && isCache(program, static_cast<size_t>(index)))
      positions = tensor.binding.shape[1];
  return {};
}

Status CachedModel::bindShared(Part &part, const std::string &name) {
  size_t bound = 0;
  for (Shared &tensor : shared) {
    const Program &program = part.executable->program();
    int64_t index =
        program.findBinding(tensor.binding.name, Direction::Input);
    if (index < 0)
      return invalidArgument(name, " program: no input ",
                             inQuotes(tensor.binding.name));
    const Binding &binding = program.bindings[static_cast<size_t>(index)];
    if (binding.dtype != tensor.binding.dtype ||
        binding.shape != tensor.binding.shape)
      return invalidArgument(name, " program: input ", inQuotes(binding.name),
                             " differs from that of the decode program");
    if (Status status =
            part.executable->bind(index, tensor.data, binding.bytes());
        !status.ok())
      return status;
    ++bound;
  }
  for (const Binding &binding : part.executable->program().bindings)
    bound -= binding.direction == Direction::Input && !isCallInput(binding.name);
  if (bound != 0)
    return invalidArgument(name, " program: has inputs that the decode program "
                                 "lacks");
  return {};
}

Status CachedModel::run(Part &part) {
  Executable::RunOptions options;
  options.poison = poison;
  return part.executable->run(options);
}

void CachedModel::copyLogits(Part &part, int64_t row, float *logits) const {
  if (part.logitsType == DType::F32) {
    const auto *source = reinterpret_cast<const float *>(part.logits.data());
    std::copy_n(source + row * vocabulary, vocabulary, logits);
    return;
  }
  const auto *source = reinterpret_cast<const uint16_t *>(part.logits.data());
  std::transform(source + row * vocabulary, source + (row + 1) * vocabulary,
                 logits, fromBF16);
}

Status CachedModel::read(const std::vector<std::vector<int64_t>> &prompts,
                         float *logits) {
  int64_t chunk = prefill.tokensPerCall;
  size_t longest = 0;
  for (const std::vector<int64_t> &prompt : prompts) {
    if (prompt.empty() || static_cast<int64_t>(prompt.size()) > positions)
      return invalidArgument("expected prompts of 1 to ", positions,
                             " tokens, got ", prompt.size());
    longest = std::max(longest, prompt.size());
  }
  if (static_cast<int64_t>(prompts.size()) != texts)
    return invalidArgument("expected ", texts, " prompts, got ",
                           prompts.size());
  for (int64_t first = 0; first < static_cast<int64_t>(longest);
       first += chunk) {
    // A chunk that would pass the end of the caches starts earlier and reads
    // tokens again.
    int64_t begin = std::min(first, positions - chunk);
    for (int64_t b = 0; b < texts; ++b) {
      const std::vector<int64_t> &prompt = prompts[static_cast<size_t>(b)];
      auto length = static_cast<int64_t>(prompt.size());
      for (int64_t t = 0; t < chunk; ++t)
        prefill.tokensData()[b * chunk + t] =
            begin + t < length ? prompt[static_cast<size_t>(begin + t)] : 0;
      prefill.startData()[b] = begin;
      if (chunk > 1)
        prefill.lastData()[b] =
            std::clamp<int64_t>(length - 1 - begin, 0, chunk - 1);
    }
    if (Status status = run(prefill); !status.ok())
      return status;
    for (int64_t b = 0; b < texts; ++b) {
      auto last =
          static_cast<int64_t>(prompts[static_cast<size_t>(b)].size()) - 1;
      if (last >= first && last < first + chunk)
        copyLogits(prefill, b, logits + b * vocabulary);
    }
  }
  return {};
}

Status CachedModel::readNext(const int64_t *tokens, const int64_t *at,
                             float *logits) {
  for (int64_t b = 0; b < texts; ++b) {
    if (at[b] < 0 || at[b] >= positions)
      return invalidArgument("expected positions from 0 to ", positions - 1,
                             ", got ", at[b]);
    decode.tokensData()[b] = tokens[b];
    decode.startData()[b] = at[b];
  }
  if (Status status = run(decode); !status.ok())
    return status;
  for (int64_t b = 0; b < texts; ++b)
    copyLogits(decode, b, logits + b * vocabulary);
  return {};
}

} // namespace attnres::runtime
