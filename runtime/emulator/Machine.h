// The state of a running grid: launch, cluster, block, warp. A cluster runs on
// one host thread; clusters run on several. Everything a cluster does is kept
// in these structures, so it can be set aside and continued.

#ifndef ATTNRES_RUNTIME_EMULATOR_MACHINE_H
#define ATTNRES_RUNTIME_EMULATOR_MACHINE_H

#include "runtime/emulator/Counters.h"
#include "runtime/emulator/DeviceMemory.h"
#include "runtime/emulator/Findings.h"
#include "runtime/emulator/Program.h"
#include "runtime/emulator/Races.h"
#include "runtime/emulator/Undefined.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace attnres::emulator {

class Block;
class Cluster;
class Warp;
struct Mbarrier;

struct CheckOptions {
  /// Reads of memory that nothing has written.
  bool initialized = true;
  bool races = true;
  /// Reads of registers that were never set.
  bool registers = true;
  /// Writes that race but leave the same value.
  bool sameValue = false;
};

/// What all clusters of a launch share.
struct LaunchState {
  const KernelCode *kernel = nullptr;
  DeviceMemory *memory = nullptr;
  CheckOptions checks;
  Dim3 grid, block, cluster;
  uint32_t sharedBytes = 0; // static and dynamic
  uint32_t dynamicSharedBytes = 0;
  std::vector<uint8_t> parameters;
  FindingLog *findings = nullptr;
  RaceLog *races = nullptr;
  ClusterTimes *times = nullptr;
  /// More than one host thread.
  bool isConcurrent = false;
  /// 0: natural order of warps.
  uint64_t shuffleSeed = 0;
  uint64_t sampledClusters = 0;
  uint64_t launchNumber = 0;
  uint64_t instructionLimit = 0;
  /// Per thread, for recursion; and for malloc, of the device.
  uint32_t stackBytes = 1024;
  uint64_t heapBytes = 0;
  /// Where blocks of a cooperative launch meet; 0: of another launch.
  uint64_t gridWorkspace = 0;
  std::atomic<bool> stop{false};
  std::string stopReason;
  std::mutex stopMutex;
  std::mutex printMutex;
  std::string printed;

  void abort(const std::string &reason);

  // Clusters of a round take turns for everything that other clusters can
  // observe in an order: the one at `position` waits until all before it have
  // paused or ended.
  void waitForTurn(uint64_t position);
  void finishTurn(uint64_t position);
  void beginRound(uint64_t first, uint64_t count);

private:
  std::mutex turnMutex;
  std::condition_variable turnChanged;
  uint64_t turn = 0;
  uint64_t roundFirst = 0;
  std::vector<bool> finished;
};

/// Counts per instruction of the kernel and the other counters, one per host
/// thread, on lines of the cache that no other thread writes.
struct alignas(128) WorkerState {
  struct Execution {
    uint64_t warps = 0;
    uint64_t lanes = 0;
  };
  std::vector<Execution> executions;
  Counters counters;
  uint32_t recordNext = 0;
  uint32_t recordEnd = 0;
};

/// One invocation of a function by some lanes of a warp.
struct Frame {
  Frame *parent = nullptr;
  const FunctionCode *function = nullptr;
  const CallExtra *call = nullptr;
  std::vector<uint8_t> registers;
  std::vector<uint32_t> init;
  uint8_t *aligned = nullptr;
  uint32_t returnPc = 0;
  uint32_t lanes = 0;
  uint32_t localBase = 0;
  uint32_t depth = 0;
  /// Of the stack, by the functions called so far.
  uint32_t stackUsed = 0;
  PartialRegisters partial;
};

/// Lanes of a warp that are at one place.
struct Split {
  enum State : uint8_t {
    Runnable,
    /// At a .sync instruction, until the lanes it names have come.
    Converging,
    AtBarrier,
    AtClusterBarrier,
  };
  State state = Runnable;
  uint32_t pc = 0;
  uint32_t lanes = 0;
  Frame *frame = nullptr;
  uint32_t barrier = 0;
  /// The instruction whose destination a barrier's reduction goes to.
  const Instruction *waiting = nullptr;
  /// Not chosen before the warp has executed this many instructions.
  uint64_t parkedUntil = 0;
};

