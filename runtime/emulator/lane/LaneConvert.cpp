// cvt over 32 lanes. The common conversions have loops of their own; the rest
// go through 64-bit integers or doubles, which hold every source exactly.

#include "runtime/emulator/lane/LaneSupport.h"

#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

using A = const LaneArgs &;
constexpr unsigned n = kWarpSize;

Rounding roundingOf(A x) { return static_cast<Rounding>(x.imm & 15); }
// Further switches of a conversion, packed above the rounding mode.
bool saturates(A x) { return x.imm & 16; }
bool rectifies(A x) { return x.imm & 32; }
bool flushes(A x) { return x.imm & 64; }

// Integers.

template <typename T>
void loadIntegers(int64_t *values, A x) {
  // A register may be wider than the type; the low bytes count.
  auto load = [&](auto zero) {
    const auto *a = static_cast<const decltype(zero) *>(x.a);
    for (unsigned i = 0; i < n; ++i)
      values[i] = static_cast<int64_t>(static_cast<T>(a[i]));
  };
  switch (x.sourceBytes) {
  case 2:
    return load(uint16_t());
  case 4:
    return load(uint32_t());
  default:
    return load(uint64_t());
  }
}

template <typename T>
void storeIntegers(const int64_t *values, A x) {
  auto store = [&](auto zero) {
    using D = decltype(zero);
    auto *d = static_cast<D *>(x.d);
    for (unsigned i = 0; i < n; ++i)
      d[i] = static_cast<D>(static_cast<T>(values[i]));
  };
  switch (x.destBytes) {
  case 2:
    return store(uint16_t());
  case 4:
    return store(uint32_t());
  default:
    return store(uint64_t());
  }
}

template <typename D, typename S>
D clampInteger(S value) {
  if (std::is_signed_v<S> && value < 0) {
    if (!std::is_signed_v<D>)
      return 0;
    int64_t low = static_cast<int64_t>(std::numeric_limits<D>::min());
    return int64_t(value) < low ? std::numeric_limits<D>::min()
                                : static_cast<D>(value);
  }
  uint64_t high = static_cast<uint64_t>(std::numeric_limits<D>::max());
  return uint64_t(value) > high ? std::numeric_limits<D>::max()
                                : static_cast<D>(value);
}

template <typename D, typename S>
void integerToInteger(A x) {
  int64_t values[n];
  loadIntegers<S>(values, x);
  if (saturates(x))
    for (int64_t &value : values)
      value = static_cast<int64_t>(clampInteger<D, S>(static_cast<S>(value)));
  storeIntegers<D>(values, x);
}

// The conversions of address arithmetic: register width equals type width.
template <typename D, typename S>
void directInteger(A x) {
  map1<n, D, S>(x, [](S a) { return static_cast<D>(a); });
}

template <typename F>
LaneFn withIntegerType(Type type, F f) {
  switch (type) {
  case Type::U8:
  case Type::B8:
    return f(uint8_t());
  case Type::S8:
    return f(int8_t());
  case Type::U16:
  case Type::B16:
    return f(uint16_t());
  case Type::S16:
    return f(int16_t());
  case Type::U32:
  case Type::B32:
    return f(uint32_t());
  case Type::S32:
    return f(int32_t());
  case Type::U64:
  case Type::B64:
    return f(uint64_t());
  case Type::S64:
    return f(int64_t());
  default:
    return nullptr;
  }
}

// Floating formats.

struct Format {
  int mantissaBits; // without the hidden one
  int minExponent;  // of the smallest normal number
  int maxExponent;
  bool hasInfinity;
  uint32_t nanBits;
  int signShift;
};
constexpr Format halfFormat = {10, -14, 15, true, 0x7fff, 15};
constexpr Format bfloatFormat = {7, -126, 127, true, 0x7fff, 15};
constexpr Format tf32Format = {10, -126, 127, true, 0x3ffff, 18};
constexpr Format e4m3Format = {3, -6, 8, false, 0x7f, 7};
constexpr Format e5m2Format = {2, -14, 15, true, 0x7f, 7};

double roundWhole(double value, Rounding mode) {
  switch (mode) {
  case Rounding::Nearest:
    return std::nearbyint(value);
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::round(value);
  }
}

