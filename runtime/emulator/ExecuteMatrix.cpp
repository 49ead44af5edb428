// ldmatrix, stmatrix, movmatrix, mma and wmma.
//
// mma fragments, with g = lane / 4, t = lane % 4 and e elements in 32 bits:
// register i of A holds row g + 8 (i mod 2), columns 4e (i / 2) + e t onward;
// register i of B rows 4e i + e t onward of column g; C and D hold, in pairs,
// columns 2t and 2t + 1 of rows g and g + 8.
//
// wmma fragments are this emulator's own: the elements in row-major order,
// lane by lane, register by register.

#include "runtime/emulator/AccessCounting.h"
#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Machine.h"
#include "runtime/emulator/MatrixTile.h"

#include <cmath>
#include <fmt/format.h>

namespace attnres::emulator {
namespace {} // namespace

float matrixFloat(const uint8_t *bytes, MatrixType type) {
  float value = 0;
  switch (type) {
  case MatrixType::F16:
    laneTable().halfToFloat(&value, bytes, 1);
    return value;
  case MatrixType::BF16:
    laneTable().bfloatToFloat(&value, bytes, 1);
    return value;
  case MatrixType::TF32: {
    // The hardware ignores the low mantissa bits.
    uint32_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    bits &= 0xffffe000u;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  case MatrixType::E5M2: {
    uint16_t half = static_cast<uint16_t>(*bytes << 8);
    laneTable().halfToFloat(&value, &half, 1);
    return value;
  }
  default: {
    float sign = *bytes & 0x80 ? -1.0f : 1.0f;
    int exponent = (*bytes >> 3) & 15;
    int mantissa = *bytes & 7;
    if (exponent == 15 && mantissa == 7)
      return NAN;
    return sign * (exponent == 0
                       ? std::ldexp(float(mantissa), -9)
                       : std::ldexp(8.0f + float(mantissa), exponent - 10));
  }
  }
}

int32_t matrixInteger(uint8_t byte, MatrixType type) {
  return type == MatrixType::S8 ? static_cast<int8_t>(byte) : byte;
}

bool isIntegerType(MatrixType type) {
  return type == MatrixType::S8 || type == MatrixType::U8;
}

uint16_t halfBits(float value) {
  static const LaneFn convert =
      laneTable().find({LaneOp::Cvt, Type::F16, Type::F32, kApprox});
  alignas(64) float in[kWarpSize] = {value};
  alignas(64) uint16_t out[kWarpSize];
  LaneArgs args;
  args.a = in;
  args.d = out;
  convert(args);
  return out[0];
}

void multiplyIntegers(int32_t *d, const int32_t *a, const int32_t *b,
                      unsigned m, unsigned n, unsigned k, bool saturate) {
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      int64_t sum = d[row * n + column];
      for (unsigned j = 0; j < k; ++j)
        sum += int64_t(a[row * k + j]) * b[j * n + column];
      if (saturate)
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      d[row * n + column] = static_cast<int32_t>(static_cast<uint64_t>(sum));
    }
}

void multiplyDoubles(double *d, const double *a, const double *b, unsigned m,
                     unsigned n, unsigned k) {
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      double sum = d[row * n + column];
      for (unsigned j = 0; j < k; ++j)
        sum = std::fma(a[row * k + j], b[j * n + column], sum);
      d[row * n + column] = sum;
    }
}

// Lanes 8i to 8i+7 give the rows of matrix i; a lane gets two neighbouring
// elements of row g, or of column g when transposed.
void executeLdmatrix(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &load = static_cast<const MatrixLoadExtra &>(*inst.extra);
  if (!warp.isWhole(mask, "a matrix instruction"))
    return;
  uint32_t givers = load.count == 4 ? kFullMask : (1u << (8 * load.count)) - 1;
  warp.require(inst.src[0], mask & givers);
  uint16_t matrices[4][8][8] = {};
  uint64_t addresses[kWarpSize] = {};
  uint32_t loaded = 0;
  Warp::Access access = warp.beginLoad();
  for (unsigned lane = 0; lane < 8 * load.count; ++lane) {
    addresses[lane] =
        warp.toGeneric(load, warp.address(load, inst.src[0], lane));
    Warp::Target target;
    if (!warp.resolve(Space::Shared, addresses[lane], 16, 16, lane,
                      Warp::AccessKind::Load, target))
      continue;
    loaded |= 1u << lane;
    std::memcpy(matrices[lane / 8][lane % 8], target.data, 16);
    if (warp.block.launch.checks.initialized)
      warp.checkInitialized(target, 16, lane, addresses[lane]);
    warp.checkRead(access, target, 16, lane, addresses[lane]);
  }
  countAccess(warp.worker->counters, addresses, 16, loaded, false);
  for (unsigned i = 0; i < load.count; ++i) {
    uint32_t values[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      unsigned g = lane / 4;
      unsigned t = 2 * (lane % 4);
      uint16_t low = load.transpose ? matrices[i][t][g] : matrices[i][g][t];
      uint16_t high =
          load.transpose ? matrices[i][t + 1][g] : matrices[i][g][t + 1];
      values[lane] = uint32_t(high) << 16 | low;
    }
    warp.assign(load.slots[i], values, 4, mask);
  }
}

