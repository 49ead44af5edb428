// What all devices do alike: bindings, limits of inputs, mappings.
#include "runtime/device/Device.h"

#include "runtime/CpuFeatures.h"

namespace attnres::runtime {
namespace {

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

Status checkElements(const Binding &binding, const HostMapping &data) {
  switch (binding.dtype) {
  case DType::I64:
    return checkElements(binding, data.as<const int64_t>());
  case DType::I32:
    return checkElements(binding, data.as<const int32_t>());
  case DType::I16:
    return checkElements(binding, data.as<const int16_t>());
  case DType::I8:
    return checkElements(binding, data.as<const int8_t>());
  case DType::U8:
  case DType::Bool:
    return checkElements(binding, data.as<const uint8_t>());
  default:
    return {};
  }
}

/// What the address of a tensor has to be a multiple of, see attnres_kernel.h.
uint64_t bindingAlignment(const Program &program, DType dtype) {
  return static_cast<uint64_t>(cpuIsa(program.target) ? dtypeBytes(dtype)
                                                      : Executable::alignment);
}

} // namespace

// ----------------------------------------------------------------- Executable

Status Executable::bind(int64_t index, DeviceMemory memory) {
  if (index < 0 || static_cast<size_t>(index) >= program_->bindings.size())
    return invalidArgument("binding ", index, " of ",
                           program_->bindings.size());
  const Binding &binding = program_->bindings[static_cast<size_t>(index)];
  if (binding.updates >= 0)
    return invalidArgument(
        describe(binding), " overwrites ",
        describe(program_->bindings[static_cast<size_t>(binding.updates)]),
        " and has no memory of its own");
  if (memory.bytes != binding.bytes())
    return invalidArgument(describe(binding), ": expected ", binding.bytes(),
                           " bytes, got ", memory.bytes);
  if (memory.address == 0 && memory.bytes > 0)
    return invalidArgument(describe(binding), ": no memory");
  if (uint64_t least = bindingAlignment(*program_, binding.dtype);
      memory.address % least != 0)
    return invalidArgument(describe(binding), ": address is not a multiple of ",
                           least);
  bound[static_cast<size_t>(index)] = memory;
  resolved = false;
  return {};
}

Status Executable::bind(std::string_view name, Direction direction,
                        DeviceMemory memory) {
  int64_t index = program_->findBinding(name, direction);
  if (index < 0)
    return invalidArgument("no ",
                           direction == Direction::Input ? "input " : "output ",
                           inQuotes(name), " in the program");
  return bind(index, memory);
}

void Executable::setWorkspace(DeviceMemory memory) {
  ownWorkspace = memory;
  resolved = false;
}

DeviceMemory Executable::workspace() const {
  return ownWorkspace.address ? ownWorkspace : device.workspace();
}

uint64_t Executable::addressOf(const Arg &arg, uint64_t constants) const {
  uint64_t start = 0;
  switch (arg.kind) {
  case Arg::Kind::Binding: {
    auto index = static_cast<size_t>(arg.binding);
    int64_t target = program_->bindings[index].updates;
    start = bound[target >= 0 ? static_cast<size_t>(target) : index].address;
    break;
  }
  case Arg::Kind::Workspace:
    start = workspace().address;
    break;
  case Arg::Kind::Constant:
    start = constants;
    break;
  case Arg::Kind::List: // callers treat lists and their elements
    break;
  }
  return start ? start + static_cast<uint64_t>(arg.offset) : 0;
}

Status Executable::prepare() {
  if (resolved && resolvedWorkspace == workspace().address)
    return {};
  for (size_t i = 0; i < bound.size(); ++i) {
    const Binding &binding = program_->bindings[i];
    if (bound[i].address == 0 && binding.updates < 0 && binding.bytes() > 0)
      return invalidArgument(describe(binding), " is not bound");
  }
  if (Status status = resolve(); !status.ok())
    return status;
  resolved = true;
  resolvedWorkspace = workspace().address;
  return {};
}

Status Executable::checkLimits() const {
  for (size_t i = 0; i < bound.size(); ++i) {
    const Binding &binding = program_->bindings[i];
    if (binding.limits.empty())
      continue;
    Result<HostMapping> data = device.map(bound[i], Access::Read);
    if (!data.ok())
      return data.status();
    if (Status status = checkElements(binding, *data); !status.ok())
      return status;
  }
  return {};
}

Status Executable::poisonMemory() {
  if (Status status = poisonScratch(); !status.ok())
    return status;
  DeviceMemory used = workspace();
  used.bytes = program_->workspaceBytes;
  if (Status status = device.fill(used, poisonByte); !status.ok())
    return status;
  for (size_t i = 0; i < bound.size(); ++i)
    if (program_->bindings[i].direction == Direction::Output)
      if (Status status = device.fill(bound[i], poisonByte); !status.ok())
        return status;
  return {};
}

Status Executable::run(const RunOptions &options) {
  if (Status status = prepare(); !status.ok())
    return status;
  auto numLaunches = static_cast<int64_t>(program_->launches.size());
  if (options.begin < 0 || options.begin > numLaunches ||
      options.end > numLaunches)
    return invalidArgument("launches ", options.begin, " to ", options.end,
                           " of ", numLaunches);
  // Parts of a run after the first find what it was given.
  if (options.begin == 0)
    if (Status status = checkLimits(); !status.ok())
      return status;
  if (options.poison)
    if (Status status = poisonMemory(); !status.ok())
      return status;
  int64_t end = options.end < 0 ? numLaunches : options.end;
  return execute(static_cast<size_t>(options.begin), static_cast<size_t>(end),
                 options.launchTimes);
}

// --------------------------------------------------------------------- Device

Result<std::unique_ptr<Executable>>
Device::load(std::shared_ptr<const Program> program) {
  if (Status status = program->validate("program"); !status.ok())
    return status;
  if (Status status = expectTarget(program->target); !status.ok())
    return status;
  int64_t needed = program->workspaceBytes;
  Result<std::unique_ptr<Executable>> executable = create(std::move(program));
  if (!executable.ok())
    return executable;
  if (needed > workspace_.bytes()) {
    Result<DeviceBuffer> larger = allocateWorkspace(needed);
    if (!larger.ok())
      return larger.status();
    workspace_ = *std::move(larger);
  }
  return executable;
}

Result<HostMapping> Device::map(DeviceMemory memory, Access access) {
  Result<AlignedBuffer> copy =
      AlignedBuffer::allocate(static_cast<size_t>(memory.bytes));
  if (!copy.ok())
    return copy.status();
  if (access == Access::Read)
    if (Status status = download(copy->data(), memory); !status.ok())
      return status;
  return HostMapping(*this, memory, access, *std::move(copy));
}

// ------------------------------------------------------------------- Mappings

Status HostMapping::unmap() {
  Status status;
  if (device && access == Access::Write)
    status = device->upload(memory, data_);
  *this = HostMapping();
  return status;
}

Status MappedTensors::unmap() {
  Status first;
  for (HostMapping &mapping : mappings)
    if (Status status = mapping.unmap(); !status.ok() && first.ok())
      first = status;
  tensors.clear();
  mappings.clear();
  return first;
}

Result<void *> hostAddress(Device &device, DeviceMemory memory) {
  Result<HostMapping> first = device.map(memory, Access::Read);
  if (!first.ok())
    return first.status();
  Result<HostMapping> second = device.map(memory, Access::Read);
  if (!second.ok())
    return second.status();
  if (first->data() != second->data())
    return unsupported("several ranks train where a device shares its memory "
                       "with the host; ",
                       device.name(), " does not");
  return first->data();
}

Result<MappedTensors> mapTensors(Device &device,
                                 const std::vector<DeviceTensor> &tensors,
                                 Access access) {
  MappedTensors mapped;
  for (const DeviceTensor &tensor : tensors) {
    Result<HostMapping> mapping = device.map(tensor.memory, access);
    if (!mapping.ok())
      return mapping.status();
    mapped.tensors.push_back({tensor.name, tensor.dtype, tensor.shape,
                              mapping->data(), tensor.memory.bytes});
    mapped.mappings.push_back(*std::move(mapping));
  }
  return mapped;
}

} // namespace attnres::runtime
