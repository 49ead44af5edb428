// Asynchronous copies. The bytes move at once; what is asynchronous is when
// others may rely on them, and that is what the race check watches: a copy is
// an access of an agent of its own, which a wait or an mbarrier orders.

#include "runtime/emulator/AsyncCopy.h"
#include "runtime/emulator/AtomicValue.h"
#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/MbarrierState.h"
#include "runtime/emulator/SyncExtras.h"

#include <fmt/format.h>

namespace attnres::emulator {

void executeCpAsync(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &copy = static_cast<const CpAsyncExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  warp.require(inst.src[1], mask);
  warp.require(inst.src[2], mask);
  const CpAsyncState &state = warp.cpAsyncState();
  Warp::Access access;
  uint32_t clock = 0;
  uint64_t total = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    // One record serves the lanes that are in the same group.
    if (clock != state.clock[lane]) {
      clock = state.clock[lane];
      access = warp.beginAccess(kCpAsyncAccess,
                                static_cast<int32_t>(state.agents), clock);
    }
    uint32_t count = copy.bytes;
    if (copy.limit == CpAsyncExtra::SourceBytes)
      count = warp.lanes<uint32_t>(inst.src[2])[lane];
    else if (copy.limit == CpAsyncExtra::IgnorePredicate)
      count = (warp.predicate(inst.src[2]) >> lane) & 1 ? 0 : copy.bytes;
    if (count > copy.bytes) {
      warp.report(FindingKind::InvalidOperation, lane, 0,
                  fmt::format("cp.async reads {} bytes and writes {}", count,
                              copy.bytes));
      count = copy.bytes;
    }
    uint64_t to = warp.toGeneric(
        copy.destination, warp.address(copy.destination, inst.src[0], lane));
    uint64_t from = warp.toGeneric(
        copy.source, warp.address(copy.source, inst.src[1], lane));
    uint8_t bytes[16] = {};
    Warp::Target source;
    if (count != 0 && warp.resolve(Space::Global, from, count, copy.bytes, lane,
                                   Warp::AccessKind::Load, source)) {
      if (warp.block.launch.checks.initialized)
        warp.checkInitialized(source, count, lane, from);
      warp.checkRead(access, source, count, lane, from);
      std::memcpy(bytes, source.data, count);
    }
    Warp::Target target;
    if (!warp.resolve(Space::Shared, to, copy.bytes, copy.bytes, lane,
                      Warp::AccessKind::Store, target))
      continue;
    warp.checkWrite(access, target, copy.bytes, lane, to);
    std::memcpy(target.data, bytes, copy.bytes);
    std::memset(target.init, 1, copy.bytes);
    total += copy.bytes;
    warp.worker->counters.global.loadBytes += count;
    warp.worker->counters.shared.storeBytes += copy.bytes;
  }
  warp.worker->counters.asyncCopyBytes += total;
}

void executeCpAsyncCommit(Warp &warp, const Instruction &, uint32_t mask) {
  CpAsyncState &state = warp.cpAsyncState();
  for (uint32_t left = mask; left != 0; left &= left - 1)
    state.commit(static_cast<unsigned>(__builtin_ctz(left)));
}

// imm: how many of the latest groups may still be under way; all ones: none,
// not even what was never committed. A lane waits for its own copies only;
// others know of it when the lane next synchronizes with them.
void executeCpAsyncWait(Warp &warp, const Instruction &inst, uint32_t mask) {
  CpAsyncState &state = warp.cpAsyncState();
  bool isAll = inst.imm == UINT32_MAX;
  // More groups than are remembered: as many as those.
  uint32_t allowed =
      isAll ? 0 : std::min(inst.imm, CpAsyncState::remembered - 1);
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    if (isAll)
      state.commit(lane);
    if (state.committed[lane] <= allowed)
      continue;
    uint32_t group = state.committed[lane] - allowed;
    state.waited[lane] =
        std::max(state.waited[lane],
                 state.groupClocks[lane][group % CpAsyncState::remembered]);
  }
}

