// Argument resolution and the launch loop.
#include "runtime/CpuDevice.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace attnres::runtime {
namespace {

constexpr int poisonByte = 0xff; // a NaN in every floating-point format

std::string describe(const Binding &binding) {
  std::string text =
      concat(binding.direction == Direction::Input ? "input " : "output ",
             inQuotes(binding.name), " (", dtypeName(binding.dtype), " [");
  for (size_t i = 0; i < binding.shape.size(); ++i)
    text += concat(i ? ", " : "", binding.shape[i]);
  return text + "])";
}

std::string describe(const std::vector<IndexRange> &limits) {
  std::string text;
  for (size_t i = 0; i < limits.size(); ++i) {
    text += concat(i ? " or " : "", limits[i].low);
    if (limits[i].high != limits[i].low)
      text += concat(" to ", limits[i].high);
  }
  return text;
}

/// Whether every element of an input is inside its limits.
template <typename T>
Status checkElements(const Binding &binding, const T *elements) {
  int64_t count = binding.bytes() / static_cast<int64_t>(sizeof(T));
  // One range holds nearly all elements.
  IndexRange most = binding.limits.back();
  for (int64_t i = 0; i < count; ++i) {
    auto value = static_cast<int64_t>(elements[i]);
    if (value >= most.low && value <= most.high)
      continue;
    bool inside = false;
    for (IndexRange range : binding.limits)
      inside |= value >= range.low && value <= range.high;
    if (inside)
      continue;
    std::string place;
    int64_t rest = i;
    for (size_t d = binding.shape.size(); d-- > 0; rest /= binding.shape[d])
      place = concat(rest % binding.shape[d], place.empty() ? "" : ", ", place);
    return invalidArgument(describe(binding), ": element [", place, "] is ",
                           value, ", expected ", describe(binding.limits));
  }
  return {};
}

Status checkLimits(const Binding &binding, const void *data) {
  switch (binding.dtype) {
  case DType::I64:
    return checkElements(binding, static_cast<const int64_t *>(data));
  case DType::I32:
    return checkElements(binding, static_cast<const int32_t *>(data));
  case DType::I16:
    return checkElements(binding, static_cast<const int16_t *>(data));
  case DType::I8:
    return checkElements(binding, static_cast<const int8_t *>(data));
  case DType::U8:
  case DType::Bool:
    return checkElements(binding, static_cast<const uint8_t *>(data));
  default:
    return {};
  }
}

} // namespace

CpuDevice::CpuDevice(const CpuOptions &options)
    : features_(options.features),
      threads_(options.threads > 0 ? options.threads : defaultThreadCount()),
      scratch_(static_cast<size_t>(threads_.size())) {}

Status CpuDevice::reserve(size_t workspaceBytes, size_t scratchBytes) {
  auto grow = [](AlignedBuffer &buffer, size_t bytes) -> Status {
    if (bytes <= buffer.bytes())
      return {};
    Result<AlignedBuffer> larger = AlignedBuffer::allocate(bytes);
    if (!larger.ok())
      return larger.status();
    buffer = *std::move(larger);
    return {};
  };
  for (AlignedBuffer &buffer : scratch_)
    if (Status status = grow(buffer, scratchBytes); !status.ok())
      return status;
  return grow(workspace_, workspaceBytes);
}

Result<std::unique_ptr<Executable>>
Executable::create(CpuDevice &device, std::shared_ptr<const Program> program) {
  if (const std::string &error = machine::hostIsa().error; !error.empty())
    return invalidArgument(error);
  if (Status status = program->validate("program"); !status.ok())
    return status;
  std::optional<std::string> isa = cpuIsa(program->target);
  if (!isa)
    return unsupported("the program is for ", inQuotes(program->target),
                       ", not for a processor");
  if (Status status = device.features().supports(*isa); !status.ok())
    return status;
  if (machine::Isa::parse(*isa)->amxBf16)
    if (Status status = enableAmx(); !status.ok())
      return status;
  std::unique_ptr<Executable> executable(
      new Executable(device, std::move(program)));
  if (Status status = executable->loadCode(); !status.ok())
    return status;
  if (Status status = executable->allocate(); !status.ok())
    return status;
  return executable;
}

