// Integer, logic, shift and bit-field operations over 32 lanes.

#include "runtime/emulator/lane/LaneSupport.h"

#include <limits>
#include <type_traits>

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

// Products and sums wrap, so they are computed unsigned; 16-bit operands are
// widened first because int promotion would overflow.
template <typename T>
using Wrap = std::conditional_t<(sizeof(T) < 4), uint32_t, Unsigned<T>>;

template <typename T>
T wrapAdd(T a, T b) {
  return static_cast<T>(Wrap<T>(a) + Wrap<T>(b));
}
template <typename T>
T wrapSub(T a, T b) {
  return static_cast<T>(Wrap<T>(a) - Wrap<T>(b));
}
template <typename T>
T wrapMul(T a, T b) {
  return static_cast<T>(Wrap<T>(a) * Wrap<T>(b));
}

template <typename T>
struct Wider;
template <>
struct Wider<uint16_t> {
  using type = uint32_t;
};
template <>
struct Wider<int16_t> {
  using type = int32_t;
};
template <>
struct Wider<uint32_t> {
  using type = uint64_t;
};
template <>
struct Wider<int32_t> {
  using type = int64_t;
};
template <>
struct Wider<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Wider<int64_t> {
  using type = __int128;
};
template <typename T>
using Wide = typename Wider<T>::type;

