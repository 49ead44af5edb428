// A driver of NVIDIA GPUs for machines without one: the functions that
// runtime/device/CudaDriver.h asks for, with kernels executed by the emulator.
// Calls out of order and findings of the emulator are errors, and the calls of
// interest are counted: the environment variable FAKE_CUDA_LOG names a file for
// their names, one a line; FAKE_CUDA_CAPABILITY is that of the GPU, "90".
#include "runtime/emulator/Device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace attnres;

namespace {

enum Error {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNotFound = 500,
  kLaunchFailed = 719,
};

using Address = unsigned long long;
using Work = std::function<int()>;

struct Function {
  std::string name;
  int dynamicShared = 48 * 1024; ///< what a launch may have
};
struct Module {
  std::vector<std::unique_ptr<Function>> functions;
};
struct Graph {
  std::vector<Work> works;
};
struct Event {
  double milliseconds = 0;
};
struct Stream {
  std::unique_ptr<Graph> capture; ///< null: works are done at once
};

struct Driver {
  bool initialized = false;
  bool current = false; ///< a context
  int retained = 0;
  int modules = 0;
  double clock = 0; ///< every launch takes a millisecond
  std::set<void *> graphs, hostMemory;
  emulator::Device gpu;

  static Driver &get() {
    // Outlives whoever frees memory last.
    static auto *driver = new Driver;
    return *driver;
  }
};

void log(const char *name) {
  const char *path = std::getenv("FAKE_CUDA_LOG");
  if (!path)
    return;
  if (FILE *file = std::fopen(path, "a")) {
    std::fprintf(file, "%s\n", name);
    std::fclose(file);
  }
}

int expectContext() {
  Driver &driver = Driver::get();
  return !driver.initialized ? kNotInitialized
         : driver.current    ? kSuccess
                             : kInvalidContext;
}

/// Does the work, or keeps it for the graph that is captured.
int submit(void *stream, Work work) {
  if (int error = expectContext())
    return error;
  if (!stream)
    return kInvalidValue;
  auto &to = *static_cast<Stream *>(stream);
  if (!to.capture)
    return work();
  to.capture->works.push_back(std::move(work));
  return kSuccess;
}

int toError(const Status &status) {
  return status.ok() ? kSuccess : kInvalidValue;
}

int launch(const std::string &name, const emulator::LaunchConfig &config,
           const std::vector<std::vector<char>> &values) {
  Driver &driver = Driver::get();
  log("launch");
  driver.clock += 1;
  std::vector<const void *> arguments;
  for (const std::vector<char> &value : values)
    arguments.push_back(value.data());
  driver.gpu.clearFindings();
  Status status = driver.gpu.launch(name, config, arguments);
  for (const emulator::Finding &finding : driver.gpu.findings())
    std::fprintf(stderr, "%s\n", finding.text().c_str());
  if (!status.ok())
    std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok() && driver.gpu.findings().empty() ? kSuccess
                                                      : kLaunchFailed;
}

} // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) int

FAKE cuInit(unsigned flags) {
  Driver::get().initialized = flags == 0;
  return flags == 0 ? kSuccess : kInvalidValue;
}
FAKE cuDriverGetVersion(int *version) { return *version = 12040, kSuccess; }
FAKE cuDeviceGetCount(int *count) {
  return *count = 1, Driver::get().initialized ? kSuccess : kNotInitialized;
}
FAKE cuDeviceGet(int *device, int ordinal) {
  return *device = ordinal, ordinal == 0 ? kSuccess : kInvalidValue;
}
FAKE cuDeviceGetName(char *name, int length, int) {
  return std::snprintf(name, static_cast<size_t>(length), "Fake GPU"), kSuccess;
}
FAKE cuDeviceGetAttribute(int *value, int attribute, int) {
  const char *given = std::getenv("FAKE_CUDA_CAPABILITY");
  int capability = given ? std::atoi(given) : 90;
  switch (attribute) {
  case 16:
    return *value = 132, kSuccess;
  case 75:
    return *value = capability / 10, kSuccess;
  case 76:
    return *value = capability % 10, kSuccess;
  default:
    return kInvalidValue;
  }
}
FAKE cuDevicePrimaryCtxRetain(void **context, int) {
  ++Driver::get().retained;
  return *context = &Driver::get(), kSuccess;
}
FAKE cuDevicePrimaryCtxRelease_v2(int) {
  Driver &driver = Driver::get();
  return driver.retained-- > 0 ? kSuccess : kInvalidContext;
}
FAKE cuCtxSetCurrent(void *context) {
  Driver::get().current = context == &Driver::get();
  return kSuccess;
}