// The bits of `value` in a narrow format, any rounding mode.
uint32_t encode(double value, const Format &format, Rounding mode,
                bool saturateFinite) {
  uint32_t sign = std::signbit(value) ? 1u << format.signShift : 0;
  if (value != value)
    return format.nanBits;
  double magnitude = std::fabs(value);
  // e4m3 has no infinity and gives its all-ones mantissa to NaN.
  uint32_t maxMantissa = (1u << format.mantissaBits) - 1;
  uint32_t topExponent =
      static_cast<uint32_t>(format.maxExponent - format.minExponent + 1);
  uint32_t largest = topExponent << format.mantissaBits | maxMantissa;
  if (!format.hasInfinity)
    largest -= 1;
  uint32_t infinity = format.hasInfinity
                          ? (topExponent + 1) << format.mantissaBits
                          : format.nanBits;
  if (std::isinf(magnitude))
    return sign | (saturateFinite ? largest : infinity);
  if (magnitude == 0)
    return sign;
  int exponent = std::ilogb(magnitude);
  if (exponent < format.minExponent)
    exponent = format.minExponent;
  double unit = std::ldexp(1.0, exponent - format.mantissaBits);
  double scaled = magnitude / unit;
  Rounding towards = mode;
  if (sign && mode == Rounding::Down)
    towards = Rounding::Up;
  else if (sign && mode == Rounding::Up)
    towards = Rounding::Down;
  double whole = roundWhole(scaled, towards);
  // With the hidden bit included, the carry into the exponent is automatic.
  uint64_t code = static_cast<uint64_t>(whole) +
                  (static_cast<uint64_t>(exponent - format.minExponent)
                   << format.mantissaBits);
  if (code > largest) {
    bool stays = saturateFinite || towards == Rounding::Zero ||
                 towards == Rounding::Down;
    return sign | (stays ? largest : infinity);
  }
  return sign | static_cast<uint32_t>(code);
}

double decodeE4M3(uint32_t bits) {
  double sign = bits & 0x80 ? -1.0 : 1.0;
  uint32_t exponent = (bits >> 3) & 15;
  uint32_t mantissa = bits & 7;
  if (exponent == 15 && mantissa == 7)
    return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0)
    return sign * std::ldexp(double(mantissa), -9);
  return sign * std::ldexp(8.0 + mantissa, int(exponent) - 10);
}

double decodeE5M2(uint32_t bits) {
  return halfToFloat(static_cast<uint16_t>((bits & 0xff) << 8));
}

// .ftz is about the subnormal numbers of f32, whatever the other type.
double flushDouble(double value) {
  return std::fabs(value) < 0x1p-126 ? std::copysign(0.0, value) : value;
}

void loadFloats(double *values, Type type, A x) {
  switch (type) {
  case Type::F16:
  case Type::BF16: {
    // The register may be 32 bits wide; little-endian, so step over pairs.
    unsigned step = x.sourceBytes == 4 ? 2 : 1;
    const auto *a = static_cast<const uint16_t *>(x.a);
    for (unsigned i = 0; i < n; ++i)
      values[i] = type == Type::F16 ? halfToFloat(a[i * step])
                                    : bfloatToFloat(a[i * step]);
    break;
  }
  case Type::F64: {
    const auto *a = static_cast<const double *>(x.a);
    for (unsigned i = 0; i < n; ++i)
      values[i] = a[i];
    return;
  }
  default: {
    const auto *a = static_cast<const float *>(x.a);
    for (unsigned i = 0; i < n; ++i)
      values[i] = a[i];
    break;
  }
  }
  if (flushes(x))
    for (unsigned i = 0; i < n; ++i)
      values[i] = flushDouble(values[i]);
}

template <typename T>
void store(void *d, unsigned i, T value) {
  static_cast<T *>(d)[i] = value;
}

void storeFloats(const double *values, Type type, A x) {
  Rounding mode = roundingOf(x);
  bool saturateFinite = x.imm & 128;
  for (unsigned i = 0; i < n; ++i) {
    double value = values[i];
    if (saturates(x))
      value = saturate(value);
    if (rectifies(x))
      value = value > 0 || value != value ? value : 0.0;
    switch (type) {
    case Type::F64:
      store(x.d, i, value);
      continue;
    case Type::F32: {
      float narrow = canonical(static_cast<float>(value));
      store(x.d, i, flushes(x) ? flush(narrow) : narrow);
      continue;
    }
    case Type::TF32:
      store(x.d, i, encode(value, tf32Format, mode, saturateFinite) << 13);
      continue;
    default:
      break;
    }
    uint32_t bits = encode(value, type == Type::F16 ? halfFormat : bfloatFormat,
                           mode, saturateFinite);
    if (x.destBytes == 4)
      store(x.d, i, bits);
    else
      store(x.d, i, static_cast<uint16_t>(bits));
  }
}

