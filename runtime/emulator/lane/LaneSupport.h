// What the lane loops share: bit casts, number formats and loop shapes. Only
// the files in this folder include it, because everything here is compiled for
// one instruction-set level: ATTNRES_LANE_LEVEL names the namespace that keeps
// the levels apart.

#ifndef ATTNRES_RUNTIME_EMULATOR_LANE_LANESUPPORT_H
#define ATTNRES_RUNTIME_EMULATOR_LANE_LANESUPPORT_H

#include "runtime/emulator/lane/LaneOps.h"
#include "support/Loops.h"

#include <cstring>

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {

LaneFn findInteger(const LaneKey &key);
LaneFn findFloat(const LaneKey &key);
LaneFn findHalf(const LaneKey &key);
LaneFn findApprox(const LaneKey &key);
LaneFn findCompare(const LaneKey &key);
LaneFn findConvert(const LaneKey &key);
void mma16x8(float *d, const float *a, const float *b, unsigned k);
void mmaWide(float *d, const float *a, const float *b, unsigned m, unsigned n,
             unsigned k);
void mmaHalf16(float *const *d, const void *const *a, const void *const *b,
               const float *const *c);
void mmaBfloat16(float *const *d, const void *const *a, const void *const *b,
                 const float *const *c);
void halvesToFloats(float *d, const void *s, unsigned count);
void bfloatsToFloats(float *d, const void *s, unsigned count);

namespace {

template <typename To, typename From>
inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// One rounding step per operation: NaN results of f32 are canonical. On bits,
// since to a compiler all NaNs of type float are the same.
inline float canonical(float x) {
  uint32_t bits = bitCast<uint32_t>(x);
  return bitCast<float>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu
                                                           : bits);
}
inline double canonical(double x) { return x; }

inline float flush(float x) {
  uint32_t bits = bitCast<uint32_t>(x);
  return bitCast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
inline double flush(double x) { return x; }

// .sat: to [0, 1], NaN to +0.
template <typename T>
inline T saturate(T x) {
  T low = x > T(0) ? x : T(0);
  return low < T(1) ? low : T(1);
}

template <bool Ftz, typename T>
inline T input(T x) {
  return Ftz ? flush(x) : x;
}
template <bool Ftz, bool Sat, typename T>
inline T output(T x) {
  x = canonical(x);
  if (Ftz)
    x = flush(x);
  if (Sat)
    x = saturate(x);
  return x;
}

inline float halfToFloat(uint16_t h) {
  uint32_t shifted = static_cast<uint32_t>(h & 0x7fff) << 13;
  uint32_t exponent = shifted & 0x0f800000u;
  uint32_t normal = shifted + (112u << 23);
  uint32_t special = shifted + (224u << 23);
  // A subnormal half is the mantissa scaled by 2^-24.
  float subnormal =
      bitCast<float>((113u << 23) + shifted) - bitCast<float>(113u << 23);
  uint32_t bits = exponent == 0x0f800000u ? special
                  : exponent == 0         ? bitCast<uint32_t>(subnormal)
                                          : normal;
  return bitCast<float>(bits | static_cast<uint32_t>(h & 0x8000) << 16);
}

// Nearest even.
inline uint16_t floatToHalf(float f) {
  uint32_t bits = bitCast<uint32_t>(f);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7fffffffu;
  // Below the smallest normal half: the float addition rounds the mantissa to
  // a multiple of 2^-24.
  float small = bitCast<float>(magnitude) + bitCast<float>(0x3f000000u);
  uint32_t subnormal = bitCast<uint32_t>(small) - 0x3f000000u;
  uint32_t odd = (magnitude >> 13) & 1;
  uint32_t normal = (magnitude - (112u << 23) + 0xfffu + odd) >> 13;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x47800000u ? 0x7c00u : result;
  return static_cast<uint16_t>(magnitude > 0x7f800000u ? 0x7fffu
                                                       : result | sign);
}

inline float bfloatToFloat(uint16_t b) {
  return bitCast<float>(static_cast<uint32_t>(b) << 16);
}

inline uint16_t floatToBfloat(float f) {
  uint32_t bits = bitCast<uint32_t>(f);
  uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
  return static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu
                                                                  : rounded);
}

// The two 16-bit formats as types, for templates over both.
struct Half {
  static float load(uint16_t bits) { return halfToFloat(bits); }
  static uint16_t store(float value) { return floatToHalf(value); }
  static constexpr uint16_t exponentMask = 0x7c00;
};
struct Bfloat {
  static float load(uint16_t bits) { return bfloatToFloat(bits); }
  static uint16_t store(float value) { return floatToBfloat(value); }
  static constexpr uint16_t exponentMask = 0x7f80;
};

// a*b+c for narrow formats: the product is exact in double; when the sum is
// not, its last bit is made odd so that the second rounding cannot go wrong.
inline double oddRoundedSum(double product, double addend) {
  double sum = product + addend;
  double back = sum - product;
  double error = (product - (sum - back)) + (addend - back);
  uint64_t bits = bitCast<uint64_t>(sum);
  // The error of an infinite or NaN sum is NaN.
  bool inexact = error == error && error != 0 && (bits & 1) == 0;
  // Toward zero when the error has the other sign, then set the last bit.
  uint64_t toward = (error < 0) != (sum < 0) ? bits - 1 : bits | 1;
  return bitCast<double>(inexact ? toward : bits);
}

// A double with an odd last bit wherever the float is inexact: the same trick
// for the step from double to float.
inline float oddRoundedFloat(double value) {
  float narrow = static_cast<float>(value);
  double back = static_cast<double>(narrow);
  uint32_t bits = bitCast<uint32_t>(narrow);
  uint64_t wideMagnitude = bitCast<uint64_t>(value) & ~(uint64_t(1) << 63);
  uint64_t backMagnitude = bitCast<uint64_t>(back) & ~(uint64_t(1) << 63);
  bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  uint32_t truncated = backMagnitude > wideMagnitude ? bits - 1 : bits;
  return bitCast<float>(finite && back != value ? truncated | 1 : bits);
}

template <unsigned N = kWarpSize, typename D, typename S, typename F>
inline void map1(const LaneArgs &args, F f) {
  D *d = static_cast<D *>(args.d);
  const S *a = static_cast<const S *>(args.a);
  ATTNRES_INDEPENDENT_ITERATIONS
  for (unsigned i = 0; i < N; ++i)
    d[i] = static_cast<D>(f(a[i]));
}

template <unsigned N = kWarpSize, typename D, typename S, typename F>
inline void map2(const LaneArgs &args, F f) {
  D *d = static_cast<D *>(args.d);
  const S *a = static_cast<const S *>(args.a);
  const S *b = static_cast<const S *>(args.b);
  ATTNRES_INDEPENDENT_ITERATIONS
  for (unsigned i = 0; i < N; ++i)
    d[i] = static_cast<D>(f(a[i], b[i]));
}

// The third operand may have another type (a shift count, a wide addend).
template <unsigned N = kWarpSize, typename D, typename S, typename C,
          typename F>
inline void map3(const LaneArgs &args, F f) {
  D *d = static_cast<D *>(args.d);
  const S *a = static_cast<const S *>(args.a);
  const S *b = static_cast<const S *>(args.b);
  const C *c = static_cast<const C *>(args.c);
  ATTNRES_INDEPENDENT_ITERATIONS
  for (unsigned i = 0; i < N; ++i)
    d[i] = static_cast<D>(f(a[i], b[i], c[i]));
}

// 32 bytes of 0 or 1 to a mask.
inline uint32_t packBits(const uint8_t *flags) {
  uint32_t mask = 0;
  for (unsigned group = 0; group < 4; ++group) {
    uint64_t bytes;
    std::memcpy(&bytes, flags + 8 * group, sizeof bytes);
    uint32_t bits =
        static_cast<uint32_t>((bytes * uint64_t(0x0102040810204080)) >> 56);
    mask |= bits << (8 * group);
  }
  return mask;
}

inline uint32_t loadMask(const void *p) {
  uint32_t mask;
  std::memcpy(&mask, p, sizeof mask);
  return mask;
}
inline void storeMask(void *p, uint32_t mask) {
  std::memcpy(p, &mask, sizeof mask);
}

} // namespace
} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_LANE_LANESUPPORT_H
