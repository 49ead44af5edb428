// Comparison and selection over 32 lanes. A predicate is a mask of one bit per
// lane.

#include "runtime/emulator/lane/LaneSupport.h"

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

using A = const LaneArgs &;

uint32_t combine(uint32_t result, uint32_t other, uint32_t how) {
  switch (how) {
  case kBoolAnd:
    return result & other;
  case kBoolOr:
    return result | other;
  case kBoolXor:
    return result ^ other;
  default:
    return result;
  }
}

void storeCompared(A x, uint32_t result) {
  uint32_t other = x.c ? loadMask(x.c) : 0;
  storeMask(x.d, combine(result, other, x.imm));
  if (x.d2)
    storeMask(x.d2, combine(~result, other, x.imm));
}

template <LaneOp Op, typename T>
bool holds(T a, T b) {
  bool unordered = a != a || b != b;
  switch (Op) {
  case LaneOp::SetpEq:
    return a == b;
  case LaneOp::SetpNe:
    return a != b && !unordered;
  case LaneOp::SetpLt:
    return a < b;
  case LaneOp::SetpLe:
    return a <= b;
  case LaneOp::SetpGt:
    return a > b;
  case LaneOp::SetpGe:
    return a >= b;
  case LaneOp::SetpEqu:
    return a == b || unordered;
  case LaneOp::SetpNeu:
    return a != b;
  case LaneOp::SetpLtu:
    return a < b || unordered;
  case LaneOp::SetpLeu:
    return a <= b || unordered;
  case LaneOp::SetpGtu:
    return a > b || unordered;
  case LaneOp::SetpGeu:
    return a >= b || unordered;
  case LaneOp::SetpNum:
    return !unordered;
  default:
    return unordered;
  }
}

// How a register's lanes become comparable values.
template <typename T>
struct Plain {
  using Bits = T;
  static T load(T bits) { return bits; }
};
struct FlushedFloat {
  using Bits = float;
  static float load(float bits) { return flush(bits); }
};
template <typename Format, bool Ftz>
struct Narrow {
  using Bits = uint16_t;
  static float load(uint16_t bits) {
    if (Ftz && (bits & Format::exponentMask) == 0)
      bits &= 0x8000;
    return Format::load(bits);
  }
};

template <LaneOp Op, typename Loader>
void setp(A x) {
  using Bits = typename Loader::Bits;
  const Bits *a = static_cast<const Bits *>(x.a);
  const Bits *b = static_cast<const Bits *>(x.b);
  uint8_t flags[kWarpSize];
  for (unsigned i = 0; i < kWarpSize; ++i)
    flags[i] = holds<Op>(Loader::load(a[i]), Loader::load(b[i]));
  storeCompared(x, packBits(flags));
}

// Packed halves: p is the comparison of the low halves, q of the high ones.
template <LaneOp Op, typename Loader>
void setpPacked(A x) {
  const auto *a = static_cast<const uint16_t *>(x.a);
  const auto *b = static_cast<const uint16_t *>(x.b);
  uint8_t low[kWarpSize];
  uint8_t high[kWarpSize];
  for (unsigned i = 0; i < kWarpSize; ++i) {
    low[i] = holds<Op>(Loader::load(a[2 * i]), Loader::load(b[2 * i]));
    high[i] = holds<Op>(Loader::load(a[2 * i + 1]), Loader::load(b[2 * i + 1]));
  }
  uint32_t other = x.c ? loadMask(x.c) : 0;
  storeMask(x.d, combine(packBits(low), other, x.imm));
  if (x.d2)
    storeMask(x.d2, combine(packBits(high), other, x.imm));
}

template <LaneOp Op>
LaneFn forType(const LaneKey &key) {
  bool ftz = key.flags & kFtz;
  switch (key.type) {
  case Type::B16:
  case Type::U16:
    return setp<Op, Plain<uint16_t>>;
  case Type::S16:
    return setp<Op, Plain<int16_t>>;
  case Type::B32:
  case Type::U32:
    return setp<Op, Plain<uint32_t>>;
  case Type::S32:
    return setp<Op, Plain<int32_t>>;
  case Type::B64:
  case Type::U64:
    return setp<Op, Plain<uint64_t>>;
  case Type::S64:
    return setp<Op, Plain<int64_t>>;
  case Type::F32:
    return ftz ? setp<Op, FlushedFloat> : setp<Op, Plain<float>>;
  case Type::F64:
    return setp<Op, Plain<double>>;
  case Type::F16:
    return ftz ? setp<Op, Narrow<Half, true>> : setp<Op, Narrow<Half, false>>;
  case Type::BF16:
    return setp<Op, Narrow<Bfloat, false>>;
  case Type::F16x2:
    return ftz ? setpPacked<Op, Narrow<Half, true>>
               : setpPacked<Op, Narrow<Half, false>>;
  case Type::BF16x2:
    return setpPacked<Op, Narrow<Bfloat, false>>;
  default:
    return nullptr;
  }
}