/// An asynchronous result that a register will hold after a wgmma wait.
struct PendingRegister {
  int32_t slot;
  uint32_t lanes;
  uint32_t group;
};

/// The cp.async groups of the lanes of a warp. A lane's clock is the number of
/// the group it fills, where an arrival at an mbarrier begins a new one, too.
struct CpAsyncState {
  /// Agents of the lanes, then those of what fences came after.
  uint32_t agents = 0;
  uint32_t clock[kWarpSize];
  /// The clock up to which the lane itself has waited.
  uint32_t waited[kWarpSize] = {};
  uint32_t committed[kWarpSize] = {};
  /// The clocks of the latest groups committed, by number.
  static constexpr unsigned remembered = 32;
  uint32_t groupClocks[kWarpSize][remembered] = {};
  void commit(unsigned lane) {
    groupClocks[lane][++committed[lane] % remembered] = clock[lane]++;
  }
};

/// The bulk groups of the lanes of a warp, which are copies out of shared
/// memory: each thread waits for its own.
struct BulkState {
  /// Agents of the lanes for what their copies read, then for what they write
  /// to global memory. Their clocks are the numbers of groups.
  uint32_t agents = 0;
  uint32_t committed[kWarpSize] = {};
};

class Warp {
public:
  Warp(Block &block, uint32_t index, uint32_t lanes);

  enum class Outcome : uint8_t { Done, Blocked, Yielded, Polling };
  /// Executes up to `budget` instructions.
  Outcome run(WorkerState &worker, uint64_t budget);
  bool done() const { return alive == 0; }

  // Registers of the current frame.
  uint8_t *slot(int32_t index) const {
    return registers + static_cast<size_t>(index) * kSlotBytes;
  }
  template <typename T>
  T *lanes(int32_t index) const {
    return reinterpret_cast<T *>(slot(index));
  }
  uint32_t predicate(int32_t index) const { return *lanes<uint32_t>(index); }
  void setPredicate(int32_t index, uint32_t value, uint32_t mask) {
    uint32_t &bits = *lanes<uint32_t>(index);
    bits = (bits & ~mask) | (value & mask);
    init[index] |= mask;
  }
  /// Reports lanes of `mask` that use a register never set.
  void require(int32_t index, uint32_t mask) {
    if (mask & ~init[index])
      reportRegister(index, mask & ~init[index]);
  }
  /// The same where only the low bytes are used.
  void requireBytes(int32_t index, unsigned bytes, uint32_t mask);
  void reportRegister(int32_t index, uint32_t lanesMissing);
  /// Whether the register waits for a wgmma, which is a finding then.
  bool reportPending(int32_t index, uint32_t lanesMissing);
  /// Undefined.h: one bit per byte.
  unsigned definedBytes(int32_t index, unsigned lane) const;
  int32_t originOf(int32_t index) const;
  void markUndefined(int32_t index, uint32_t mask,
                     const PartialRegister &value);
  void markSet(int32_t index, uint32_t mask) { init[index] |= mask; }
  /// Copies the lanes of `mask` from `values` to a register of `bytes` each.
  void assign(int32_t index, const void *values, unsigned bytes, uint32_t mask);

  // Control flow, for the handlers.
  void jump(uint32_t target) {
    pc = target;
    if (splits.size() > 1)
      limit = 0;
  }
  void fork(uint32_t target, uint32_t lanesThere);
  void call(const CallExtra &call, const FunctionCode &callee, uint32_t mask);
  void returnLanes(uint32_t mask);
  void exitLanes(uint32_t mask);
  /// True when the lanes of `members` that live are all in `mask`. Otherwise
  /// the split waits (and the handler must return), or, when nothing else can
  /// run, goes on with a finding.
  bool converged(uint32_t mask, uint32_t members, bool isBarrier);
  /// converged() for what all lanes of the warp execute, `what` in a finding.
  bool isWhole(uint32_t mask, const char *what);
  void waitAtBarrier(uint32_t barrier, const Instruction *inst, uint32_t mask,
                     bool isCluster);
  void releaseBarrier(uint32_t barrier, bool isCluster, uint32_t reduction);
  void yield(bool isPolling) {
    polling = isPolling;
    yielding = true;
    limit = 0;
  }

  /// Executes the instruction again, after other warps have had their turn.
  void retryLater(uint32_t mask);

