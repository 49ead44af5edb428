// Barriers of blocks, clusters and warps, and fences.

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"
#include "runtime/emulator/SyncExtras.h"

#include <fmt/format.h>

namespace attnres::emulator {

void executeBarrier(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &barrier = static_cast<const BarrierExtra &>(*inst.extra);
  if (barrier.aligned && !warp.converged(mask, warp.alive, true))
    return;
  for (unsigned i = 0; i < 3; ++i)
    warp.require(inst.src[i], mask);
  unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
  uint32_t number = warp.lanes<uint32_t>(inst.src[0])[lane];
  uint32_t count =
      barrier.hasCount ? warp.lanes<uint32_t>(inst.src[1])[lane] : 0;
  if (number >= 16) {
    warp.report(FindingKind::InvalidOperation, lane, 0,
                fmt::format("barrier {}, expected 0 to 15", number));
    return;
  }
  if (barrier.hasCount && (count == 0 || count % kWarpSize != 0)) {
    warp.report(FindingKind::InvalidOperation, lane, 0,
                fmt::format("barrier for {} threads, expected a multiple of 32",
                            count));
    count = (count / kWarpSize + 1) * kWarpSize;
  }
  Barrier &state = warp.block.barriers[number];
  if (barrier.kind >= BarrierExtra::Popc) {
    uint32_t votes = warp.predicate(inst.src[2]) & mask;
    state.popc += static_cast<unsigned>(__builtin_popcount(votes));
    state.all &= votes == mask;
    state.any |= votes != 0;
  }
  if (barrier.kind != BarrierExtra::Arrive)
    warp.waitAtBarrier(number, &inst, mask, false);
  warp.block.arrive(warp, number, mask, barrier.hasCount, count);
}

void executeWarpBarrier(Warp &warp, const Instruction &inst, uint32_t mask) {
  warp.require(inst.src[0], mask);
  uint32_t members = warp.lanes<uint32_t>(inst.src[0])[__builtin_ctz(mask)];
  if (!warp.converged(mask, members, false))
    return;
  warp.publishWaits(mask);
  warp.tick();
}

// imm bit 0: wait rather than arrive; bit 1: relaxed.
void executeClusterBarrier(Warp &warp, const Instruction &inst, uint32_t mask) {
  Cluster &cluster = warp.block.cluster;
  uint32_t which = cluster.warpAgent(warp.block.rank, warp.index);
  if (!(inst.imm & 1)) {
    if (cluster.clusterArrived[which] & mask)
      warp.report(FindingKind::InvalidOperation, __builtin_ctz(mask), 0,
                  "second barrier.cluster.arrive without a wait");
    cluster.clusterArrived[which] |= mask;
    cluster.clusterArrivedPhase[which] = cluster.clusterPhase;
    warp.publishWaits(mask);
    joinClocks(cluster.clusterClocks, warp.clocks(), cluster.agentCount);
    warp.tick();
    ++warp.worker->counters.barriers;
    cluster.checkClusterBarrier();
    return;
  }
  if (cluster.clusterPhase > cluster.clusterArrivedPhase[which]) {
    joinClocks(warp.clocks(), cluster.clusterDoneClocks);
    return;
  }
  warp.waitAtBarrier(0, nullptr, mask, true);
}

bool Block::reducesByAnd(const Instruction &inst) {
  return static_cast<const BarrierExtra &>(*inst.extra).kind ==
         BarrierExtra::And;
}

// imm: 1 for gpu, cluster and sys scope. A fence alone orders nothing; the
// atomic or volatile access after it publishes.
void executeFence(Warp &warp, const Instruction &inst, uint32_t) {
  warp.fencePending = true;
  if (inst.imm)
    warp.block.cluster.releasePending = true;
}

// imm: 1 where it is for the asynchronous proxy and shared memory. What the
// lanes did and what happens before is fenced then, for whoever comes after.
void executeProxyFence(Warp &warp, const Instruction &inst, uint32_t mask) {
  if (!inst.imm || !warp.block.launch.checks.races)
    return;
  Cluster &cluster = warp.block.cluster;
  if (warp.fenceAgents == 0)
    warp.fenceAgents = cluster.addAgents(kWarpSize);
  ++warp.proxyFences;
  uint32_t *clocks = warp.clocks();
  for (uint32_t left = mask; left != 0; left &= left - 1)
    clocks[warp.fenceAgents + static_cast<unsigned>(__builtin_ctz(left))] =
        warp.proxyFences;
  auto raise = [&](uint32_t agent, uint32_t clock) {
    clocks[agent] = std::max(clocks[agent], clock);
  };
  for (const std::unique_ptr<Block> &block : cluster.blocks)
    for (const std::unique_ptr<Warp> &other : block->warps) {
      uint32_t known = clocks[cluster.warpAgent(block->rank, other->index)];
      raise(cluster.fencedAgent(block->rank, other->index),
            other.get() == &warp ? known - 1 : known);
      if (!other->cpAsync)
        continue;
      uint32_t copies = other->cpAsync->agents;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        raise(copies + kWarpSize + lane, clocks[copies + lane]);
        if (other.get() == &warp && (mask >> lane) & 1)
          raise(copies + kWarpSize + lane, warp.cpAsync->waited[lane]);
      }
    }
}

// Tells the asynchronous proxy of the mbarriers that the lanes initialized.
void executeInitFence(Warp &warp, const Instruction &inst, uint32_t mask) {
  executeFence(warp, inst, mask);
  if (!warp.block.launch.checks.races)
    return;
  if (warp.initFenceAgents == 0)
    warp.initFenceAgents = warp.block.cluster.addAgents(kWarpSize);
  ++warp.initFences;
  uint32_t *clocks = warp.clocks() + warp.initFenceAgents;
  for (uint32_t left = mask; left != 0; left &= left - 1)
    clocks[__builtin_ctz(left)] = warp.initFences;
}

void executeNanosleep(Warp &warp, const Instruction &, uint32_t) {
  warp.yield(false);
}

} // namespace attnres::emulator
