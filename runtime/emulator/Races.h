// Data-race detection by byte, with vector clocks.
//
// Every memory instruction of a warp that is checked gets a record: who, when
// (the clock of the executing agent) and where. For each byte, shadow memory
// has two lists of entries, which are a record number and a lane: the last
// writes and the last reads. Two accesses of one byte, at least one of them a
// write and not both atomic, race unless the first happens before the second.
//
// A list is as short as it can be without losing a race: an access takes the
// place of one that happens before it, for whoever comes after the present
// access comes after the earlier one, too. So there is one entry where
// accesses are ordered among each other, and one per unordered thread else.
// Lanes of a warp that read between the same synchronizations share an entry,
// and of blocks that have ended only the one that was released last matters: a
// block that ended without a release stands for everyone, because nothing can
// come after it any more.
//
// Agents are the warps of a cluster and their asynchronous helpers: the
// wgmma of each warp, bulk stores and cp.async of each lane, and every
// mbarrier (which completes bulk copies). A warp's clock advances when it
// synchronizes; waiting merges the clocks of whom it waited for. Between
// clusters, time stamps of fences and atomics stand in for clocks.
//
// Clocks also tell what a proxy fence lies behind. Beside a warp's clock there
// is one that other threads' fences set to it, and one per lane that counts
// the warp's own fences.

#ifndef ATTNRES_RUNTIME_EMULATOR_RACES_H
#define ATTNRES_RUNTIME_EMULATOR_RACES_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace attnres::emulator {

enum AccessFlag : uint8_t {
  kStrongAccess = 1,
  kCpAsyncAccess = 2,
  kBulkAccess = 4,
  kWgmmaAccess = 8,
};
/// What memory knows as the asynchronous proxy; cp.async is not part of it.
constexpr uint8_t kAsyncProxy = kBulkAccess | kWgmmaAccess;

struct AccessRecord {
  uint64_t cluster = 0;
  /// Of cp.async, the agent of lane 0; those of the others follow.
  uint32_t agent = 0;
  uint32_t clock = 0;
  uint32_t line = 0;
  /// How many releases the cluster had made before.
  uint32_t releases = 0;
  /// How many proxy fences the warp had executed before.
  uint32_t proxyFences = 0;
  uint8_t rank = 0;
  uint8_t warp = 0;
  uint8_t flags = 0;
};

/// Held for some nanoseconds.
class alignas(64) SpinLock {
public:
  void lock() {
    // Others may wait for the processor to go on.
    for (unsigned tries = 1; flag.test_and_set(std::memory_order_acquire);
         ++tries)
      if (tries % 64 == 0)
        std::this_thread::yield();
  }
  void unlock() { flag.clear(std::memory_order_release); }

private:
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
};

/// The records of the latest accesses; older ones are forgotten.
class RaceLog {
public:
  /// An entry: number, `severalLanes`, lane.
  static constexpr uint32_t laneBits = 6;
  /// Other lanes of the warp have read, too.
  static constexpr uint32_t severalLanes = 32;
  static constexpr uint32_t window = 1u << 22;
  static constexpr uint32_t chunk = 1024;
  /// Numbers above this do not fit an entry; recording stops there until the
  /// next launch or round of blocks starts over.
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
  /// Entries made so far mean nothing to the launch that begins.
  void beginLaunch() { base = next; }
  /// Whether it is time to start over.
  bool isHalfUsed() const { return next > limit / 2; }
  /// All entries and records must have been given up.
  void startOver() { base = next = 1; }

  /// Calls `look(first, count)` for the parts of an access of global memory,
  /// while no other host thread looks at the lists of the same bytes. Stops
  /// when it returns false, and returns that.
  template <typename F>
  bool exclusively(uint64_t address, unsigned bytes, F look) {
    for (unsigned at = 0; at < bytes;) {
      uint64_t start = address + at;
      unsigned count = std::min<unsigned>(
          bytes - at, stripe - static_cast<unsigned>(start % stripe));
      std::lock_guard<SpinLock> lock(locks[start / stripe % stripes]);
      if (!look(at, count))
        return false;
      at += count;
    }
    return true;
  }

private:
  static constexpr unsigned stripe = 256;
  static constexpr unsigned stripes = 256;
  SpinLock locks[stripes];

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
  static constexpr uint64_t never = UINT64_MAX;

  void reset(uint64_t clusters);
  /// Called in the deterministic order of atomics.
  void release(uint64_t cluster);
  uint64_t acquire();
  /// The cluster does nothing any more.
  void end(uint64_t cluster);

  struct Standing {
    /// When what the cluster did was released, or `never` so far.
    uint64_t released = never;
    bool ended = false;
  };
  /// Of what `cluster` did after `releases` releases.
  Standing of(uint64_t cluster, uint32_t releases);

private:
  std::mutex mutex;
  uint64_t now = 1;
  std::unordered_map<uint64_t, std::vector<uint64_t>> times;
  std::vector<bool> ended;
};

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_RACES_H
