// How a warp reaches memory: addresses to host bytes with the bounds,
// alignment, initialization and race checks.

#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {

uint64_t Warp::toGeneric(const MemoryExtra &memory, uint64_t where) const {
  switch (memory.space) {
  case Space::Shared:
    return kSharedWindow + static_cast<uint32_t>(where);
  case Space::Local:
    return kLocalWindow + where + (memory.frameRelative ? frame->localBase : 0);
  case Space::Param:
    return kParamWindow + where;
  default:
    return where;
  }
}

bool Warp::resolve(Space space, uint64_t where, unsigned bytes, unsigned align,
                   unsigned lane, AccessKind kind, Target &target,
                   bool reports) {
  target = Target();
  auto refuse = [&](FindingKind why, const std::string &message) {
    if (reports)
      report(why, lane, where, message);
    return false;
  };
  if (where & (align - 1))
    return refuse(FindingKind::Misaligned,
                  fmt::format("access of {} bytes at an address that is not a "
                              "multiple of {}",
                              bytes, align));
  uint64_t window = where >> kWindowShift;
  const char *what = kind == AccessKind::Load    ? "load"
                     : kind == AccessKind::Store ? "store"
                                                 : "atomic";
  if (window == 0) {
    if (space == Space::Shared || space == Space::Local)
      return refuse(FindingKind::OutOfBounds, "address outside of the space");
    Allocation *allocation = lastAllocation;
    if (!allocation || where < allocation->base ||
        where - allocation->base >= allocation->size)
      allocation = lastAllocation = block.launch.memory->find(where);
    if (!allocation)
      return refuse(
          FindingKind::OutOfBounds,
          fmt::format("{} of {} bytes outside of any allocation", what, bytes));
    if (allocation->freed)
      return refuse(
          FindingKind::UseAfterFree,
          fmt::format("{} of {} bytes in memory that was freed", what, bytes));
    uint64_t offset = where - allocation->base;
    if (offset + bytes > allocation->size)
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("{} of {} bytes at offset {} of an allocation "
                                "of {} bytes",
                                what, bytes, offset, allocation->size));
    if (allocation->readOnly && kind != AccessKind::Load)
      return refuse(FindingKind::InvalidOperation,
                    fmt::format("{} to constant memory", what));
    target.data = allocation->data.data() + offset;
    target.init = allocation->init.data() + offset;
    target.writes = allocation->writeShadow() + offset;
    target.reads = allocation->readShadow() + offset;
    return true;
  }
  if (window == kSharedWindow >> kWindowShift) {
    uint32_t offset = static_cast<uint32_t>(where);
    uint32_t rank = offset >> kClusterRankShift;
    Block *owner = &block;
    if (rank != 0) {
      if (rank > block.cluster.blocks.size())
        return refuse(FindingKind::OutOfBounds,
                      fmt::format("shared memory of block {} of a cluster of "
                                  "{}",
                                  rank - 1, block.cluster.blocks.size()));
      owner = block.cluster.blocks[rank - 1].get();
      offset &= (1u << kClusterRankShift) - 1;
    }
    uint32_t size = block.launch.sharedBytes;
    if (offset < kSharedBase || offset - kSharedBase + bytes > size)
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("{} of {} bytes at offset {} of {} bytes of "
                                "shared memory",
                                what, bytes, int64_t(offset) - kSharedBase,
                                size));
    offset -= kSharedBase;
    target.data = owner->shared.data() + offset;
    target.init = owner->sharedInit.data() + offset;
    target.writes = owner->sharedWrites.data() + offset;
    target.reads = owner->sharedReads.data() + offset;
    return true;
  }
  if (window == kLocalWindow >> kWindowShift) {
    uint64_t offset = where - kLocalWindow;
    uint64_t end = frame->localBase + frame->function->localBytes;
    if (offset + bytes > end)
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("{} of {} bytes at offset {} of {} bytes of "
                                "local memory",
                                what, bytes, offset, end));
    size_t at = size_t(lane) * localBytes + offset;
    target.data = local.data() + at;
    target.init = localInit.data() + at;
    return true;
  }
  if (window == kParamWindow >> kWindowShift) {
    uint64_t offset = where - kParamWindow;
    std::vector<uint8_t> &parameters = block.launch.parameters;
    if (kind != AccessKind::Load)
      return refuse(FindingKind::InvalidOperation,
                    fmt::format("{} to kernel parameters", what));
    if (offset + bytes > parameters.size())
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("load of {} bytes at offset {} of {} bytes of "
                                "parameters",
                                bytes, offset, parameters.size()));
    target.data = parameters.data() + offset;
    return true;
  }
  return refuse(FindingKind::OutOfBounds, "address in no state space");
}