void executeCpAsyncArrive(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const CpAsyncArriveExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  Cluster &cluster = warp.block.cluster;
  CpAsyncState &state = warp.cpAsyncState();
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t address =
        warp.toGeneric(extra, warp.address(extra, inst.src[0], lane));
    Mbarrier *barrier = findMbarrier(warp, address, lane);
    if (!barrier)
      continue;
    // Whoever waits for the phase may use everything copied so far.
    joinClocks(barrier->arrivalClocks, warp.clocks(), cluster.agentCount);
    uint32_t &clock = barrier->arrivalClocks[state.agents + lane];
    clock = std::max(clock, state.clock[lane]++);
    if (!extra.noIncrement)
      continue;
    if (barrier->pending == 0) {
      warp.report(FindingKind::InvalidOperation, lane, address,
                  "arrival where none is pending");
      continue;
    }
    --barrier->pending;
    completePhase(cluster, *barrier);
  }
  cluster.progress();
}

void executeBulkCommit(Warp &warp, const Instruction &, uint32_t mask) {
  BulkState &state = warp.bulkState();
  for (uint32_t left = mask; left != 0; left &= left - 1)
    ++state.committed[__builtin_ctz(left)];
}

// imm: twice the number of groups that may still be under way, plus one when
// only their reads of shared memory must be over. Of each lane, its own.
void executeBulkWait(Warp &warp, const Instruction &inst, uint32_t mask) {
  BulkState &state = warp.bulkState();
  uint32_t allowed = inst.imm / 2;
  uint32_t *clocks = warp.clocks() + state.agents;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint32_t committed = state.committed[lane];
    uint32_t complete = committed > allowed ? committed - allowed : 0;
    clocks[lane] = std::max(clocks[lane], complete);
    if (inst.imm % 2 == 0)
      clocks[kWarpSize + lane] = std::max(clocks[kWarpSize + lane], complete);
  }
}

namespace {

// One bulk instruction of one lane.
class BulkCopy {
public:
  BulkCopy(Warp &warp, const BulkExtra &bulk, unsigned lane)
      : warp(warp), bulk(bulk), lane(lane) {}

  void run() {
    if (bulk.direction == BulkExtra::SharedToGlobal) {
      runToGlobal();
      return;
    }
    uint16_t blocks = 0;
    if (bulk.multicastSlot != 0)
      blocks = warp.lanes<uint16_t>(bulk.multicastSlot)[lane];
    uint64_t to = warp.toGeneric(
        bulk.destination,
        warp.address(bulk.destination, bulk.destinationSlot, lane));
    uint64_t at = warp.toGeneric(
        bulk.barrier, warp.address(bulk.barrier, bulk.barrierSlot, lane));
    if (blocks == 0) {
      copyToShared(to, at);
      return;
    }
    // To the same offset of every block named, each with its own barrier.
    constexpr uint64_t offsetMask = (uint64_t(1) << kClusterRankShift) - 1;
    for (unsigned rank = 0; rank < 16; ++rank) {
      if (!((blocks >> rank) & 1))
        continue;
      uint64_t place = uint64_t(rank + 1) << kClusterRankShift;
      copyToShared(kSharedWindow | place | (to & offsetMask),
                   kSharedWindow | place | (at & offsetMask));
    }
  }

private:
  // `bytes` between two generic addresses, 16 at a time.
  void move(uint64_t to, uint64_t from, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
      unsigned step =
          static_cast<unsigned>(std::min<uint64_t>(16, bytes - done));
      Warp::Target source;
      Warp::Target target;
      if (!warp.resolve(Space::Generic, from + done, step, 1, lane,
                        Warp::AccessKind::Load, source) ||
          !warp.resolve(Space::Generic, to + done, step, 1, lane,
                        Warp::AccessKind::Store, target))
        return;
      if (warp.block.launch.checks.initialized)
        warp.checkInitialized(source, step, lane, from + done);
      warp.checkRead(reading, source, step, lane, from + done);
      warp.checkWrite(writing, target, step, lane, to + done);
      if (bulk.reduces)
        reduce(target.data, source.data, step);
      else
        std::memcpy(target.data, source.data, step);
      std::memset(target.init, 1, step);
      done += step;
    }
  }

