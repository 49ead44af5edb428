// What a warp does for the race check (Races.h): its accesses are compared with
// those remembered, and added to the lists.

#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

unsigned laneOf(uint32_t entry) { return entry % kWarpSize; }

// The bits in which the entries differ from the first.
uint32_t differences(const uint32_t *entries, unsigned bytes) {
  uint32_t different = 0;
  if (bytes == 16) {
    for (unsigned i = 0; i < 16; ++i)
      different |= entries[i] ^ entries[0];
  } else if (bytes == 4) {
    for (unsigned i = 0; i < 4; ++i)
      different |= entries[i] ^ entries[0];
  } else {
    for (unsigned i = 1; i < bytes; ++i)
      different |= entries[i] ^ entries[0];
  }
  return different;
}

// How many entries from `entries` on can be treated as one: all of them, if
// they are equal, as they mostly are.
unsigned equalEntries(const uint32_t *entries, unsigned bytes) {
  return differences(entries, bytes) == 0 ? bytes : 1;
}

void fill(uint32_t *entries, unsigned bytes, uint32_t entry) {
  if (bytes == 16)
    std::fill_n(entries, 16, entry);
  else if (bytes == 4)
    std::fill_n(entries, 4, entry);
  else
    std::fill_n(entries, bytes, entry);
}

} // namespace

uint32_t *Warp::clocks() const {
  return block.cluster.clocksOf(block.rank, index);
}

void Warp::tick() { ++clocks()[block.cluster.warpAgent(block.rank, index)]; }

CpAsyncState &Warp::cpAsyncState() {
  if (!cpAsync) {
    cpAsync = std::make_unique<CpAsyncState>();
    cpAsync->agents = block.cluster.addAgents(2 * kWarpSize);
    std::fill_n(cpAsync->clock, kWarpSize, 1);
  }
  return *cpAsync;
}

BulkState &Warp::bulkState() {
  if (!bulk) {
    bulk = std::make_unique<BulkState>();
    bulk->agents = block.cluster.addAgents(2 * kWarpSize);
  }
  return *bulk;
}

void Warp::publishWaits(uint32_t mask) {
  if (!cpAsync)
    return;
  uint32_t *known = clocks() + cpAsync->agents;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if ((mask >> lane) & 1)
      known[lane] = std::max(known[lane], cpAsync->waited[lane]);
}

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
  block.cluster.usesAsync |= (flags & (kCpAsyncAccess | kAsyncProxy)) != 0;
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
  record.proxyFences = proxyFences;
  record.rank = static_cast<uint8_t>(block.rank);
  record.warp = static_cast<uint8_t>(index);
  record.flags = flags;
  return access;
}

// What a load reads again before the warp has synchronized, say in a loop, is
// the same to whoever compares with it. Not so for stores, where lanes of one
// instruction are no race if they write the same.
Warp::Access Warp::beginLoad() {
  if (!block.launch.checks.races)
    return Access();
  LoadRecord &latest = loadRecords[current % rememberedLoads];
  uint32_t agent = block.cluster.warpAgent(block.rank, index);
  uint32_t clock = clocks()[agent];
  if (latest.number != 0 && latest.pc == current && latest.clock == clock &&
      latest.releases == block.cluster.releases &&
      block.launch.races->isLive(latest.number)) {
    Access access;
    access.record = latest.number;
    access.agent = agent;
    return access;
  }
  Access access = beginAccess();
  latest = {access.record, current, clock, block.cluster.releases};
  return access;
}

Warp::Verdict Warp::lookUp(const Access &access, uint32_t number) const {
  Verdict verdict;
  verdict.number = number;
  RaceLog &log = *block.launch.races;
  if (!log.isLive(number)) {
    // Whatever may come in its place is no loss.
    verdict.isStrong = true;
    return verdict;
  }
  const AccessRecord &old = log.at(number);
  verdict.isStrong = old.flags & kStrongAccess;
  if (old.cluster != block.cluster.index) {
    ClusterTimes::Standing standing =
        block.launch.times->of(old.cluster, old.releases);
    if (standing.released < block.cluster.acquired)
      verdict.order = Order::Before;
    else if (!standing.ended)
      verdict.order = Order::Apart;
    else
      verdict.order = standing.released == ClusterTimes::never ? Order::Forever
                                                               : Order::Ended;
    return verdict;
  }
  const uint32_t *known = clocks() + old.agent;
  if (old.agent == block.cluster.warpAgent(block.rank, index))
    verdict.order = old.clock < *known ? Order::Before : Order::Own;
  else if (old.flags & kCpAsyncAccess)
    verdict.order = *std::min_element(known, known + kWarpSize) >= old.clock
                        ? Order::Before
                        : Order::ByLane;
  else if (*known >= old.clock)
    verdict.order = Order::Before;
  else if (old.agent != access.agent)
    verdict.order = Order::Apart;
  else
    verdict.order = old.clock <= log.at(access.record).clock
                        ? Order::SameAgent
                        : Order::SameAgentLater;
  return verdict;
}

