// Instructions that work on registers alone.

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"

namespace attnres::emulator {

namespace {

inline void compute(Warp &warp, const Instruction &inst, uint32_t mask) {
  alignas(64) uint8_t first[8 * kWarpSize];
  uint32_t second[1];
  LaneArgs args;
  args.a = warp.slot(inst.src[0]);
  args.b = warp.slot(inst.src[1]);
  args.c = inst.src[2] ? warp.slot(inst.src[2]) : nullptr;
  args.e = inst.src[3] ? warp.slot(inst.src[3]) : nullptr;
  args.imm = inst.imm;
  args.sourceBytes = inst.sourceBytes;
  args.destBytes = inst.destBytes;
  if (mask == kFullMask && inst.destBytes != 0 && inst.dst2 == 0) {
    args.d = warp.slot(inst.dst);
    inst.lane(args);
    warp.markSet(inst.dst, mask);
    return;
  }
  args.d = first;
  args.d2 = inst.dst2 ? second : nullptr;
  inst.lane(args);
  if (inst.destBytes == 0) {
    uint32_t bits;
    std::memcpy(&bits, first, sizeof bits);
    warp.setPredicate(inst.dst, bits, mask);
  } else {
    warp.assign(inst.dst, first, inst.destBytes, mask);
  }
  if (inst.dst2)
    warp.setPredicate(inst.dst2, second[0], mask);
}

} // namespace

void executeLane(Warp &warp, const Instruction &inst, uint32_t mask) {
  const uint32_t *init = warp.init;
  uint32_t set = init[inst.src[0]] & init[inst.src[1]] & init[inst.src[2]] &
                 init[inst.src[3]];
  if ((mask & ~set) == 0) {
    compute(warp, inst, mask);
    return;
  }
  UndefinedResult undefined = traceUndefined(warp, inst, mask);
  compute(warp, inst, mask);
  warp.markUndefined(inst.dst, undefined.lanes, undefined.value);
  if (undefined.lanes2)
    warp.markUndefined(inst.dst2, undefined.lanes2, undefined.value);
}

void executeNothing(Warp &, const Instruction &, uint32_t) {}

void executeReadClock(Warp &warp, const Instruction &inst, uint32_t mask) {
  uint64_t now = warp.executed;
  uint64_t value = now;
  switch (static_cast<Special>(inst.imm)) {
  case Special::ClockHigh:
  case Special::GlobalTimerHigh:
    value = now >> 32;
    break;
  default:
    break;
  }
  if (inst.destBytes == 8) {
    uint64_t values[kWarpSize];
    std::fill_n(values, kWarpSize, value);
    warp.assign(inst.dst, values, 8, mask);
  } else {
    uint32_t values[kWarpSize];
    std::fill_n(values, kWarpSize, static_cast<uint32_t>(value));
    warp.assign(inst.dst, values, 4, mask);
  }
}

void executeFrameAddress(Warp &warp, const Instruction &inst, uint32_t mask) {
  uint64_t value = uint64_t(inst.imm) + warp.frame->localBase;
  uint64_t wide[kWarpSize];
  uint32_t narrow[kWarpSize];
  std::fill_n(wide, kWarpSize, value);
  std::fill_n(narrow, kWarpSize, static_cast<uint32_t>(value));
  if (inst.destBytes == 8)
    warp.assign(inst.dst, wide, 8, mask);
  else
    warp.assign(inst.dst, narrow, 4, mask);
}

namespace {

uint64_t loadLane(const uint8_t *slot, unsigned bytes, unsigned lane) {
  uint64_t value = 0;
  std::memcpy(&value, slot + size_t(lane) * bytes, bytes);
  return value;
}

} // namespace

namespace {

void pack(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &list = static_cast<const SlotList &>(*inst.extra);
  unsigned bytes = list.bytes;
  if (inst.destBytes == 16) {
    for (size_t i = 0; i < 2; ++i) {
      uint64_t values[kWarpSize];
      unsigned parts = 8 / bytes;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        values[lane] = 0;
        for (unsigned j = 0; j < parts; ++j)
          values[lane] |=
              loadLane(warp.slot(list.slots[i * parts + j]), bytes, lane)
              << (8 * bytes * j);
      }
      warp.assign(inst.dst + static_cast<int32_t>(2 * i), values, 8, mask);
    }
    return;
  }
  uint64_t values[kWarpSize];
  unsigned registerBytes = bytes == 1 ? 2 : bytes;
  uint64_t keep = bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * bytes)) - 1;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    values[lane] = 0;
    for (size_t i = 0; i < list.slots.size(); ++i)
      values[lane] |=
          (loadLane(warp.slot(list.slots[i]), registerBytes, lane) & keep)
          << (8 * bytes * i);
  }
  if (inst.destBytes == 8) {
    warp.assign(inst.dst, values, 8, mask);
  } else if (inst.destBytes == 4) {
    uint32_t narrow[kWarpSize];
    std::copy_n(values, kWarpSize, narrow);
    warp.assign(inst.dst, narrow, 4, mask);
  } else {
    uint16_t narrow[kWarpSize];
    std::copy_n(values, kWarpSize, narrow);
    warp.assign(inst.dst, narrow, 2, mask);
  }
}

