// Rounds of clusters on host threads. Results do not depend on the number of
// threads: a round takes a fixed set of clusters, plain accesses of different
// clusters do not meet in programs without races, and everything ordered
// (atomics, volatile accesses, printf) happens in the order of positions.

#include "runtime/emulator/Launch.h"

#include <numeric>
#include <thread>

namespace attnres::emulator {
namespace {

// Clusters resident at first. When a round ends with none of them finished,
// they are waiting for ones that have not started, and more are let in.
constexpr size_t residentAtFirst = 64;
// Instructions of a cluster before it is set aside.
constexpr uint64_t quantum = 4000000;

} // namespace

void LaunchState::abort(const std::string &reason) {
  {
    std::lock_guard<std::mutex> lock(stopMutex);
    if (stopReason.empty())
      stopReason = reason;
  }
  stop = true;
  std::lock_guard<std::mutex> lock(turnMutex);
  turnChanged.notify_all();
}

void LaunchState::beginRound(uint64_t first, uint64_t count) {
  std::lock_guard<std::mutex> lock(turnMutex);
  roundFirst = first;
  turn = first;
  finished.assign(count, false);
}

void LaunchState::waitForTurn(uint64_t position) {
  std::unique_lock<std::mutex> lock(turnMutex);
  turnChanged.wait(lock, [&] { return turn == position || stop.load(); });
}

void LaunchState::finishTurn(uint64_t position) {
  std::lock_guard<std::mutex> lock(turnMutex);
  finished[position - roundFirst] = true;
  while (turn - roundFirst < finished.size() && finished[turn - roundFirst])
    ++turn;
  turnChanged.notify_all();
}

// The numbers of records are used again.
static void forgetAccesses(LaunchState &launch,
                           std::vector<std::unique_ptr<Cluster>> &resident,
                           std::vector<WorkerState> &workers) {
  launch.races->startOver();
  launch.memory->clearRaceShadow();
  for (const std::unique_ptr<Cluster> &cluster : resident)
    cluster->forgetAccesses();
  for (WorkerState &worker : workers)
    worker.recordNext = worker.recordEnd = 0;
}

Status runLaunch(LaunchState &launch, unsigned threads, Counters &counters,
                 std::vector<WorkerState::Execution> &executions) {
  uint64_t clusterCount = launch.grid.count() / launch.cluster.count();
  launch.times->reset(clusterCount);
  std::vector<uint64_t> order;
  if (launch.shuffleSeed != 0) {
    order.resize(clusterCount);
    std::iota(order.begin(), order.end(), 0);
    uint64_t state = launch.shuffleSeed;
    for (uint64_t i = clusterCount; i > 1; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(order[i - 1], order[(state >> 33) % i]);
    }
  }

  uint64_t sampled = launch.sampledClusters;
  if (sampled != 0 && sampled < clusterCount) {
    // The middles of equal parts, so that what grows along the grid is met.
    std::vector<uint64_t> middles;
    for (uint64_t i = 0; i < sampled; ++i)
      middles.push_back((2 * i + 1) * clusterCount / (2 * sampled));
    order = std::move(middles);
    clusterCount = sampled;
  }

  threads = std::max(1u, threads);
  launch.isConcurrent = threads > 1 && clusterCount > 1;
  std::vector<WorkerState> workers(threads);
  for (WorkerState &worker : workers)
    worker.executions.resize(launch.kernel->code.size());

  std::vector<std::unique_ptr<Cluster>> resident;
  uint64_t started = 0;
  size_t room = residentAtFirst;
  while (!launch.stop && (started < clusterCount || !resident.empty())) {
    if (launch.races->isHalfUsed())
      forgetAccesses(launch, resident, workers);
    while (resident.size() < room && started < clusterCount) {
      // A cluster's memory is made by the thread that runs it.
      resident.push_back(nullptr);
      ++started;
    }
    uint64_t firstNew =
        started - static_cast<uint64_t>(
                      std::count(resident.begin(), resident.end(), nullptr));
    size_t waiting = static_cast<size_t>(
        std::count_if(resident.begin(), resident.end(),
                      [](const auto &cluster) { return cluster != nullptr; }));
    launch.beginRound(0, resident.size());
    std::atomic<size_t> next{0};
    std::atomic<size_t> done{0};
    auto work = [&](WorkerState &worker) {
      for (size_t i = next++; i < resident.size(); i = next++) {
        if (!resident[i]) {
          uint64_t number = firstNew + (i - waiting);
          uint64_t index = order.empty() ? number : order[number];
          resident[i] = std::make_unique<Cluster>(launch, index, i);
          worker.counters.blocks += launch.cluster.count();
          worker.counters.warps += resident[i]->warpCount;
        }
        Cluster &cluster = *resident[i];
        cluster.position = i;
        cluster.hasTurn = false;
        if (cluster.run(worker, quantum) == Cluster::Outcome::Done) {
          launch.times->end(cluster.index);
          resident[i].reset();
          ++done;
        }
        launch.finishTurn(i);
      }
    };
    size_t used = std::min<size_t>(threads, resident.size());
    std::vector<std::thread> pool;
    for (size_t i = 1; i < used; ++i)
      pool.emplace_back([&, i] { work(workers[i]); });
    work(workers[0]);
    for (std::thread &thread : pool)
      thread.join();
    resident.erase(std::remove(resident.begin(), resident.end(), nullptr),
                   resident.end());
    if (done == 0)
      room *= 2;
  }

  executions.assign(launch.kernel->code.size(), {});
  for (const WorkerState &worker : workers) {
    counters.add(worker.counters);
    for (size_t i = 0; i < executions.size(); ++i) {
      executions[i].warps += worker.executions[i].warps;
      executions[i].lanes += worker.executions[i].lanes;
    }
  }
  for (size_t i = 0; i < executions.size(); ++i) {
    Counters::ClassCount &count =
        counters.classes[static_cast<size_t>(launch.kernel->code[i].kind)];
    count.warpInstructions += executions[i].warps;
    count.laneInstructions += executions[i].lanes;
  }
  if (!launch.stopReason.empty())
    return invalidArgument("kernel '" + launch.kernel->name +
                           "' was stopped: " + launch.stopReason);
  return {};
}

} // namespace attnres::emulator