template <typename T>
T mulHigh(T a, T b) {
  return static_cast<T>((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
}

template <typename T>
T absolute(T a) {
  return static_cast<T>(a < 0 ? Wrap<T>(0) - Wrap<T>(a) : Wrap<T>(a));
}

template <typename T>
T clampWide(int64_t value) {
  int64_t low = std::numeric_limits<T>::min();
  int64_t high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

// Division by zero gives all ones, its remainder the dividend; the most
// negative number divided by -1 wraps.
template <typename T>
T divide(T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  if (std::is_signed_v<T> && b == T(-1))
    return static_cast<T>(Wrap<T>(0) - Wrap<T>(a));
  return static_cast<T>(a / b);
}
template <typename T>
T remainder(T a, T b) {
  if (b == 0)
    return a;
  if (std::is_signed_v<T> && b == T(-1))
    return 0;
  return static_cast<T>(a % b);
}

// Calls f with a value of the C++ type of an integer PTX type.
template <typename F>
LaneFn withInteger(Type type, F f) {
  switch (type) {
  case Type::B16:
  case Type::U16:
    return f(uint16_t());
  case Type::S16:
    return f(int16_t());
  case Type::B32:
  case Type::U32:
    return f(uint32_t());
  case Type::S32:
    return f(int32_t());
  case Type::B64:
  case Type::U64:
    return f(uint64_t());
  case Type::S64:
    return f(int64_t());
  default:
    return nullptr;
  }
}

template <typename T>
LaneFn basic(LaneOp op) {
  using A = const LaneArgs &;
  constexpr unsigned n = kWarpSize;
  switch (op) {
  case LaneOp::Add:
    return [](A x) { map2<n, T, T>(x, wrapAdd<T>); };
  case LaneOp::Sub:
    return [](A x) { map2<n, T, T>(x, wrapSub<T>); };
  case LaneOp::Mul:
    return [](A x) { map2<n, T, T>(x, wrapMul<T>); };
  case LaneOp::MulHi:
    return [](A x) { map2<n, T, T>(x, mulHigh<T>); };
  case LaneOp::Mad:
    return [](A x) {
      map3<n, T, T, T>(
          x, [](T a, T b, T c) { return wrapAdd<T>(wrapMul<T>(a, b), c); });
    };
  case LaneOp::MadHi:
    return [](A x) {
      map3<n, T, T, T>(
          x, [](T a, T b, T c) { return wrapAdd<T>(mulHigh<T>(a, b), c); });
    };
  case LaneOp::Sad:
    return [](A x) {
      map3<n, T, T, T>(x, [](T a, T b, T c) {
        return wrapAdd<T>(a < b ? wrapSub<T>(b, a) : wrapSub<T>(a, b), c);
      });
    };
  case LaneOp::Div:
    return [](A x) { map2<n, T, T>(x, divide<T>); };
  case LaneOp::Rem:
    return [](A x) { map2<n, T, T>(x, remainder<T>); };
  case LaneOp::Abs:
    return [](A x) { map1<n, T, T>(x, absolute<T>); };
  case LaneOp::Neg:
    return [](A x) { map1<n, T, T>(x, [](T a) { return wrapSub<T>(0, a); }); };
  case LaneOp::Min:
    return
        [](A x) { map2<n, T, T>(x, [](T a, T b) { return a < b ? a : b; }); };
  case LaneOp::Max:
    return
        [](A x) { map2<n, T, T>(x, [](T a, T b) { return a > b ? a : b; }); };
  case LaneOp::And:
    return [](A x) { map2<n, T, T>(x, [](T a, T b) { return T(a & b); }); };
  case LaneOp::Or:
    return [](A x) { map2<n, T, T>(x, [](T a, T b) { return T(a | b); }); };
  case LaneOp::Xor:
    return [](A x) { map2<n, T, T>(x, [](T a, T b) { return T(a ^ b); }); };
  case LaneOp::Not:
    return [](A x) { map1<n, T, T>(x, [](T a) { return T(~a); }); };
  case LaneOp::Cnot:
    return [](A x) { map1<n, T, T>(x, [](T a) { return T(a == 0); }); };
  default:
    return nullptr;
  }
}

template <typename T>
LaneFn wide(LaneOp op) {
  using A = const LaneArgs &;
  using W = Wide<T>;
  constexpr unsigned n = kWarpSize;
  if (op == LaneOp::MulWide)
    return [](A x) { map2<n, W, T>(x, [](T a, T b) { return W(a) * W(b); }); };
  return [](A x) {
    map3<n, W, T, W>(x,
                     [](T a, T b, W c) { return wrapAdd<W>(W(a) * W(b), c); });
  };
}

LaneFn findWide(LaneOp op, Type type) {
  switch (type) {
  case Type::U16:
    return wide<uint16_t>(op);
  case Type::S16:
    return wide<int16_t>(op);
  case Type::U32:
    return wide<uint32_t>(op);
  case Type::S32:
    return wide<int32_t>(op);
  default:
    return nullptr;
  }
}

// 24-bit multiplication: bits 0..31 or 16..47 of the 48-bit product.
template <typename T>
int64_t product24(T a, T b) {
  if (std::is_signed_v<T>)
    return int64_t(int32_t(uint32_t(a) << 8) >> 8) *
           int64_t(int32_t(uint32_t(b) << 8) >> 8);
  return int64_t(uint64_t(a & 0xffffff) * uint64_t(b & 0xffffff));
}

template <typename T>
LaneFn multiply24(LaneOp op) {
  using A = const LaneArgs &;
  constexpr unsigned n = kWarpSize;
  switch (op) {
  case LaneOp::Mul24:
    return [](A x) { map2<n, T, T>(x, product24<T>); };
  case LaneOp::Mul24Hi:
    return [](A x) {
      map2<n, T, T>(x, [](T a, T b) { return product24<T>(a, b) >> 16; });
    };
  case LaneOp::Mad24:
    return [](A x) {
      map3<n, T, T, T>(x, [](T a, T b, T c) {
        return uint32_t(product24<T>(a, b)) + uint32_t(c);
      });
    };
  case LaneOp::Mad24Hi:
    return [](A x) {
      map3<n, T, T, T>(x, [](T a, T b, T c) {
        return uint32_t(product24<T>(a, b) >> 16) + uint32_t(c);
      });
    };
  default:
    return [](A x) {
      map3<n, T, T, T>(x, [](T a, T b, T c) {
        return clampWide<T>((product24<T>(a, b) >> 16) + int64_t(c));
      });
    };
  }
}

LaneFn findSaturating(LaneOp op) {
  using A = const LaneArgs &;
  using T = int32_t;
  constexpr unsigned n = kWarpSize;
  switch (op) {
  case LaneOp::AddSat:
    return [](A x) {
      map2<n, T, T>(
          x, [](T a, T b) { return clampWide<T>(int64_t(a) + int64_t(b)); });
    };
  case LaneOp::SubSat:
    return [](A x) {
      map2<n, T, T>(
          x, [](T a, T b) { return clampWide<T>(int64_t(a) - int64_t(b)); });
    };
  default:
    return [](A x) {
      map3<n, T, T, T>(x, [](T a, T b, T c) {
        return clampWide<T>(int64_t(mulHigh<T>(a, b)) + int64_t(c));
      });
    };
  }
}

// Extended precision: the carry of every lane is a bit of a mask.
template <typename T, typename F>
void withCarry(const LaneArgs &args, bool carryIn, bool carryOut, F f) {
  T *d = static_cast<T *>(args.d);
  const T *a = static_cast<const T *>(args.a);
  const T *b = static_cast<const T *>(args.b);
  const T *c = static_cast<const T *>(args.c);
  uint32_t in = carryIn ? loadMask(args.e) : 0;
  uint32_t out = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    bool carry = false;
    d[i] = f(a[i], b[i], c ? c[i] : T(0), (in >> i) & 1, carry);
    out |= uint32_t(carry) << i;
  }
  if (carryOut)
    storeMask(args.d2, out);
}

template <typename T>
T addWithCarry(T a, T b, bool in, bool &out) {
  T partial = 0;
  T sum = 0;
  bool first = __builtin_add_overflow(a, b, &partial);
  bool second = __builtin_add_overflow(partial, T(in), &sum);
  out = first || second;
  return sum;
}

template <typename T, bool In, bool Out>
LaneFn carryForm(LaneOp op) {
  using A = const LaneArgs &;
  switch (op) {
  case LaneOp::AddCarry:
    return [](A x) {
      withCarry<T>(x, In, Out, [](T a, T b, T, bool in, bool &out) {
        return addWithCarry<T>(a, b, in, out);
      });
    };
  case LaneOp::SubBorrow:
    return [](A x) {
      withCarry<T>(x, In, Out, [](T a, T b, T, bool in, bool &out) {
        T partial = 0;
        T difference = 0;
        bool first = __builtin_sub_overflow(a, b, &partial);
        bool second = __builtin_sub_overflow(partial, T(in), &difference);
        out = first || second;
        return difference;
      });
    };
  case LaneOp::MadCarry:
    return [](A x) {
      withCarry<T>(x, In, Out, [](T a, T b, T c, bool in, bool &out) {
        return addWithCarry<T>(T(a * b), c, in, out);
      });
    };
  default:
    return [](A x) {
      withCarry<T>(x, In, Out, [](T a, T b, T c, bool in, bool &out) {
        return addWithCarry<T>(mulHigh<T>(a, b), c, in, out);
      });
    };
  }
}

template <typename T>
LaneFn carryForm(LaneOp op, uint16_t flags) {
  bool in = flags & kCarryIn;
  bool out = flags & kCarryOut;
  if (in)
    return out ? carryForm<T, true, true>(op) : carryForm<T, true, false>(op);
  return carryForm<T, false, true>(op);
}

// The carry is that of an unsigned addition even when the high half is that of
// a signed product.
template <typename T, bool In, bool Out>
void signedHighCarry(const LaneArgs &x) {
  using U = Unsigned<T>;
  withCarry<U>(x, In, Out, [](U a, U b, U c, bool in, bool &out) {
    return addWithCarry<U>(U(mulHigh<T>(T(a), T(b))), c, in, out);
  });
}

template <typename T>
LaneFn signedHighCarry(uint16_t flags) {
  if (flags & kCarryIn)
    return flags & kCarryOut ? signedHighCarry<T, true, true>
                             : signedHighCarry<T, true, false>;
  return signedHighCarry<T, false, true>;
}

LaneFn findMadHiCarry(const LaneKey &key) {
  if (key.type == Type::S32)
    return signedHighCarry<int32_t>(key.flags);
  if (key.type == Type::S64)
    return signedHighCarry<int64_t>(key.flags);
  return typeBytes(key.type) == 8 ? carryForm<uint64_t>(key.op, key.flags)
                                  : carryForm<uint32_t>(key.op, key.flags);
}

// Bits.

uint32_t reverse(uint32_t v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(v);
}
uint64_t reverse(uint64_t v) {
  return uint64_t(reverse(uint32_t(v))) << 32 | reverse(uint32_t(v >> 32));
}

uint32_t leadingZeros(uint32_t v) { return v ? __builtin_clz(v) : 32; }
uint32_t leadingZeros(uint64_t v) { return v ? __builtin_clzll(v) : 64; }

template <typename T>
uint32_t findHighest(T value, bool shiftAmount) {
  using U = Unsigned<T>;
  U bits = static_cast<U>(value);
  if (std::is_signed_v<T> && value < 0)
    bits = ~bits;
  if (bits == 0)
    return 0xffffffffu;
  uint32_t zeros = leadingZeros(bits);
  return shiftAmount ? zeros : uint32_t(8 * sizeof(T) - 1) - zeros;
}

// Position and length are the low 8 bits of b and c.
template <typename T>
T extractField(T value, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(T);
  using U = Unsigned<T>;
  position &= 0xff;
  length &= 0xff;
  if (length == 0)
    return 0;
  U sign = 0;
  if (std::is_signed_v<T>) {
    uint32_t last = position + length - 1;
    sign = (U(value) >> (last < width ? last : width - 1)) & 1;
  }
  U bits = position < width ? U(value) >> position : 0;
  uint32_t valid = position < width ? width - position : 0;
  uint32_t kept = length < valid ? length : valid;
  U keep = kept >= width ? ~U(0) : (U(1) << kept) - 1;
  return static_cast<T>(sign ? bits | ~keep : bits & keep);
}

template <typename T>
T insertField(T field, T base, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(T);
  position &= 0xff;
  length &= 0xff;
  if (position >= width || length == 0)
    return base;
  T ones = length >= width ? ~T(0) : (T(1) << length) - 1;
  T mask = ones << position;
  return (base & ~mask) | ((field << position) & mask);
}

template <typename T>
LaneFn bits(const LaneKey &key) {
  using A = const LaneArgs &;
  using U = Unsigned<T>;
  constexpr unsigned n = kWarpSize;
  switch (key.op) {
  case LaneOp::Popc:
    return [](A x) {
      map1<n, uint32_t, U>(
          x, [](U a) { return __builtin_popcountll(uint64_t(a)); });
    };
  case LaneOp::Clz:
    return [](A x) {
      map1<n, uint32_t, U>(x, [](U a) { return leadingZeros(a); });
    };
  case LaneOp::Brev:
    return [](A x) { map1<n, U, U>(x, [](U a) { return reverse(a); }); };
  case LaneOp::Bfind:
    if (key.flags & kClamp)
      return [](A x) {
        map1<n, uint32_t, T>(x, [](T a) { return findHighest(a, true); });
      };
    return [](A x) {
      map1<n, uint32_t, T>(x, [](T a) { return findHighest(a, false); });
    };
  case LaneOp::Bfe:
    return [](A x) {
      const auto *b = static_cast<const uint32_t *>(x.b);
      const auto *c = static_cast<const uint32_t *>(x.c);
      const auto *a = static_cast<const T *>(x.a);
      auto *d = static_cast<T *>(x.d);
      for (unsigned i = 0; i < n; ++i)
        d[i] = extractField<T>(a[i], b[i], c[i]);
    };
  case LaneOp::Bfi:
    return [](A x) {
      const auto *a = static_cast<const U *>(x.a);
      const auto *b = static_cast<const U *>(x.b);
      const auto *c = static_cast<const uint32_t *>(x.c);
      const auto *e = static_cast<const uint32_t *>(x.e);
      auto *d = static_cast<U *>(x.d);
      for (unsigned i = 0; i < n; ++i)
        d[i] = insertField<U>(a[i], b[i], c[i], e[i]);
    };
  default:
    return nullptr;
  }
}

// Shift counts are 32-bit whatever the type, and clamp at the width.
template <typename T>
LaneFn shift(LaneOp op) {
  using A = const LaneArgs &;
  constexpr uint32_t width = 8 * sizeof(T);
  if (op == LaneOp::Shl)
    return [](A x) {
      T *d = static_cast<T *>(x.d);
      const T *a = static_cast<const T *>(x.a);
      const auto *b = static_cast<const uint32_t *>(x.b);
      ATTNRES_INDEPENDENT_ITERATIONS
      for (unsigned i = 0; i < kWarpSize; ++i) {
        uint32_t count = b[i] < width ? b[i] : width - 1;
        T shifted = static_cast<T>(Wrap<T>(a[i]) << count);
        d[i] = b[i] < width ? shifted : T(0);
      }
    };
  return [](A x) {
    T *d = static_cast<T *>(x.d);
    const T *a = static_cast<const T *>(x.a);
    const auto *b = static_cast<const uint32_t *>(x.b);
    ATTNRES_INDEPENDENT_ITERATIONS
    for (unsigned i = 0; i < kWarpSize; ++i) {
      uint32_t count = b[i] < width ? b[i] : width - 1;
      T shifted = static_cast<T>(a[i] >> count);
      d[i] = std::is_signed_v<T> || b[i] < width ? shifted : T(0);
    }
  };
}

template <bool Left, bool Clamp>
void funnel(const LaneArgs &x) {
  map3<kWarpSize, uint32_t, uint32_t, uint32_t>(
      x, [](uint32_t low, uint32_t high, uint32_t count) {
        uint32_t n = Clamp ? (count < 32 ? count : 32) : count & 31;
        uint64_t both = uint64_t(high) << 32 | low;
        return Left ? uint32_t((both << n) >> 32) : uint32_t(both >> n);
      });
}

LaneFn findFunnel(const LaneKey &key) {
  bool clamp = key.flags & kClamp;
  if (key.op == LaneOp::ShfL)
    return clamp ? funnel<true, true> : funnel<true, false>;
  return clamp ? funnel<false, true> : funnel<false, false>;
}

void lop3(const LaneArgs &x) {
  uint32_t lut[8];
  for (unsigned i = 0; i < 8; ++i)
    lut[i] = (x.imm >> i) & 1 ? ~0u : 0u;
  map3<kWarpSize, uint32_t, uint32_t, uint32_t>(
      x, [&lut](uint32_t a, uint32_t b, uint32_t c) {
        return (~a & ~b & ~c & lut[0]) | (~a & ~b & c & lut[1]) |
               (~a & b & ~c & lut[2]) | (~a & b & c & lut[3]) |
               (a & ~b & ~c & lut[4]) | (a & ~b & c & lut[5]) |
               (a & b & ~c & lut[6]) | (a & b & c & lut[7]);
      });
}

// imm: 0 the general form, then f4e, b4e, rc8, ecl, ecr, rc16.
void prmt(const LaneArgs &x) {
  uint32_t mode = x.imm;
  map3<kWarpSize, uint32_t, uint32_t, uint32_t>(
      x, [mode](uint32_t a, uint32_t b, uint32_t c) {
        uint64_t bytes = uint64_t(b) << 32 | a;
        uint32_t result = 0;
        uint32_t s = c & 3;
        for (uint32_t i = 0; i < 4; ++i) {
          uint32_t selector = 0;
          switch (mode) {
          case 0:
            selector = (c >> (4 * i)) & 15;
            break;
          case 1:
            selector = s + i;
            break;
          case 2:
            selector = (8 + s - i) & 7;
            break;
          case 3:
            selector = s;
            break;
          case 4:
            selector = i > s ? i : s;
            break;
          case 5:
            selector = i < s ? i : s;
            break;
          default:
            selector = (s & 1) * 2 + (i & 1);
            break;
          }
          uint32_t byte = uint32_t(bytes >> (8 * (selector & 7))) & 0xff;
          if (selector & 8)
            byte = byte & 0x80 ? 0xff : 0;
          result |= byte << (8 * i);
        }
        return result;
      });
}

template <bool SignedA, bool SignedB>
void dp4a(const LaneArgs &x) {
  map3<kWarpSize, uint32_t, uint32_t, uint32_t>(
      x, [](uint32_t a, uint32_t b, uint32_t c) {
        for (unsigned i = 0; i < 4; ++i) {
          int32_t left = int32_t((a >> (8 * i)) & 0xff);
          int32_t right = int32_t((b >> (8 * i)) & 0xff);
          if (SignedA)
            left = int8_t(left);
          if (SignedB)
            right = int8_t(right);
          c += uint32_t(left * right);
        }
        return c;
      });
}

// imm: 0 the low pair of b's bytes, 1 the high pair.
template <bool SignedA, bool SignedB>
void dp2a(const LaneArgs &x) {
  unsigned base = x.imm ? 16 : 0;
  map3<kWarpSize, uint32_t, uint32_t, uint32_t>(
      x, [base](uint32_t a, uint32_t b, uint32_t c) {
        for (unsigned i = 0; i < 2; ++i) {
          int32_t left = int32_t((a >> (16 * i)) & 0xffff);
          int32_t right = int32_t((b >> (base + 8 * i)) & 0xff);
          if (SignedA)
            left = int16_t(left);
          if (SignedB)
            right = int8_t(right);
          c += uint32_t(left * right);
        }
        return c;
      });
}

LaneFn findDotProduct(const LaneKey &key) {
  bool a = isSigned(key.type);
  bool b = isSigned(key.source);
  if (key.op == LaneOp::Dp4a)
    return a ? (b ? dp4a<true, true> : dp4a<true, false>)
             : (b ? dp4a<false, true> : dp4a<false, false>);
  return a ? (b ? dp2a<true, true> : dp2a<true, false>)
           : (b ? dp2a<false, true> : dp2a<false, false>);
}

// The position of the c-th set bit of a from bit b upward (c > 0) or downward.
void findNthSet(const LaneArgs &x) {
  map3<kWarpSize, uint32_t, uint32_t, uint32_t>(
      x, [](uint32_t mask, uint32_t base, uint32_t count) {
        int32_t offset = int32_t(count);
        if (base > 31)
          return 0xffffffffu;
        if (offset == 0)
          return (mask >> base) & 1 ? base : 0xffffffffu;
        int32_t step = offset > 0 ? 1 : -1;
        int64_t left = offset > 0 ? offset : -int64_t(offset);
        for (int32_t at = int32_t(base); at >= 0 && at < 32; at += step)
          if ((mask >> at) & 1 && --left == 0)
            return uint32_t(at);
        return 0xffffffffu;
      });
}

template <bool Clamp>
void bitMask(const LaneArgs &x) {
  map2<kWarpSize, uint32_t, uint32_t>(x, [](uint32_t a, uint32_t b) {
    uint32_t position = Clamp ? (a < 32 ? a : 32) : a & 31;
    uint32_t length = Clamp ? (b < 32 ? b : 32) : b & 31;
    uint64_t ones = (uint64_t(1) << length) - 1;
    return uint32_t(ones << position);
  });
}

template <bool Signed, bool Clamp>
void signOrZeroExtend(const LaneArgs &x) {
  map2<kWarpSize, uint32_t, uint32_t>(x, [](uint32_t a, uint32_t b) {
    uint32_t length = Clamp ? (b < 32 ? b : 32) : b & 31;
    if (length == 0)
      return 0u;
    uint32_t unused = 32 - length;
    uint32_t top = a << unused;
    return Signed ? uint32_t(int32_t(top) >> unused) : top >> unused;
  });
}

LaneFn findPredicate(LaneOp op) {
  using A = const LaneArgs &;
  switch (op) {
  case LaneOp::PredAnd:
    return [](A x) { storeMask(x.d, loadMask(x.a) & loadMask(x.b)); };
  case LaneOp::PredOr:
    return [](A x) { storeMask(x.d, loadMask(x.a) | loadMask(x.b)); };
  case LaneOp::PredXor:
    return [](A x) { storeMask(x.d, loadMask(x.a) ^ loadMask(x.b)); };
  case LaneOp::PredNot:
    return [](A x) { storeMask(x.d, ~loadMask(x.a)); };
  case LaneOp::PredMov:
    return [](A x) { storeMask(x.d, loadMask(x.a)); };
  default:
    return nullptr;
  }
}

// add, min, max of two 16-bit values in one register: 64 lanes of 16 bits.
template <typename T>
LaneFn packed16(LaneOp op) {
  using A = const LaneArgs &;
  constexpr unsigned n = 2 * kWarpSize;
  switch (op) {
  case LaneOp::Add:
    return [](A x) { map2<n, T, T>(x, wrapAdd<T>); };
  case LaneOp::Min:
    return
        [](A x) { map2<n, T, T>(x, [](T a, T b) { return a < b ? a : b; }); };
  case LaneOp::Max:
    return
        [](A x) { map2<n, T, T>(x, [](T a, T b) { return a > b ? a : b; }); };
  default:
    return nullptr;
  }
}

LaneFn findBits(const LaneKey &key) {
  switch (key.type) {
  case Type::B32:
  case Type::U32:
    return bits<uint32_t>(key);
  case Type::S32:
    return bits<int32_t>(key);
  case Type::B64:
  case Type::U64:
    return bits<uint64_t>(key);
  case Type::S64:
    return bits<int64_t>(key);
  default:
    return nullptr;
  }
}

} // namespace

LaneFn findInteger(const LaneKey &key) {
  switch (key.op) {
  case LaneOp::MulWide:
  case LaneOp::MadWide:
    return findWide(key.op, key.type);
  case LaneOp::Mul24:
  case LaneOp::Mul24Hi:
  case LaneOp::Mad24:
  case LaneOp::Mad24Hi:
  case LaneOp::Mad24HiSat:
    return isSigned(key.type) ? multiply24<int32_t>(key.op)
                              : multiply24<uint32_t>(key.op);
  case LaneOp::AddSat:
  case LaneOp::SubSat:
  case LaneOp::MadHiSat:
    return key.type == Type::S32 ? findSaturating(key.op) : nullptr;
  case LaneOp::AddCarry:
  case LaneOp::SubBorrow:
  case LaneOp::MadCarry:
    return typeBytes(key.type) == 8 ? carryForm<uint64_t>(key.op, key.flags)
                                    : carryForm<uint32_t>(key.op, key.flags);
  case LaneOp::MadHiCarry:
    return findMadHiCarry(key);
  case LaneOp::Popc:
  case LaneOp::Clz:
  case LaneOp::Brev:
  case LaneOp::Bfind:
  case LaneOp::Bfe:
  case LaneOp::Bfi:
    return findBits(key);
  case LaneOp::Shl:
  case LaneOp::Shr:
    return withInteger(
        key.type, [&](auto zero) { return shift<decltype(zero)>(key.op); });
  case LaneOp::ShfL:
  case LaneOp::ShfR:
    return findFunnel(key);
  case LaneOp::Lop3:
    return lop3;
  case LaneOp::Prmt:
    return prmt;
  case LaneOp::Dp4a:
  case LaneOp::Dp2a:
    return findDotProduct(key);
  case LaneOp::Fns:
    return findNthSet;
  case LaneOp::Bmsk:
    return key.flags & kClamp ? bitMask<true> : bitMask<false>;
  case LaneOp::Szext:
    if (isSigned(key.type))
      return key.flags & kClamp ? signOrZeroExtend<true, true>
                                : signOrZeroExtend<true, false>;
    return key.flags & kClamp ? signOrZeroExtend<false, true>
                              : signOrZeroExtend<false, false>;
  case LaneOp::PredAnd:
  case LaneOp::PredOr:
  case LaneOp::PredXor:
  case LaneOp::PredNot:
  case LaneOp::PredMov:
    return findPredicate(key.op);
  default:
    break;
  }
  if (key.type == Type::U16x2)
    return packed16<uint16_t>(key.op);
  if (key.type == Type::S16x2)
    return packed16<int16_t>(key.op);
  return withInteger(key.type,
                     [&](auto zero) { return basic<decltype(zero)>(key.op); });
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
