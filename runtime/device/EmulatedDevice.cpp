// Programs of PTX kernels on the emulator; attnres_kernel.h says what their
// parameters are.
#include "runtime/device/EmulatedDevice.h"

#include <algorithm>

namespace attnres::runtime {
namespace {

/// What the kernels of a program have as parameters, besides scratch.
struct Parameter {
  bool isList = false;
  /// Of a list: the largest count in any launch.
  size_t capacity = 0;

  size_t bytes() const {
    return sizeof(uint64_t) * (isList ? 1 + capacity : 1);
  }
};

/// Per kernel. Fails when its launches have different arguments.
Result<std::vector<std::vector<Parameter>>>
findParameters(const Program &program) {
  std::vector<std::vector<Parameter>> parameters(program.kernels.size());
  std::vector<bool> isKnown(program.kernels.size());
  for (size_t i = 0; i < program.launches.size(); ++i) {
    const Launch &launch = program.launches[i];
    auto kernel = static_cast<size_t>(launch.kernel);
    std::vector<Parameter> &list = parameters[kernel];
    if (!isKnown[kernel])
      list.resize(launch.args.size());
    bool isFirst = !isKnown[kernel];
    isKnown[kernel] = true;
    bool fits = list.size() == launch.args.size();
    for (size_t j = 0; fits && j < list.size(); ++j) {
      const Arg &arg = launch.args[j];
      bool isList = arg.kind == Arg::Kind::List;
      if (isFirst)
        list[j].isList = isList;
      fits = list[j].isList == isList;
      list[j].capacity = std::max(list[j].capacity, arg.elements.size());
    }
    if (!fits)
      return invalidData("program: launch ", i,
                         ": has other arguments than an earlier launch of "
                         "kernel ",
                         inQuotes(program.kernels[kernel].name));
  }
  return parameters;
}

emulator::Dim3 toDim3(Dimensions extent) {
  return {static_cast<uint32_t>(extent.x), static_cast<uint32_t>(extent.y),
          static_cast<uint32_t>(extent.z)};
}

class EmulatedExecutable final : public Executable {
public:
  /// `scope` is what the device puts before the names of the program's kernels.
  static Result<std::unique_ptr<Executable>>
  create(EmulatedDevice &device, std::shared_ptr<const Program> program,
         const std::string &scope) {
    std::unique_ptr<EmulatedExecutable> executable(
        new EmulatedExecutable(device, std::move(program), scope));
    for (auto step :
         {&EmulatedExecutable::loadCode, &EmulatedExecutable::checkKernels,
          &EmulatedExecutable::allocateMemory})
      if (Status status = ((*executable).*step)(); !status.ok())
        return status;
    return std::unique_ptr<Executable>(std::move(executable));
  }

private:
  EmulatedExecutable(EmulatedDevice &device,
                     std::shared_ptr<const Program> program, std::string scope)
      : Executable(device, std::move(program)), gpu(device),
        scope(std::move(scope)) {}

  std::string nameOf(const Kernel &kernel) const {
    return concat(scope, kernel.blob, ".", kernel.symbol);
  }

  Status loadCode() {
    for (size_t i = 0; i < program().blobs.size(); ++i)
      if (Status status = gpu.emulated().loadModule(program().blobs[i],
                                                    concat(scope, i, "."));
          !status.ok())
        return invalidData("program: blob ", i, ": ", status.message());
    return {};
  }

  /// The code of every kernel takes what its launches give.
  Status checkKernels() {
    Result<std::vector<std::vector<Parameter>>> found =
        findParameters(program());
    if (!found.ok())
      return found.status();
    parameters = *std::move(found);
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Kernel &kernel = program().kernels[i];
      auto declared = gpu.emulated().parameters(nameOf(kernel));
      if (!declared.ok())
        return invalidData("program: kernel ", inQuotes(kernel.name),
                           ": no kernel ", inQuotes(kernel.symbol), " in blob ",
                           kernel.blob);
      std::vector<size_t> expected;
      for (const Parameter &parameter : parameters[i])
        expected.push_back(parameter.bytes());
      if (kernel.scratchBytes > 0)
        expected.push_back(sizeof(uint64_t));
      if (declared->size() != expected.size())
        return invalidData("program: kernel ", inQuotes(kernel.name),
                           ": expected ", expected.size(), " parameters, got ",
                           declared->size());
      for (size_t j = 0; j < expected.size(); ++j)
        if ((*declared)[j].bytes != expected[j])
          return invalidData("program: kernel ", inQuotes(kernel.name),
                             ": parameter ", j, ": expected ", expected[j],
                             " bytes, got ", (*declared)[j].bytes);
    }
    return {};
  }

  Status allocateMemory() {
    const std::string &content = program().constants;
    Result<DeviceBuffer> buffer =
        device.allocate(static_cast<int64_t>(content.size()));
    if (!buffer.ok())
      return buffer.status();
    constants = *std::move(buffer);
    if (Status status = device.upload(constants.memory(), content.data());
        !status.ok())
      return status;
    int64_t most = 0;
    for (const Kernel &kernel : program().kernels)
      most = std::max(most, kernel.scratchBytes);
    buffer = gpu.allocateUnwritten(most);
    if (!buffer.ok())
      return buffer.status();
    scratch = *std::move(buffer);
    return {};
  }

  Status resolve() override {
    words.clear();
    for (const Launch &launch : program().launches) {
      auto kernel = static_cast<size_t>(launch.kernel);
      std::vector<uint64_t> &values = words.emplace_back();
      for (size_t i = 0; i < launch.args.size(); ++i) {
        const Arg &arg = launch.args[i];
        if (arg.kind != Arg::Kind::List) {
          values.push_back(address(arg));
          continue;
        }
        values.push_back(arg.elements.size());
        for (const Arg &element : arg.elements)
          values.push_back(address(element));
        values.resize(values.size() + parameters[kernel][i].capacity -
                      arg.elements.size());
      }
      values.push_back(scratch.memory().address);
    }
    return {};
  }