FAKE cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                        int *options, void **values) {
  if (int error = expectContext())
    return error;
  Driver &driver = Driver::get();
  std::string prefix = concat("m", driver.modules++, ".");
  Status status =
      driver.gpu.loadModule(static_cast<const char *>(image), prefix);
  if (!status.ok()) {
    // Where the error log goes: CU_JIT_ERROR_LOG_BUFFER.
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::snprintf(static_cast<char *>(values[i]), 256, "%s",
                      status.message().c_str());
    return kInvalidImage;
  }
  auto made = std::make_unique<Module>();
  for (const std::string &name : driver.gpu.kernels())
    if (name.substr(0, prefix.size()) == prefix)
      made->functions.push_back(std::make_unique<Function>(Function{name}));
  return *module = made.release(), kSuccess;
}
FAKE cuModuleUnload(void *module) {
  return delete static_cast<Module *>(module), kSuccess;
}
FAKE cuModuleGetFunction(void **function, void *module, const char *name) {
  for (auto &each : static_cast<Module *>(module)->functions)
    if (each->name.substr(each->name.find('.') + 1) == name)
      return *function = each.get(), kSuccess;
  return kNotFound;
}
FAKE cuFuncSetAttribute(void *function, int attribute, int value) {
  if (attribute != 8 || value > 227 * 1024)
    return kInvalidValue;
  return static_cast<Function *>(function)->dynamicShared = value, kSuccess;
}

FAKE cuMemAlloc_v2(Address *address, size_t bytes) {
  if (int error = expectContext())
    return error;
  Result<uint64_t> made = Driver::get().gpu.allocate(bytes);
  if (!made.ok() || bytes == 0)
    return bytes == 0 ? kInvalidValue : kOutOfMemory;
  return *address = *made, kSuccess;
}
FAKE cuMemFree_v2(Address address) {
  return toError(Driver::get().gpu.free(address));
}
FAKE cuMemAllocHost_v2(void **memory, size_t bytes) {
  if (int error = expectContext())
    return error;
  *memory = std::malloc(bytes);
  Driver::get().hostMemory.insert(*memory);
  return kSuccess;
}
FAKE cuMemFreeHost(void *memory) {
  if (Driver::get().hostMemory.erase(memory) == 0)
    return kInvalidValue;
  return std::free(memory), kSuccess;
}
FAKE cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes,
                          void *stream) {
  return submit(stream, [=] {
    return toError(Driver::get().gpu.copyToDevice(to, from, bytes));
  });
}
FAKE cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, void *stream) {
  return submit(stream, [=] {
    return toError(Driver::get().gpu.copyToHost(to, from, bytes));
  });
}
FAKE cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                          void *stream) {
  return submit(stream, [=] {
    std::vector<char> content(bytes);
    emulator::Device &gpu = Driver::get().gpu;
    if (int error = toError(gpu.copyToHost(content.data(), from, bytes)))
      return error;
    return toError(gpu.copyToDevice(to, content.data(), bytes));
  });
}
FAKE cuMemsetD8Async(Address to, unsigned char value, size_t bytes,
                     void *stream) {
  return submit(stream, [=] {
    return toError(Driver::get().gpu.fill(to, value, bytes));
  });
}

