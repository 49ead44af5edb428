// What NVIDIA GPUs can do at most, from data sheets and published measurements:
// the numbers that tiles are chosen by and that estimates divide by.
#ifndef ATTNRES_SUPPORT_MACHINE_GPUSHEET_H
#define ATTNRES_SUPPORT_MACHINE_GPUSHEET_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnres::machine {

/// One GPU. Rates are those of one multiprocessor and clock unless stated.
struct GpuSheet {
  const char *name;
  const char *target; ///< of the code that it runs: "sm_90a"
  int64_t processors; ///< multiprocessors
  double clock;       ///< Hz that the rate of tensor cores in the sheet assumes
  /// Multiply-adds of bf16 in products of warp groups (wgmma); 0: has none.
  double groupMultiplyAdds;
  double warpMultiplyAdds; ///< the same by mma.sync
  double warpInstructions; ///< issued
  double floatLanes;       ///< additions and multiplications of f32
  double integerLanes;     ///< integers, logic, conversions
  double specialLanes;     ///< ex2, rcp, rsqrt and the like
  double sharedBytes;      ///< moved between shared memory and registers
  double cacheBytes;  ///< a second from the second-level cache, all together
  double memoryBytes; ///< a second from DRAM, all together
  // What blocks of a multiprocessor share.
  int64_t sharedCapacity; ///< bytes of shared memory
  int64_t blockShared;    ///< of which a block can have
  int64_t registers;
  int64_t warps;
  int64_t blocks;

  struct Fact {
    const char *name;
    double value;
    const char *unit, *source;
  };
  /// The numbers one by one, and where they are from.
  std::vector<Fact> facts() const;
};

const std::vector<GpuSheet> &gpuSheets();
/// The GPU that estimates for a target are about; null: none is known.
const GpuSheet *gpuOfTarget(std::string_view target);

} // namespace attnres::machine

#endif