void Warp::checkInitialized(const Target &target, unsigned bytes, unsigned lane,
                            uint64_t where) {
  if (!target.init)
    return;
  for (unsigned i = 0; i < bytes; ++i)
    if (!target.init[i]) {
      report(FindingKind::UninitializedMemory, lane, where + i,
             "load of memory that has never been written");
      // Once per byte is enough.
      std::memset(target.init, 1, bytes);
      return;
    }
}

uint32_t *Warp::clocks() const {
  return block.cluster.clocksOf(block.rank, index);
}

void Warp::tick() { ++clocks()[block.cluster.warpAgent(block.rank, index)]; }

Warp::Access Warp::beginAccess(uint8_t flags, int32_t agent, uint32_t clock) {
  Access access;
  if (!block.launch.checks.races)
    return access;
  if (worker->recordNext == worker->recordEnd) {
    worker->recordNext = block.launch.races->reserve();
    if (worker->recordNext == 0) {
      worker->recordEnd = 0;
      return access;
    }
    worker->recordEnd = worker->recordNext + RaceLog::chunk;
  }
  access.record = worker->recordNext++;
  access.flags = flags;
  access.agent = agent < 0 ? block.cluster.warpAgent(block.rank, index)
                           : static_cast<uint32_t>(agent);
  AccessRecord &record = block.launch.races->at(access.record);
  record.cluster = block.cluster.index;
  record.agent = access.agent;
  record.clock = agent < 0 ? clocks()[access.agent] : clock;
  record.line = line();
  record.releases = block.cluster.releases;
  record.rank = static_cast<uint16_t>(block.rank);
  record.warp = static_cast<uint16_t>(index);
  record.flags = flags;
  return access;
}

// Whether the access behind `entry` happens before the present one.
bool Warp::isOrdered(const Access &access, uint32_t entry, unsigned lane,
                     bool &cacheable) const {
  uint32_t number = entry >> RaceLog::laneBits;
  RaceLog &log = *block.launch.races;
  cacheable = true;
  if (!log.isLive(number))
    return true;
  const AccessRecord &old = log.at(number);
  if ((old.flags & kStrongAccess) && (access.flags & kStrongAccess))
    return true;
  if (old.cluster != block.cluster.index)
    return block.launch.times->releasedBefore(old.cluster, old.releases,
                                              block.cluster.acquired);
  uint32_t own = block.cluster.warpAgent(block.rank, index);
  uint32_t known = clocks()[old.agent];
  if (old.agent == own) {
    if (old.clock < known)
      return true;
    cacheable = false;
    return (entry & (kWarpSize - 1)) == lane;
  }
  return known >= old.clock;
}

// How many entries from `entries` on can be treated as one: all of them, if
// they are equal, as they mostly are.
static unsigned equalEntries(const uint32_t *entries, unsigned bytes) {
  for (unsigned i = 1; i < bytes; ++i)
    if (entries[i] != entries[0])
      return 1;
  return bytes;
}