  bool isAtBarrier(uint32_t barrier) const;
  bool isAtClusterBarrier() const;
  bool hasConverging() const;
  /// The instruction that waits at `barrier` with a reduction, or null.
  const Instruction *barrierInstruction(uint32_t barrier) const;
  /// Findings for a warp that can never go on.
  void reportStuck();
  void reportLimit();

  // Findings.
  void report(FindingKind kind, uint32_t lane, uint64_t address,
              const std::string &message, uint32_t otherLine = 0);
  /// The same for an instruction that the warp has executed before.
  void reportAt(uint32_t line, FindingKind kind, uint32_t lane,
                uint64_t address, const std::string &message,
                uint32_t otherLine = 0);
  uint32_t line() const { return code[current].line; }

  // Memory. Where a lane's access lies on the host; null data when it was
  // refused, with a finding.
  struct Target {
    uint8_t *data = nullptr;
    uint8_t *init = nullptr;
    /// What is remembered of the accesses, from entry `offset` on.
    AccessLists *writes = nullptr;
    AccessLists *reads = nullptr;
    uint64_t offset = 0;
    /// The part that begins `bytes` later.
    Target from(unsigned bytes) const {
      return {data + bytes, init + bytes, writes, reads, offset + bytes};
    }
  };
  enum class AccessKind : uint8_t { Load, Store, Atomic };
  uint64_t address(const MemoryExtra &memory, int32_t base,
                   unsigned lane) const {
    uint64_t value = memory.offset;
    if (base != 0)
      value += memory.narrowAddress ? lanes<uint32_t>(base)[lane]
                                    : lanes<uint64_t>(base)[lane];
    return value;
  }
  bool resolve(Space space, uint64_t address, unsigned bytes, unsigned align,
               unsigned lane, AccessKind kind, Target &target,
               bool reports = true);
  /// The generic addresses of all lanes; `base` is the slot of the register.
  void addressesOf(const MemoryExtra &memory, int32_t base,
                   uint64_t *addresses) const;
  /// Address within a space to a generic one, and shared::cluster ones too.
  uint64_t toGeneric(const MemoryExtra &memory, uint64_t address) const;
  void checkInitialized(const Target &target, unsigned bytes, unsigned lane,
                        uint64_t address);

  // Races, see WarpRaces.cpp. How a remembered access stands to the present.
  enum class Order : uint8_t {
    Before,
    /// Of this warp since it last synchronized: before the same lane's only.
    Own,
    /// Of the same asynchronous agent, which completes in order: not later, or
    /// later (of another warp that has issued more of the group's products).
    SameAgent,
    SameAgentLater,
    Apart,
    /// Of another cluster that has ended, but not released before the present.
    Ended,
    /// Of another cluster that has ended without a release.
    Forever,
    /// cp.async: depends on the lane of the entry.
    ByLane,
  };
  struct Verdict {
    uint32_t number = 0;
    Order order = Order::Before;
    bool isStrong = false;
  };
  struct Access {
    uint32_t record = 0; // 0: not checked
    uint32_t agent = 0;
    uint8_t flags = 0;
    /// Of the records met so far, by number.
    static constexpr unsigned remembered = 8;
    Verdict verdicts[remembered];
    bool isStrong() const { return flags & kStrongAccess; }
  };
  Access beginAccess(uint8_t flags = 0, int32_t agent = -1, uint32_t clock = 0);
  /// A plain load: the same instruction may have a record already.
  Access beginLoad();
  void forgetLoads() {
    std::fill_n(loadRecords, rememberedLoads, LoadRecord());
  }
  void checkRead(Access &access, const Target &target, unsigned bytes,
                 unsigned lane, uint64_t address);
  /// `values` are the bytes to be written, where they are known.
  void checkWrite(Access &access, const Target &target, unsigned bytes,
                  unsigned lane, uint64_t address,
                  const uint8_t *values = nullptr);
  Verdict lookUp(const Access &access, uint32_t number) const;
  const Verdict &judge(Access &access, uint32_t number) const {
    Verdict &known = access.verdicts[number % Access::remembered];
    if (known.number != number)
      known = lookUp(access, number);
    return known;
  }
  /// The common case, quickly: an empty entry or one before the present access.
  bool isPlainlyBefore(Access &access, uint32_t entry, unsigned lane) const {
    if (entry == 0)
      return true;
    Order order = judge(access, entry >> RaceLog::laneBits).order;
    return order == Order::Before ||
           (order == Order::Own && entry % (1u << RaceLog::laneBits) == lane);
  }
  Order orderOf(const Access &access, const Verdict &verdict, uint32_t entry,
                unsigned lane) const;
  bool conflicts(Access &access, uint32_t entry, unsigned lane) const;
  /// Calls look(first, count), with other host threads kept off the lists of
  /// those bytes, until it returns false.
  template <typename F>
  bool exclusively(uint64_t address, unsigned bytes, F look) const;

