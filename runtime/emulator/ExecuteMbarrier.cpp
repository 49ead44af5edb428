// mbarrier instructions. The state of an object is kept beside shared memory,
// keyed by its address; the 64 bits themselves stay opaque.

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/MbarrierState.h"
#include "runtime/emulator/SyncExtras.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

constexpr uint32_t maxCount = (1u << 20) - 1;

Block *ownerOf(Warp &warp, uint64_t address, uint32_t &offset) {
  offset = static_cast<uint32_t>(address);
  uint32_t rank = offset >> kClusterRankShift;
  offset &= (1u << kClusterRankShift) - 1;
  if (rank == 0)
    return &warp.block;
  if (rank > warp.block.cluster.blocks.size())
    return nullptr;
  return warp.block.cluster.blocks[rank - 1].get();
}

void arriveClocks(Warp &warp, Mbarrier &barrier, unsigned lane) {
  warp.publishWaits(1u << lane);
  joinClocks(barrier.arrivalClocks, warp.clocks(),
             warp.block.cluster.agentCount);
  warp.tick();
}

} // namespace

Mbarrier *findMbarrier(Warp &warp, uint64_t address, unsigned lane,
                       bool byCopy) {
  Warp::Target target;
  if (!warp.resolve(Space::Shared, address, 8, 8, lane, Warp::AccessKind::Load,
                    target))
    return nullptr;
  uint32_t offset = 0;
  Block *block = ownerOf(warp, address, offset);
  auto found = block->mbarriers.find(offset);
  if (found == block->mbarriers.end() || !found->second.valid) {
    warp.report(FindingKind::InvalidOperation, lane, address,
                "there is no initialized mbarrier at the address");
    return nullptr;
  }
  // Its initialization must be ordered before.
  Mbarrier &barrier = found->second;
  Warp::Access access =
      byCopy
          ? warp.beginAccess(kStrongAccess, static_cast<int32_t>(barrier.agent),
                             barrier.phase + 1)
          : warp.beginAccess(kStrongAccess);
  warp.checkRead(access, target, 8, lane, address);
  return &barrier;
}

void completePhase(Cluster &cluster, Mbarrier &barrier) {
  if (barrier.pending != 0 || barrier.transactions != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  if (barrier.arrivalClocks.size() <= barrier.agent)
    barrier.arrivalClocks.resize(barrier.agent + 1);
  barrier.arrivalClocks[barrier.agent] = barrier.phase;
  barrier.phaseClocks.push_back(std::move(barrier.arrivalClocks));
  if (barrier.phaseClocks.size() > 2)
    barrier.phaseClocks.erase(barrier.phaseClocks.begin());
  barrier.arrivalClocks.clear();
  cluster.progress();
}

void completeTransaction(Cluster &cluster, Mbarrier &barrier, uint64_t bytes) {
  barrier.transactions -= static_cast<int64_t>(bytes);
  cluster.progress();
  completePhase(cluster, barrier);
}

void executeMbarrierInit(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const MbarrierExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  warp.require(extra.countSlot, mask);
  Warp::Access access = warp.beginAccess();
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address =
        warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
    Warp::Target target;
    if (!warp.resolve(Space::Shared, address, 8, 8, lane,
                      Warp::AccessKind::Store, target))
      continue;
    uint32_t count = warp.lanes<uint32_t>(extra.countSlot)[lane];
    if (count == 0 || count > maxCount) {
      warp.report(FindingKind::InvalidOperation, lane, address,
                  fmt::format("mbarrier for {} arrivals, expected 1 to {}",
                              count, maxCount));
      continue;
    }
    warp.checkWrite(access, target, 8, lane, address);
    std::memset(target.data, 0, 8);
    std::memset(target.init, 1, 8);
    uint32_t offset = 0;
    Block *owner = ownerOf(warp, address, offset);
    Mbarrier &barrier = owner->mbarriers[offset];
    barrier = Mbarrier();
    barrier.valid = true;
    barrier.expected = barrier.pending = count;
    barrier.agent = warp.block.cluster.addAgents(1);
    barrier.initRank = static_cast<uint8_t>(warp.block.rank);
    barrier.initWarp = static_cast<uint8_t>(warp.index);
    barrier.initLane = static_cast<uint8_t>(lane);
    barrier.initLine = warp.line();
    barrier.initClock = warp.clocks()[warp.block.cluster.warpAgent(
        warp.block.rank, warp.index)];
    barrier.initFences = warp.initFences;
    barrier.initProxyFences = warp.proxyFences;
  }
  warp.block.cluster.progress();
}