Status Executable::loadCode() {
  for (size_t i = 0; i < program_->blobs.size(); ++i) {
    Result<LoadedObject> object =
        LoadedObject::load(program_->blobs[i], concat("program: object ", i));
    if (!object.ok())
      return object.status();
    code.push_back(*std::move(object));
  }
  for (const Kernel &kernel : program_->kernels) {
    void *function =
        code[static_cast<size_t>(kernel.blob)].symbol(kernel.symbol);
    if (!function)
      return invalidData("program: kernel ", inQuotes(kernel.name),
                         ": no symbol ", inQuotes(kernel.symbol), " in object ",
                         kernel.blob);
    functions.push_back(reinterpret_cast<attnres_kernel_fn>(function));
  }
  return {};
}

Status Executable::allocate() {
  int64_t scratchBytes = 0;
  for (const Kernel &kernel : program_->kernels)
    scratchBytes = std::max(scratchBytes, kernel.scratchBytes);
  if (Status status =
          device.reserve(static_cast<size_t>(program_->workspaceBytes),
                         static_cast<size_t>(scratchBytes));
      !status.ok())
    return status;
  Result<AlignedBuffer> allocated =
      AlignedBuffer::allocate(program_->constants.size());
  if (!allocated.ok())
    return allocated.status();
  constants = *std::move(allocated);
  if (!program_->constants.empty())
    std::memcpy(constants.data(), program_->constants.data(),
                program_->constants.size());
  bound.assign(program_->bindings.size(), nullptr);
  return {};
}

Status Executable::bind(int64_t index, void *data, int64_t bytes) {
  if (index < 0 || static_cast<size_t>(index) >= program_->bindings.size())
    return invalidArgument("binding ", index, " of ",
                           program_->bindings.size());
  const Binding &binding = program_->bindings[static_cast<size_t>(index)];
  if (binding.updates >= 0)
    return invalidArgument(
        describe(binding), " overwrites ",
        describe(program_->bindings[static_cast<size_t>(binding.updates)]),
        " and has no memory of its own");
  if (bytes != binding.bytes())
    return invalidArgument(describe(binding), ": expected ", binding.bytes(),
                           " bytes, got ", bytes);
  if (!data && bytes > 0)
    return invalidArgument(describe(binding), ": no memory");
  if (reinterpret_cast<uintptr_t>(data) % alignment != 0)
    return invalidArgument(describe(binding), ": address is not a multiple of ",
                           alignment);
  bound[static_cast<size_t>(index)] = data;
  resolved = false;
  return {};
}

Status Executable::bind(std::string_view name, Direction role, void *data,
                        int64_t bytes) {
  int64_t index = program_->findBinding(name, role);
  if (index < 0)
    return invalidArgument("no ",
                           role == Direction::Input ? "input " : "output ",
                           inQuotes(name), " in the program");
  return bind(index, data, bytes);
}

void *Executable::addressOf(const Arg &arg) const {
  std::byte *start = nullptr;
  switch (arg.kind) {
  case Arg::Kind::Binding: {
    auto index = static_cast<size_t>(arg.binding);
    int64_t target = program_->bindings[index].updates;
    start = static_cast<std::byte *>(
        bound[target >= 0 ? static_cast<size_t>(target) : index]);
    break;
  }
  case Arg::Kind::Workspace:
    start = device.workspace().data();
    break;
  case Arg::Kind::Constant:
    start = constants.data();
    break;
  case Arg::Kind::List: // resolve() treats lists and their elements
    break;
  }
  return start ? start + arg.offset : nullptr; // empty memory has no address
}