  /// What an access does to an entry of a list that it is added to.
  enum class Step : uint8_t {
    Replace,
    /// One entry for several lanes.
    Join,
    /// The entry stands for the access, too.
    Covered,
    /// Both stay; `NextEnded`: only the later of several such entries.
    Next,
    NextEnded,
  };
  Step stepAt(Access &access, uint32_t entry, unsigned lane) const;
  bool arePlainlyBefore(Access &access, const uint32_t *entries, unsigned bytes,
                        unsigned lane) const;
  bool readPlainly(Access &access, const Target &target, uint64_t offset,
                   unsigned bytes, unsigned lane) const;
  void add(Access &access, AccessLists &list, uint64_t offset, unsigned bytes,
           unsigned lane) const;
  void addRun(Access &access, AccessLists &list, uint64_t offset,
              unsigned count, unsigned lane) const;
  /// Leaves the one of two accesses of ended clusters that was released last.
  void keepLater(uint32_t *kept, const uint32_t *other, unsigned count) const;
  struct Conflict {
    unsigned lane = 0;
    uint64_t address = 0;
    bool otherWrites = false;
    bool thisWrites = false;
    /// Where both write: the bytes that are there, and those to be written.
    const uint8_t *old = nullptr;
    const uint8_t *values = nullptr;
  };
  void checkConflicts(Access &access, const AccessLists &list, uint64_t offset,
                      unsigned bytes, const Conflict &conflict);
  void reportRace(const Access &access, uint32_t entry,
                  const Conflict &conflict, unsigned byte, bool isSame);
  /// Writes that an asynchronous read of shared memory may not see, because no
  /// proxy fence lies between.
  void checkProxy(Access &access, const AccessLists &writes, uint64_t offset,
                  unsigned bytes, unsigned lane, uint64_t address);
  bool isFenced(uint32_t entry) const;
  /// Whether the asynchronous proxy sees the mbarrier's initialization.
  void checkInitFence(Mbarrier &barrier, unsigned lane, uint64_t address);

  // Whole warps at once, see WarpRow.cpp. False: go lane by lane.
  struct Row {
    const uint8_t *data = nullptr;
    /// All lanes read the same bytes rather than consecutive ones.
    bool isBroadcast = false;
  };
  bool loadRow(const MemoryExtra &memory, const uint64_t *addresses,
               unsigned bytes, uint32_t mask, Access &access, Row &row);
  bool storeRow(const MemoryExtra &memory, const uint64_t *addresses,
                unsigned bytes, uint32_t mask, Access &access,
                const uint8_t *values);
  /// Bytes [first, first + count) of a row: which lane accesses them.
  struct RowPart {
    uint64_t offset = 0; // of the row in the lists
    unsigned first = 0;
    unsigned count = 0;
    unsigned bytes = 0; // per lane
    unsigned lane = 0;  // or a number of WarpRow.cpp
  };
  bool isAfter(Access &access, const AccessLists &list,
               const RowPart &part) const;
  bool isAfterPlane(Access &access, const uint32_t *entries,
                    const RowPart &part) const;
  bool addRow(Access &access, AccessLists &list, const RowPart &part) const;
  uint32_t *clocks() const;
  /// Advances the warp's own clock: later accesses are after the present.
  void tick();

  /// Takes the cluster's turn before anything that clusters can observe.
  void enterOrdered();

  Block &block;
  uint32_t index;
  uint32_t present; // lanes that exist
  uint32_t alive;   // of them, those that have not exited
  WorkerState *worker = nullptr;

  const Instruction *code = nullptr;
  uint8_t *registers = nullptr;
  uint32_t *init = nullptr;
  Frame *frame = nullptr;
  uint32_t pc = 0;
  uint32_t current = 0;
  uint32_t active = 0;
  uint64_t executed = 0;