  Status execute(size_t begin, size_t end,
                 std::vector<LaunchTime> *times) override {
    for (size_t i = begin; i < end; ++i) {
      auto start = std::chrono::steady_clock::now();
      if (Status status = launch(i); !status.ok())
        return Status(status.code(),
                      concat("launch ", i, ": ", status.message()));
      if (times)
        times->push_back(
            {static_cast<int64_t>(i), start, std::chrono::steady_clock::now()});
    }
    return {};
  }

  Status launch(size_t index) {
    auto number = static_cast<size_t>(program().launches[index].kernel);
    const Kernel &kernel = program().kernels[number];
    if (kernel.grid.x == 0 || kernel.grid.y == 0 || kernel.grid.z == 0)
      return {};
    emulator::LaunchConfig config;
    config.grid = toDim3(kernel.grid);
    config.block = toDim3(kernel.block);
    config.cluster = toDim3(kernel.cluster);
    config.dynamicSharedBytes = static_cast<uint32_t>(kernel.sharedBytes);
    const uint64_t *next = words[index].data();
    std::vector<const void *> arguments;
    for (const Parameter &parameter : parameters[number]) {
      arguments.push_back(next);
      next += parameter.bytes() / sizeof *next;
    }
    if (kernel.scratchBytes > 0)
      arguments.push_back(next);
    return gpu.launch(nameOf(kernel), config, arguments);
  }

  Status poisonScratch() override {
    return device.fill(scratch.memory(), poisonByte);
  }

  uint64_t address(const Arg &arg) const {
    return addressOf(arg, constants.memory().address);
  }

  EmulatedDevice &gpu;
  std::string scope;
  std::vector<std::vector<Parameter>> parameters; // per kernel
  DeviceBuffer constants, scratch;
  /// Of every launch: its parameters one after the other.
  std::vector<std::vector<uint64_t>> words;
};

} // namespace

EmulatedDevice::EmulatedDevice(const emulator::DeviceOptions &options)
    : gpu(std::make_shared<emulator::Device>(options)) {}

Result<DeviceBuffer> EmulatedDevice::allocate(int64_t bytes) {
  Result<DeviceBuffer> buffer = allocateUnwritten(bytes);
  if (!buffer.ok())
    return buffer;
  if (Status status = fill(buffer->memory(), 0); !status.ok())
    return status;
  return buffer;
}

Result<DeviceBuffer> EmulatedDevice::allocateUnwritten(int64_t bytes) {
  if (bytes == 0)
    return DeviceBuffer();
  Result<uint64_t> address = gpu->allocate(static_cast<uint64_t>(bytes));
  if (!address.ok())
    return address.status();
  auto release = [gpu = gpu](uint64_t *owned) {
    (void)gpu->free(*owned);
    delete owned;
  };
  std::shared_ptr<void> owner(new uint64_t(*address), release);
  return DeviceBuffer({*address, bytes}, std::move(owner));
}

Status EmulatedDevice::upload(DeviceMemory to, const void *from) {
  if (to.bytes == 0)
    return {};
  return gpu->copyToDevice(to.address, from, static_cast<uint64_t>(to.bytes));
}

Status EmulatedDevice::download(void *to, DeviceMemory from) {
  if (from.bytes == 0)
    return {};
  return gpu->copyToHost(to, from.address, static_cast<uint64_t>(from.bytes));
}

Status EmulatedDevice::copy(DeviceMemory to, DeviceMemory from) {
  std::vector<std::byte> content(static_cast<size_t>(from.bytes));
  if (Status status = download(content.data(), from); !status.ok())
    return status;
  return upload(to, content.data());
}

Status EmulatedDevice::fill(DeviceMemory to, uint8_t value) {
  if (to.bytes == 0)
    return {};
  return gpu->fill(to.address, value, static_cast<uint64_t>(to.bytes));
}

Status EmulatedDevice::launch(const std::string &kernel,
                              const emulator::LaunchConfig &config,
                              const std::vector<const void *> &arguments) {
  gpu->clearFindings();
  Status status = gpu->launch(kernel, config, arguments);
  total.add(gpu->counters());
  ++launches;
  const std::vector<emulator::Finding> &findings = gpu->findings();
  if (!findings.empty())
    return invalidData(findings.front().text(),
                       findings.size() > 1
                           ? concat(", and ", findings.size() - 1, " more")
                           : "");
  return status;
}

std::vector<DeviceCounter> EmulatedDevice::counters() const {
  auto count = [](uint64_t value) { return static_cast<int64_t>(value); };
  return {{"launches", launches},
          {"warp_instructions", count(total.warpInstructions())},
          {"global_load_bytes", count(total.global.loadBytes)},
          {"global_store_bytes", count(total.global.storeBytes)},
          {"shared_load_bytes", count(total.shared.loadBytes)},
          {"shared_store_bytes", count(total.shared.storeBytes)},
          {"bank_conflicts", count(total.bankConflicts)},
          {"tensor_multiply_adds", count(total.tensorMultiplyAdds)}};
}

Status EmulatedDevice::expectTarget(const std::string &target) const {
  if (target.substr(0, 3) == "sm_")
    return {};
  return unsupported("the program is for ", inQuotes(target),
                     ", the device emulator runs programs for sm_NN");
}

Result<std::unique_ptr<Executable>>
EmulatedDevice::create(std::shared_ptr<const Program> program) {
  return EmulatedExecutable::create(*this, std::move(program),
                                    concat("program", programs++, "."));
}

} // namespace attnres::runtime
