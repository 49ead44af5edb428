// Blocks and clusters: barriers, the order of warps, deadlocks.

#include "runtime/emulator/Machine.h"

#include <fmt/format.h>
#include <utility>

namespace attnres::emulator {
namespace {

// Instructions a warp executes before the next one gets its turn.
constexpr uint64_t slice = 5000;
// Rounds in which every warp only polled, before that counts as a deadlock.
constexpr uint64_t idleLimit = 2000;

} // namespace

void joinClocks(uint32_t *to, const std::vector<uint32_t> &from) {
  for (size_t i = 0; i < from.size(); ++i)
    to[i] = std::max(to[i], from[i]);
}

void joinClocks(std::vector<uint32_t> &to, const uint32_t *from, size_t count) {
  if (to.size() < count)
    to.resize(count);
  for (size_t i = 0; i < count; ++i)
    to[i] = std::max(to[i], from[i]);
}

Block::Block(Cluster &cluster, Dim3 position, uint32_t rank)
    : cluster(cluster), launch(cluster.launch), position(position), rank(rank) {
  // All ones: a NaN as a number, far off as an index.
  shared.assign(launch.sharedBytes, 0xff);
  sharedInit.assign(launch.sharedBytes, 0);
  if (launch.checks.races && !(sharedWrites.reset(launch.sharedBytes) &&
                               sharedReads.reset(launch.sharedBytes)))
    launch.abort("out of memory for the race check");
}

bool Block::complete(uint32_t number) {
  const Barrier &barrier = barriers[number];
  if (!barrier.inUse)
    return false;
  if (barrier.expected != 0)
    return barrier.arrivedThreads >= barrier.expected;
  for (const std::unique_ptr<Warp> &warp : warps)
    if ((barrier.arrived[warp->index] & warp->alive) != warp->alive)
      return false;
  return true;
}

void Block::release(uint32_t number) {
  Barrier done = std::move(barriers[number]);
  barriers[number] = Barrier();
  for (const std::unique_ptr<Warp> &warp : warps) {
    if (done.arrived[warp->index] == 0)
      continue;
    // A warp that only arrived learns nothing about the others.
    if (warp->isAtBarrier(number))
      joinClocks(warp->clocks(), done.clocks);
    const Instruction *inst = warp->barrierInstruction(number);
    uint32_t reduction = 0;
    if (inst) {
      if (inst->destBytes != 0)
        reduction = done.popc;
      else
        reduction = reducesByAnd(*inst) ? done.all : done.any;
    }
    warp->releaseBarrier(number, false, reduction);
  }
  cluster.progress();
}

void Block::arrive(Warp &warp, uint32_t number, uint32_t mask, bool hasCount,
                   uint32_t count) {
  Barrier &barrier = barriers[number];
  if (!barrier.inUse) {
    barrier.inUse = true;
    barrier.arrived.assign(warps.size(), 0);
    barrier.expected = hasCount ? count : 0;
  } else if ((hasCount ? count : 0) != barrier.expected) {
    warp.report(FindingKind::DivergentBarrier, __builtin_ctz(mask), 0,
                fmt::format("barrier {} is used for {} threads and for {} at "
                            "once (0: all)",
                            number, barrier.expected, hasCount ? count : 0));
  }
  // Barriers count in whole warps, even those that are not full.
  barrier.arrivedThreads +=
      (mask & warp.alive) == warp.alive
          ? kWarpSize
          : static_cast<unsigned>(__builtin_popcount(mask));
  barrier.arrived[warp.index] |= mask;
  warp.publishWaits(mask);
  joinClocks(barrier.clocks, warp.clocks(), cluster.agentCount);
  warp.tick();
  ++warp.worker->counters.barriers;
  if (complete(number))
    release(number);
}

void Block::checkBarriers() {
  for (uint32_t number = 0; number < 16; ++number)
    if (barriers[number].inUse && complete(number))
      release(number);
}

Cluster::Cluster(LaunchState &launch, uint64_t index, uint64_t position)
    : launch(launch), index(index), position(position) {
  uint64_t threads = launch.block.count();
  warpsPerBlock = static_cast<uint32_t>((threads + kWarpSize - 1) / kWarpSize);
  Dim3 size = launch.cluster;
  uint32_t blockCount = static_cast<uint32_t>(size.count());
  warpCount = warpsPerBlock * blockCount;
  agentCount = 3 * warpCount;
  agentCapacity = agentCount + 8;
  clocks.assign(size_t(agentCapacity) * warpCount, 0);
  clusterArrived.assign(warpCount, 0);
  clusterArrivedPhase.assign(warpCount, 0);
  shuffleState = launch.shuffleSeed * 0x9e3779b97f4a7c15u + index;

  uint64_t across = launch.grid.x / size.x;
  uint64_t down = launch.grid.y / size.y;
  Dim3 first{static_cast<uint32_t>(index % across) * size.x,
             static_cast<uint32_t>(index / across % down) * size.y,
             static_cast<uint32_t>(index / (across * down)) * size.z};
  for (uint32_t rank = 0; rank < blockCount; ++rank) {
    Dim3 at{first.x + rank % size.x, first.y + rank / size.x % size.y,
            first.z + rank / (size.x * size.y)};
    blocks.push_back(std::make_unique<Block>(*this, at, rank));
    Block &block = *blocks.back();
    for (uint32_t warp = 0; warp < warpsPerBlock; ++warp) {
      uint64_t left = threads - uint64_t(warp) * kWarpSize;
      uint32_t lanes = left >= kWarpSize ? kFullMask : (1u << left) - 1;
      clocksOf(rank, warp)[warpAgent(rank, warp)] = 1;
      block.warps.push_back(std::make_unique<Warp>(block, warp, lanes));
    }
  }
}

uint32_t Cluster::addAgents(uint32_t count) {
  if (agentCount + count > agentCapacity) {
    uint32_t capacity = agentCapacity * 2 + count;
    std::vector<uint32_t> wider(size_t(capacity) * warpCount, 0);
    for (uint32_t warp = 0; warp < warpCount; ++warp)
      std::copy_n(clocks.begin() +
                      static_cast<std::ptrdiff_t>(size_t(warp) * agentCapacity),
                  agentCapacity,
                  wider.begin() +
                      static_cast<std::ptrdiff_t>(size_t(warp) * capacity));
    clocks = std::move(wider);
    agentCapacity = capacity;
  }
  return std::exchange(agentCount, agentCount + count);
}

void Cluster::forgetAccesses() {
  for (const std::unique_ptr<Block> &block : blocks) {
    block->sharedWrites.clear();
    block->sharedReads.clear();
    for (const std::unique_ptr<Warp> &warp : block->warps)
      warp->forgetLoads();
  }
}

void Cluster::checkClusterBarrier() {
  bool any = false;
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      uint32_t arrived = clusterArrived[warpAgent(block->rank, warp->index)];
      any |= arrived != 0;
      if ((arrived & warp->alive) != warp->alive)
        return;
    }
  if (!any)
    return;
  ++clusterPhase;
  std::fill(clusterArrived.begin(), clusterArrived.end(), 0);
  clusterDoneClocks = std::move(clusterClocks);
  clusterClocks.clear();
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      if (warp->isAtClusterBarrier())
        joinClocks(warp->clocks(), clusterDoneClocks);
      warp->releaseBarrier(0, true, 0);
    }
  progress();
}