  void reduce(uint8_t *to, const uint8_t *from, unsigned bytes) {
    unsigned size = typeBytes(reductionType);
    for (unsigned at = 0; at + size <= bytes; at += size) {
      uint64_t old = 0;
      uint64_t value = 0;
      std::memcpy(&old, to + at, size);
      std::memcpy(&value, from + at, size);
      uint64_t result = atomicValue(bulk.op, reductionType, old, value, 0);
      std::memcpy(to + at, &result, size);
    }
  }

  bool aligned(uint64_t address, uint64_t bytes, const char *what) {
    if (address % 16 == 0 && bytes % 16 == 0)
      return true;
    warp.report(FindingKind::Misaligned, lane, address,
                fmt::format("bulk copy of {} bytes with its {} here, expected "
                            "multiples of 16",
                            bytes, what));
    return false;
  }

  void copyToShared(uint64_t to, uint64_t barrierAddress) {
    Mbarrier *barrier = findMbarrier(warp, barrierAddress, lane, true);
    if (!barrier)
      return;
    warp.checkInitFence(*barrier, lane, barrierAddress);
    if (barrier->transactions <= 0)
      barrier->line = warp.line();
    // The reads are over when the whole copy is.
    reading = writing = warp.beginAccess(
        kBulkAccess, static_cast<int32_t>(barrier->agent), barrier->phase + 1);
    uint64_t bytes = 0;
    reductionType = bulk.type;
    if (bulk.isTensor) {
      TensorMap map;
      if (!readMap(bulk.source, bulk.sourceSlot, map))
        return;
      bytes = tile(map, to, true);
    } else {
      bytes = warp.lanes<uint32_t>(bulk.sizeSlot)[lane];
      uint64_t from = warp.toGeneric(
          bulk.source, warp.address(bulk.source, bulk.sourceSlot, lane));
      if (!aligned(to, bytes, "destination") || !aligned(from, bytes, "source"))
        return;
      move(to, from, bytes);
    }
    warp.worker->counters.asyncCopyBytes += bytes;
    warp.worker->counters.shared.storeBytes += bytes;
    if (bulk.direction == BulkExtra::GlobalToShared)
      warp.worker->counters.global.loadBytes += bytes;
    completeTransaction(warp.block.cluster, *barrier, bytes);
  }

  void runToGlobal() {
    if (bulk.reduces)
      warp.enterOrdered();
    uint8_t flags = kBulkAccess;
    if (bulk.reduces)
      flags |= kStrongAccess;
    // Waiting for the reads of a group does not wait for its writes.
    const BulkState &state = warp.bulkState();
    uint32_t group = state.committed[lane] + 1;
    reading = warp.beginAccess(flags, static_cast<int32_t>(state.agents + lane),
                               group);
    writing = warp.beginAccess(
        flags, static_cast<int32_t>(state.agents + kWarpSize + lane), group);
    uint64_t from = warp.toGeneric(
        bulk.source, warp.address(bulk.source, bulk.sourceSlot, lane));
    uint64_t bytes = 0;
    reductionType = bulk.type;
    if (bulk.isTensor) {
      TensorMap map;
      if (!readMap(bulk.destination, bulk.destinationSlot, map))
        return;
      // The element type is not in the instruction.
      reductionType = map.elementType;
      if (bulk.reduces && !atomicExists(bulk.op, reductionType, true)) {
        warp.report(FindingKind::InvalidOperation, lane, from,
                    fmt::format("reduction of elements of type {}",
                                typeName(reductionType)));
        return;
      }
      bytes = tile(map, from, false);
    } else {
      bytes = warp.lanes<uint32_t>(bulk.sizeSlot)[lane];
      uint64_t to = warp.toGeneric(
          bulk.destination,
          warp.address(bulk.destination, bulk.destinationSlot, lane));
      if (!aligned(to, bytes, "destination") || !aligned(from, bytes, "source"))
        return;
      move(to, from, bytes);
    }
    warp.worker->counters.asyncCopyBytes += bytes;
    warp.worker->counters.global.storeBytes += bytes;
    warp.worker->counters.shared.loadBytes += bytes;
  }

