// Loads and stores, with the counting of transactions and bank conflicts.

#include "runtime/emulator/AccessCounting.h"
#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

// A copy of constant size is a move or two.
void copyBytes(uint8_t *to, const uint8_t *from, unsigned bytes) {
  switch (bytes) {
  case 1:
    *to = *from;
    break;
  case 2:
    std::memcpy(to, from, 2);
    break;
  case 4:
    std::memcpy(to, from, 4);
    break;
  case 8:
    std::memcpy(to, from, 8);
    break;
  case 16:
    std::memcpy(to, from, 8);
    std::memcpy(to + 8, from + 8, 8);
    break;
  default:
    std::memcpy(to, from, bytes);
    break;
  }
}

// One value from memory into a register lane, extended to its width.
template <typename R, typename T>
void spread(uint8_t *to, const uint8_t *from, unsigned stride, uint32_t mask) {
  R *d = reinterpret_cast<R *>(to);
  if (mask == kFullMask && sizeof(R) == sizeof(T) && stride == sizeof(T)) {
    std::memcpy(d, from, sizeof(T) * kWarpSize);
    return;
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    T value;
    std::memcpy(&value, from + size_t(lane) * stride, sizeof value);
    d[lane] = (mask >> lane) & 1 ? static_cast<R>(value) : d[lane];
  }
}

template <typename R>
void spreadTo(const MemoryExtra &memory, uint8_t *to, const uint8_t *from,
              unsigned stride, uint32_t mask) {
  switch (memory.elementBytes) {
  case 1:
    return memory.isSigned ? spread<R, int8_t>(to, from, stride, mask)
                           : spread<R, uint8_t>(to, from, stride, mask);
  case 2:
    return memory.isSigned ? spread<R, int16_t>(to, from, stride, mask)
                           : spread<R, uint16_t>(to, from, stride, mask);
  case 4:
    return memory.isSigned ? spread<R, int32_t>(to, from, stride, mask)
                           : spread<R, uint32_t>(to, from, stride, mask);
  default:
    return spread<R, uint64_t>(to, from, stride, mask);
  }
}

// The loaded bytes of all lanes (`stride` apart) into the destinations.
void writeRegisters(Warp &warp, const MemoryExtra &memory, const uint8_t *raw,
                    unsigned stride, uint32_t mask) {
  if (memory.elementBytes == 16) {
    for (int32_t half = 0; half < 2; ++half) {
      uint64_t values[kWarpSize];
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        std::memcpy(&values[lane], raw + size_t(lane) * stride + 8 * half, 8);
      warp.assign(memory.slots[0] + 2 * half, values, 8, mask);
    }
    return;
  }
  for (size_t i = 0; i < memory.slots.size(); ++i) {
    int32_t slot = memory.slots[i];
    if (slot == 0)
      continue;
    const uint8_t *from = raw + i * memory.elementBytes;
    uint8_t *to = warp.slot(slot);
    switch (memory.registerBytes) {
    case 2:
      spreadTo<uint16_t>(memory, to, from, stride, mask);
      break;
    case 4:
      spreadTo<uint32_t>(memory, to, from, stride, mask);
      break;
    default:
      spreadTo<uint64_t>(memory, to, from, stride, mask);
      break;
    }
    warp.markSet(slot, mask);
  }
}

// The register values of all lanes, as they go to memory.
void readRegisters(Warp &warp, const MemoryExtra &memory, uint8_t *raw,
                   unsigned stride) {
  if (memory.elementBytes == 16) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (int32_t half = 0; half < 2; ++half)
        std::memcpy(raw + size_t(lane) * stride + 8 * half,
                    warp.lanes<uint64_t>(memory.slots[0] + 2 * half) + lane, 8);
    return;
  }
  for (size_t i = 0; i < memory.slots.size(); ++i) {
    const uint8_t *from = warp.slot(memory.slots[i]);
    // Little-endian: the low bytes of a wider register come first.
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      copyBytes(raw + size_t(lane) * stride + i * memory.elementBytes,
                from + size_t(lane) * memory.registerBytes,
                memory.elementBytes);
  }
}

// Arguments, results and local variables take undefined values along; other
// memory may not get any. Returns false where nothing is undefined.
bool storesUndefined(Warp &warp, const MemoryExtra &memory, uint32_t mask) {
  uint32_t missing = 0;
  for (int32_t slot : memory.slots)
    missing |= mask & ~warp.init[slot];
  if (missing == 0)
    return false;
  if (memory.space == Space::Local) {
    for (int32_t slot : memory.slots)
      if (mask & ~warp.init[slot])
        warp.reportPending(slot, mask & ~warp.init[slot]);
    return true;
  }
  for (int32_t slot : memory.slots)
    warp.requireBytes(slot, memory.elementBytes, mask);
  return false;
}