// The order of an entry of the record that `verdict` is about.
Warp::Order Warp::orderOf(const Access &access, const Verdict &verdict,
                          uint32_t entry, unsigned lane) const {
  if (verdict.order == Order::Own)
    return laneOf(entry) == lane && !(entry & RaceLog::severalLanes)
               ? Order::Before
               : Order::Own;
  if (verdict.order != Order::ByLane)
    return verdict.order;
  const AccessRecord &old = block.launch.races->at(verdict.number);
  unsigned copier = laneOf(entry);
  bool isMine = cpAsync && old.agent == cpAsync->agents && copier == lane;
  uint32_t known = clocks()[old.agent + copier];
  if (isMine)
    known = std::max(known, cpAsync->waited[lane]);
  if (known >= old.clock)
    return Order::Before;
  return isMine && old.agent == access.agent ? Order::SameAgent : Order::Apart;
}

bool Warp::conflicts(Access &access, uint32_t entry, unsigned lane) const {
  uint32_t number = entry >> RaceLog::laneBits;
  // Lanes of one instruction are compared by value, in executeStore.
  if (number == 0 || number == access.record)
    return false;
  const Verdict &verdict = judge(access, number);
  if (verdict.order == Order::Before || (verdict.isStrong && access.isStrong()))
    return false;
  return orderOf(access, verdict, entry, lane) != Order::Before;
}

Warp::Step Warp::stepAt(Access &access, uint32_t entry, unsigned lane) const {
  uint32_t number = entry >> RaceLog::laneBits;
  if (number == 0)
    return Step::Replace;
  bool isPlain = access.agent == block.cluster.warpAgent(block.rank, index);
  if (number == access.record) {
    if (laneOf(entry) == lane)
      return Step::Covered;
    if (isPlain)
      return entry & RaceLog::severalLanes ? Step::Covered : Step::Join;
    return access.flags & kCpAsyncAccess ? Step::Next : Step::Covered;
  }
  const Verdict &verdict = judge(access, number);
  // An atomic access does not stand for a plain one, with which others race
  // that do not race with it.
  bool isWeaker = access.isStrong() && !verdict.isStrong;
  switch (orderOf(access, verdict, entry, lane)) {
  case Order::Before:
  case Order::SameAgent:
    return isWeaker ? Step::Next : Step::Replace;
  case Order::Own:
    return isPlain && access.isStrong() == verdict.isStrong ? Step::Join
                                                            : Step::Next;
  case Order::SameAgentLater:
  case Order::Forever:
    return access.isStrong() || !verdict.isStrong ? Step::Covered : Step::Next;
  case Order::Ended:
    return Step::NextEnded;
  default:
    return Step::Next;
  }
}

void Warp::keepLater(uint32_t *kept, const uint32_t *other,
                     unsigned count) const {
  auto released = [&](uint32_t entry) {
    const AccessRecord &record =
        block.launch.races->at(entry >> RaceLog::laneBits);
    return block.launch.times->of(record.cluster, record.releases).released;
  };
  if (released(*other) > released(*kept))
    std::copy_n(other, count, kept);
}

void Warp::add(Access &access, AccessLists &list, uint64_t offset,
               unsigned bytes, unsigned lane) const {
  unsigned step = equalEntries(list.first() + offset, bytes);
  for (unsigned i = 0; i < bytes; i += step)
    addRun(access, list, offset + i, step, lane);
}