  bool readMap(const MemoryExtra &memory, int32_t slot, TensorMap &map) {
    uint64_t address = warp.toGeneric(memory, warp.address(memory, slot, lane));
    Warp::Target target;
    if (!warp.resolve(Space::Generic, address, sizeof map, 64, lane,
                      Warp::AccessKind::Load, target))
      return false;
    std::memcpy(&map, target.data, sizeof map);
    bool valid = isValid(map);
    if (valid && map.rank == bulk.coordinates.size())
      return true;
    warp.report(FindingKind::InvalidOperation, lane, address,
                !valid ? std::string("there is no tensor map at the address")
                       : fmt::format("tensor map of rank {} used with {} "
                                     "coordinates",
                                     map.rank, bulk.coordinates.size()));
    return false;
  }

  // Copies the box at the coordinates; what lies outside of the tensor is
  // zero-filled on the way in and left alone on the way out. Returns the bytes
  // of the whole box.
  uint64_t tile(const TensorMap &map, uint64_t shared, bool toShared) {
    Swizzle mode = static_cast<Swizzle>(map.swizzle);
    static const uint32_t alignments[] = {128, 256, 512, 1024};
    uint32_t needed =
        mode == Swizzle::None ? 128 : alignments[static_cast<uint32_t>(mode)];
    if (static_cast<uint32_t>(shared) % needed != 0)
      warp.report(FindingKind::Misaligned, lane, shared,
                  fmt::format("tile in shared memory, expected a multiple of "
                              "{}",
                              needed));
    int64_t start[5] = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < bulk.coordinates.size(); ++i) {
      warp.require(bulk.coordinates[i], 1u << lane);
      start[i] = warp.lanes<int32_t>(bulk.coordinates[i])[lane];
    }
    uint64_t rows = 1;
    for (uint32_t i = 1; i < map.rank; ++i)
      rows *= map.box[i];
    uint64_t rowBytes = uint64_t(map.box[0]) * map.elementBytes;
    if (rows * rowBytes > warp.block.launch.sharedBytes) {
      warp.report(FindingKind::OutOfBounds, lane, shared,
                  fmt::format("a tile of {} bytes with {} bytes of shared "
                              "memory",
                              rows * rowBytes, warp.block.launch.sharedBytes));
      return rows * rowBytes;
    }
    for (uint64_t row = 0; row < rows; ++row) {
      uint64_t rest = row;
      uint64_t global = map.address;
      bool inside = true;
      for (uint32_t i = 1; i < map.rank; ++i) {
        int64_t index = start[i] + static_cast<int64_t>(rest % map.box[i]);
        rest /= map.box[i];
        inside &= index >= 0 && static_cast<uint64_t>(index) < map.sizes[i];
        global += static_cast<uint64_t>(index) * map.strides[i - 1];
      }
      for (uint64_t at = 0; at < rowBytes; at += 16) {
        // Elements of this chunk that exist.
        unsigned valid = 0;
        unsigned skipped = 0;
        int64_t first = start[0] + static_cast<int64_t>(at / map.elementBytes);
        unsigned perChunk = 16 / map.elementBytes;
        for (unsigned j = 0; inside && j < perChunk; ++j) {
          int64_t index = first + j;
          if (index < 0)
            ++skipped;
          else if (static_cast<uint64_t>(index) < map.sizes[0])
            ++valid;
        }
        uint32_t offset = static_cast<uint32_t>(shared) +
                          static_cast<uint32_t>(row * rowBytes + at);
        uint32_t rank = offset & ~((1u << kClusterRankShift) - 1);
        uint32_t place =
            swizzled(offset & ((1u << kClusterRankShift) - 1), mode) | rank;
        uint64_t from = global + static_cast<uint64_t>((first + skipped) *
                                                       map.elementBytes);
        chunk(map, kSharedWindow | place, from, skipped * map.elementBytes,
              valid * map.elementBytes, toShared);
      }
    }
    return rows * rowBytes;
  }

  void chunk(const TensorMap &map, uint64_t shared, uint64_t global,
             unsigned skipped, unsigned valid, bool toShared) {
    Warp::Target inner;
    Warp::Target outer;
    if (!warp.resolve(
            Space::Shared, shared, 16, 16, lane,
            toShared ? Warp::AccessKind::Store : Warp::AccessKind::Load, inner))
      return;
    bool have =
        valid != 0 && warp.resolve(Space::Global, global, valid, 1, lane,
                                   toShared ? Warp::AccessKind::Load
                                            : Warp::AccessKind::Store,
                                   outer);
    if (toShared) {
      warp.checkWrite(writing, inner, 16, lane, shared);
      std::memset(inner.data, 0, 16);
      if (map.nanFill)
        fillNan(map, inner.data);
      std::memset(inner.init, 1, 16);
      if (!have)
        return;
      if (warp.block.launch.checks.initialized)
        warp.checkInitialized(outer, valid, lane, global);
      warp.checkRead(reading, outer, valid, lane, global);
      std::memcpy(inner.data + skipped, outer.data, valid);
      return;
    }
    if (!have)
      return;
    Warp::Target part = inner.from(skipped);
    if (warp.block.launch.checks.initialized)
      warp.checkInitialized(part, valid, lane, shared + skipped);
    warp.checkRead(reading, part, valid, lane, shared + skipped);
    warp.checkWrite(writing, outer, valid, lane, global);
    if (bulk.reduces)
      reduce(outer.data, part.data, valid);
    else
      std::memcpy(outer.data, part.data, valid);
    std::memset(outer.init, 1, valid);
  }

  static void fillNan(const TensorMap &map, uint8_t *data) {
    for (unsigned i = 0; i < 16; ++i)
      data[i] = (i + 1) % map.elementBytes == 0 ? 0x7f : 0xff;
  }

  Warp &warp;
  const BulkExtra &bulk;
  unsigned lane;
  Type reductionType = Type::None;
  Warp::Access reading;
  Warp::Access writing;
};

} // namespace

