// Streams, memory and graphs of an NVIDIA GPU; attnres_kernel.h says what
// kernels get.
#include "runtime/device/CudaDevice.h"

#include "runtime/device/GpuExecutable.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace attnres::runtime {
namespace {

using Handle = CudaDriver::Handle;

// Values of the enumerations in the driver's header.
constexpr int kMultiprocessors = 16; // CUdevice_attribute
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
constexpr int kMaxDynamicShared = 8; // CUfunction_attribute
constexpr int kErrorLogBuffer = 5;   // CUjit_option
constexpr int kErrorLogBytes = 6;
constexpr unsigned kNonBlocking = 1; // CUstream_flags
constexpr int kCaptureOfThread = 1;  // CUstreamCaptureMode

/// Of each of the two pieces of host memory that transfers go through: while
/// the GPU moves one, the other is copied.
constexpr size_t kStagingBytes = size_t(4) << 20;

/// "sm_90a" as 90 and true.
struct Capability {
  int number = 0;
  bool isExact = false; ///< code that runs on no other generation
};

std::optional<Capability> parseTarget(const std::string &target) {
  if (target.substr(0, 3) != "sm_")
    return std::nullopt;
  Capability capability;
  for (size_t i = 3; i < target.size(); ++i)
    if (target[i] >= '0' && target[i] <= '9' && capability.number < 10000)
      capability.number = 10 * capability.number + (target[i] - '0');
    else if (target[i] == 'a' && i + 1 == target.size())
      capability.isExact = true;
    else
      return std::nullopt;
  if (capability.number == 0)
    return std::nullopt;
  return capability;
}

} // namespace

/// What buffers and programs need of the device until they are gone.
struct CudaDevice::Context {
  const CudaDriver *driver = nullptr;
  int device = 0;
  Handle handle = nullptr, stream = nullptr;
  std::string name;
  int capability = 0; ///< 90
  int multiprocessors = 0;
  std::array<void *, 2> staging{};
  std::array<Handle, 2> staged{}; ///< events: a piece is free again

  Context() = default;
  Context(const Context &) = delete;

  Status open(int ordinal) {
    int count = 0;
    if (Status status =
            check(driver->deviceGetCount(&count), "cuDeviceGetCount");
        !status.ok())
      return status;
    if (ordinal < 0 || ordinal >= count)
      return unsupported("no NVIDIA GPU ", ordinal, ": the driver has ", count);
    char text[256] = "";
    int major = 0, minor = 0;
    auto attribute = [&](int &value, int which) {
      return check(driver->deviceGetAttribute(&value, which, device),
                   "cuDeviceGetAttribute");
    };
    Status status;
    auto step = [&](auto call) {
      if (status.ok())
        status = call();
    };
    step([&] {
      return check(driver->deviceGet(&device, ordinal), "cuDeviceGet");
    });
    step([&] {
      return check(driver->deviceGetName(text, sizeof text - 1, device),
                   "cuDeviceGetName");
    });
    step([&] { return attribute(major, kCapabilityMajor); });
    step([&] { return attribute(minor, kCapabilityMinor); });
    step([&] { return attribute(multiprocessors, kMultiprocessors); });
    step([&] {
      return check(driver->primaryCtxRetain(&handle, device),
                   "cuDevicePrimaryCtxRetain");
    });
    step([&] {
      return check(driver->ctxSetCurrent(handle), "cuCtxSetCurrent");
    });
    step([&] {
      return check(driver->streamCreate(&stream, kNonBlocking),
                   "cuStreamCreate");
    });
    for (size_t i = 0; i < staging.size(); ++i) {
      step([&] {
        return check(driver->memAllocHost(&staging[i], kStagingBytes),
                     "cuMemAllocHost");
      });
      step([&] {
        return check(driver->eventCreate(&staged[i], 0), "cuEventCreate");
      });
    }
    name = text;
    capability = 10 * major + minor;
    return status;
  }

  ~Context() {
    for (Handle event : staged)
      if (event)
        driver->eventDestroy(event);
    for (void *memory : staging)
      if (memory)
        driver->memFreeHost(memory);
    if (stream)
      driver->streamDestroy(stream);
    if (handle)
      driver->primaryCtxRelease(device);
  }

  Status check(int result, const char *what) const {
    return driver->check(result, what);
  }