// To the lists of bytes whose first entries are equal.
void Warp::addRun(Access &access, AccessLists &list, uint64_t offset,
                  unsigned count, unsigned lane) const {
  uint32_t mine = access.record << RaceLog::laneBits | lane;
  uint32_t *ended = nullptr;
  for (unsigned plane = 0;; ++plane) {
    uint32_t *entries = list.makePlane(plane);
    if (!entries)
      return;
    entries += offset;
    if (plane != 0 && equalEntries(entries, count) != count) {
      for (unsigned i = 0; i < count; ++i)
        addRun(access, list, offset + i, 1, lane);
      return;
    }
    if (!access.isStrong() &&
        (isPlainlyBefore(access, *entries, lane) ||
         judge(access, *entries >> RaceLog::laneBits).order ==
             Order::SameAgent))
      return fill(entries, count, mine);
    switch (stepAt(access, *entries, lane)) {
    case Step::Replace:
      fill(entries, count, mine);
      return;
    case Step::Join:
      fill(entries, count, mine | RaceLog::severalLanes);
      return;
    case Step::Covered:
      return;
    case Step::Next:
      break;
    case Step::NextEnded:
      if (ended && judge(access, *ended >> RaceLog::laneBits).isStrong ==
                       judge(access, *entries >> RaceLog::laneBits).isStrong) {
        keepLater(ended, entries, count);
        fill(entries, count, mine);
        return;
      }
      ended = entries;
      break;
    }
  }
}

// Quickly: whether all entries are of one instruction before the present one.
inline bool Warp::arePlainlyBefore(Access &access, const uint32_t *entries,
                                   unsigned bytes, unsigned lane) const {
  uint32_t different = differences(entries, bytes);
  if (different == 0)
    return isPlainlyBefore(access, *entries, lane);
  uint32_t number = *entries >> RaceLog::laneBits;
  return different >> RaceLog::laneBits == 0 && number != 0 &&
         judge(access, number).order == Order::Before;
}

void Warp::checkConflicts(Access &access, const AccessLists &list,
                          uint64_t offset, unsigned bytes,
                          const Conflict &conflict) {
  unsigned lane = conflict.lane;
  unsigned planes = list.count();
  for (unsigned plane = 0; plane < planes; ++plane) {
    const uint32_t *entries = list.planeAt(plane) + offset;
    if (arePlainlyBefore(access, entries, bytes, lane)) {
      if (*entries == 0)
        return;
      continue;
    }
    unsigned step = equalEntries(entries, bytes);
    uint32_t last = 0;
    for (unsigned i = 0; i < bytes; i += step) {
      uint32_t entry = entries[i];
      if (entry == last || isPlainlyBefore(access, entry, lane) ||
          !conflicts(access, entry, lane))
        continue;
      // Plain writes of the same value do no harm; of equal entries, a byte
      // that differs counts.
      unsigned byte = i;
      bool arePlain =
          conflict.values && access.flags == 0 &&
          block.launch.races->at(entry >> RaceLog::laneBits).flags == 0;
      while (arePlain && byte + 1 < i + step &&
             conflict.old[byte] == conflict.values[byte])
        ++byte;
      bool isSame = arePlain && conflict.old[byte] == conflict.values[byte];
      if (isSame && !block.launch.checks.sameValue)
        continue;
      last = entry;
      reportRace(access, entry, conflict, byte, isSame);
    }
  }
}

// The common case, quickly: a read after all that is remembered.
inline bool Warp::readPlainly(Access &access, const Target &target,
                              uint64_t offset, unsigned bytes,
                              unsigned lane) const {
  const uint32_t *writes = target.writes->first() + offset;
  uint32_t *reads = target.reads->first() + offset;
  if (target.writes->count() != 1 || access.isStrong() ||
      !arePlainlyBefore(access, writes, bytes, lane) ||
      !arePlainlyBefore(access, reads, bytes, lane))
    return false;
  fill(reads, bytes, access.record << RaceLog::laneBits | lane);
  return true;
}

void Warp::checkRead(Access &access, const Target &target, unsigned bytes,
                     unsigned lane, uint64_t where) {
  if (access.record == 0 || !target.writes)
    return;
  exclusively(where, bytes, [&](unsigned first, unsigned count) {
    uint64_t offset = target.offset + first;
    if (readPlainly(access, target, offset, count, lane))
      return true;
    checkConflicts(access, *target.writes, offset, count,
                   {lane, where + first, true, false, nullptr, nullptr});
    add(access, *target.reads, offset, count, lane);
    return true;
  });
  if ((access.flags & kAsyncProxy) &&
      where >> kWindowShift == kSharedWindow >> kWindowShift)
    checkProxy(access, *target.writes, target.offset, bytes, lane, where);
}