void storeInit(const Warp &warp, const MemoryExtra &memory, uint8_t *init,
               unsigned lane) {
  for (size_t i = 0; i < memory.slots.size(); ++i) {
    unsigned defined = warp.definedBytes(memory.slots[i], lane);
    for (unsigned byte = 0; byte < memory.elementBytes; ++byte)
      if (!(defined >> (byte % 8) & 1))
        init[i * memory.elementBytes + byte] = 0;
  }
}

// What of a loaded argument or result was never set.
class LoadedUndefined {
public:
  explicit LoadedUndefined(const MemoryExtra &memory)
      : memory(memory), values(memory.slots.size()), lanes(values.size()) {}

  void look(const uint8_t *init, unsigned lane) {
    unsigned bytes = memory.elementBytes;
    for (size_t i = 0; i < values.size(); ++i) {
      unsigned defined = 0;
      for (unsigned byte = 0; byte < bytes; ++byte)
        defined |= unsigned(init[i * bytes + byte] != 0) << byte;
      bool isAll = defined == (bytes >= 8 ? 0xffu : (1u << bytes) - 1);
      // Extended by zeros, or copies of a sign that may be undefined.
      if (isAll || !memory.isSigned)
        defined |= 0xff & ~((1u << bytes) - 1);
      values[i].defined[lane] = static_cast<uint8_t>(defined);
      lanes[i] |= uint32_t(!isAll) << lane;
    }
  }

  void mark(Warp &warp) const {
    for (size_t i = 0; i < values.size(); ++i)
      if (memory.slots[i] != 0 && lanes[i] != 0) {
        PartialRegister value = values[i];
        value.origin = memory.slots[i];
        warp.markUndefined(memory.slots[i], lanes[i], value);
      }
  }

private:
  const MemoryExtra &memory;
  std::vector<PartialRegister> values;
  std::vector<uint32_t> lanes;
};

// Volatile, relaxed, acquire and release accesses take the cluster's turn and
// pass clocks along, as atomics do.
void synchronize(Warp &warp, const MemoryExtra &memory, uint64_t address,
                 uint32_t mask, bool isStore) {
  bool global = (address >> kWindowShift) == 0;
  if (global) {
    if (memory.release)
      warp.block.cluster.releasePending = true;
    warp.enterOrdered();
    if (!isStore && ++warp.block.cluster.polls > Cluster::pollLimit)
      warp.yield(false);
  }
  publishOrAcquire(warp, address, mask,
                   isStore && (memory.release || warp.fencePending), !isStore);
}

} // namespace

void publishOrAcquire(Warp &warp, uint64_t address, uint32_t mask,
                      bool publishes, bool acquires) {
  Cluster &cluster = warp.block.cluster;
  if (acquires) {
    auto found = cluster.published.find(address);
    if (found != cluster.published.end())
      joinClocks(warp.clocks(), found->second);
  }
  if (publishes) {
    warp.publishWaits(mask);
    joinClocks(cluster.published[address], warp.clocks(), cluster.agentCount);
    warp.tick();
  }
}

namespace {

// An argument or result of a call, which may be undefined.
void loadArgument(Warp &warp, const MemoryExtra &memory,
                  const uint64_t *addresses, unsigned bytes, uint32_t mask) {
  alignas(64) uint8_t raw[32 * kWarpSize] = {};
  LoadedUndefined undefined(memory);
  uint32_t loaded = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    Warp::Target target;
    if (!warp.resolve(memory.space, addresses[lane], bytes, bytes, lane,
                      Warp::AccessKind::Load, target))
      continue;
    loaded |= 1u << lane;
    copyBytes(raw + lane * bytes, target.data, bytes);
    if (target.init)
      undefined.look(target.init, lane);
  }
  countAccess(warp.worker->counters, addresses, bytes, loaded, false);
  writeRegisters(warp, memory, raw, bytes, mask);
  if (warp.block.launch.checks.registers)
    undefined.mark(warp);
}

} // namespace

