// What must be over when a block ends: asynchronous copies and products that
// touch its shared memory, bytes that its mbarriers expect, and what other
// blocks of the cluster do there. A block ends with its last thread, so what
// happens before the end of any of them is in time.

#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

constexpr uint8_t asynchronous = kCpAsyncAccess | kAsyncProxy;

std::string describe(const AccessRecord &record, bool isWrite) {
  const char *verb = isWrite ? "writes" : "reads";
  if (record.flags & kCpAsyncAccess)
    return fmt::format("cp.async still {} shared memory when the block ends, "
                       "without a wait for it",
                       verb);
  if (record.flags & kWgmmaAccess)
    return "wgmma still reads shared memory when the block ends, without a "
           "wgmma.wait_group";
  return fmt::format("a bulk copy still {} shared memory when the block ends, "
                     "without a wait for it",
                     verb);
}

} // namespace

bool Block::isOver(const AccessRecord &record, unsigned lane) const {
  size_t agent = record.agent;
  if (record.flags & kCpAsyncAccess)
    agent += lane;
  return agent < endClocks.size() && endClocks[agent] >= record.clock;
}

// The accesses of one list that may come after the end.
void Block::reportPending(const AccessLists &list, bool areWrites,
                          std::unordered_map<uint32_t, bool> &lines) {
  RaceLog &log = *launch.races;
  for (unsigned plane = 0; plane < list.count(); ++plane) {
    const uint32_t *entries = list.planeAt(plane);
    uint32_t last = 0;
    for (uint64_t i = 0; i < launch.sharedBytes; ++i) {
      uint32_t entry = entries[i];
      if (entry == last || entry == 0)
        continue;
      last = entry;
      uint32_t number = entry >> RaceLog::laneBits;
      if (!log.isLive(number))
        continue;
      const AccessRecord &record = log.at(number);
      unsigned lane = entry % kWarpSize;
      if (record.cluster != cluster.index || isOver(record, lane) ||
          (record.rank == rank && !(record.flags & asynchronous)))
        continue;
      // A copy and its arrival at an mbarrier are one fault.
      bool isAsync = record.flags & asynchronous;
      if (lines.emplace(record.line, isAsync).first->second != isAsync)
        continue;
      Warp &by = *cluster.blocks[record.rank]->warps[record.warp];
      uint64_t address = kSharedWindow + kSharedBase + i;
      if (isAsync)
        by.reportAt(record.line, FindingKind::MissingWait, lane, address,
                    describe(record, areWrites));
      else
        by.reportAt(record.line, FindingKind::UseAfterFree, lane, address,
                    fmt::format("{} of shared memory of block {} of the "
                                "cluster, which may have ended before",
                                areWrites ? "write" : "read", rank));
    }
  }
}

void Block::end() {
  ended = true;
  if (!launch.checks.races || launch.stop.load())
    return;
  if (touchedFromOutside || cluster.usesAsync) {
    std::unordered_map<uint32_t, bool> lines;
    reportPending(sharedWrites, true, lines);
    reportPending(sharedReads, false, lines);
  }
  for (const auto &[offset, barrier] : mbarriers) {
    if (!barrier.valid || barrier.transactions == 0)
      continue;
    warps[0]->reportAt(
        barrier.line, FindingKind::MissingWait, 0, kSharedWindow + offset,
        barrier.transactions > 0
            ? fmt::format("an mbarrier still expects {} bytes when its block "
                          "ends",
                          barrier.transactions)
            : fmt::format("an mbarrier got {} bytes that nobody expects before "
                          "its block ends",
                          -barrier.transactions));
  }
}

} // namespace attnres::emulator
