// Shuffles, votes, matches and reductions between the lanes of a warp.

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"
#include "runtime/emulator/SyncExtras.h"

#include <cmath>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {

// Waits until all lanes that the executing ones name have come; false while
// they have not.
bool gather(Warp &warp, const Instruction &inst, uint32_t mask) {
  warp.require(inst.src[3], mask);
  const uint32_t *masks = warp.lanes<uint32_t>(inst.src[3]);
  uint32_t members = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    members |= (mask >> lane) & 1 ? masks[lane] : 0;
  if (!warp.converged(mask, members, false))
    return false;
  if (uint32_t exited = members & warp.present & ~warp.alive)
    warp.report(FindingKind::MismatchedLanes, __builtin_ctz(mask), 0,
                fmt::format("lanes {:#x} take part but have exited", exited));
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!((mask >> lane) & 1))
      continue;
    if (!((masks[lane] >> lane) & 1)) {
      warp.report(
          FindingKind::MismatchedLanes, lane, 0,
          fmt::format("the lane is not in its member mask {:#x}", masks[lane]));
      break;
    }
  }
  return true;
}

// Lanes that name different members exchange among themselves only: calls
// `exchange` once for every group that shares a mask.
template <typename F>
void forEachGroup(Warp &warp, const Instruction &inst, uint32_t mask,
                  F exchange) {
  if (!gather(warp, inst, mask))
    return;
  warp.require(inst.src[0], mask);
  uint32_t masks[kWarpSize];
  std::copy_n(warp.lanes<uint32_t>(inst.src[3]), kWarpSize, masks);
  while (mask != 0) {
    uint32_t members = masks[__builtin_ctz(mask)];
    uint32_t group = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (((mask >> lane) & 1) && masks[lane] == members)
        group |= 1u << lane;
    exchange(group, members);
    mask &= ~group;
  }
}

} // namespace

// Where a lane takes what is not defined.
static UndefinedResult traceShuffle(const Warp &warp, int32_t slot,
                                    const uint8_t *sources, uint32_t mask) {
  UndefinedResult result;
  result.value.origin = warp.originOf(slot);
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    unsigned defined = warp.definedBytes(slot, sources[lane]) & 15;
    result.value.defined[lane] = static_cast<uint8_t>(defined);
    if (defined != 15)
      result.lanes |= 1u << lane;
  }
  return result;
}

void executeShfl(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const ExchangeExtra &>(*inst.extra);
  if (!gather(warp, inst, mask))
    return;
  warp.require(inst.src[1], mask);
  warp.require(inst.src[2], mask);
  // The value only moves from lane to lane.
  uint32_t missing = mask & ~warp.init[inst.src[0]];
  if (missing && warp.reportPending(inst.src[0], missing))
    missing = 0;
  uint8_t sources[kWarpSize];
  const uint32_t *a = warp.lanes<uint32_t>(inst.src[0]);
  const uint32_t *b = warp.lanes<uint32_t>(inst.src[1]);
  const uint32_t *c = warp.lanes<uint32_t>(inst.src[2]);
  uint32_t values[kWarpSize];
  uint32_t inRange = 0;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    values[lane] = a[lane];
    if (!((mask >> lane) & 1))
      continue;
    uint32_t offset = b[lane] & 31;
    uint32_t clamp = c[lane] & 31;
    uint32_t segment = (c[lane] >> 8) & 31;
    uint32_t maxLane = (lane & segment) | (clamp & ~segment);
    uint32_t minLane = lane & segment;
    uint32_t from = 0;
    bool valid = false;
    switch (extra.shfl) {
    case ShflMode::Up:
      from = lane - offset;
      valid = static_cast<int32_t>(from) >= static_cast<int32_t>(maxLane);
      break;
    case ShflMode::Down:
      from = lane + offset;
      valid = from <= maxLane;
      break;
    case ShflMode::Bfly:
      from = lane ^ offset;
      valid = from <= maxLane;
      break;
    case ShflMode::Idx:
      from = minLane | (offset & ~segment);
      valid = from <= maxLane;
      break;
    }
    if (!valid)
      from = lane;
    inRange |= uint32_t(valid) << lane;
    if (!((mask >> from) & 1))
      warp.report(
          FindingKind::MismatchedLanes, lane, 0,
          fmt::format("shuffle from lane {}, which does not take part", from));
    values[lane] = a[from & 31];
    sources[lane] = static_cast<uint8_t>(from & 31);
  }
  UndefinedResult moved;
  if (missing)
    moved = traceShuffle(warp, inst.src[0], sources, mask);
  warp.assign(inst.dst, values, 4, mask);
  if (missing)
    warp.markUndefined(inst.dst, moved.lanes, moved.value);
  if (inst.dst2)
    warp.setPredicate(inst.dst2, inRange, mask);
}

