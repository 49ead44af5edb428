#include "runtime/device/CudaDriver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <type_traits>

namespace attnres::runtime {
namespace {

/// Fails with the name of a function that the library lacks.
Status loadFunctions(void *library, const std::string &path,
                     CudaDriver &driver) {
  Status status;
  auto load = [&](auto &function, const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol && status.ok())
      status = unsupported(path, " has no function ", name,
                           "; expected the driver of CUDA 11.4 or later");
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
  };
  load(driver.init, "cuInit");
  load(driver.driverGetVersion, "cuDriverGetVersion");
  load(driver.deviceGetCount, "cuDeviceGetCount");
  load(driver.deviceGet, "cuDeviceGet");
  load(driver.deviceGetName, "cuDeviceGetName");
  load(driver.deviceGetAttribute, "cuDeviceGetAttribute");
  load(driver.primaryCtxRetain, "cuDevicePrimaryCtxRetain");
  load(driver.primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  load(driver.ctxSetCurrent, "cuCtxSetCurrent");
  load(driver.moduleLoadDataEx, "cuModuleLoadDataEx");
  load(driver.moduleUnload, "cuModuleUnload");
  load(driver.moduleGetFunction, "cuModuleGetFunction");
  load(driver.funcSetAttribute, "cuFuncSetAttribute");
  load(driver.memAlloc, "cuMemAlloc_v2");
  load(driver.memFree, "cuMemFree_v2");
  load(driver.memAllocHost, "cuMemAllocHost_v2");
  load(driver.memFreeHost, "cuMemFreeHost");
  load(driver.memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
  load(driver.memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
  load(driver.memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
  load(driver.memsetD8Async, "cuMemsetD8Async");
  load(driver.streamCreate, "cuStreamCreate");
  load(driver.streamDestroy, "cuStreamDestroy_v2");
  load(driver.streamSynchronize, "cuStreamSynchronize");
  load(driver.launchKernel, "cuLaunchKernel");
  load(driver.streamBeginCapture, "cuStreamBeginCapture_v2");
  load(driver.streamEndCapture, "cuStreamEndCapture");
  load(driver.graphInstantiate, "cuGraphInstantiateWithFlags");
  load(driver.graphDestroy, "cuGraphDestroy");
  load(driver.graphExecDestroy, "cuGraphExecDestroy");
  load(driver.graphLaunch, "cuGraphLaunch");
  load(driver.eventCreate, "cuEventCreate");
  load(driver.eventDestroy, "cuEventDestroy_v2");
  load(driver.eventRecord, "cuEventRecord");
  load(driver.eventSynchronize, "cuEventSynchronize");
  load(driver.eventElapsedTime, "cuEventElapsedTime");
  load(driver.getErrorName, "cuGetErrorName");
  load(driver.getErrorString, "cuGetErrorString");
  return status;
}

Result<CudaDriver> load() {
  const char *given = std::getenv("ATTNRES_CUDA_DRIVER");
  std::string path = given ? given : "libcuda.so.1";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return unsupported("no driver of NVIDIA GPUs: ", dlerror());
  CudaDriver driver;
  if (Status status = loadFunctions(library, path, driver); !status.ok())
    return status;
  if (Status status = driver.check(driver.init(0), "cuInit"); !status.ok())
    return status;
  return driver;
}

} // namespace

Result<const CudaDriver *> CudaDriver::find() {
  // Never unloaded: buffers may be freed when the process ends.
  static const auto *driver = new attnres::Result<CudaDriver>(load());
  if (!driver->ok())
    return driver->status();
  return &**driver;
}

Status CudaDriver::check(Result result, const char *name) const {
  if (result == 0)
    return {};
  const char *error = nullptr, *text = nullptr;
  if (getErrorName(result, &error) != 0 || !error)
    return ioError(name, ": error ", result);
  if (getErrorString(result, &text) != 0 || !text)
    text = "no description";
  return ioError(name, ": ", error, " (", text, ")");
}

} // namespace attnres::runtime