void executeStmatrix(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &store = static_cast<const MatrixLoadExtra &>(*inst.extra);
  if (!warp.isWhole(mask, "a matrix instruction"))
    return;
  uint32_t givers =
      store.count == 4 ? kFullMask : (1u << (8 * store.count)) - 1;
  warp.require(inst.src[0], mask & givers);
  uint16_t matrices[4][8][8];
  for (unsigned i = 0; i < store.count; ++i) {
    warp.require(store.slots[i], mask);
    const uint32_t *values = warp.lanes<uint32_t>(store.slots[i]);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      unsigned g = lane / 4;
      unsigned t = 2 * (lane % 4);
      uint16_t low = static_cast<uint16_t>(values[lane]);
      uint16_t high = static_cast<uint16_t>(values[lane] >> 16);
      (store.transpose ? matrices[i][t][g] : matrices[i][g][t]) = low;
      (store.transpose ? matrices[i][t + 1][g] : matrices[i][g][t + 1]) = high;
    }
  }
  uint64_t addresses[kWarpSize] = {};
  uint32_t stored = 0;
  Warp::Access access = warp.beginAccess();
  for (unsigned lane = 0; lane < 8 * store.count; ++lane) {
    addresses[lane] =
        warp.toGeneric(store, warp.address(store, inst.src[0], lane));
    Warp::Target target;
    if (!warp.resolve(Space::Shared, addresses[lane], 16, 16, lane,
                      Warp::AccessKind::Store, target))
      continue;
    stored |= 1u << lane;
    warp.checkWrite(access, target, 16, lane, addresses[lane]);
    std::memcpy(target.data, matrices[lane / 8][lane % 8], 16);
    std::memset(target.init, 1, 16);
  }
  countAccess(warp.worker->counters, addresses, 16, stored, true);
}

void executeMovmatrix(Warp &warp, const Instruction &inst, uint32_t mask) {
  if (!warp.isWhole(mask, "a matrix instruction"))
    return;
  warp.require(inst.src[0], mask);
  const uint32_t *a = warp.lanes<uint32_t>(inst.src[0]);
  uint32_t values[kWarpSize];
  auto element = [&](unsigned row, unsigned column) {
    return (a[row * 4 + column / 2] >> (16 * (column % 2))) & 0xffff;
  };
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    unsigned g = lane / 4;
    unsigned t = 2 * (lane % 4);
    values[lane] = element(t + 1, g) << 16 | element(t, g);
  }
  warp.assign(inst.dst, values, 4, mask);
}