// Directed rounding to f32 and f64 uses the host's rounding mode.
template <typename F>
void inMode(A x, F f) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                              FE_UPWARD};
  unsigned mode = x.imm & 15;
  if (mode == 0 || mode > 3)
    return f();
  std::fesetround(modes[mode]);
  asm volatile("" ::: "memory");
  f();
  asm volatile("" ::: "memory");
  std::fesetround(FE_TONEAREST);
}

template <Type D, Type S>
void floatToFloat(A x) {
  double values[n];
  loadFloats(values, S, x);
  // A conversion to the same type, or one with .rni and the like, rounds to a
  // whole number; imm bit 8 says so.
  if (x.imm & 256)
    for (double &value : values)
      value = roundWhole(value, roundingOf(x));
  if (D == Type::F32 && S == Type::F64)
    inMode(x, [&] { storeFloats(values, D, x); });
  else
    storeFloats(values, D, x);
}

template <typename T, Type S>
void floatToInteger(A x) {
  double values[n];
  int64_t results[n];
  loadFloats(values, S, x);
  constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
  Rounding mode = roundingOf(x);
  for (unsigned i = 0; i < n; ++i) {
    double value = roundWhole(values[i], mode);
    // For 64-bit types `high` is one above the largest value.
    T result = value >= high    ? std::numeric_limits<T>::max()
               : value <= low   ? std::numeric_limits<T>::min()
               : value != value ? T(0)
                                : static_cast<T>(value);
    results[i] = static_cast<int64_t>(result);
  }
  storeIntegers<T>(results, x);
}

// f32 to s32 and u32 by .rzi, the common case.
void floatToInt32(A x) {
  map1<n, int32_t, float>(x, [](float a) {
    float inRange = a >= -0x1p31f && a < 0x1p31f ? a : 0.0f;
    int32_t result = static_cast<int32_t>(inRange);
    result = a >= 0x1p31f ? std::numeric_limits<int32_t>::max() : result;
    return a < -0x1p31f ? std::numeric_limits<int32_t>::min() : result;
  });
}

template <typename S>
void integerToFloat32(A x) {
  int64_t values[n];
  loadIntegers<S>(values, x);
  float results[n];
  inMode(x, [&] {
    for (unsigned i = 0; i < n; ++i)
      results[i] = static_cast<float>(static_cast<S>(values[i]));
  });
  for (unsigned i = 0; i < n; ++i)
    store(x.d, i, saturates(x) ? saturate(results[i]) : results[i]);
}

template <typename S>
void integerToFloat64(A x) {
  int64_t values[n];
  loadIntegers<S>(values, x);
  double results[n];
  inMode(x, [&] {
    for (unsigned i = 0; i < n; ++i)
      results[i] = static_cast<double>(static_cast<S>(values[i]));
  });
  for (unsigned i = 0; i < n; ++i)
    store(x.d, i, saturates(x) ? saturate(results[i]) : results[i]);
}

// 64-bit integers beyond 2^53 are far above the range of f16; for bf16 the
// double is made odd where it was inexact.
template <typename S, Type D>
void integerToNarrow(A x) {
  int64_t values[n];
  loadIntegers<S>(values, x);
  double results[n];
  for (unsigned i = 0; i < n; ++i) {
    S exact = static_cast<S>(values[i]);
    double value = static_cast<double>(exact);
    if (sizeof(S) == 8 && std::fabs(value) >= 0x1p53) {
      // Drop the bits below the 50th from the top and keep a sticky one.
      uint64_t magnitude = exact < 0 ? ~uint64_t(exact) + 1 : uint64_t(exact);
      uint64_t kept = magnitude & ~uint64_t(0xfff);
      double sticky = double(kept) + (kept != magnitude ? 2048.0 : 0.0);
      value = exact < 0 ? -sticky : sticky;
    }
    results[i] = value;
  }
  storeFloats(results, D, x);
}

