// The registers of a warp: special ones, what an instruction assigns, and which
// lanes hold a value that nothing has set.

#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {

void Warp::fillSpecials(Frame &into) {
  const LaunchState &launch = block.launch;
  Dim3 size = launch.block;
  Dim3 cluster = launch.cluster;
  Dim3 inCluster{block.position.x % cluster.x, block.position.y % cluster.y,
                 block.position.z % cluster.z};
  for (auto [special, where] : into.function->specials) {
    uint32_t *values =
        reinterpret_cast<uint32_t *>(into.aligned + size_t(where) * kSlotBytes);
    into.init[where] = kFullMask;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      uint32_t thread = index * kWarpSize + lane;
      uint32_t value = 0;
      switch (special) {
      case Special::TidX:
        value = thread % size.x;
        break;
      case Special::TidY:
        value = thread / size.x % size.y;
        break;
      case Special::TidZ:
        value = thread / (size.x * size.y);
        break;
      case Special::NtidX:
        value = size.x;
        break;
      case Special::NtidY:
        value = size.y;
        break;
      case Special::NtidZ:
        value = size.z;
        break;
      case Special::CtaidX:
        value = block.position.x;
        break;
      case Special::CtaidY:
        value = block.position.y;
        break;
      case Special::CtaidZ:
        value = block.position.z;
        break;
      case Special::NctaidX:
        value = launch.grid.x;
        break;
      case Special::NctaidY:
        value = launch.grid.y;
        break;
      case Special::NctaidZ:
        value = launch.grid.z;
        break;
      case Special::LaneId:
        value = lane;
        break;
      case Special::WarpId:
        value = index;
        break;
      case Special::NwarpId:
        value =
            static_cast<uint32_t>((size.count() + kWarpSize - 1) / kWarpSize);
        break;
      case Special::NsmId:
        value = 1;
        break;
      case Special::GridId: {
        uint64_t wide = launch.launchNumber;
        std::memcpy(reinterpret_cast<uint64_t *>(values) + lane, &wide,
                    sizeof wide);
        continue;
      }
      case Special::MaskEq:
        value = 1u << lane;
        break;
      case Special::MaskLt:
        value = (1u << lane) - 1;
        break;
      case Special::MaskLe:
        value = (2u << lane) - 1;
        break;
      case Special::MaskGe:
        value = ~((1u << lane) - 1);
        break;
      case Special::MaskGt:
        value = ~((2u << lane) - 1);
        break;
      case Special::DynamicShared:
        value = launch.dynamicSharedBytes;
        break;
      case Special::TotalShared:
        value = launch.sharedBytes;
        break;
      case Special::ClusterIdX:
        value = block.position.x / cluster.x;
        break;
      case Special::ClusterIdY:
        value = block.position.y / cluster.y;
        break;
      case Special::ClusterIdZ:
        value = block.position.z / cluster.z;
        break;
      case Special::NclusterIdX:
        value = launch.grid.x / cluster.x;
        break;
      case Special::NclusterIdY:
        value = launch.grid.y / cluster.y;
        break;
      case Special::NclusterIdZ:
        value = launch.grid.z / cluster.z;
        break;
      case Special::ClusterCtaX:
        value = inCluster.x;
        break;
      case Special::ClusterCtaY:
        value = inCluster.y;
        break;
      case Special::ClusterCtaZ:
        value = inCluster.z;
        break;
      case Special::ClusterNctaX:
        value = cluster.x;
        break;
      case Special::ClusterNctaY:
        value = cluster.y;
        break;
      case Special::ClusterNctaZ:
        value = cluster.z;
        break;
      case Special::ClusterRank:
        value = block.rank;
        break;
      case Special::ClusterSize:
        value = static_cast<uint32_t>(cluster.count());
        break;
      case Special::ExplicitCluster:
        values[0] = cluster.count() > 1 ? kFullMask : 0;
        continue;
      case Special::GridWorkspaceHigh:
        value = static_cast<uint32_t>(launch.gridWorkspace >> 32);
        break;
      case Special::GridWorkspaceLow:
        value = static_cast<uint32_t>(launch.gridWorkspace);
        break;
      case Special::ReservedEnd:
      case Special::ReservedCap:
        value = kSharedBase;
        break;
      default:
        break;
      }
      values[lane] = value;
    }
  }
}

void Warp::assign(int32_t where, const void *values, unsigned bytes,
                  uint32_t mask) {
  markSet(where, mask);
  uint8_t *to = slot(where);
  if (mask == kFullMask) {
    std::memcpy(to, values, size_t(bytes) * kWarpSize);
    return;
  }
  auto blend = [&](auto zero) {
    using T = decltype(zero);
    T *d = reinterpret_cast<T *>(to);
    const T *s = static_cast<const T *>(values);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      d[lane] = (mask >> lane) & 1 ? s[lane] : d[lane];
  };
  switch (bytes) {
  case 2:
    return blend(uint16_t());
  case 4:
    return blend(uint32_t());
  case 8:
    return blend(uint64_t());
  default:
    break;
  }
}

unsigned Warp::definedBytes(int32_t where, unsigned lane) const {
  if (init[where] >> lane & 1)
    return 0xff;
  auto found = frame->partial.find(where);
  return found == frame->partial.end() ? 0 : found->second.defined[lane];
}

int32_t Warp::originOf(int32_t where) const {
  auto found = frame->partial.find(where);
  return found == frame->partial.end() ? where : found->second.origin;
}

void Warp::markUndefined(int32_t where, uint32_t mask,
                         const PartialRegister &value) {
  init[where] &= ~mask;
  if (mask == 0)
    return;
  PartialRegister &known = frame->partial[where];
  known.origin = value.origin;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    known.defined[lane] = value.defined[lane];
  }
}

bool Warp::reportPending(int32_t which, uint32_t lanesMissing) {
  for (const PendingRegister &pending : pendingRegisters)
    if (pending.slot == which && (pending.lanes & lanesMissing)) {
      report(FindingKind::MissingWait, __builtin_ctz(lanesMissing), 0,
             "accumulator of a wgmma is used before wgmma.wait_group");
      return true;
    }
  return false;
}

void Warp::reportRegister(int32_t which, uint32_t lanesMissing) {
  if (reportPending(which, lanesMissing))
    return;
  auto nameOf = [&](int32_t where) {
    auto name = frame->function->registerNames.find(where);
    return name == frame->function->registerNames.end() ? std::string()
                                                        : name->second;
  };
  int32_t origin = originOf(which);
  std::string used = nameOf(which);
  std::string never = nameOf(origin);
  std::string through =
      which != origin && !used.empty() && used != never
          ? fmt::format(", on which register {} depends", used)
          : "";
  report(FindingKind::UninitializedRegister, __builtin_ctz(lanesMissing), 0,
         never.empty()
             ? fmt::format("an argument or result that was never set"
                           " is used{}",
                           through)
             : fmt::format("register {} has never been set{}", never, through));
  // Once per lane and register is enough.
  init[which] |= lanesMissing;
}

void Warp::requireBytes(int32_t which, unsigned bytes, uint32_t mask) {
  uint32_t wanted = bytes >= 8 ? 0xff : (1u << bytes) - 1;
  uint32_t missing = 0;
  for (uint32_t left = mask & ~init[which]; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    if ((definedBytes(which, lane) & wanted) != wanted)
      missing |= 1u << lane;
  }
  if (missing)
    reportRegister(which, missing);
}

} // namespace attnres::emulator
