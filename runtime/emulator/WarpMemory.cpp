// How a warp reaches memory: addresses to host bytes with the bounds,
// alignment and initialization checks.

#include "runtime/emulator/Machine.h"

#include <fmt/format.h>

namespace attnres::emulator {

uint64_t Warp::toGeneric(const MemoryExtra &memory, uint64_t where) const {
  switch (memory.space) {
  case Space::Shared:
    return kSharedWindow + static_cast<uint32_t>(where);
  case Space::Local:
    return kLocalWindow + where + (memory.frameRelative ? frame->localBase : 0);
  case Space::Param:
    return kParamWindow + where;
  default:
    return where;
  }
}

bool Warp::resolve(Space space, uint64_t where, unsigned bytes, unsigned align,
                   unsigned lane, AccessKind kind, Target &target,
                   bool reports) {
  target = Target();
  auto refuse = [&](FindingKind why, const std::string &message) {
    if (reports)
      report(why, lane, where, message);
    return false;
  };
  if (where & (align - 1))
    return refuse(FindingKind::Misaligned,
                  fmt::format("access of {} bytes at an address that is not a "
                              "multiple of {}",
                              bytes, align));
  uint64_t window = where >> kWindowShift;
  const char *what = kind == AccessKind::Load    ? "load"
                     : kind == AccessKind::Store ? "store"
                                                 : "atomic";
  if (window == 0) {
    if (space == Space::Shared || space == Space::Local)
      return refuse(FindingKind::OutOfBounds, "address outside of the space");
    Allocation *allocation = lastAllocation;
    if (!allocation || where < allocation->base ||
        where - allocation->base >= allocation->size)
      allocation = lastAllocation = block.launch.memory->find(where);
    if (!allocation)
      return refuse(
          FindingKind::OutOfBounds,
          fmt::format("{} of {} bytes outside of any allocation", what, bytes));
    if (allocation->freed)
      return refuse(
          FindingKind::UseAfterFree,
          fmt::format("{} of {} bytes in memory that was freed", what, bytes));
    uint64_t offset = where - allocation->base;
    if (offset + bytes > allocation->size)
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("{} of {} bytes at offset {} of an allocation "
                                "of {} bytes",
                                what, bytes, offset, allocation->size));
    if (allocation->readOnly && kind != AccessKind::Load)
      return refuse(FindingKind::InvalidOperation,
                    fmt::format("{} to constant memory", what));
    target.data = allocation->data.data() + offset;
    target.init = allocation->init.data() + offset;
    target.writes = &allocation->writes;
    target.reads = &allocation->reads;
    target.offset = offset;
    return true;
  }
  if (window == kSharedWindow >> kWindowShift) {
    uint32_t offset = static_cast<uint32_t>(where);
    uint32_t rank = offset >> kClusterRankShift;
    Block *owner = &block;
    if (rank != 0) {
      if (rank > block.cluster.blocks.size())
        return refuse(FindingKind::OutOfBounds,
                      fmt::format("shared memory of block {} of a cluster of "
                                  "{}",
                                  rank - 1, block.cluster.blocks.size()));
      owner = block.cluster.blocks[rank - 1].get();
      offset &= (1u << kClusterRankShift) - 1;
      if (owner->ended && owner != &block)
        return refuse(FindingKind::UseAfterFree,
                      fmt::format("{} of shared memory of block {} of the "
                                  "cluster, which has ended",
                                  what, rank - 1));
      owner->touchedFromOutside |= owner != &block;
    }
    uint32_t size = block.launch.sharedBytes;
    if (offset < kSharedBase || offset - kSharedBase + bytes > size)
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("{} of {} bytes at offset {} of {} bytes of "
                                "shared memory",
                                what, bytes, int64_t(offset) - kSharedBase,
                                size));
    offset -= kSharedBase;
    target.data = owner->shared.data() + offset;
    target.init = owner->sharedInit.data() + offset;
    target.writes = &owner->sharedWrites;
    target.reads = &owner->sharedReads;
    target.offset = offset;
    return true;
  }
  if (window == kLocalWindow >> kWindowShift) {
    uint64_t offset = where - kLocalWindow;
    uint64_t end = frame->localBase + frame->function->localBytes;
    if (offset + bytes > end)
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("{} of {} bytes at offset {} of {} bytes of "
                                "local memory",
                                what, bytes, offset, end));
    size_t at = size_t(lane) * localBytes + offset;
    target.data = local.data() + at;
    target.init = localInit.data() + at;
    return true;
  }
  if (window == kParamWindow >> kWindowShift) {
    uint64_t offset = where - kParamWindow;
    std::vector<uint8_t> &parameters = block.launch.parameters;
    if (kind != AccessKind::Load)
      return refuse(FindingKind::InvalidOperation,
                    fmt::format("{} to kernel parameters", what));
    if (offset + bytes > parameters.size())
      return refuse(FindingKind::OutOfBounds,
                    fmt::format("load of {} bytes at offset {} of {} bytes of "
                                "parameters",
                                bytes, offset, parameters.size()));
    target.data = parameters.data() + offset;
    return true;
  }
  return refuse(FindingKind::OutOfBounds, "address in no state space");
}

void Warp::checkInitialized(const Target &target, unsigned bytes, unsigned lane,
                            uint64_t where) {
  if (!target.init)
    return;
  for (unsigned i = 0; i < bytes; ++i)
    if (!target.init[i]) {
      report(FindingKind::UninitializedMemory, lane, where + i,
             "load of memory that has never been written");
      // Once per byte is enough.
      std::memset(target.init, 1, bytes);
      return;
    }
}

void Warp::enterOrdered() {
  Cluster &cluster = block.cluster;
  if (!cluster.hasTurn) {
    block.launch.waitForTurn(cluster.position);
    cluster.hasTurn = true;
  }
  if (cluster.releasePending) {
    block.launch.times->release(cluster.index);
    cluster.releasePending = false;
    ++cluster.releases;
  }
  cluster.acquired = block.launch.times->acquire();
}

} // namespace attnres::emulator