  // Local memory: `localBytes` per lane, one lane after the other.
  std::vector<uint8_t> local;
  std::vector<uint8_t> localInit;
  uint32_t localBytes = 0;

  std::unique_ptr<CpAsyncState> cpAsync; // once there has been a cp.async
  CpAsyncState &cpAsyncState();
  /// The lanes of `mask` let others know of their cp.async waits.
  void publishWaits(uint32_t mask);
  // fence.proxy.async: how many the warp has executed, and the first of the
  // agents whose clocks are the numbers of each lane's latest (0: none yet).
  uint32_t proxyFences = 0;
  uint32_t fenceAgents = 0;
  // The same of fence.mbarrier_init.
  uint32_t initFences = 0;
  uint32_t initFenceAgents = 0;
  std::unique_ptr<BulkState> bulk; // once there has been a bulk group
  BulkState &bulkState();
  // wgmma groups of this warp.
  uint32_t wgmmaCommitted = 0;
  bool wgmmaFenced = false;
  std::vector<PendingRegister> pendingRegisters;
  bool fencePending = false;
  bool yielding = false;
  bool polling = false;
  uint32_t limit = 0;
  /// Lanes waiting for others that cannot come any more go on with a finding.
  bool forceRequested = false;

private:
  Frame *newFrame(const FunctionCode &function, Frame *parent);
  void growLocal(uint32_t bytes);
  void freeFrame(Frame *freed);
  void fillSpecials(Frame &into);
  void save();
  void load(size_t split);
  void splitOff(uint32_t lanesThere);
  /// Chooses the split to go on with; false when none can.
  bool schedule();
  void merge();
  void updateLimit();
  /// Takes back the count of an instruction that will be executed again.
  void uncount(uint32_t mask);

  /// The records of the latest plain loads, by place in the code.
  struct LoadRecord {
    uint32_t number = 0;
    uint32_t pc = 0;
    uint32_t clock = 0;
    uint32_t releases = 0;
  };
  static constexpr unsigned rememberedLoads = 16;
  LoadRecord loadRecords[rememberedLoads];

  std::vector<Split> splits;
  size_t chosen = 0;
  bool forced = false;
  uint64_t lastProgress = 0;
  Allocation *lastAllocation = nullptr;
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<std::unique_ptr<Frame>> freeFrames;
};

/// A block's named barrier.
struct Barrier {
  std::vector<uint32_t> arrived; // lanes per warp
  uint64_t arrivedThreads = 0;   // for barriers with a thread count
  uint64_t expected = 0;         // 0: all threads
  bool inUse = false;
  uint32_t popc = 0;
  bool all = true;
  bool any = false;
  std::vector<uint32_t> clocks; // joined clocks of those that arrived
};

/// An mbarrier object in shared memory.
struct Mbarrier {
  bool valid = false;
  uint32_t expected = 0;
  uint32_t pending = 0;
  int64_t transactions = 0;
  uint32_t phase = 0;
  /// Of the latest instruction that expected bytes, or brought some.
  uint32_t line = 0;
  /// Who initialized it, when, and after how many fences.
  uint32_t initLine = 0;
  uint32_t initClock = 0;
  uint32_t initFences = 0;
  uint32_t initProxyFences = 0;
  uint8_t initRank = 0;
  uint8_t initWarp = 0;
  uint8_t initLane = 0;
  /// A bulk copy may signal it, or that it may not has been reported.
  bool isFenced = false;
  /// Agent that stands for its completed phases, and the clocks of arrivals.
  uint32_t agent = 0;
  std::vector<uint32_t> arrivalClocks;
  std::vector<std::vector<uint32_t>> phaseClocks; // of the last two phases
};

/// Raises every clock of `to` to that of `from`.
void joinClocks(uint32_t *to, const std::vector<uint32_t> &from);
void joinClocks(std::vector<uint32_t> &to, const uint32_t *from, size_t count);

class Block {
public:
  Block(Cluster &cluster, Dim3 position, uint32_t rank);

  /// Completes barriers that the exit of lanes has satisfied.
  void checkBarriers();
  void arrive(Warp &warp, uint32_t number, uint32_t mask, bool hasCount,
              uint32_t count);
  Warp *warpAt(uint32_t index) { return warps[index].get(); }