void executeLoad(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &memory = static_cast<const MemoryExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  unsigned bytes =
      static_cast<unsigned>(memory.elementBytes * memory.slots.size());
  alignas(64) uint8_t raw[32 * kWarpSize];
  uint64_t addresses[kWarpSize];
  bool checkInit = warp.block.launch.checks.initialized;
  warp.addressesOf(memory, inst.src[0], addresses);
  if (memory.strong)
    synchronize(warp, memory, addresses[__builtin_ctz(mask)], mask, false);
  Warp::Access access =
      memory.space == Space::Local || memory.space == Space::Param
          ? Warp::Access()
      : memory.strong ? warp.beginAccess(kStrongAccess)
                      : warp.beginLoad();
  if (memory.isParameter && checkInit && memory.elementBytes <= 8) {
    loadArgument(warp, memory, addresses, bytes, mask);
    return;
  }
  Warp::Row row;
  if (warp.loadRow(memory, addresses, bytes, mask, access, row)) {
    countAccess(warp.worker->counters, addresses, bytes, mask, false);
    if (!row.isBroadcast)
      return writeRegisters(warp, memory, row.data, bytes, mask);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      copyBytes(raw + lane * bytes, row.data, bytes);
    return writeRegisters(warp, memory, raw, bytes, mask);
  }
  uint32_t loaded = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    uint8_t *to = raw + lane * bytes;
    Warp::Target target;
    if (!warp.resolve(memory.space, addresses[lane], bytes, bytes, lane,
                      Warp::AccessKind::Load, target)) {
      std::memset(to, 0, bytes);
      continue;
    }
    loaded |= 1u << lane;
    copyBytes(to, target.data, bytes);
    if (checkInit)
      warp.checkInitialized(target, bytes, lane, addresses[lane]);
    warp.checkRead(access, target, bytes, lane, addresses[lane]);
  }
  countAccess(warp.worker->counters, addresses, bytes, loaded, false);
  writeRegisters(warp, memory, raw, bytes, mask);
}

// ld.param of a kernel: the same value for all lanes.
void executeLoadParameter(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &memory = static_cast<const MemoryExtra &>(*inst.extra);
  unsigned bytes =
      static_cast<unsigned>(memory.elementBytes * memory.slots.size());
  const std::vector<uint8_t> &parameters = warp.block.launch.parameters;
  uint64_t offset = static_cast<uint64_t>(memory.offset);
  if (offset > parameters.size() || bytes > parameters.size() - offset ||
      offset % memory.elementBytes != 0) {
    warp.report(FindingKind::OutOfBounds, __builtin_ctz(mask), 0,
                fmt::format("load of {} bytes at offset {} of {} bytes of "
                            "parameters",
                            bytes, offset, parameters.size()));
    warp.exitLanes(mask);
    return;
  }
  alignas(64) uint8_t raw[32 * kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    std::memcpy(raw + lane * bytes, parameters.data() + offset, bytes);
  SpaceCounters &counts = warp.worker->counters.parameter;
  ++counts.requests;
  counts.loadBytes += bytes;
  writeRegisters(warp, memory, raw, bytes, mask);
}

void executeStore(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &memory = static_cast<const MemoryExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  bool isUndefined = storesUndefined(warp, memory, mask);
  unsigned bytes =
      static_cast<unsigned>(memory.elementBytes * memory.slots.size());
  alignas(64) uint8_t raw[32 * kWarpSize];
  uint64_t addresses[kWarpSize];
  warp.addressesOf(memory, inst.src[0], addresses);
  readRegisters(warp, memory, raw, bytes);
  if (memory.strong)
    synchronize(warp, memory, addresses[__builtin_ctz(mask)], mask, true);
  Warp::Access access =
      memory.space == Space::Local
          ? Warp::Access()
          : warp.beginAccess(memory.strong ? kStrongAccess : 0);
  if (!isUndefined &&
      warp.storeRow(memory, addresses, bytes, mask, access, raw)) {
    countAccess(warp.worker->counters, addresses, bytes, mask, true);
    if (memory.strong)
      warp.block.cluster.progress();
    return;
  }
  uint32_t stored = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    const uint8_t *from = raw + lane * bytes;
    Warp::Target target;
    if (!warp.resolve(memory.space, addresses[lane], bytes, bytes, lane,
                      Warp::AccessKind::Store, target))
      continue;
    stored |= 1u << lane;
    uint32_t last = access.record != 0 && target.writes
                        ? target.writes->first()[target.offset]
                        : 0;
    if (access.record != 0 && last >> RaceLog::laneBits == access.record &&
        last % kWarpSize != lane && !memory.strong &&
        std::memcmp(target.data, from, bytes) != 0)
      warp.report(FindingKind::DataRace, lane, addresses[lane],
                  fmt::format("lanes {} and {} of one instruction write "
                              "different values",
                              last % kWarpSize, lane));
    warp.checkWrite(access, target, bytes, lane, addresses[lane], from);
    copyBytes(target.data, from, bytes);
    if (target.init)
      std::memset(target.init, 1, bytes);
    if (isUndefined && target.init)
      storeInit(warp, memory, target.init, lane);
  }
  countAccess(warp.worker->counters, addresses, bytes, stored, true);
  if (memory.strong)
    warp.block.cluster.progress();
}

} // namespace attnres::emulator
