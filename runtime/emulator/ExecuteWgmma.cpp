// wgmma: one warp's sixteen rows of a 64-row product at a time. The result is
// computed at once, but its registers count as unset until a wait covers the
// group, and reads of shared memory belong to an agent of their own.

#include "runtime/emulator/AsyncCopy.h"
#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"
#include "runtime/emulator/MatrixTile.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

// A matrix in shared memory, as the 64-bit descriptor states it. `outer` is the
// row of A or the column of B. Layouts, with W the bytes of a swizzle row (16
// without swizzle):
//   k-major:     outer/8 * stride + outer%8 * W + k bytes (no swizzle: the
//                16-byte columns are `leading` apart)
//   outer-major: outer in rows of W bytes, `leading` apart; k%8 * W,
//                k/8 * stride (no swizzle: the two offsets change places)
class Descriptor {
public:
  explicit Descriptor(uint64_t bits)
      : start(static_cast<uint32_t>(bits & 0x3fff) << 4),
        leading(static_cast<uint32_t>((bits >> 16) & 0x3fff) << 4),
        stride(static_cast<uint32_t>((bits >> 32) & 0x3fff) << 4) {
    static const Swizzle modes[] = {Swizzle::None, Swizzle::Bytes128,
                                    Swizzle::Bytes64, Swizzle::Bytes32};
    mode = modes[bits >> 62];
    static const uint32_t widths[] = {16, 32, 64, 128};
    width = widths[static_cast<uint32_t>(mode)];
  }

  /// Shared address of the 16-byte chunk that holds (outer, kByte); for
  /// outer-major matrices, of (outerByte, k).
  uint32_t chunk(uint32_t outer, uint32_t kByte) const {
    uint32_t at = start + outer / 8 * stride + outer % 8 * width;
    if (mode == Swizzle::None)
      at += kByte / 16 * leading + kByte % 16;
    else
      at += kByte;
    return swizzled(at, mode);
  }
  uint32_t outerMajorChunk(uint32_t outerByte, uint32_t k) const {
    uint32_t at = start + outerByte % width + k % 8 * width;
    if (mode == Swizzle::None)
      at += outerByte / width * stride + k / 8 * leading;
    else
      at += outerByte / width * leading + k / 8 * stride;
    return swizzled(at, mode);
  }

private:
  uint32_t start, leading, stride, width;
  Swizzle mode = Swizzle::None;
};

class Multiplication {
public:
  Multiplication(Warp &warp, const WgmmaExtra &mma, uint32_t mask)
      : warp(warp), mma(mma), mask(mask) {
    Cluster &cluster = warp.block.cluster;
    access = warp.beginAccess(
        kWgmmaAccess,
        static_cast<int32_t>(cluster.wgmmaAgent(warp.block.rank, warp.index)),
        warp.wgmmaCommitted + 1);
  }

  void run() {
    unsigned bytes = matrixTypeBytes(mma.aType);
    if (mma.aDescriptor != 0)
      loadShared(a, mma.aDescriptor, warp.index % 4 * 16, 16, bytes,
                 mma.transposeA, true);
    else
      loadRegisters(bytes);
    loadShared(b, mma.bDescriptor, 0, mma.n, bytes, mma.transposeB, false);
    if (isIntegerType(mma.aType))
      multiply32();
    else
      multiplyFloat();
  }

private:
  // Elements [first, first + count) of the outer dimension. A goes to
  // [outer][k], B to [k][outer].
  void loadShared(std::vector<uint8_t> &to, int32_t descriptorSlot,
                  unsigned first, unsigned count, unsigned bytes,
                  bool outerMajor, bool isA) {
    Descriptor descriptor(warp.lanes<uint64_t>(descriptorSlot)[0]);
    to.resize(size_t(count) * mma.k * bytes);
    unsigned perChunk = 16 / bytes;
    auto put = [&](unsigned outer, unsigned k, const uint8_t *from) {
      size_t at = isA ? size_t(outer) * mma.k + k : size_t(k) * count + outer;
      std::memcpy(to.data() + at * bytes, from, bytes);
    };
    uint8_t values[16];
    if (!outerMajor) {
      for (unsigned outer = 0; outer < count; ++outer)
        for (unsigned k = 0; k < mma.k; k += perChunk) {
          fetch(descriptor.chunk(first + outer, k * bytes), values);
          for (unsigned j = 0; j < perChunk; ++j)
            put(outer, k + j, values + j * bytes);
        }
      return;
    }
    for (unsigned k = 0; k < mma.k; ++k)
      for (unsigned outer = 0; outer < count; outer += perChunk) {
        fetch(descriptor.outerMajorChunk((first + outer) * bytes, k), values);
        for (unsigned j = 0; j < perChunk; ++j)
          put(outer + j, k, values + j * bytes);
      }
  }

