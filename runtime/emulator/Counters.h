// Counts per kernel launch: instructions, memory traffic, barriers, divergence.

#ifndef ATTNRES_RUNTIME_EMULATOR_COUNTERS_H
#define ATTNRES_RUNTIME_EMULATOR_COUNTERS_H

#include "runtime/emulator/Program.h"

#include <array>
#include <cstdint>
#include <string>

namespace attnres::emulator {

/// Traffic of one memory space.
struct SpaceCounters {
  uint64_t loadBytes = 0;
  uint64_t storeBytes = 0;
  /// Warp-level accesses.
  uint64_t requests = 0;
  /// Global: 32-byte sectors touched. Shared: passes over the banks.
  uint64_t transactions = 0;
  /// The fewest transactions that the same bytes would need.
  uint64_t idealTransactions = 0;
};

struct Counters {
  struct ClassCount {
    uint64_t warpInstructions = 0;
    uint64_t laneInstructions = 0;
  };
  std::array<ClassCount, static_cast<size_t>(InstructionClass::Count)> classes;
  SpaceCounters global, shared, local, parameter;
  /// Extra passes that bank conflicts cost.
  uint64_t bankConflicts = 0;
  uint64_t barriers = 0;
  uint64_t branches = 0;
  /// Branches where lanes of a warp went both ways.
  uint64_t divergentBranches = 0;
  uint64_t atomics = 0;
  uint64_t matrixInstructions = 0;
  /// Multiply-adds of mma, wmma and wgmma.
  uint64_t tensorMultiplyAdds = 0;
  /// Those of mma and wmma, and those of wgmma, each as many multiply-adds of
  /// bf16 as take the same time: a type of twice the bytes has half the rate.
  uint64_t warpProductWork = 0;
  uint64_t groupProductWork = 0;
  /// Bytes of shared memory that wgmma reads, what four warps share once.
  uint64_t groupOperandBytes = 0;
  uint64_t asyncCopyBytes = 0;
  uint64_t blocks = 0;
  uint64_t warps = 0;

  void add(const Counters &other);
  uint64_t warpInstructions() const;
  uint64_t laneInstructions() const;
  /// Ideal over actual sectors of global accesses, 1 when there are none.
  double coalescingEfficiency() const;
  /// Active lanes over all lanes of executed instructions.
  double laneOccupancy() const;

  std::string table(const std::string &kernel) const;
  /// One JSON object; the keys are the names of the fields in snake case.
  std::string json(const std::string &kernel) const;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_COUNTERS_H