void Warp::checkRead(Access &access, const Target &target, unsigned bytes,
                     unsigned lane, uint64_t where) {
  if (access.record == 0 || !target.writes)
    return;
  uint32_t mine = access.record << RaceLog::laneBits | lane;
  uint32_t last = 0;
  unsigned step = equalEntries(target.writes, bytes);
  for (unsigned i = 0; i < bytes; i += step) {
    uint32_t entry = target.writes[i];
    if (entry == 0 || entry == last)
      continue;
    last = entry;
    uint32_t number = entry >> RaceLog::laneBits;
    if (number == access.ordered ||
        entry == (access.own << RaceLog::laneBits | lane))
      continue;
    bool cacheable = false;
    if (isOrdered(access, entry, lane, cacheable)) {
      (cacheable ? access.ordered : access.own) = number;
      continue;
    }
    reportRace(access, entry, true, false, lane, where + i);
  }
  // An earlier read that nothing has ordered stays: a later write must be
  // compared with it, too.
  step = equalEntries(target.reads, bytes);
  for (unsigned i = 0; i < bytes; i += step) {
    uint32_t entry = target.reads[i];
    uint32_t number = entry >> RaceLog::laneBits;
    if (number != 0 && number == access.kept)
      continue;
    bool cacheable = true;
    bool replace = number == 0 || number == access.ordered ||
                   entry == (access.own << RaceLog::laneBits | lane) ||
                   isOrdered(access, entry, lane, cacheable);
    if (replace)
      std::fill_n(target.reads + i, step, mine);
    else
      access.kept = number;
    if (replace && !cacheable)
      access.own = number;
  }
}

void Warp::checkWrite(Access &access, const Target &target, unsigned bytes,
                      unsigned lane, uint64_t where) {
  if (access.record == 0 || !target.writes)
    return;
  uint32_t mine = access.record << RaceLog::laneBits | lane;
  auto check = [&](const uint32_t *entries, bool otherWrites) {
    uint32_t last = 0;
    unsigned step = equalEntries(entries, bytes);
    for (unsigned i = 0; i < bytes; i += step) {
      uint32_t entry = entries[i];
      uint32_t number = entry >> RaceLog::laneBits;
      // Lanes of one instruction are compared by value, in executeStore.
      if (entry == 0 || entry == last || number == access.ordered ||
          number == access.record ||
          entry == (access.own << RaceLog::laneBits | lane))
        continue;
      last = entry;
      bool cacheable = false;
      if (isOrdered(access, entry, lane, cacheable)) {
        (cacheable ? access.ordered : access.own) = number;
        continue;
      }
      reportRace(access, entry, otherWrites, true, lane, where + i);
      break;
    }
  };
  check(target.writes, true);
  check(target.reads, false);
  for (unsigned i = 0; i < bytes; ++i)
    target.writes[i] = mine;
}

void Warp::reportRace(const Access &access, uint32_t entry, bool otherWrites,
                      bool thisWrites, unsigned lane, uint64_t where) {
  const AccessRecord &old = block.launch.races->at(entry >> RaceLog::laneBits);
  constexpr uint8_t async = kCpAsyncAccess | kBulkAccess | kWgmmaAccess;
  uint8_t flags = old.flags & async;
  const char *present = thisWrites ? "write" : "read";
  const char *past = otherWrites ? "written" : "read";
  std::string who =
      old.cluster == block.cluster.index
          ? fmt::format(
                "warp {} lane {}{}", old.warp, entry & (kWarpSize - 1),
                old.rank == block.rank
                    ? std::string()
                    : fmt::format(" of block {} in the cluster", old.rank))
          : std::string("another block");
  // Copies that meet copies of their own kind just race.
  if (flags && flags != (access.flags & async)) {
    const char *by = flags & kCpAsyncAccess ? "cp.async"
                     : flags & kWgmmaAccess ? "wgmma"
                                            : "a bulk copy";
    report(FindingKind::MissingWait, lane, where,
           fmt::format("{} of a byte that {} of {} (line {}) {}, without a "
                       "wait for it",
                       present, by, who, old.line,
                       otherWrites ? "writes" : "reads"),
           old.line);
    return;
  }
  report(FindingKind::DataRace, lane, where,
         fmt::format("{} of a byte {} by {} (line {}) with no barrier between",
                     present, past, who, old.line),
         old.line);
}

void Warp::enterOrdered() {
  Cluster &cluster = block.cluster;
  if (!cluster.hasTurn) {
    block.launch.waitForTurn(cluster.position);
    cluster.hasTurn = true;
  }
  if (cluster.releasePending) {
    block.launch.times->release(cluster.index);
    cluster.releasePending = false;
    ++cluster.releases;
  }
  cluster.acquired = block.launch.times->acquire();
}

} // namespace attnres::emulator
