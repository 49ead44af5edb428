// atom and red. Lanes go one after the other, clusters in their order.

#include "runtime/emulator/AccessCounting.h"
#include "runtime/emulator/AtomicValue.h"
#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"

namespace attnres::emulator {

void executeAtomic(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &atomic = static_cast<const AtomicExtra &>(*inst.extra);
  warp.require(inst.src[0], mask);
  warp.require(inst.src[1], mask);
  for (int32_t slot : atomic.slots)
    warp.require(slot, mask);
  unsigned bytes = atomic.elementBytes;
  unsigned total = bytes * static_cast<unsigned>(atomic.slots.size());
  uint64_t addresses[kWarpSize];
  bool global = false;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    addresses[lane] =
        warp.toGeneric(atomic, warp.address(atomic, inst.src[0], lane));
    if ((mask >> lane) & 1)
      global |= (addresses[lane] >> kWindowShift) == 0;
  }
  if (global) {
    if (atomic.release)
      warp.block.cluster.releasePending = true;
    warp.enterOrdered();
    if (atomic.op == AtomicOp::Cas &&
        ++warp.block.cluster.polls > Cluster::pollLimit)
      warp.yield(false);
  }
  publishOrAcquire(warp, addresses[__builtin_ctz(mask)], mask,
                   atomic.release || warp.fencePending, true);
  Warp::Access access = warp.beginAccess(kStrongAccess);
  bool checkInit = warp.block.launch.checks.initialized;
  alignas(64) uint8_t old[8][8 * kWarpSize] = {};
  uint32_t done = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    Warp::Target target;
    if (!warp.resolve(atomic.space, addresses[lane], total, total, lane,
                      Warp::AccessKind::Atomic, target))
      continue;
    done |= 1u << lane;
    if (checkInit && atomic.op != AtomicOp::Exch)
      warp.checkInitialized(target, total, lane, addresses[lane]);
    warp.checkWrite(access, target, total, lane, addresses[lane]);
    for (size_t i = 0; i < atomic.slots.size(); ++i) {
      uint8_t *where = target.data + i * bytes;
      uint64_t before = 0;
      uint64_t operand = 0;
      uint64_t third = 0;
      std::memcpy(&before, where, bytes);
      std::memcpy(&operand, warp.slot(atomic.slots[i]) + size_t(lane) * bytes,
                  bytes);
      if (inst.src[1] != 0)
        std::memcpy(&third, warp.slot(inst.src[1]) + size_t(lane) * bytes,
                    bytes);
      uint64_t after =
          atomicValue(atomic.op, atomic.type, before, operand, third);
      std::memcpy(where, &after, bytes);
      std::memcpy(old[i] + size_t(lane) * bytes, &before, bytes);
    }
    if (target.init)
      std::memset(target.init, 1, total);
  }
  warp.worker->counters.atomics +=
      static_cast<unsigned>(__builtin_popcount(done));
  countAccess(warp.worker->counters, addresses, total, done, true);
  for (size_t i = 0; i < atomic.results.size(); ++i)
    warp.assign(atomic.results[i], old[i], bytes, mask);
  warp.block.cluster.progress();
}

} // namespace attnres::emulator
