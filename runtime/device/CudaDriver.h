// NVIDIA's driver, found when it is asked for: nothing here needs CUDA to be
// compiled or started.
#ifndef ATTNRES_RUNTIME_DEVICE_CUDADRIVER_H
#define ATTNRES_RUNTIME_DEVICE_CUDADRIVER_H

#include "support/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace attnres::runtime {

/// The functions of the driver API that devices use, as its header declares
/// them: handles are pointers, addresses are 64 bits.
struct CudaDriver {
  using Result = int; ///< CUresult; 0 is success
  using Address = uint64_t;
  using Handle = void *;

  Result (*init)(unsigned flags);
  Result (*driverGetVersion)(int *version);
  Result (*deviceGetCount)(int *count);
  Result (*deviceGet)(int *device, int ordinal);
  Result (*deviceGetName)(char *name, int length, int device);
  Result (*deviceGetAttribute)(int *value, int attribute, int device);
  Result (*primaryCtxRetain)(Handle *context, int device);
  Result (*primaryCtxRelease)(int device);
  Result (*ctxSetCurrent)(Handle context);
  Result (*moduleLoadDataEx)(Handle *module, const void *image, unsigned count,
                             int *options, void **values);
  Result (*moduleUnload)(Handle module);
  Result (*moduleGetFunction)(Handle *function, Handle module,
                              const char *name);
  Result (*funcSetAttribute)(Handle function, int attribute, int value);
  Result (*memAlloc)(Address *address, size_t bytes);
  Result (*memFree)(Address address);
  Result (*memAllocHost)(void **memory, size_t bytes);
  Result (*memFreeHost)(void *memory);
  Result (*memcpyHtoDAsync)(Address to, const void *from, size_t bytes,
                            Handle stream);
  Result (*memcpyDtoHAsync)(void *to, Address from, size_t bytes,
                            Handle stream);
  Result (*memcpyDtoDAsync)(Address to, Address from, size_t bytes,
                            Handle stream);
  Result (*memsetD8Async)(Address to, unsigned char value, size_t bytes,
                          Handle stream);
  Result (*streamCreate)(Handle *stream, unsigned flags);
  Result (*streamDestroy)(Handle stream);
  Result (*streamSynchronize)(Handle stream);
  Result (*launchKernel)(Handle function, unsigned gridX, unsigned gridY,
                         unsigned gridZ, unsigned blockX, unsigned blockY,
                         unsigned blockZ, unsigned sharedBytes, Handle stream,
                         void **parameters, void **extra);
  Result (*streamBeginCapture)(Handle stream, int mode);
  Result (*streamEndCapture)(Handle stream, Handle *graph);
  Result (*graphInstantiate)(Handle *executable, Handle graph,
                             unsigned long long flags);
  Result (*graphDestroy)(Handle graph);
  Result (*graphExecDestroy)(Handle executable);
  Result (*graphLaunch)(Handle executable, Handle stream);
  Result (*eventCreate)(Handle *event, unsigned flags);
  Result (*eventDestroy)(Handle event);
  Result (*eventRecord)(Handle event, Handle stream);
  Result (*eventSynchronize)(Handle event);
  Result (*eventElapsedTime)(float *milliseconds, Handle begin, Handle end);
  Result (*getErrorName)(Result error, const char **name);
  Result (*getErrorString)(Result error, const char **text);

  /// The driver of this process, loaded once: the library that the environment
  /// variable ATTNRES_CUDA_DRIVER names, else libcuda.so.1. Fails where there
  /// is none, or it lacks a function.
  static attnres::Result<const CudaDriver *> find();

  /// "cuNAME: CUDA_ERROR_X (what it means)" where `result` is no success.
  Status check(Result result, const char *name) const;
};

} // namespace attnres::runtime
#endif