  Status synchronize() const {
    return check(driver->streamSynchronize(stream), "cuStreamSynchronize");
  }
};

// ----------------------------------------------------------------- Executable

namespace {

class CudaExecutable final : public GpuExecutable {
public:
  static Result<std::unique_ptr<Executable>>
  create(CudaDevice &device, std::shared_ptr<const Program> program) {
    std::unique_ptr<CudaExecutable> executable(
        new CudaExecutable(device, std::move(program)));
    using Step = Status (CudaExecutable::*)();
    for (Step step : std::initializer_list<Step>{
             &CudaExecutable::loadCode, &CudaExecutable::findParameters,
             &CudaExecutable::allocateMemory})
      if (Status status = ((*executable).*step)(); !status.ok())
        return status;
    return std::unique_ptr<Executable>(std::move(executable));
  }

  ~CudaExecutable() override {
    (void)gpu.synchronize();
    dropGraphs();
    for (Handle module : modules)
      cuda.moduleUnload(module);
  }

private:
  CudaExecutable(CudaDevice &device, std::shared_ptr<const Program> program)
      : GpuExecutable(device, std::move(program)), gpu(device),
        cuda(device.driver()) {}

  Status loadCode() {
    for (size_t i = 0; i < program().blobs.size(); ++i) {
      char log[1024] = "";
      int options[] = {kErrorLogBuffer, kErrorLogBytes};
      void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
      Handle module = nullptr;
      Status status =
          cuda.check(cuda.moduleLoadDataEx(&module, program().blobs[i].c_str(),
                                           2, options, values),
                     "cuModuleLoadDataEx");
      if (!status.ok()) {
        std::string_view first(log, strnlen(log, sizeof log));
        first = first.substr(0, first.find('\n'));
        return invalidData("program: blob ", i, ": ", status.message(),
                           first.empty() ? "" : ": ", first);
      }
      modules.push_back(module);
    }
    for (const Kernel &kernel : program().kernels) {
      Handle function = nullptr;
      Status status =
          cuda.check(cuda.moduleGetFunction(
                         &function, modules[static_cast<size_t>(kernel.blob)],
                         kernel.symbol.c_str()),
                     "cuModuleGetFunction");
      // More than what every GPU gives has to be asked for.
      if (status.ok() && kernel.sharedBytes > 0)
        status = cuda.check(
            cuda.funcSetAttribute(function, kMaxDynamicShared,
                                  static_cast<int>(kernel.sharedBytes)),
            "cuFuncSetAttribute");
      if (!status.ok())
        return invalidData("program: kernel ", inQuotes(kernel.name), ": ",
                           status.message());
      functions.push_back(function);
    }
    return {};
  }

  /// Graphs hold the values of parameters.
  Status resolve() override {
    if (Status status = gpu.synchronize(); !status.ok())
      return status;
    dropGraphs();
    return GpuExecutable::resolve();
  }

  Status execute(size_t begin, size_t end,
                 std::vector<LaunchTime> *times) override {
    if (begin == end)
      return {};
    if (times)
      return executeTimed(begin, end, *times);
    auto [entry, isNew] = graphs.try_emplace({begin, end}, nullptr);
    if (isNew)
      if (Status status = record(begin, end, entry->second); !status.ok()) {
        graphs.erase(entry);
        return status;
      }
    ++gpu.graphLaunches;
    if (Status status = cuda.check(
            cuda.graphLaunch(entry->second, gpu.stream()), "cuGraphLaunch");
        !status.ok())
      return status;
    gpu.launches += static_cast<int64_t>(end - begin);
    return gpu.synchronize();
  }

  /// Makes a graph of the launches.
  Status record(size_t begin, size_t end, Handle &executable) {
    if (Status status =
            cuda.check(cuda.streamBeginCapture(gpu.stream(), kCaptureOfThread),
                       "cuStreamBeginCapture");
        !status.ok())
      return status;
    Status launched;
    for (size_t i = begin; i < end && launched.ok(); ++i)
      launched = launch(i);
    Handle graph = nullptr;
    Status status = cuda.check(cuda.streamEndCapture(gpu.stream(), &graph),
                               "cuStreamEndCapture");
    if (!launched.ok())
      status = launched;
    if (status.ok())
      status = cuda.check(cuda.graphInstantiate(&executable, graph, 0),
                          "cuGraphInstantiateWithFlags");
    if (graph)
      cuda.graphDestroy(graph);
    return status;
  }