void unpack(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &list = static_cast<const SlotList &>(*inst.extra);
  unsigned bytes = list.bytes;
  for (size_t i = 0; i < list.slots.size(); ++i) {
    uint64_t values[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      size_t at = i * bytes;
      if (inst.sourceBytes == 16) {
        uint64_t half = loadLane(
            warp.slot(inst.src[0] + static_cast<int32_t>(2 * (at / 8))), 8,
            lane);
        values[lane] = half >> (8 * (at % 8));
      } else {
        values[lane] =
            loadLane(warp.slot(inst.src[0]), inst.sourceBytes, lane) >>
            (8 * at);
      }
    }
    if (bytes == 8) {
      warp.assign(list.slots[i], values, 8, mask);
    } else if (bytes == 4) {
      uint32_t narrow[kWarpSize];
      std::copy_n(values, kWarpSize, narrow);
      warp.assign(list.slots[i], narrow, 4, mask);
    } else {
      uint16_t narrow[kWarpSize];
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        narrow[lane] = static_cast<uint16_t>(bytes == 1 ? values[lane] & 0xff
                                                        : values[lane]);
      warp.assign(list.slots[i], narrow, 2, mask);
    }
  }
}

// The lanes of `mask` that lack a value in one of `slots`.
uint32_t undefinedLanes(const Warp &warp, const std::vector<int32_t> &slots,
                        uint32_t mask) {
  uint32_t missing = 0;
  for (int32_t slot : slots)
    missing |= mask & ~warp.init[slot];
  return missing;
}

// A register of 128 bits is two of 64, and so is what is known of it.
int32_t halfSlot(int32_t slot, unsigned byte) {
  return slot + static_cast<int32_t>(2 * (byte / 8));
}

} // namespace

// {parts} to one register: the first part is the lowest.
void executePack(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &list = static_cast<const SlotList &>(*inst.extra);
  uint32_t missing = undefinedLanes(warp, list.slots, mask);
  if (missing == 0)
    return pack(warp, inst, mask);
  PartialRegister halves[2];
  uint32_t undefined[2] = {0, 0};
  unsigned half = std::min<unsigned>(inst.destBytes, 8);
  for (size_t i = 0; i < list.slots.size(); ++i) {
    int32_t part = list.slots[i];
    if (warp.reportPending(part, missing & ~warp.init[part]))
      continue;
    unsigned byte = static_cast<unsigned>(i) * list.bytes;
    PartialRegister &value = halves[byte / 8];
    if (missing & ~warp.init[part])
      value.origin = warp.originOf(part);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      unsigned own = warp.definedBytes(part, lane) & ((1u << list.bytes) - 1);
      value.defined[lane] |= static_cast<uint8_t>(own << (byte % 8));
    }
  }
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (((missing >> lane) & 1) &&
          (halves[i].defined[lane] & ((1u << half) - 1)) != (1u << half) - 1)
        undefined[i] |= 1u << lane;
  pack(warp, inst, mask);
  warp.markUndefined(inst.dst, undefined[0], halves[0]);
  if (inst.destBytes == 16)
    warp.markUndefined(inst.dst + 2, undefined[1], halves[1]);
}