LaneFn findSetp(const LaneKey &key) {
  switch (key.op) {
  case LaneOp::SetpEq:
    return forType<LaneOp::SetpEq>(key);
  case LaneOp::SetpNe:
    return forType<LaneOp::SetpNe>(key);
  case LaneOp::SetpLt:
    return forType<LaneOp::SetpLt>(key);
  case LaneOp::SetpLe:
    return forType<LaneOp::SetpLe>(key);
  case LaneOp::SetpGt:
    return forType<LaneOp::SetpGt>(key);
  case LaneOp::SetpGe:
    return forType<LaneOp::SetpGe>(key);
  case LaneOp::SetpEqu:
    return forType<LaneOp::SetpEqu>(key);
  case LaneOp::SetpNeu:
    return forType<LaneOp::SetpNeu>(key);
  case LaneOp::SetpLtu:
    return forType<LaneOp::SetpLtu>(key);
  case LaneOp::SetpLeu:
    return forType<LaneOp::SetpLeu>(key);
  case LaneOp::SetpGtu:
    return forType<LaneOp::SetpGtu>(key);
  case LaneOp::SetpGeu:
    return forType<LaneOp::SetpGeu>(key);
  case LaneOp::SetpNum:
    return forType<LaneOp::SetpNum>(key);
  default:
    return forType<LaneOp::SetpNan>(key);
  }
}

template <typename T>
void selp(A x) {
  T *d = static_cast<T *>(x.d);
  const T *a = static_cast<const T *>(x.a);
  const T *b = static_cast<const T *>(x.b);
  uint32_t mask = loadMask(x.c);
  ATTNRES_INDEPENDENT_ITERATIONS
  for (unsigned i = 0; i < kWarpSize; ++i)
    d[i] = (mask >> i) & 1 ? a[i] : b[i];
}

// The low half of a lane by the mask c, the high half by the mask e.
void selpHalves(A x) {
  auto *d = static_cast<uint16_t *>(x.d);
  const auto *a = static_cast<const uint16_t *>(x.a);
  const auto *b = static_cast<const uint16_t *>(x.b);
  uint32_t low = loadMask(x.c);
  uint32_t high = loadMask(x.e);
  for (unsigned i = 0; i < kWarpSize; ++i) {
    d[2 * i] = (low >> i) & 1 ? a[2 * i] : b[2 * i];
    d[2 * i + 1] = (high >> i) & 1 ? a[2 * i + 1] : b[2 * i + 1];
  }
}

template <typename T>
void move(A x) {
  map1<kWarpSize, T, T>(x, [](T a) { return a; });
}

template <typename T, typename C>
void slct(A x) {
  map3<kWarpSize, T, T, C>(x, [](T a, T b, C c) { return c >= 0 ? a : b; });
}

template <typename T>
void slctFlushed(A x) {
  map3<kWarpSize, T, T, float>(
      x, [](T a, T b, float c) { return flush(c) >= 0 ? a : b; });
}

template <typename T>
LaneFn bySize(const LaneKey &key) {
  if (key.op == LaneOp::Mov)
    return move<T>;
  if (key.op == LaneOp::Selp)
    return selp<T>;
  if (key.source == Type::F32)
    return key.flags & kFtz ? slctFlushed<T> : slct<T, float>;
  return slct<T, int32_t>;
}

} // namespace

LaneFn findCompare(const LaneKey &key) {
  if (key.op == LaneOp::Selp &&
      (key.type == Type::F16x2 || key.type == Type::BF16x2))
    return selpHalves;
  if (key.op == LaneOp::Mov || key.op == LaneOp::Selp ||
      key.op == LaneOp::Slct) {
    switch (typeBytes(key.type)) {
    case 2:
      return bySize<uint16_t>(key);
    case 4:
      return bySize<uint32_t>(key);
    case 8:
      return bySize<uint64_t>(key);
    default:
      return nullptr;
    }
  }
  return findSetp(key);
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