void executeMbarrierInvalidate(Warp &warp, const Instruction &inst,
                               uint32_t mask) {
  const auto &extra = static_cast<const MbarrierExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address =
        warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
    if (Mbarrier *barrier = findMbarrier(warp, address, lane))
      barrier->valid = false;
  }
}

void executeMbarrierArrive(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const MbarrierExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  warp.require(extra.countSlot, mask);
  warp.require(extra.txSlot, mask);
  Cluster &cluster = warp.block.cluster;
  uint64_t states[kWarpSize] = {};
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address =
        warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
    Mbarrier *barrier = findMbarrier(warp, address, lane);
    if (!barrier)
      continue;
    uint32_t count =
        extra.countSlot ? warp.lanes<uint32_t>(extra.countSlot)[lane] : 1;
    states[lane] = uint64_t(barrier->phase) << 32 | barrier->pending;
    if (extra.expectTx) {
      barrier->transactions += warp.lanes<uint32_t>(extra.txSlot)[lane];
      barrier->line = warp.line();
    }
    if (count == 0 || count > barrier->pending) {
      warp.report(FindingKind::InvalidOperation, lane, address,
                  fmt::format("{} arrivals where {} are pending", count,
                              barrier->pending));
      continue;
    }
    arriveClocks(warp, *barrier, lane);
    barrier->pending -= count;
    if (extra.drop)
      barrier->expected -= std::min(count, barrier->expected);
    cluster.progress();
    completePhase(cluster, *barrier);
  }
  ++warp.worker->counters.barriers;
  if (inst.dst != 0)
    warp.assign(inst.dst, states, 8, mask);
}

void executeMbarrierTransaction(Warp &warp, const Instruction &inst,
                                uint32_t mask) {
  const auto &extra = static_cast<const MbarrierExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  warp.require(extra.txSlot, mask);
  Cluster &cluster = warp.block.cluster;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address =
        warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
    Mbarrier *barrier = findMbarrier(warp, address, lane);
    if (!barrier)
      continue;
    uint32_t bytes = warp.lanes<uint32_t>(extra.txSlot)[lane];
    barrier->line = warp.line();
    if (extra.completes)
      completeTransaction(cluster, *barrier, bytes);
    else
      barrier->transactions += bytes;
  }
}

void executeMbarrierTest(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const MbarrierExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  warp.require(extra.countSlot, mask);
  uint32_t complete = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address =
        warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
    Mbarrier *barrier = findMbarrier(warp, address, lane);
    if (!barrier)
      continue;
    bool done = false;
    if (extra.parity) {
      uint32_t parity = warp.lanes<uint32_t>(extra.countSlot)[lane] & 1;
      done = (barrier->phase & 1) != parity;
    } else {
      uint64_t token = warp.lanes<uint64_t>(extra.countSlot)[lane];
      done = barrier->phase > token >> 32;
    }
    if (!done)
      continue;
    complete |= 1u << lane;
    for (const std::vector<uint32_t> &clocks : barrier->phaseClocks)
      joinClocks(warp.clocks(), clocks);
  }
  warp.setPredicate(inst.dst, complete, mask);
  if (complete != mask)
    warp.yield(true);
}

void executeMbarrierPending(Warp &warp, const Instruction &inst,
                            uint32_t mask) {
  warp.require(inst.src[0], mask);
  uint32_t counts[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    counts[lane] =
        static_cast<uint32_t>(warp.lanes<uint64_t>(inst.src[0])[lane]);
  warp.assign(inst.dst, counts, 4, mask);
}

} // namespace attnres::emulator