  Cluster &cluster;
  LaunchState &launch;
  Dim3 position;
  uint32_t rank;
  std::vector<std::unique_ptr<Warp>> warps;
  Barrier barriers[16];

  // Shared memory and its shadow, from kSharedBase.
  std::vector<uint8_t> shared;
  std::vector<uint8_t> sharedInit;
  AccessLists sharedWrites;
  AccessLists sharedReads;
  std::unordered_map<uint32_t, Mbarrier> mbarriers;

  /// The last thread has ended. BlockEnd.cpp.
  void end();
  bool ended = false;
  /// Other blocks of the cluster have accessed its shared memory.
  bool touchedFromOutside = false;
  /// What its threads knew when they ended.
  std::vector<uint32_t> endClocks;

private:
  bool isOver(const AccessRecord &record, unsigned lane) const;
  /// `lines` that have been reported, and whether for asynchronous accesses.
  void reportPending(const AccessLists &list, bool areWrites,
                     std::unordered_map<uint32_t, bool> &lines);
  static bool reducesByAnd(const Instruction &inst);
  bool complete(uint32_t number);
  void release(uint32_t number);
};

class Cluster {
public:
  Cluster(LaunchState &launch, uint64_t index, uint64_t position);

  enum class Outcome : uint8_t { Done, Paused };
  Outcome run(WorkerState &worker, uint64_t budget);
  /// Tells that something happened that a polling warp may be waiting for.
  void progress() { ++version; }

  void checkClusterBarrier();
  /// For the race check.
  void forgetAccesses();
  /// The first of `count` new agents.
  uint32_t addAgents(uint32_t count);
  /// Room for one clock per agent and warp.
  uint32_t *clocksOf(uint32_t rank, uint32_t warp) {
    return clocks.data() +
           (size_t(rank) * warpsPerBlock + warp) * agentCapacity;
  }
  uint32_t warpAgent(uint32_t rank, uint32_t warp) const {
    return rank * warpsPerBlock + warp;
  }
  /// Whose clock is the one of the warp's that proxy fences of others, or of
  /// its own past, came after.
  uint32_t fencedAgent(uint32_t rank, uint32_t warp) const {
    return warpCount + warpAgent(rank, warp);
  }
  /// Of four warps: each of their products is one operation.
  uint32_t wgmmaAgent(uint32_t rank, uint32_t warp) const {
    return 2 * warpCount + warpAgent(rank, warp / 4 * 4);
  }

  LaunchState &launch;
  uint64_t index;
  uint64_t position; // in the order of execution
  std::vector<std::unique_ptr<Block>> blocks;
  uint32_t warpsPerBlock = 0;
  uint32_t warpCount = 0;
  uint32_t agentCapacity = 0;
  uint32_t agentCount = 0;
  std::vector<uint32_t> clocks;
  /// Clocks published by releases on a flag or lock, by generic address.
  std::unordered_map<uint64_t, std::vector<uint32_t>> published;
  uint64_t acquired = 0;
  bool hasTurn = false;
  /// There has been an asynchronous access.
  bool usesAsync = false;
  bool releasePending = false;
  uint32_t releases = 0;
  /// Volatile loads and compare-and-swaps of global memory in this round: what
  /// waiting for another cluster looks like. Many of them end the round.
  uint32_t polls = 0;
  static constexpr uint32_t pollLimit = 200;

  // barrier.cluster
  std::vector<uint32_t> clusterArrived; // lanes per warp
  std::vector<uint32_t> clusterArrivedPhase;
  std::vector<uint32_t> clusterClocks;     // of the arrivals so far
  std::vector<uint32_t> clusterDoneClocks; // of the last completed phase
  uint32_t clusterPhase = 0;

private:
  bool forceWaiting();
  void reportDeadlock();

  uint64_t version = 0;
  uint64_t idleRounds = 0;
  uint64_t shuffleState = 0;
};

/// ExecuteSystemCall.cpp
void executeSystemCall(Warp &warp, const CallExtra &call, uint32_t mask);

template <typename F>
bool Warp::exclusively(uint64_t address, unsigned bytes, F look) const {
  if (!block.launch.isConcurrent || address >> kWindowShift != 0)
    return look(0u, bytes);
  return block.launch.races->exclusively(address, bytes, look);
}

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_MACHINE_H