  void fetch(uint32_t offset, uint8_t (&values)[16]) {
    uint64_t address = kSharedWindow | offset;
    Warp::Target target;
    if (!warp.resolve(Space::Shared, address, 16, 16, 0, Warp::AccessKind::Load,
                      target)) {
      std::memset(values, 0, sizeof values);
      return;
    }
    if (warp.block.launch.checks.initialized)
      warp.checkInitialized(target, 16, 0, address);
    warp.checkRead(access, target, 16, 0, address);
    std::memcpy(values, target.data, sizeof values);
    warp.worker->counters.shared.loadBytes += sizeof values;
  }

  // The same fragment as mma's A of 16 rows.
  void loadRegisters(unsigned bytes) {
    unsigned per = 4 / bytes;
    a.resize(size_t(16) * mma.k * bytes);
    for (unsigned i = 0; i < 4; ++i) {
      warp.require(mma.a[i], mask);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        size_t at = size_t(lane / 4 + 8 * (i & 1)) * mma.k +
                    4 * per * (i >> 1) + per * (lane % 4);
        std::memcpy(a.data() + at * bytes,
                    warp.slot(mma.a[i]) + size_t(lane) * 4, 4);
      }
    }
  }

  std::vector<float> toFloats(const std::vector<uint8_t> &raw, MatrixType type,
                              bool negate) {
    unsigned bytes = matrixTypeBytes(type);
    std::vector<float> values(raw.size() / bytes);
    if (type == MatrixType::F16)
      laneTable().halfToFloat(values.data(), raw.data(),
                              static_cast<unsigned>(values.size()));
    else if (type == MatrixType::BF16)
      laneTable().bfloatToFloat(values.data(), raw.data(),
                                static_cast<unsigned>(values.size()));
    else
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = matrixFloat(raw.data() + i * bytes, type);
    if (negate)
      for (float &value : values)
        value = -value;
    return values;
  }

  uint32_t accumulates() const { return warp.predicate(mma.scaleD) & mask; }

  // Row and column, in this warp's 16 rows, of register i (part of it).
  unsigned position(unsigned i, unsigned lane, unsigned part,
                    unsigned per) const {
    unsigned row = lane / 4 + 8 * (per == 2 ? i & 1 : (i >> 1) & 1);
    unsigned column = 2 * (lane % 4) +
                      (per == 2 ? 8 * (i >> 1) + part : 8 * (i >> 2) + (i & 1));
    return row * mma.n + column;
  }

  void requireAccumulators() {
    if (!accumulates())
      return;
    for (int32_t slot : mma.d) {
      bool pending = false;
      for (const PendingRegister &each : warp.pendingRegisters)
        pending |= each.slot == slot;
      // A chain of products into the same accumulators needs no wait.
      if (!pending)
        warp.require(slot, mask);
    }
  }

  void multiplyFloat() {
    std::vector<float> left = toFloats(a, mma.aType, mma.negateA);
    std::vector<float> right = toFloats(b, mma.bType, mma.negateB);
    std::vector<float> d(size_t(16) * mma.n, 0.0f);
    unsigned per = mma.dType == Type::F16 ? 2 : 1;
    requireAccumulators();
    if (accumulates())
      for (unsigned i = 0; i < mma.d.size(); ++i)
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          for (unsigned part = 0; part < per; ++part) {
            float &value = d[position(i, lane, part, per)];
            if (per == 2)
              laneTable().halfToFloat(
                  &value, warp.lanes<uint16_t>(mma.d[i]) + 2 * lane + part, 1);
            else
              value = warp.lanes<float>(mma.d[i])[lane];
          }
    laneTable().mmaWide(d.data(), left.data(), right.data(), 16, mma.n, mma.k);
    for (unsigned i = 0; i < mma.d.size(); ++i) {
      uint32_t values[kWarpSize] = {};
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        for (unsigned part = 0; part < per; ++part) {
          float value = d[position(i, lane, part, per)];
          if (per == 2)
            values[lane] |= uint32_t(halfBits(value)) << (16 * part);
          else
            std::memcpy(&values[lane], &value, sizeof value);
        }
      assignPending(mma.d[i], values);
    }
  }

  void multiply32() {
    std::vector<int32_t> left(a.size());
    std::vector<int32_t> right(b.size());
    for (size_t i = 0; i < a.size(); ++i)
      left[i] = matrixInteger(a[i], mma.aType);
    for (size_t i = 0; i < b.size(); ++i)
      right[i] = matrixInteger(b[i], mma.bType);
    std::vector<int32_t> d(size_t(16) * mma.n, 0);
    requireAccumulators();
    if (accumulates())
      for (unsigned i = 0; i < mma.d.size(); ++i)
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          d[position(i, lane, 0, 1)] = warp.lanes<int32_t>(mma.d[i])[lane];
    multiplyIntegers(d.data(), left.data(), right.data(), 16, mma.n, mma.k,
                     mma.saturate);
    for (unsigned i = 0; i < mma.d.size(); ++i) {
      uint32_t values[kWarpSize];
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        values[lane] = static_cast<uint32_t>(d[position(i, lane, 0, 1)]);
      assignPending(mma.d[i], values);
    }
  }

  void assignPending(int32_t slot, const uint32_t *values) {
    warp.assign(slot, values, 4, mask);
    if (!warp.block.launch.checks.registers)
      return;
    warp.init[slot] &= ~mask;
    for (PendingRegister &each : warp.pendingRegisters)
      if (each.slot == slot) {
        each.group = warp.wgmmaCommitted + 1;
        each.lanes |= mask;
        return;
      }
    warp.pendingRegisters.push_back({slot, mask, warp.wgmmaCommitted + 1});
  }

  Warp &warp;
  const WgmmaExtra &mma;
  uint32_t mask;
  Warp::Access access;
  std::vector<uint8_t> a;
  std::vector<uint8_t> b;
};

} // namespace

