// How long a GPU needs at least for what the emulator has counted: a bound, no
// measurement. Every resource is taken to be busy all the time and to overlap
// with all others; latency, launches and tails come on top. Instructions are
// those of PTX, of which the machine has 0.9 to 1.3 times as many.
#ifndef ATTNRES_RUNTIME_EMULATOR_ESTIMATE_H
#define ATTNRES_RUNTIME_EMULATOR_ESTIMATE_H

#include "runtime/emulator/Counters.h"
#include "support/machine/GpuSheet.h"

#include <array>

namespace attnres::emulator {

enum class Resource {
  Tensor,  ///< tensor cores
  Issue,   ///< instructions of warps
  Lanes,   ///< arithmetic of floats, or of integers if that takes longer
  Special, ///< special functions
  Shared,  ///< passes over the banks of shared memory, conflicts included
  Cache,   ///< sectors of 32 bytes from the second-level cache
  Memory,  ///< each tensor read or written once
  Count,
};
inline constexpr size_t numResources = static_cast<size_t>(Resource::Count);
const char *resourceName(Resource resource);

/// What one launch asks of a GPU.
struct LaunchWork {
  Counters counters;   ///< of `counters.blocks` blocks
  uint64_t blocks = 0; ///< of the launch
  /// Of all tensors, once; less where fewer sectors are touched, as by gathers.
  double tensorBytes = 0;
};

struct Estimate {
  /// Seconds that each resource is busy.
  std::array<double, numResources> seconds{};

  Resource bound() const; ///< the resource that is busy longest
  double total() const { return seconds[static_cast<size_t>(bound())]; }
  double of(Resource resource) const {
    return seconds[static_cast<size_t>(resource)];
  }
};

/// Work inside of multiprocessors is shared by as many as there are blocks.
Estimate estimateLaunch(const LaunchWork &work, const machine::GpuSheet &gpu);

/// How many blocks a multiprocessor holds, and what keeps it from more.
struct Occupancy {
  int64_t blocks = 0, warps = 0;
  const char *limit = ""; ///< "registers", "shared memory", "warps", "blocks"
};

/// `registers` of a thread; 0: not known, and taken to be no limit.
Occupancy occupancyOf(int64_t threads, int64_t registers, int64_t sharedBytes,
                      const machine::GpuSheet &gpu);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_ESTIMATE_H