// Fast loops.

template <typename F, bool Relu>
void narrowNearest(A x) {
  map1<n, uint16_t, float>(x, [](float a) {
    if (Relu)
      a = a > 0 || a != a ? a : 0.0f;
    return F::store(a);
  });
}
template <typename F>
void widen(A x) {
  map1<n, float, uint16_t>(x, [](uint16_t a) { return canonical(F::load(a)); });
}
// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
template <typename F, bool Relu>
void packNearest(A x) {
  map2<n, uint32_t, float>(x, [](float a, float b) {
    if (Relu) {
      a = a > 0 || a != a ? a : 0.0f;
      b = b > 0 || b != b ? b : 0.0f;
    }
    return uint32_t(F::store(a)) << 16 | F::store(b);
  });
}

template <Type D>
void packAny(A x) {
  const auto *a = static_cast<const float *>(x.a);
  const auto *b = static_cast<const float *>(x.b);
  Rounding mode = roundingOf(x);
  bool finite = x.imm & 128;
  auto one = [&](float value) {
    double v = value;
    if (rectifies(x))
      v = v > 0 || v != v ? v : 0.0;
    constexpr bool isE4M3 = D == Type::E4M3x2;
    constexpr bool isE5M2 = D == Type::E5M2x2;
    return encode(v,
                  isE4M3             ? e4m3Format
                  : isE5M2           ? e5m2Format
                  : D == Type::F16x2 ? halfFormat
                                     : bfloatFormat,
                  mode, finite);
  };
  for (unsigned i = 0; i < n; ++i) {
    uint32_t high = one(a[i]);
    uint32_t low = one(b[i]);
    if (typeBytes(D) == 2)
      store(x.d, i, static_cast<uint16_t>(high << 8 | low));
    else
      store(x.d, i, high << 16 | low);
  }
}

// cvt.rn.f16x2.e4m3x2 and back (each 8-bit value is exact in f16).
template <bool E4M3>
void unpackBytes(A x) {
  const auto *a = static_cast<const uint16_t *>(x.a);
  for (unsigned i = 0; i < n; ++i) {
    uint32_t result = 0;
    for (unsigned part = 0; part < 2; ++part) {
      uint32_t bits = (a[i] >> (8 * part)) & 0xff;
      double value = E4M3 ? decodeE4M3(bits) : decodeE5M2(bits);
      if (rectifies(x))
        value = value > 0 || value != value ? value : 0.0;
      result |= encode(value, halfFormat, Rounding::Nearest, false)
                << (16 * part);
    }
    store(x.d, i, result);
  }
}
template <bool E4M3>
void packBytesFromHalves(A x) {
  const auto *a = static_cast<const uint16_t *>(x.a);
  const Format &format = E4M3 ? e4m3Format : e5m2Format;
  for (unsigned i = 0; i < n; ++i) {
    uint32_t result = 0;
    for (unsigned part = 0; part < 2; ++part) {
      double value = halfToFloat(a[2 * i + part]);
      if (rectifies(x))
        value = value > 0 || value != value ? value : 0.0;
      result |= encode(value, format, Rounding::Nearest, true) << (8 * part);
    }
    store(x.d, i, static_cast<uint16_t>(result));
  }
}

// cvt.pack.sat: two 32-bit integers to narrow fields, above the bits of c.
template <typename T>
void packIntegers(A x) {
  const auto *a = static_cast<const int32_t *>(x.a);
  const auto *b = static_cast<const int32_t *>(x.b);
  const auto *c = static_cast<const uint32_t *>(x.c);
  using U = std::make_unsigned_t<T>;
  constexpr unsigned width = 8 * sizeof(T);
  for (unsigned i = 0; i < n; ++i) {
    uint32_t high = static_cast<U>(clampInteger<T, int32_t>(a[i]));
    uint32_t low = static_cast<U>(clampInteger<T, int32_t>(b[i]));
    uint32_t rest = width == 16 || !c ? 0 : c[i] << 16;
    store(x.d, i, rest | high << width | low);
  }
}