void executeWgmma(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &mma = static_cast<const WgmmaExtra &>(*inst.extra);
  if (!warp.isWhole(mask, "wgmma"))
    return;
  warp.require(mma.aDescriptor, mask);
  warp.require(mma.bDescriptor, mask);
  warp.require(mma.scaleD, mask);
  if (!warp.wgmmaFenced)
    warp.report(FindingKind::MissingWait, __builtin_ctz(mask), 0,
                "wgmma.mma_async without a wgmma.fence before it");
  Multiplication(warp, mma, mask).run();
  ++warp.worker->counters.matrixInstructions;
  Counters &counters = warp.worker->counters;
  uint64_t products = uint64_t(16) * mma.n * mma.k;
  uint64_t bytes = matrixTypeBytes(mma.aType);
  counters.tensorMultiplyAdds += products;
  counters.groupProductWork += products * bytes / 2;
  if (mma.aDescriptor != 0)
    counters.groupOperandBytes += 16 * mma.k * bytes;
  counters.groupOperandBytes += mma.n * mma.k * bytes / 4;
}

void executeWgmmaFence(Warp &warp, const Instruction &, uint32_t mask) {
  if (!warp.isWhole(mask, "wgmma"))
    return;
  warp.wgmmaFenced = true;
}

void executeWgmmaCommit(Warp &warp, const Instruction &, uint32_t mask) {
  if (!warp.isWhole(mask, "wgmma"))
    return;
  ++warp.wgmmaCommitted;
  warp.block.cluster.progress();
}

void executeWgmmaWait(Warp &warp, const Instruction &inst, uint32_t mask) {
  if (!warp.isWhole(mask, "wgmma"))
    return;
  uint32_t committed = warp.wgmmaCommitted;
  uint32_t complete = committed > inst.imm ? committed - inst.imm : 0;
  // A product is one operation of four warps: it is complete for one when it
  // is for all.
  auto &warps = warp.block.warps;
  size_t first = warp.index / 4 * 4;
  size_t last = std::min(first + 4, warps.size());
  for (size_t i = first; i < last; ++i)
    if (!warps[i]->done() && warps[i]->wgmmaCommitted < complete) {
      warp.retryLater(mask);
      return;
    }
  Cluster &cluster = warp.block.cluster;
  uint32_t &known =
      warp.clocks()[cluster.wgmmaAgent(warp.block.rank, warp.index)];
  known = std::max(known, complete);
  auto &pending = warp.pendingRegisters;
  for (size_t i = pending.size(); i-- > 0;)
    if (pending[i].group <= complete) {
      warp.init[pending[i].slot] |= pending[i].lanes;
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(i));
    }
  warp.wgmmaFenced = inst.imm != 0 && warp.wgmmaFenced;
}

} // namespace attnres::emulator