Status Executable::resolve() {
  for (size_t i = 0; i < bound.size(); ++i) {
    const Binding &binding = program_->bindings[i];
    if (!bound[i] && binding.updates < 0 && binding.bytes() > 0)
      return invalidArgument(describe(binding), " is not bound");
  }
  size_t numArgs = 0, numElements = 0, numLists = 0;
  for (const Launch &launch : program_->launches) {
    numArgs += launch.args.size();
    for (const Arg &arg : launch.args) {
      numLists += arg.kind == Arg::Kind::List;
      numElements += arg.elements.size();
    }
  }
  // Sized once: launches and lists point into these.
  addresses.assign(numArgs + numElements, nullptr);
  lists.assign(numLists, {});
  launches.clear();
  void **nextArg = addresses.data(), **nextElement = nextArg + numArgs;
  attnres_list *nextList = lists.data();
  for (const Launch &launch : program_->launches) {
    auto kernel = static_cast<size_t>(launch.kernel);
    launches.push_back(
        {functions[kernel], program_->kernels[kernel].grid.x, nextArg});
    for (const Arg &arg : launch.args) {
      if (arg.kind != Arg::Kind::List) {
        *nextArg++ = addressOf(arg);
        continue;
      }
      *nextList = {static_cast<int64_t>(arg.elements.size()), nextElement};
      for (const Arg &element : arg.elements)
        *nextElement++ = addressOf(element);
      *nextArg++ = nextList++;
    }
  }
  resolved = true;
  resolvedWorkspace = device.workspace().data();
  return {};
}

void Executable::poisonMemory() {
  for (int thread = 0; thread < device.threads().size(); ++thread)
    if (const AlignedBuffer &buffer = device.scratch(thread);
        buffer.bytes() > 0)
      std::memset(buffer.data(), poisonByte, buffer.bytes());
  if (program_->workspaceBytes > 0)
    std::memset(device.workspace().data(), poisonByte,
                static_cast<size_t>(program_->workspaceBytes));
  for (size_t i = 0; i < bound.size(); ++i) {
    const Binding &binding = program_->bindings[i];
    if (binding.direction == Direction::Output && bound[i])
      std::memset(bound[i], poisonByte, static_cast<size_t>(binding.bytes()));
  }
}

Status Executable::run(const RunOptions &options) {
  if (!resolved || resolvedWorkspace != device.workspace().data())
    if (Status status = resolve(); !status.ok())
      return status;
  // Parts of a run after the first find what it was given.
  if (options.begin == 0)
    for (size_t i = 0; i < bound.size(); ++i)
      if (const Binding &binding = program_->bindings[i];
          !binding.limits.empty())
        if (Status status = checkLimits(binding, bound[i]); !status.ok())
          return status;
  if (options.poison)
    poisonMemory();

  struct Context {
    const ResolvedLaunch *launch;
    const CpuDevice *device;
  };
  auto piece = [](void *data, int thread, int64_t begin, int64_t end) {
    const auto &context = *static_cast<Context *>(data);
    context.launch->function(context.launch->args,
                             context.device->scratch(thread).data(), begin,
                             end);
  };
  auto numLaunches = static_cast<int64_t>(launches.size());
  if (options.begin < 0 || options.begin > numLaunches ||
      options.end > numLaunches)
    return invalidArgument("launches ", options.begin, " to ", options.end,
                           " of ", numLaunches);
  auto end = static_cast<size_t>(options.end < 0 ? numLaunches : options.end);
  for (auto i = static_cast<size_t>(options.begin); i < end; ++i) {
    Context context = {&launches[i], &device};
    if (!options.launchTimes) {
      device.threads().run(launches[i].grid, piece, &context);
      continue;
    }
    auto begin = std::chrono::steady_clock::now();
    device.threads().run(launches[i].grid, piece, &context);
    options.launchTimes->push_back(
        {static_cast<int64_t>(i), begin, std::chrono::steady_clock::now()});
  }
  return {};
}

} // namespace attnres::runtime