template <Type S>
LaneFn fromFloat(const LaneKey &key) {
  switch (key.type) {
  case Type::F16:
    return floatToFloat<Type::F16, S>;
  case Type::BF16:
    return floatToFloat<Type::BF16, S>;
  case Type::TF32:
    return floatToFloat<Type::TF32, S>;
  case Type::F32:
    return floatToFloat<Type::F32, S>;
  case Type::F64:
    return floatToFloat<Type::F64, S>;
  default:
    return withIntegerType(key.type, [&](auto zero) -> LaneFn {
      return floatToInteger<decltype(zero), S>;
    });
  }
}

LaneFn fromInteger(const LaneKey &key) {
  return withIntegerType(key.source, [&](auto source) -> LaneFn {
    using S = decltype(source);
    switch (key.type) {
    case Type::F32:
      return integerToFloat32<S>;
    case Type::F64:
      return integerToFloat64<S>;
    case Type::F16:
      return integerToNarrow<S, Type::F16>;
    case Type::BF16:
      return integerToNarrow<S, Type::BF16>;
    default:
      return withIntegerType(key.type, [&](auto dest) -> LaneFn {
        return integerToInteger<decltype(dest), S>;
      });
    }
  });
}

} // namespace

// kApprox asks for a fast loop: the caller has checked that registers are as
// wide as the types, rounding is the plain one and nothing saturates.
LaneFn findConvert(const LaneKey &key) {
  bool relu = key.flags & kRelu;
  if (key.op == LaneOp::CvtPack) {
    switch (key.type) {
    case Type::U16:
      return packIntegers<uint16_t>;
    case Type::S16:
      return packIntegers<int16_t>;
    case Type::U8:
      return packIntegers<uint8_t>;
    case Type::S8:
      return packIntegers<int8_t>;
    default:
      return nullptr;
    }
  }
  switch (key.type) {
  case Type::F16x2:
    if (key.source == Type::E4M3x2)
      return unpackBytes<true>;
    if (key.source == Type::E5M2x2)
      return unpackBytes<false>;
    if (key.flags & kApprox)
      return relu ? packNearest<Half, true> : packNearest<Half, false>;
    return packAny<Type::F16x2>;
  case Type::BF16x2:
    if (key.flags & kApprox)
      return relu ? packNearest<Bfloat, true> : packNearest<Bfloat, false>;
    return packAny<Type::BF16x2>;
  case Type::E4M3x2:
    return key.source == Type::F16x2 ? packBytesFromHalves<true>
                                     : packAny<Type::E4M3x2>;
  case Type::E5M2x2:
    return key.source == Type::F16x2 ? packBytesFromHalves<false>
                                     : packAny<Type::E5M2x2>;
  default:
    break;
  }
  if (key.flags & kApprox) {
    if (key.source == Type::F32 && key.type == Type::F16)
      return relu ? narrowNearest<Half, true> : narrowNearest<Half, false>;
    if (key.source == Type::F32 && key.type == Type::BF16)
      return relu ? narrowNearest<Bfloat, true> : narrowNearest<Bfloat, false>;
    if (key.source == Type::F16 && key.type == Type::F32)
      return widen<Half>;
    if (key.source == Type::BF16 && key.type == Type::F32)
      return widen<Bfloat>;
    if (key.source == Type::F32 && key.type == Type::S32)
      return floatToInt32;
    if (!isInteger(key.source) || !isInteger(key.type))
      return nullptr;
    if (key.source == Type::U32 && typeBytes(key.type) == 8)
      return directInteger<uint64_t, uint32_t>;
    if (key.source == Type::S32 && typeBytes(key.type) == 8)
      return directInteger<int64_t, int32_t>;
    if (typeBytes(key.source) == 8 && typeBytes(key.type) == 4)
      return directInteger<uint32_t, uint64_t>;
    if (key.source == Type::U16 && typeBytes(key.type) == 4)
      return directInteger<uint32_t, uint16_t>;
    if (key.source == Type::S16 && typeBytes(key.type) == 4)
      return directInteger<int32_t, int16_t>;
    if (typeBytes(key.source) == 4 && typeBytes(key.type) == 2)
      return directInteger<uint16_t, uint32_t>;
    return nullptr;
  }
  switch (key.source) {
  case Type::F16:
    return fromFloat<Type::F16>(key);
  case Type::BF16:
    return fromFloat<Type::BF16>(key);
  case Type::F32:
    return fromFloat<Type::F32>(key);
  case Type::F64:
    return fromFloat<Type::F64>(key);
  default:
    return fromInteger(key);
  }
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