void executeVote(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const ExchangeExtra &>(*inst.extra);
  forEachGroup(warp, inst, mask, [&](uint32_t group, uint32_t members) {
    uint32_t votes = warp.predicate(inst.src[0]) & group & members;
    uint32_t voters = group & members;
    if (extra.vote == VoteMode::Ballot) {
      uint32_t values[kWarpSize];
      std::fill_n(values, kWarpSize, votes);
      warp.assign(inst.dst, values, 4, group);
      return;
    }
    bool result = false;
    switch (extra.vote) {
    case VoteMode::All:
      result = votes == voters;
      break;
    case VoteMode::Any:
      result = votes != 0;
      break;
    default:
      result = votes == voters || votes == 0;
      break;
    }
    warp.setPredicate(inst.dst, result ? kFullMask : 0, group);
  });
}

void executeMatch(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const ExchangeExtra &>(*inst.extra);
  forEachGroup(warp, inst, mask, [&](uint32_t group, uint32_t members) {
    auto value = [&](unsigned lane) {
      return inst.sourceBytes == 8
                 ? warp.lanes<uint64_t>(inst.src[0])[lane]
                 : uint64_t(warp.lanes<uint32_t>(inst.src[0])[lane]);
    };
    uint32_t results[kWarpSize] = {};
    bool same = true;
    uint64_t first = value(static_cast<unsigned>(__builtin_ctz(group)));
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (!((group >> lane) & 1))
        continue;
      same &= value(lane) == first;
      for (unsigned other = 0; other < kWarpSize; ++other)
        if (((group >> other) & 1) && value(other) == value(lane))
          results[lane] |= 1u << other;
    }
    if (extra.matchAll) {
      std::fill_n(results, kWarpSize, same ? group & members : 0);
      if (inst.dst2)
        warp.setPredicate(inst.dst2, same ? kFullMask : 0, group);
    }
    warp.assign(inst.dst, results, 4, group);
  });
}

void executeRedux(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &extra = static_cast<const ExchangeExtra &>(*inst.extra);
  forEachGroup(warp, inst, mask, [&](uint32_t group, uint32_t) {
    const uint32_t *a = warp.lanes<uint32_t>(inst.src[0]);
    bool started = false;
    uint32_t result = 0;
    auto fold = [&](uint32_t value) {
      if (!started) {
        started = true;
        result = value;
        return;
      }
      if (extra.type == Type::F32) {
        float left = 0;
        float right = 0;
        std::memcpy(&left, &result, sizeof left);
        std::memcpy(&right, &value, sizeof right);
        bool takesRight =
            extra.redux == ReduxOp::Min ? right < left : right > left;
        if (std::isnan(left))
          takesRight = !extra.nanResult;
        else if (std::isnan(right))
          takesRight = extra.nanResult;
        result = takesRight ? value : result;
        return;
      }
      bool isSignedType = extra.type == Type::S32;
      switch (extra.redux) {
      case ReduxOp::Add:
        result += value;
        break;
      case ReduxOp::Min:
        result =
            isSignedType
                ? static_cast<uint32_t>(std::min(static_cast<int32_t>(result),
                                                 static_cast<int32_t>(value)))
                : std::min(result, value);
        break;
      case ReduxOp::Max:
        result =
            isSignedType
                ? static_cast<uint32_t>(std::max(static_cast<int32_t>(result),
                                                 static_cast<int32_t>(value)))
                : std::max(result, value);
        break;
      case ReduxOp::And:
        result &= value;
        break;
      case ReduxOp::Or:
        result |= value;
        break;
      case ReduxOp::Xor:
        result ^= value;
        break;
      }
    };
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if ((group >> lane) & 1)
        fold(extra.isAbs ? a[lane] & 0x7fffffffu : a[lane]);
    uint32_t results[kWarpSize];
    std::fill_n(results, kWarpSize, result);
    warp.assign(inst.dst, results, 4, group);
  });
}

void executeActiveMask(Warp &warp, const Instruction &inst, uint32_t mask) {
  uint32_t values[kWarpSize];
  std::fill_n(values, kWarpSize, mask);
  warp.assign(inst.dst, values, 4, mask);
}

void executeElect(Warp &warp, const Instruction &inst, uint32_t mask) {
  forEachGroup(warp, inst, mask, [&](uint32_t group, uint32_t members) {
    uint32_t leader = static_cast<uint32_t>(
        __builtin_ctz(group & members ? group & members : group));
    uint32_t values[kWarpSize];
    std::fill_n(values, kWarpSize, leader);
    warp.assign(inst.dst, values, 4, group);
    warp.setPredicate(inst.dst2, 1u << leader, group);
  });
}

} // namespace attnres::emulator
