// Data-race detection by byte, with vector clocks.
//
// Every memory instruction of a warp that is checked gets a record: who, when
// (the clock of the executing agent) and where. For each byte, shadow memory
// keeps the last write and an earlier read that nothing has ordered yet, as
// record number and lane. Two accesses of one byte, at least one of them a
// write and not both atomic, race unless the first happens before the second.
//
// Agents are the warps of a cluster and their asynchronous helpers: the
// cp.async and bulk-copy engines and wgmma of each warp, and every mbarrier
// (which completes bulk copies). A warp's clock advances when it synchronizes;
// waiting merges the clocks of whom it waited for. Between clusters, time
// stamps of fences and atomics stand in for clocks.

#ifndef ATTNRES_RUNTIME_EMULATOR_RACES_H
#define ATTNRES_RUNTIME_EMULATOR_RACES_H

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace attnres::emulator {

enum AccessFlag : uint8_t {
  kStrongAccess = 1,
  kCpAsyncAccess = 2,
  kBulkAccess = 4,
  kWgmmaAccess = 8,
};

struct AccessRecord {
  uint64_t cluster = 0;
  uint32_t agent = 0;
  uint32_t clock = 0;
  uint32_t line = 0;
  /// How many releases the cluster had made before.
  uint32_t releases = 0;
  uint16_t rank = 0;
  uint16_t warp = 0;
  uint8_t flags = 0;
};

/// The records of the latest accesses; older ones are forgotten.
class RaceLog {
public:
  static constexpr uint32_t laneBits = 5;
  static constexpr uint32_t window = 1u << 22;
  static constexpr uint32_t chunk = 1024;
  /// Numbers above this do not fit an entry; recording stops there until the
  /// next launch starts over.
  static constexpr uint32_t limit = (1u << (32 - laneBits)) - 2 * chunk;

  RaceLog();
  /// Reserves `chunk` consecutive numbers; 0 when they are used up.
  uint32_t reserve();
  AccessRecord &at(uint32_t number) { return records[number % window]; }
  /// Whether `number` belongs to the current launch and is still remembered.
  bool isLive(uint32_t number) const {
    return number >= base &&
           number + window > next.load(std::memory_order_relaxed);
  }
  /// Starts a launch. True if all shadow memory must be cleared.
  bool beginLaunch();

private:
  struct Release {
    void operator()(void *memory) const { std::free(memory); }
  };
  // Zero pages from the system, so that a device that runs little needs little.
  std::unique_ptr<AccessRecord[], Release> records;
  std::atomic<uint32_t> next{1};
  uint32_t base = 1;
};

/// Time stamps of releases and acquires between clusters.
class ClusterTimes {
public:
  void reset();
  /// Called in the deterministic order of atomics.
  void release(uint64_t cluster);
  uint64_t acquire();
  uint32_t releaseCount(uint64_t cluster);
  /// Whether what `cluster` did after `releases` releases was released no later
  /// than `acquired`.
  bool releasedBefore(uint64_t cluster, uint32_t releases, uint64_t acquired);

private:
  std::mutex mutex;
  uint64_t now = 1;
  std::unordered_map<uint64_t, std::vector<uint64_t>> times;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_RACES_H