void executeBulkCopy(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &bulk = static_cast<const BulkExtra &>(*inst.extra);
  for (int32_t slot : {bulk.destinationSlot, bulk.sourceSlot, bulk.barrierSlot,
                       bulk.sizeSlot, bulk.multicastSlot})
    warp.require(slot, mask);
  for (uint32_t left = mask; left != 0; left &= left - 1)
    BulkCopy(warp, bulk, static_cast<unsigned>(__builtin_ctz(left))).run();
  warp.block.cluster.progress();
}

void executeStAsync(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &store = static_cast<const StAsyncExtra &>(*inst.extra);
  warp.require(store.destinationSlot, mask);
  warp.require(store.barrierSlot, mask);
  for (int32_t slot : store.values)
    warp.require(slot, mask);
  unsigned bytes = typeBytes(store.type);
  unsigned total = bytes * static_cast<unsigned>(store.values.size());
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint64_t to = warp.toGeneric(
        store.destination,
        warp.address(store.destination, store.destinationSlot, lane));
    uint64_t at = warp.toGeneric(
        store.barrier, warp.address(store.barrier, store.barrierSlot, lane));
    Mbarrier *barrier = findMbarrier(warp, at, lane, true);
    Warp::Target target;
    if (!barrier || !warp.resolve(Space::Shared, to, total, total, lane,
                                  Warp::AccessKind::Store, target))
      continue;
    uint8_t flags = kBulkAccess;
    if (store.reduces)
      flags |= kStrongAccess;
    Warp::Access access = warp.beginAccess(
        flags, static_cast<int32_t>(barrier->agent), barrier->phase + 1);
    warp.checkWrite(access, target, total, lane, to);
    for (size_t i = 0; i < store.values.size(); ++i) {
      uint64_t value = 0;
      uint64_t old = 0;
      std::memcpy(&value, warp.slot(store.values[i]) + size_t(lane) * bytes,
                  bytes);
      std::memcpy(&old, target.data + i * bytes, bytes);
      if (store.reduces)
        value = atomicValue(store.op, store.type, old, value, 0);
      std::memcpy(target.data + i * bytes, &value, bytes);
    }
    std::memset(target.init, 1, total);
    warp.worker->counters.asyncCopyBytes += total;
    completeTransaction(warp.block.cluster, *barrier, total);
  }
}

} // namespace attnres::emulator