// Nothing can run: lanes that wait for other lanes of their warp go on with a
// finding. False when there are none.
bool Cluster::forceWaiting() {
  bool any = false;
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps)
      if (!warp->done() && warp->hasConverging()) {
        warp->forceRequested = true;
        any = true;
      }
  return any;
}

void Cluster::reportDeadlock() {
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps)
      if (!warp->done())
        warp->reportStuck();
  launch.abort("the warps of a block wait for each other forever");
}

Cluster::Outcome Cluster::run(WorkerState &worker, uint64_t budget) {
  std::vector<Warp *> order;
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps)
      order.push_back(warp.get());
  auto executedBy = [](const Warp *warp) { return warp->executed; };
  uint64_t spent = 0;
  polls = 0;
  while (true) {
    if (launch.shuffleSeed != 0)
      for (size_t i = order.size(); i > 1; --i) {
        shuffleState =
            shuffleState * 6364136223846793005u + 1442695040888963407u;
        std::swap(order[i - 1], order[(shuffleState >> 33) % i]);
      }
    bool allDone = true;
    bool anyRan = false;
    bool onlyPolled = true;
    uint64_t before = version;
    for (Warp *warp : order) {
      if (launch.stop.load(std::memory_order_relaxed))
        return Outcome::Done;
      if (warp->done())
        continue;
      uint64_t start = executedBy(warp);
      Warp::Outcome outcome = warp->run(worker, slice);
      spent += executedBy(warp) - start;
      anyRan |= executedBy(warp) != start;
      allDone &= outcome == Warp::Outcome::Done;
      onlyPolled &= outcome == Warp::Outcome::Polling ||
                    outcome == Warp::Outcome::Blocked;
      if (launch.instructionLimit != 0 &&
          warp->executed > launch.instructionLimit) {
        warp->reportLimit();
        launch.abort("the limit of instructions per warp is reached");
        return Outcome::Done;
      }
    }
    if (allDone)
      return Outcome::Done;
    if (!anyRan) {
      if (forceWaiting())
        continue;
      reportDeadlock();
      return Outcome::Done;
    }
    idleRounds = onlyPolled && version == before ? idleRounds + 1 : 0;
    if (idleRounds > idleLimit) {
      reportDeadlock();
      return Outcome::Done;
    }
    if (spent >= budget || polls > pollLimit)
      return Outcome::Paused;
  }
}

} // namespace attnres::emulator