namespace {

// Registers of A or B as floats: element j of lane l at [l * per + j].
void registerFloats(const Warp &warp, int32_t slot, MatrixType type,
                    float *values) {
  const uint8_t *bytes = warp.slot(slot);
  switch (type) {
  case MatrixType::F16:
    laneTable().halfToFloat(values, bytes, 2 * kWarpSize);
    return;
  case MatrixType::BF16:
    laneTable().bfloatToFloat(values, bytes, 2 * kWarpSize);
    return;
  default: {
    unsigned size = matrixTypeBytes(type);
    for (unsigned i = 0; i < 4 * kWarpSize / size; ++i)
      values[i] = matrixFloat(bytes + i * size, type);
  }
  }
}

// Calls f(register, lane, element in the register, row, column) for A.
template <typename F>
void forA(unsigned registers, unsigned per, F f) {
  for (unsigned i = 0; i < registers; ++i)
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (unsigned j = 0; j < per; ++j)
        f(i, lane, j, lane / 4 + 8 * (i & 1),
          4 * per * (i >> 1) + per * (lane % 4) + j);
}
template <typename F>
void forB(unsigned registers, unsigned per, F f) {
  for (unsigned i = 0; i < registers; ++i)
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (unsigned j = 0; j < per; ++j)
        f(i, lane, j, 4 * per * i + per * (lane % 4) + j, lane / 4);
}

void gatherFloats(const Warp &warp, const MmaExtra &mma, float *a, float *b) {
  alignas(64) float values[4 * kWarpSize];
  unsigned per = 4 / matrixTypeBytes(mma.aType);
  if (mma.isWmma) {
    auto gather = [&](const std::vector<int32_t> &list, float *to,
                      unsigned count, MatrixType type) {
      for (unsigned i = 0; i * per * kWarpSize < count; ++i) {
        registerFloats(warp, list[i], type, values);
        std::copy_n(values,
                    std::min(per * kWarpSize, count - i * per * kWarpSize),
                    to + i * per * kWarpSize);
      }
    };
    gather(mma.a, a, mma.m * mma.k, mma.aType);
    gather(mma.b, b, mma.k * mma.n, mma.bType);
    return;
  }
  for (unsigned i = 0; i < mma.a.size(); ++i) {
    registerFloats(warp, mma.a[i], mma.aType, values);
    float *to = a + 8 * (i & 1) * mma.k + 4 * per * (i >> 1);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (unsigned j = 0; j < per; ++j)
        to[lane / 4 * mma.k + per * (lane % 4) + j] = values[lane * per + j];
  }
  for (unsigned i = 0; i < mma.b.size(); ++i) {
    registerFloats(warp, mma.b[i], mma.bType, values);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (unsigned j = 0; j < per; ++j)
        b[(4 * per * i + per * (lane % 4) + j) * mma.n + lane / 4] =
            values[lane * per + j];
  }
}

// The position in C of element `part` of register i of a lane.
unsigned positionOfC(const MmaExtra &mma, unsigned i, unsigned lane,
                     unsigned part, unsigned per) {
  if (mma.isWmma)
    return (i * kWarpSize + lane) * per + part;
  // In pairs: registers 0 and 1 are row g, 2 and 3 row g + 8.
  unsigned pair = per == 2 ? i : i / 2;
  unsigned column = 2 * (lane % 4) + (per == 2 ? part : i % 2);
  return (lane / 4 + 8 * pair) * mma.n + column;
}

// m16n8k16 on f16 or bf16 with f32 sums, the shape that kernels are made of.
bool isCommonMma(const MmaExtra &mma) {
  return mma.m == 16 && mma.n == 8 && mma.k == 16 && !mma.isWmma &&
         mma.aType <= MatrixType::BF16 && mma.aType == mma.bType &&
         mma.dType == Type::F32 && mma.cType == Type::F32;
}

void executeCommonMma(Warp &warp, const MmaExtra &mma, uint32_t mask) {
  alignas(64) float results[4][kWarpSize];
  float *d[4];
  const void *a[4];
  const void *b[2] = {warp.slot(mma.b[0]), warp.slot(mma.b[1])};
  const float *c[4];
  for (unsigned i = 0; i < 4; ++i) {
    d[i] = results[i];
    a[i] = warp.slot(mma.a[i]);
    c[i] = warp.lanes<float>(mma.c[i]);
  }
  if (mma.aType == MatrixType::F16)
    laneTable().mmaHalf16(d, a, b, c);
  else
    laneTable().mmaBfloat16(d, a, b, c);
  for (unsigned i = 0; i < 4; ++i)
    warp.assign(mma.d[i], results[i], 4, mask);
}

void executeFloatMma(Warp &warp, const MmaExtra &mma, uint32_t mask) {
  alignas(64) float a[32 * 32];
  alignas(64) float b[32 * 32];
  alignas(64) float c[32 * 32];
  gatherFloats(warp, mma, a, b);
  unsigned count = mma.m * mma.n;
  bool halfC = mma.cType == Type::F16;
  unsigned perC = halfC ? 2 : 1;
  for (unsigned i = 0; i < mma.c.size(); ++i) {
    alignas(64) float values[2 * kWarpSize];
    if (halfC)
      laneTable().halfToFloat(values, warp.slot(mma.c[i]), 2 * kWarpSize);
    else
      std::memcpy(values, warp.slot(mma.c[i]), sizeof(float) * kWarpSize);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (unsigned part = 0; part < perC; ++part) {
        unsigned at = positionOfC(mma, i, lane, part, perC);
        if (at < count)
          c[at] = values[lane * perC + part];
      }
  }
  if (mma.m == 16 && mma.n == 8)
    laneTable().mma16x8(c, a, b, mma.k);
  else
    laneTable().mmaWide(c, a, b, mma.m, mma.n, mma.k);
  bool halfD = mma.dType == Type::F16;
  unsigned perD = halfD ? 2 : 1;
  for (unsigned i = 0; i < mma.d.size(); ++i) {
    alignas(64) uint32_t values[kWarpSize] = {};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (unsigned part = 0; part < perD; ++part) {
        unsigned at = positionOfC(mma, i, lane, part, perD);
        if (at >= count)
          continue;
        if (halfD)
          values[lane] |= uint32_t(halfBits(c[at])) << (16 * part);
        else
          std::memcpy(&values[lane], &c[at], sizeof(float));
      }
    warp.assign(mma.d[i], values, 4, mask);
  }
}

void executeIntegerMma(Warp &warp, const MmaExtra &mma, uint32_t mask) {
  int32_t a[32 * 32] = {};
  int32_t b[32 * 32] = {};
  int32_t c[32 * 32] = {};
  unsigned countA = mma.m * mma.k;
  unsigned countB = mma.k * mma.n;
  unsigned countC = mma.m * mma.n;
  auto byteOf = [&](int32_t slot, unsigned lane, unsigned j) {
    return warp.slot(slot)[lane * 4 + j];
  };
  if (mma.isWmma) {
    for (unsigned e = 0; e < countA; ++e)
      a[e] =
          matrixInteger(byteOf(mma.a[e / 128], e / 4 % 32, e % 4), mma.aType);
    for (unsigned e = 0; e < countB; ++e)
      b[e] =
          matrixInteger(byteOf(mma.b[e / 128], e / 4 % 32, e % 4), mma.bType);
  } else {
    forA(static_cast<unsigned>(mma.a.size()), 4,
         [&](unsigned i, unsigned lane, unsigned j, unsigned row,
             unsigned column) {
           a[row * mma.k + column] =
               matrixInteger(byteOf(mma.a[i], lane, j), mma.aType);
         });
    forB(static_cast<unsigned>(mma.b.size()), 4,
         [&](unsigned i, unsigned lane, unsigned j, unsigned row,
             unsigned column) {
           b[row * mma.n + column] =
               matrixInteger(byteOf(mma.b[i], lane, j), mma.bType);
         });
  }
  for (unsigned i = 0; i < mma.c.size(); ++i)
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      unsigned at = positionOfC(mma, i, lane, 0, 1);
      if (at < countC)
        c[at] = warp.lanes<int32_t>(mma.c[i])[lane];
    }
  multiplyIntegers(c, a, b, mma.m, mma.n, mma.k, mma.saturate);
  for (unsigned i = 0; i < mma.d.size(); ++i) {
    int32_t values[kWarpSize] = {};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      unsigned at = positionOfC(mma, i, lane, 0, 1);
      if (at < countC)
        values[lane] = c[at];
    }
    warp.assign(mma.d[i], values, 4, mask);
  }
}