  /// One by one, each between two events.
  Status executeTimed(size_t begin, size_t end,
                      std::vector<LaunchTime> &times) {
    std::vector<Handle> events(end - begin + 1, nullptr);
    auto start = std::chrono::steady_clock::now();
    Status status = launchBetween(begin, end, events);
    if (status.ok())
      status = gpu.synchronize();
    auto at = [&](size_t event) {
      float milliseconds = 0;
      if (status.ok())
        status = cuda.check(
            cuda.eventElapsedTime(&milliseconds, events[0], events[event]),
            "cuEventElapsedTime");
      return start +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double, std::milli>(milliseconds));
    };
    for (size_t i = begin; i < end && status.ok(); ++i)
      times.push_back(
          {static_cast<int64_t>(i), at(i - begin), at(i - begin + 1)});
    for (Handle event : events)
      if (event)
        cuda.eventDestroy(event);
    return status;
  }

  Status launchBetween(size_t begin, size_t end,
                       std::vector<Handle> &events) {
    for (size_t i = begin; i <= end; ++i) {
      Handle &event = events[i - begin];
      if (Status status =
              cuda.check(cuda.eventCreate(&event, 0), "cuEventCreate");
          !status.ok())
        return status;
      if (Status status = cuda.check(cuda.eventRecord(event, gpu.stream()),
                                     "cuEventRecord");
          !status.ok())
        return status;
      if (i == end)
        break;
      if (Status status = launch(i); !status.ok())
        return status;
      ++gpu.launches;
    }
    return {};
  }

  Status launch(size_t index) {
    if (!hasBlocks(index))
      return {};
    auto number = static_cast<size_t>(program().launches[index].kernel);
    const Kernel &kernel = program().kernels[number];
    std::vector<const void *> arguments = argumentsOf(index);
    auto extent = [](int64_t value) { return static_cast<unsigned>(value); };
    // A cluster stands in the code of its kernel.
    Status status = cuda.check(
        cuda.launchKernel(functions[number], extent(kernel.grid.x),
                          extent(kernel.grid.y), extent(kernel.grid.z),
                          extent(kernel.block.x), extent(kernel.block.y),
                          extent(kernel.block.z), extent(kernel.sharedBytes),
                          gpu.stream(), const_cast<void **>(arguments.data()),
                          nullptr),
        "cuLaunchKernel");
    if (!status.ok())
      return Status(status.code(),
                    concat("launch ", index, " of kernel ",
                           inQuotes(kernel.name), ": ", status.message()));
    return {};
  }

  void dropGraphs() {
    for (auto &[range, graph] : graphs)
      cuda.graphExecDestroy(graph);
    graphs.clear();
  }

  CudaDevice &gpu;
  const CudaDriver &cuda;
  std::vector<Handle> modules;   // of blobs
  std::vector<Handle> functions; // of kernels
  /// Of ranges of launches that were run.
  std::map<std::pair<size_t, size_t>, Handle> graphs;
};

} // namespace

// --------------------------------------------------------------------- Device

CudaDevice::CudaDevice(std::shared_ptr<Context> context)
    : context(std::move(context)) {}

CudaDevice::~CudaDevice() = default;

Result<std::unique_ptr<CudaDevice>> CudaDevice::create(int ordinal) {
  Result<const CudaDriver *> driver = CudaDriver::find();
  if (!driver.ok())
    return driver.status();
  auto context = std::make_shared<Context>();
  context->driver = *driver;
  if (Status status = context->open(ordinal); !status.ok())
    return status;
  return std::unique_ptr<CudaDevice>(new CudaDevice(std::move(context)));
}

const CudaDriver &CudaDevice::driver() const { return *context->driver; }
Handle CudaDevice::stream() const { return context->stream; }
Status CudaDevice::synchronize() { return context->synchronize(); }

Status CudaDevice::check(int result, const char *name) const {
  return context->check(result, name);
}

std::string CudaDevice::name() const {
  return concat("cuda (", context->name, ", sm_", context->capability, ", ",
                context->multiprocessors, " multiprocessors)");
}

Status CudaDevice::expectTarget(const std::string &target) const {
  std::optional<Capability> code = parseTarget(target);
  if (code && (code->isExact ? code->number == context->capability
                             : code->number <= context->capability))
    return {};
  return unsupported("the program is for ", inQuotes(target), ", ",
                     context->name, " runs programs for sm_",
                     context->capability, " and earlier generations");
}

