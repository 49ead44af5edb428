#include "runtime/emulator/Estimate.h"

#include <algorithm>

namespace attnres::emulator {
namespace {

constexpr double sectorBytes = 32;
/// Of one pass over the banks.
constexpr double passBytes = 128;
/// Registers are given to warps in pieces of this many.
constexpr int64_t registerPiece = 256;
/// Shared memory that a block has besides its own, for the system.
constexpr int64_t reservedShared = 1024;

double warpsOf(const Counters &counters, InstructionClass kind) {
  return static_cast<double>(
      counters.classes[static_cast<size_t>(kind)].warpInstructions);
}

} // namespace

const char *resourceName(Resource resource) {
  static const char *const names[] = {"tensor", "issue", "lanes", "special",
                                      "shared", "cache", "memory"};
  return names[static_cast<size_t>(resource)];
}

Resource Estimate::bound() const {
  return static_cast<Resource>(
      std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
}

Estimate estimateLaunch(const LaunchWork &work, const machine::GpuSheet &gpu) {
  const Counters &c = work.counters;
  Estimate estimate;
  if (c.blocks == 0)
    return estimate;
  double scale =
      static_cast<double>(work.blocks) / static_cast<double>(c.blocks);
  double busy = static_cast<double>(
      std::min(work.blocks, static_cast<uint64_t>(gpu.processors)));
  // Clocks of one multiprocessor to seconds of the launch.
  double clocks = scale / (busy * gpu.clock);
  auto set = [&](Resource resource, double seconds) {
    estimate.seconds[static_cast<size_t>(resource)] = seconds;
  };

  auto work16 = [](uint64_t value) { return static_cast<double>(value); };
  double tensor = work16(c.warpProductWork) / gpu.warpMultiplyAdds;
  if (c.groupProductWork != 0)
    tensor += work16(c.groupProductWork) / gpu.groupMultiplyAdds;
  set(Resource::Tensor, tensor * clocks);

  set(Resource::Issue, static_cast<double>(c.warpInstructions()) /
                           gpu.warpInstructions * clocks);

  // Lanes that do not take part have their place in the pipe all the same.
  double floats = warpsOf(c, InstructionClass::Float32) +
                  warpsOf(c, InstructionClass::Half);
  double integers = warpsOf(c, InstructionClass::Integer) +
                    warpsOf(c, InstructionClass::Logic) +
                    warpsOf(c, InstructionClass::Comparison) +
                    warpsOf(c, InstructionClass::Conversion);
  set(Resource::Lanes,
      kWarpSize *
          std::max(floats / gpu.floatLanes, integers / gpu.integerLanes) *
          clocks);
  set(Resource::Special, kWarpSize * warpsOf(c, InstructionClass::Special) /
                             gpu.specialLanes * clocks);

  double bytesInPasses =
      static_cast<double>(c.asyncCopyBytes) +
      static_cast<double>(c.groupOperandBytes) +
      static_cast<double>(c.local.loadBytes + c.local.storeBytes);
  double passes = static_cast<double>(c.shared.transactions) +
                  warpsOf(c, InstructionClass::WarpExchange) +
                  bytesInPasses / passBytes;
  set(Resource::Shared, passes * passBytes / gpu.sharedBytes * clocks);

  double sectors = static_cast<double>(c.global.transactions) * sectorBytes +
                   static_cast<double>(c.asyncCopyBytes);
  set(Resource::Cache, sectors * scale / gpu.cacheBytes);
  set(Resource::Memory,
      std::min(work.tensorBytes, sectors * scale) / gpu.memoryBytes);
  return estimate;
}

Occupancy occupancyOf(int64_t threads, int64_t registers, int64_t sharedBytes,
                      const machine::GpuSheet &gpu) {
  int64_t warps = std::max<int64_t>((threads + kWarpSize - 1) / kWarpSize, 1);
  Occupancy occupancy{gpu.blocks, 0, "blocks"};
  auto limit = [&](int64_t blocks, const char *what) {
    if (blocks < occupancy.blocks)
      occupancy = {blocks, 0, what};
  };
  limit(gpu.warps / warps, "warps");
  if (registers > 0) {
    int64_t pieces =
        (registers * kWarpSize + registerPiece - 1) / registerPiece;
    limit(gpu.registers / (pieces * registerPiece) / warps, "registers");
  }
  limit(gpu.sharedCapacity / (sharedBytes + reservedShared), "shared memory");
  occupancy.warps = occupancy.blocks * warps;
  return occupancy;
}

} // namespace attnres::emulator