void executeDoubleMma(Warp &warp, const MmaExtra &mma, uint32_t mask) {
  double a[32 * 32];
  double b[32 * 32];
  double c[32 * 32];
  auto value = [&](int32_t slot, unsigned lane) {
    return warp.lanes<double>(slot)[lane];
  };
  if (mma.isWmma) {
    for (unsigned e = 0; e < mma.m * mma.k; ++e)
      a[e] = value(mma.a[e / 32], e % 32);
    for (unsigned e = 0; e < mma.k * mma.n; ++e)
      b[e] = value(mma.b[e / 32], e % 32);
  } else {
    // With m = 8 the second row group does not exist.
    unsigned rowGroups = mma.m / 8;
    for (unsigned i = 0; i < mma.a.size(); ++i)
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        a[(lane / 4 + 8 * (i % rowGroups)) * mma.k + 4 * (i / rowGroups) +
          lane % 4] = value(mma.a[i], lane);
    forB(static_cast<unsigned>(mma.b.size()), 1,
         [&](unsigned i, unsigned lane, unsigned, unsigned row,
             unsigned column) {
           b[row * mma.n + column] = value(mma.b[i], lane);
         });
  }
  for (unsigned i = 0; i < mma.c.size(); ++i)
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      c[positionOfC(mma, i, lane, 0, 1)] = value(mma.c[i], lane);
  multiplyDoubles(c, a, b, mma.m, mma.n, mma.k);
  for (unsigned i = 0; i < mma.d.size(); ++i) {
    double values[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      values[lane] = c[positionOfC(mma, i, lane, 0, 1)];
    warp.assign(mma.d[i], values, 8, mask);
  }
}

} // namespace