Result<DeviceBuffer> CudaDevice::allocateWorkspace(int64_t bytes) {
  if (bytes == 0)
    return DeviceBuffer();
  CudaDriver::Address address = 0;
  if (Status status =
          check(driver().memAlloc(&address, static_cast<size_t>(bytes)),
                "cuMemAlloc");
      !status.ok())
    return Status(status.code(),
                  concat(status.message(), " for ", bytes, " bytes"));
  auto release = [context = context](uint64_t *owned) {
    (void)context->synchronize();
    context->driver->memFree(*owned);
    delete owned;
  };
  std::shared_ptr<void> owner(new uint64_t(address), release);
  return DeviceBuffer({address, bytes}, std::move(owner));
}

Result<DeviceBuffer> CudaDevice::allocate(int64_t bytes) {
  Result<DeviceBuffer> buffer = allocateWorkspace(bytes);
  if (!buffer.ok())
    return buffer;
  if (Status status = fill(buffer->memory(), 0); !status.ok())
    return status;
  return buffer;
}

Status CudaDevice::upload(DeviceMemory to, const void *from) {
  auto total = static_cast<size_t>(to.bytes);
  for (size_t done = 0, piece = 0; done < total; piece = 1 - piece) {
    size_t count = std::min(total - done, kStagingBytes);
    if (Status status = check(driver().eventSynchronize(context->staged[piece]),
                              "cuEventSynchronize");
        !status.ok())
      return status;
    std::memcpy(context->staging[piece], static_cast<const char *>(from) + done,
                count);
    if (Status status = check(driver().memcpyHtoDAsync(to.address + done,
                                                       context->staging[piece],
                                                       count, stream()),
                              "cuMemcpyHtoDAsync");
        !status.ok())
      return status;
    if (Status status =
            check(driver().eventRecord(context->staged[piece], stream()),
                  "cuEventRecord");
        !status.ok())
      return status;
    done += count;
  }
  return {};
}

Status CudaDevice::download(void *to, DeviceMemory from) {
  auto total = static_cast<size_t>(from.bytes);
  auto pieces = (total + kStagingBytes - 1) / kStagingBytes;
  auto sizeOf = [&](size_t piece) {
    return std::min(total - piece * kStagingBytes, kStagingBytes);
  };
  // The GPU fills one piece while the one before is copied.
  for (size_t piece = 0; piece <= pieces; ++piece) {
    if (piece < pieces) {
      size_t place = piece % 2;
      if (Status status = check(
              driver().memcpyDtoHAsync(context->staging[place],
                                       from.address + piece * kStagingBytes,
                                       sizeOf(piece), stream()),
              "cuMemcpyDtoHAsync");
          !status.ok())
        return status;
      if (Status status =
              check(driver().eventRecord(context->staged[place], stream()),
                    "cuEventRecord");
          !status.ok())
        return status;
    }
    if (piece == 0)
      continue;
    size_t place = (piece - 1) % 2;
    if (Status status = check(driver().eventSynchronize(context->staged[place]),
                              "cuEventSynchronize");
        !status.ok())
      return status;
    std::memcpy(static_cast<char *>(to) + (piece - 1) * kStagingBytes,
                context->staging[place], sizeOf(piece - 1));
  }
  return {};
}

Status CudaDevice::copy(DeviceMemory to, DeviceMemory from) {
  if (to.bytes == 0)
    return {};
  return check(driver().memcpyDtoDAsync(to.address, from.address,
                                        static_cast<size_t>(from.bytes),
                                        stream()),
               "cuMemcpyDtoDAsync");
}

Status CudaDevice::fill(DeviceMemory to, uint8_t value) {
  if (to.bytes == 0)
    return {};
  return check(driver().memsetD8Async(to.address, value,
                                      static_cast<size_t>(to.bytes), stream()),
               "cuMemsetD8Async");
}

std::vector<DeviceCounter> CudaDevice::counters() const {
  return {{"launches", launches}, {"graph_launches", graphLaunches}};
}

Result<std::unique_ptr<Executable>>
CudaDevice::create(std::shared_ptr<const Program> program) {
  return CudaExecutable::create(*this, std::move(program));
}

} // namespace attnres::runtime