void executeUnpack(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &list = static_cast<const SlotList &>(*inst.extra);
  std::vector<int32_t> whole = {inst.src[0]};
  if (inst.sourceBytes == 16)
    whole.push_back(inst.src[0] + 2);
  uint32_t missing = undefinedLanes(warp, whole, mask);
  if (missing == 0 || warp.reportPending(inst.src[0], missing))
    return unpack(warp, inst, mask);
  std::vector<PartialRegister> parts(list.slots.size());
  std::vector<uint32_t> undefined(list.slots.size());
  unsigned all = (1u << list.bytes) - 1;
  for (size_t i = 0; i < parts.size(); ++i) {
    unsigned byte = static_cast<unsigned>(i) * list.bytes;
    int32_t from = halfSlot(inst.src[0], byte);
    parts[i].origin = warp.originOf(from);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (!((missing >> lane) & 1))
        continue;
      unsigned own = warp.definedBytes(from, lane) >> (byte % 8) & all;
      // The other half of an 8-bit register is zero.
      parts[i].defined[lane] =
          static_cast<uint8_t>(list.bytes == 1 ? own | 2 : own);
      if (own != all)
        undefined[i] |= 1u << lane;
    }
  }
  unpack(warp, inst, mask);
  for (size_t i = 0; i < parts.size(); ++i)
    warp.markUndefined(list.slots[i], undefined[i], parts[i]);
}

void executeIsSpace(Warp &warp, const Instruction &inst, uint32_t mask) {
  warp.require(inst.src[0], mask);
  const uint64_t *addresses = warp.lanes<uint64_t>(inst.src[0]);
  uint64_t wanted = 0;
  switch (static_cast<Space>(inst.imm)) {
  case Space::Shared:
    wanted = kSharedWindow >> kWindowShift;
    break;
  case Space::Local:
    wanted = kLocalWindow >> kWindowShift;
    break;
  case Space::Param:
    wanted = kParamWindow >> kWindowShift;
    break;
  default:
    break;
  }
  bool ownOnly =
      static_cast<Space>(inst.imm) == Space::Shared && inst.target == 0;
  uint32_t bits = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    uint32_t rank = static_cast<uint32_t>(addresses[lane]) >> kClusterRankShift;
    bool holds = (addresses[lane] >> kWindowShift) == wanted &&
                 (!ownOnly || rank == 0 || rank == warp.block.rank + 1);
    bits |= uint32_t(holds) << lane;
  }
  warp.setPredicate(inst.dst, bits, mask);
}

// Sets the block of a shared::cluster address.
void executeMapa(Warp &warp, const Instruction &inst, uint32_t mask) {
  warp.require(inst.src[0], mask);
  warp.require(inst.src[1], mask);
  const uint32_t *ranks = warp.lanes<uint32_t>(inst.src[1]);
  constexpr uint64_t offsetMask = (uint64_t(1) << kClusterRankShift) - 1;
  uint64_t wide[kWarpSize];
  uint32_t narrow[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    uint64_t from = inst.destBytes == 8
                        ? warp.lanes<uint64_t>(inst.src[0])[lane]
                        : warp.lanes<uint32_t>(inst.src[0])[lane];
    uint64_t rank = (uint64_t(ranks[lane] & 0x7f) + 1) << kClusterRankShift;
    wide[lane] = (from & ~uint64_t(0xffffffff)) | (from & offsetMask) | rank;
    narrow[lane] = static_cast<uint32_t>(wide[lane]);
  }
  if (inst.destBytes == 8)
    warp.assign(inst.dst, wide, 8, mask);
  else
    warp.assign(inst.dst, narrow, 4, mask);
}

void executeClusterRank(Warp &warp, const Instruction &inst, uint32_t mask) {
  warp.require(inst.src[0], mask);
  uint32_t ranks[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    uint32_t low =
        inst.sourceBytes == 8
            ? static_cast<uint32_t>(warp.lanes<uint64_t>(inst.src[0])[lane])
            : warp.lanes<uint32_t>(inst.src[0])[lane];
    uint32_t rank = low >> kClusterRankShift;
    ranks[lane] = rank == 0 ? warp.block.rank : rank - 1;
  }
  warp.assign(inst.dst, ranks, 4, mask);
}

} // namespace attnres::emulator