void executeMma(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &mma = static_cast<const MmaExtra &>(*inst.extra);
  if (!warp.isWhole(mask, "a matrix instruction"))
    return;
  for (const std::vector<int32_t> *list : {&mma.a, &mma.b, &mma.c})
    for (int32_t slot : *list)
      warp.require(slot, mask);
  ++warp.worker->counters.matrixInstructions;
  uint64_t products = uint64_t(mma.m) * mma.n * mma.k;
  warp.worker->counters.tensorMultiplyAdds += products;
  warp.worker->counters.warpProductWork +=
      products * matrixTypeBytes(mma.aType) / 2;
  if (isCommonMma(mma))
    executeCommonMma(warp, mma, mask);
  else if (mma.aType == MatrixType::F64)
    executeDoubleMma(warp, mma, mask);
  else if (isIntegerType(mma.aType))
    executeIntegerMma(warp, mma, mask);
  else
    executeFloatMma(warp, mma, mask);
}

namespace {

// Visits the elements of a wmma fragment with their register place and address.
template <typename F>
void forWmmaElements(Warp &warp, const WmmaMemoryExtra &memory, int32_t base,
                     F f) {
  unsigned per = memory.registerBytes / memory.elementBytes;
  uint32_t stride = warp.lanes<uint32_t>(memory.strideSlot)[0];
  uint64_t start = warp.toGeneric(memory, warp.address(memory, base, 0));
  for (unsigned row = 0; row < memory.rows; ++row)
    for (unsigned column = 0; column < memory.columns; ++column) {
      unsigned element = row * memory.columns + column;
      uint64_t index = memory.columnMajor ? uint64_t(column) * stride + row
                                          : uint64_t(row) * stride + column;
      unsigned place = element / per;
      f(place / kWarpSize, place % kWarpSize, element % per,
        start + index * memory.elementBytes);
    }
}

} // namespace

void executeWmmaLoad(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &memory = static_cast<const WmmaMemoryExtra &>(*inst.extra);
  if (!warp.isWhole(mask, "a matrix instruction"))
    return;
  warp.require(inst.src[0], mask);
  warp.require(memory.strideSlot, mask);
  std::vector<uint8_t> values(memory.slots.size() * kWarpSize *
                              memory.registerBytes);
  unsigned bytes = memory.elementBytes;
  Warp::Access access = warp.beginAccess();
  SpaceCounters *counts = nullptr;
  forWmmaElements(
      warp, memory, inst.src[0],
      [&](unsigned i, unsigned lane, unsigned part, uint64_t address) {
        Warp::Target target;
        if (!warp.resolve(memory.space, address, bytes, bytes, lane,
                          Warp::AccessKind::Load, target))
          return;
        if (warp.block.launch.checks.initialized)
          warp.checkInitialized(target, bytes, lane, address);
        warp.checkRead(access, target, bytes, lane, address);
        std::memcpy(values.data() +
                        (i * kWarpSize + lane) * memory.registerBytes +
                        part * bytes,
                    target.data, bytes);
        counts = (address >> kWindowShift) == 0 ? &warp.worker->counters.global
                                                : &warp.worker->counters.shared;
        counts->loadBytes += bytes;
      });
  if (counts)
    ++counts->requests;
  for (size_t i = 0; i < memory.slots.size(); ++i)
    warp.assign(memory.slots[i],
                values.data() + i * kWarpSize * memory.registerBytes,
                memory.registerBytes, mask);
}

void executeWmmaStore(Warp &warp, const Instruction &inst, uint32_t mask) {
  const auto &memory = static_cast<const WmmaMemoryExtra &>(*inst.extra);
  if (!warp.isWhole(mask, "a matrix instruction"))
    return;
  warp.require(inst.src[0], mask);
  warp.require(memory.strideSlot, mask);
  for (int32_t slot : memory.slots)
    warp.require(slot, mask);
  unsigned bytes = memory.elementBytes;
  Warp::Access access = warp.beginAccess();
  SpaceCounters *counts = nullptr;
  forWmmaElements(
      warp, memory, inst.src[0],
      [&](unsigned i, unsigned lane, unsigned part, uint64_t address) {
        Warp::Target target;
        if (!warp.resolve(memory.space, address, bytes, bytes, lane,
                          Warp::AccessKind::Store, target))
          return;
        warp.checkWrite(access, target, bytes, lane, address);
        std::memcpy(target.data,
                    warp.slot(memory.slots[i]) + lane * memory.registerBytes +
                        part * bytes,
                    bytes);
        std::memset(target.init, 1, bytes);
        counts = (address >> kWindowShift) == 0 ? &warp.worker->counters.global
                                                : &warp.worker->counters.shared;
        counts->storeBytes += bytes;
      });
  if (counts)
    ++counts->requests;
}

} // namespace attnres::emulator
