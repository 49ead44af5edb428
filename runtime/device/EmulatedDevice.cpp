// Programs of PTX kernels on the emulator; attnres_kernel.h says what their
// parameters are.
#include "runtime/device/EmulatedDevice.h"

#include "runtime/device/GpuExecutable.h"

namespace attnres::runtime {
namespace {

emulator::Dim3 toDim3(Dimensions extent) {
  return {static_cast<uint32_t>(extent.x), static_cast<uint32_t>(extent.y),
          static_cast<uint32_t>(extent.z)};
}

class EmulatedExecutable final : public GpuExecutable {
public:
  /// `scope` is what the device puts before the names of the program's kernels.
  static Result<std::unique_ptr<Executable>>
  create(EmulatedDevice &device, std::shared_ptr<const Program> program,
         const std::string &scope) {
    std::unique_ptr<EmulatedExecutable> executable(
        new EmulatedExecutable(device, std::move(program), scope));
    using Step = Status (EmulatedExecutable::*)();
    for (Step step : std::initializer_list<Step>{
             &EmulatedExecutable::loadCode, &EmulatedExecutable::findParameters,
             &EmulatedExecutable::checkKernels,
             &EmulatedExecutable::allocateMemory})
      if (Status status = ((*executable).*step)(); !status.ok())
        return status;
    return std::unique_ptr<Executable>(std::move(executable));
  }

private:
  EmulatedExecutable(EmulatedDevice &device,
                     std::shared_ptr<const Program> program, std::string scope)
      : GpuExecutable(device, std::move(program)), gpu(device),
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
    for (size_t i = 0; i < program().kernels.size(); ++i) {
      const Kernel &kernel = program().kernels[i];
      auto declared = gpu.emulated().parameters(nameOf(kernel));
      if (!declared.ok())
        return invalidData("program: kernel ", inQuotes(kernel.name),
                           ": no kernel ", inQuotes(kernel.symbol), " in blob ",
                           kernel.blob);
      std::vector<size_t> expected = parameterBytes(i);
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

  Result<DeviceBuffer> allocateScratch(int64_t bytes) override {
    return gpu.allocateUnwritten(bytes);
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
    if (!hasBlocks(index))
      return {};
    const Kernel &kernel =
        program()
            .kernels[static_cast<size_t>(program().launches[index].kernel)];
    emulator::LaunchConfig config;
    config.grid = toDim3(kernel.grid);
    config.block = toDim3(kernel.block);
    config.cluster = toDim3(kernel.cluster);
    config.dynamicSharedBytes = static_cast<uint32_t>(kernel.sharedBytes);
    return gpu.launch(nameOf(kernel), config, argumentsOf(index));
  }

  EmulatedDevice &gpu;
  std::string scope;
};

} // namespace

EmulatedDevice::EmulatedDevice(const emulator::DeviceOptions &options)
    : gpu(std::make_shared<emulator::Device>(options)),
      checksWrites(options.checkInitialized) {}

Result<DeviceBuffer> EmulatedDevice::allocate(int64_t bytes) {
  Result<DeviceBuffer> buffer = allocateUnwritten(bytes);
  // Where nobody asks what was written, memory need not be touched to be zero.
  if (!buffer.ok() || !checksWrites)
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