FAKE cuStreamCreate(void **stream, unsigned) {
  if (int error = expectContext())
    return error;
  return *stream = new Stream, kSuccess;
}
FAKE cuStreamDestroy_v2(void *stream) {
  return delete static_cast<Stream *>(stream), kSuccess;
}
FAKE cuStreamSynchronize(void *stream) {
  // A stream that is captured cannot be waited for.
  return static_cast<Stream *>(stream)->capture ? kInvalidValue : kSuccess;
}
FAKE cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                    unsigned gridZ, unsigned blockX, unsigned blockY,
                    unsigned blockZ, unsigned sharedBytes, void *stream,
                    void **parameters, void **) {
  auto &kernel = *static_cast<Function *>(function);
  if (static_cast<int>(sharedBytes) > kernel.dynamicShared)
    return kInvalidValue;
  emulator::LaunchConfig config;
  config.grid = {gridX, gridY, gridZ};
  config.block = {blockX, blockY, blockZ};
  config.dynamicSharedBytes = sharedBytes;
  auto declared = Driver::get().gpu.parameters(kernel.name);
  if (!declared.ok())
    return kInvalidValue;
  // As many as the kernel declares are read, now.
  std::vector<std::vector<char>> values;
  for (size_t i = 0; i < declared->size(); ++i) {
    const char *from = static_cast<const char *>(parameters[i]);
    values.emplace_back(from, from + (*declared)[i].bytes);
  }
  return submit(stream, [name = kernel.name, config, values] {
    return launch(name, config, values);
  });
}

FAKE cuStreamBeginCapture_v2(void *stream, int) {
  auto &captured = *static_cast<Stream *>(stream);
  if (captured.capture)
    return kInvalidValue;
  return captured.capture = std::make_unique<Graph>(), kSuccess;
}
FAKE cuStreamEndCapture(void *stream, void **graph) {
  auto &captured = *static_cast<Stream *>(stream);
  if (!captured.capture)
    return kInvalidValue;
  *graph = captured.capture.release();
  Driver::get().graphs.insert(*graph);
  return kSuccess;
}
FAKE cuGraphInstantiateWithFlags(void **executable, void *graph,
                                 unsigned long long) {
  log("instantiate");
  *executable = new Graph(*static_cast<Graph *>(graph));
  Driver::get().graphs.insert(*executable);
  return kSuccess;
}
FAKE cuGraphDestroy(void *graph) {
  if (Driver::get().graphs.erase(graph) == 0)
    return kInvalidValue;
  return delete static_cast<Graph *>(graph), kSuccess;
}
FAKE cuGraphExecDestroy(void *graph) { return cuGraphDestroy(graph); }
FAKE cuGraphLaunch(void *graph, void *stream) {
  if (Driver::get().graphs.count(graph) == 0 || !stream)
    return kInvalidValue;
  log("graph");
  for (const Work &work : static_cast<Graph *>(graph)->works)
    if (int error = work())
      return error;
  return kSuccess;
}

FAKE cuEventCreate(void **event, unsigned) {
  return *event = new Event, kSuccess;
}
FAKE cuEventDestroy_v2(void *event) {
  return delete static_cast<Event *>(event), kSuccess;
}
FAKE cuEventRecord(void *event, void *stream) {
  return submit(stream, [=] {
    static_cast<Event *>(event)->milliseconds = Driver::get().clock;
    return 0;
  });
}
FAKE cuEventSynchronize(void *) { return expectContext(); }
FAKE cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  *milliseconds = static_cast<float>(static_cast<Event *>(end)->milliseconds -
                                     static_cast<Event *>(begin)->milliseconds);
  return kSuccess;
}

FAKE cuGetErrorName(int error, const char **name) {
  switch (error) {
  case kInvalidImage:
    return *name = "CUDA_ERROR_INVALID_IMAGE", kSuccess;
  case kLaunchFailed:
    return *name = "CUDA_ERROR_LAUNCH_FAILED", kSuccess;
  case kOutOfMemory:
    return *name = "CUDA_ERROR_OUT_OF_MEMORY", kSuccess;
  case kNotFound:
    return *name = "CUDA_ERROR_NOT_FOUND", kSuccess;
  default:
    return *name = "CUDA_ERROR_INVALID_VALUE", kSuccess;
  }
}
FAKE cuGetErrorString(int, const char **text) {
  return *text = "the fake driver says so", kSuccess;
}
