// The .approx functions. Each is evaluated in double and rounded once, which
// gives the correctly rounded value; with kPerturb the value first moves by a
// pseudo-random part of the error that the PTX manual allows.

#include "runtime/emulator/lane/LaneSupport.h"

#include <cmath>

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

using A = const LaneArgs &;

// How far a result may move before the final rounding: relative to its
// magnitude and absolute. Leaves room for half a unit in the last place.
struct Allowance {
  double relative;
  double absolute;
};

// In [-1, 1], from the operand's bits and the seed.
double signedUnit(uint32_t bits, uint32_t seed) {
  uint64_t z = (uint64_t(seed) << 32 | bits) + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(static_cast<int64_t>(z)) * 0x1p-63;
}

// 2^x for |x| up to 1000, to about 2^-51: nearest integer by a shift, then the
// Taylor series of exp on [-ln2/2, ln2/2].
double exp2Double(double x) {
  double clamped = x < -1000 ? -1000 : x > 1000 ? 1000 : x;
  double shifted = clamped + 0x1.8p52;
  double whole = shifted - 0x1.8p52;
  double y = (clamped - whole) * 0.693147180559945309417232121458;
  double sum = 1.0 / 479001600;
  sum = sum * y + 1.0 / 39916800;
  sum = sum * y + 1.0 / 3628800;
  sum = sum * y + 1.0 / 362880;
  sum = sum * y + 1.0 / 40320;
  sum = sum * y + 1.0 / 5040;
  sum = sum * y + 1.0 / 720;
  sum = sum * y + 1.0 / 120;
  sum = sum * y + 1.0 / 24;
  sum = sum * y + 1.0 / 6;
  sum = sum * y + 0.5;
  sum = sum * y + 1.0;
  sum = sum * y + 1.0;
  // The low bits of `shifted` are the integer.
  uint64_t exponent = (bitCast<uint64_t>(shifted) + 1023) << 52;
  double scaled = sum * bitCast<double>(exponent);
  return x != x ? x : scaled;
}

struct Ex2 {
  static double f(double x) { return exp2Double(x); }
  static Allowance allowance(double) { return {0x1p-23, 0}; }
};
struct Lg2 {
  static double f(double x) { return std::log2(x); }
  static Allowance allowance(double x) {
    return x > 0.5 && x < 2 ? Allowance{0, 0x1p-22 * 0.85}
                            : Allowance{0x1p-22 * 0.7, 0};
  }
};
struct Rcp {
  static double f(double x) { return 1.0 / x; }
  static Allowance allowance(double) { return {0x1p-24, 0}; }
};
struct Rsqrt {
  static double f(double x) { return 1.0 / std::sqrt(x); }
  static Allowance allowance(double) { return {0x1p-24, 0}; }
};
struct Sqrt {
  static double f(double x) { return std::sqrt(x); }
  static Allowance allowance(double) { return {0x1p-24, 0}; }
};
struct Sin {
  static double f(double x) { return std::sin(x); }
  static Allowance allowance(double) { return {0, 0x1p-21}; }
};
struct Cos {
  static double f(double x) { return std::cos(x); }
  static Allowance allowance(double) { return {0, 0x1p-21}; }
};
struct Tanh {
  static double f(double x) { return std::tanh(x); }
  static Allowance allowance(double) { return {0x1p-11 * 0.99, 0}; }
};

double perturb(double value, Allowance allowance, uint32_t bits,
               uint32_t seed) {
  double unit = signedUnit(bits, seed);
  return value +
         unit * (std::fabs(value) * allowance.relative + allowance.absolute);
}

template <typename F, bool Ftz, bool Perturb>
void unary32(A x) {
  uint32_t seed = x.imm;
  map1<kWarpSize, float, float>(x, [seed](float a) {
    a = input<Ftz>(a);
    double value = F::f(double(a));
    if (Perturb && std::isfinite(value) && value != 0)
      value = perturb(value, F::allowance(a), bitCast<uint32_t>(a), seed);
    return output<Ftz, false>(static_cast<float>(value));
  });
}

template <bool Ftz, bool Perturb>
void divide32(A x) {
  uint32_t seed = x.imm;
  map2<kWarpSize, float, float>(x, [seed](float a, float b) {
    a = input<Ftz>(a);
    b = input<Ftz>(b);
    double value = double(a) / double(b);
    if (Perturb && std::isfinite(value) && value != 0)
      value = perturb(value, {0x1p-23, 0},
                      bitCast<uint32_t>(a) ^ (bitCast<uint32_t>(b) * 31), seed);
    return output<Ftz, false>(static_cast<float>(value));
  });
}