void Warp::checkWrite(Access &access, const Target &target, unsigned bytes,
                      unsigned lane, uint64_t where, const uint8_t *values) {
  if (access.record == 0 || !target.writes)
    return;
  exclusively(where, bytes, [&](unsigned first, unsigned count) {
    uint64_t offset = target.offset + first;
    checkConflicts(access, *target.writes, offset, count,
                   {lane, where + first, true, true, target.data + first,
                    values ? values + first : nullptr});
    checkConflicts(access, *target.reads, offset, count,
                   {lane, where + first, false, true, nullptr, nullptr});
    if (access.isStrong()) {
      add(access, *target.writes, offset, count, lane);
      return true;
    }
    // It comes after all that was there, or that has been reported.
    fill(target.writes->first() + offset, count,
         access.record << RaceLog::laneBits | lane);
    if (target.writes->count() > 1)
      std::fill_n(target.writes->planeAt(1) + offset, count, 0);
    return true;
  });
}

bool Warp::isFenced(uint32_t entry) const {
  const AccessRecord &old = block.launch.races->at(entry >> RaceLog::laneBits);
  if (old.flags & kAsyncProxy)
    return true;
  const Cluster &cluster = block.cluster;
  const uint32_t *known = clocks();
  unsigned lane = laneOf(entry);
  if (old.flags & kCpAsyncAccess)
    return known[old.agent + kWarpSize + lane] >= old.clock;
  if (known[cluster.fencedAgent(old.rank, old.warp)] >= old.clock)
    return true;
  const Warp &writer = *cluster.blocks[old.rank]->warps[old.warp];
  return writer.fenceAgents != 0 &&
         known[writer.fenceAgents + lane] > old.proxyFences;
}

void Warp::checkInitFence(Mbarrier &barrier, unsigned lane, uint64_t where) {
  if (barrier.isFenced || !block.launch.checks.races)
    return;
  barrier.isFenced = true;
  const Cluster &cluster = block.cluster;
  const Warp &by = *cluster.blocks[barrier.initRank]->warps[barrier.initWarp];
  const uint32_t *known = clocks();
  uint32_t place = barrier.initLane;
  if (known[cluster.fencedAgent(barrier.initRank, barrier.initWarp)] >=
          barrier.initClock ||
      (by.initFenceAgents != 0 &&
       known[by.initFenceAgents + place] > barrier.initFences) ||
      (by.fenceAgents != 0 &&
       known[by.fenceAgents + place] > barrier.initProxyFences))
    return;
  report(
      FindingKind::MissingWait, lane, where,
      fmt::format("bulk copy on an mbarrier that warp {} lane {} initialized "
                  "(line {}), without a fence.mbarrier_init or "
                  "fence.proxy.async after that",
                  barrier.initWarp, place, barrier.initLine),
      barrier.initLine);
}

void Warp::checkProxy(Access &access, const AccessLists &writes,
                      uint64_t offset, unsigned bytes, unsigned lane,
                      uint64_t where) {
  RaceLog &log = *block.launch.races;
  unsigned planes = writes.count();
  for (unsigned plane = 0; plane < planes; ++plane) {
    const uint32_t *entries = writes.planeAt(plane) + offset;
    unsigned step = equalEntries(entries, bytes);
    if (step == bytes && *entries == 0)
      return;
    for (unsigned i = 0; i < bytes; i += step) {
      uint32_t number = entries[i] >> RaceLog::laneBits;
      // Where nothing orders the two, that has been reported.
      if (number == 0 || !log.isLive(number) || isFenced(entries[i]) ||
          conflicts(access, entries[i], lane))
        continue;
      const AccessRecord &old = log.at(number);
      report(FindingKind::MissingWait, lane, where + i,
             fmt::format("asynchronous read of a byte that warp {} lane {} "
                         "wrote (line {}), without a fence.proxy.async after "
                         "the write",
                         old.warp, laneOf(entries[i]), old.line),
             old.line);
      return;
    }
  }
}

void Warp::reportRace(const Access &access, uint32_t entry,
                      const Conflict &conflict, unsigned byte, bool isSame) {
  bool otherWrites = conflict.otherWrites;
  bool thisWrites = conflict.thisWrites;
  unsigned lane = conflict.lane;
  uint64_t where = conflict.address + byte;
  const AccessRecord &old = block.launch.races->at(entry >> RaceLog::laneBits);
  constexpr uint8_t async = kCpAsyncAccess | kAsyncProxy;
  uint8_t flags = old.flags & async;
  const char *present = thisWrites ? "write" : "read";
  const char *past = otherWrites ? "written" : "read";
  std::string who =
      old.cluster == block.cluster.index
          ? fmt::format(
                "warp {} lane {}{}", old.warp, laneOf(entry),
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
  report(isSame ? FindingKind::SameValueRace : FindingKind::DataRace, lane,
         where,
         fmt::format("{} of a byte {} by {} (line {}) with no barrier between",
                     present, past, who, old.line),
         old.line);
}

} // namespace attnres::emulator