template <typename F>
LaneFn choose32(uint16_t flags) {
  bool perturbed = flags & kPerturb;
  if (flags & kFtz)
    return perturbed ? unary32<F, true, true> : unary32<F, true, false>;
  return perturbed ? unary32<F, false, true> : unary32<F, false, false>;
}

// Narrow formats: tanh has an absolute bound, ex2 a relative one.
template <typename Format>
Allowance narrowAllowance(bool tanh);
template <>
Allowance narrowAllowance<Half>(bool tanh) {
  return tanh ? Allowance{0, 2.4e-4} : Allowance{5.5e-4, 0};
}
template <>
Allowance narrowAllowance<Bfloat>(bool tanh) {
  return tanh ? Allowance{0, 0x1p-9 * 0.95} : Allowance{0x1p-8 * 1.4, 0};
}

template <unsigned N, typename Format, bool IsTanh, bool Ftz>
void unary16(A x) {
  uint32_t seed = x.imm;
  // The width is of no use here; nonzero asks for the perturbation.
  bool perturbed = x.sourceBytes != 0;
  const auto *a = static_cast<const uint16_t *>(x.a);
  auto *d = static_cast<uint16_t *>(x.d);
  for (unsigned i = 0; i < N; ++i) {
    uint16_t bits = a[i];
    if (Ftz && (bits & Format::exponentMask) == 0)
      bits &= 0x8000;
    double in = double(Format::load(bits));
    double value = IsTanh ? std::tanh(in) : exp2Double(in);
    if (perturbed && std::isfinite(value) && value != 0)
      value = perturb(value, narrowAllowance<Format>(IsTanh), bits, seed);
    uint16_t out = Format::store(oddRoundedFloat(value));
    if (Ftz && (out & Format::exponentMask) == 0)
      out &= 0x8000;
    d[i] = out;
  }
}

template <unsigned N, typename Format>
LaneFn choose16(const LaneKey &key) {
  bool ftz = key.flags & kFtz;
  if (key.op == LaneOp::Tanh)
    return unary16<N, Format, true, false>;
  if (key.op == LaneOp::Ex2)
    return ftz ? unary16<N, Format, false, true>
               : unary16<N, Format, false, false>;
  return nullptr;
}

// rcp.approx.ftz.f64 and rsqrt.approx.f64: a double with 20 to 52 exact bits;
// the correctly rounded value satisfies both.
template <bool Root>
void unary64(A x) {
  map1<kWarpSize, double, double>(
      x, [](double a) { return Root ? 1.0 / std::sqrt(a) : 1.0 / a; });
}

} // namespace

LaneFn findApprox(const LaneKey &key) {
  switch (key.type) {
  case Type::F16:
    return choose16<kWarpSize, Half>(key);
  case Type::F16x2:
    return choose16<2 * kWarpSize, Half>(key);
  case Type::BF16:
    return choose16<kWarpSize, Bfloat>(key);
  case Type::BF16x2:
    return choose16<2 * kWarpSize, Bfloat>(key);
  case Type::F64:
    if (key.op == LaneOp::Rsqrt)
      return unary64<true>;
    return key.op == LaneOp::Rcp ? unary64<false> : nullptr;
  case Type::F32:
    break;
  default:
    return nullptr;
  }
  switch (key.op) {
  case LaneOp::Ex2:
    return choose32<Ex2>(key.flags);
  case LaneOp::Lg2:
    return choose32<Lg2>(key.flags);
  case LaneOp::Rcp:
    return choose32<Rcp>(key.flags);
  case LaneOp::Rsqrt:
    return choose32<Rsqrt>(key.flags);
  case LaneOp::Sqrt:
    return choose32<Sqrt>(key.flags);
  case LaneOp::Sin:
    return choose32<Sin>(key.flags);
  case LaneOp::Cos:
    return choose32<Cos>(key.flags);
  case LaneOp::Tanh:
    return choose32<Tanh>(key.flags);
  case LaneOp::Div: {
    bool perturbed = key.flags & kPerturb;
    if (key.flags & kFtz)
      return perturbed ? divide32<true, true> : divide32<true, false>;
    return perturbed ? divide32<false, true> : divide32<false, false>;
  }
  default:
    return nullptr;
  }
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
