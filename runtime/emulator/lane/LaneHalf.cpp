// f16 and bf16 arithmetic, scalar (32 lanes) and packed in pairs (64 values).
// Sums and products of two narrow values are exact enough in float that one
// more rounding gives the correctly rounded narrow result; fma goes through
// double with a rounding to odd.

#include "runtime/emulator/lane/LaneSupport.h"

#include <cmath>

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

using A = const LaneArgs &;

template <typename F, bool Ftz>
uint16_t flushNarrow(uint16_t bits) {
  return Ftz && (bits & F::exponentMask) == 0
             ? static_cast<uint16_t>(bits & 0x8000)
             : bits;
}
template <typename F, bool Ftz>
float load(uint16_t bits) {
  return F::load(flushNarrow<F, Ftz>(bits));
}
template <typename F, bool Ftz, bool Sat, bool Relu>
uint16_t store(float value) {
  if (Sat)
    value = saturate(value);
  // NaN stays NaN under relu.
  if (Relu)
    value = value < 0 || value == 0 ? 0.0f : value;
  return flushNarrow<F, Ftz>(F::store(value));
}

template <unsigned N, typename F, bool Ftz, bool Sat, bool Relu>
LaneFn arithmetic(LaneOp op) {
  using T = uint16_t;
  switch (op) {
  case LaneOp::Add:
    return [](A x) {
      map2<N, T, T>(x, [](T a, T b) {
        return store<F, Ftz, Sat, Relu>(load<F, Ftz>(a) + load<F, Ftz>(b));
      });
    };
  case LaneOp::Sub:
    return [](A x) {
      map2<N, T, T>(x, [](T a, T b) {
        return store<F, Ftz, Sat, Relu>(load<F, Ftz>(a) - load<F, Ftz>(b));
      });
    };
  case LaneOp::Mul:
    return [](A x) {
      map2<N, T, T>(x, [](T a, T b) {
        return store<F, Ftz, Sat, Relu>(load<F, Ftz>(a) * load<F, Ftz>(b));
      });
    };
  case LaneOp::Fma:
    return [](A x) {
      map3<N, T, T, T>(x, [](T a, T b, T c) {
        double product = double(load<F, Ftz>(a)) * double(load<F, Ftz>(b));
        double sum = oddRoundedSum(product, double(load<F, Ftz>(c)));
        return store<F, Ftz, Sat, Relu>(oddRoundedFloat(sum));
      });
    };
  default:
    return nullptr;
  }
}

template <unsigned N, typename F, bool Ftz>
LaneFn arithmetic(const LaneKey &key) {
  if (key.flags & kRelu)
    return arithmetic<N, F, Ftz, false, true>(key.op);
  if (key.flags & kSat)
    return arithmetic<N, F, Ftz, true, false>(key.op);
  return arithmetic<N, F, Ftz, false, false>(key.op);
}

template <typename F, bool Max, bool Nan, bool XorSign, bool Ftz>
uint16_t extremum(uint16_t a, uint16_t b) {
  a = flushNarrow<F, Ftz>(a);
  b = flushNarrow<F, Ftz>(b);
  uint16_t sign = static_cast<uint16_t>((a ^ b) & 0x8000);
  if (XorSign) {
    a &= 0x7fff;
    b &= 0x7fff;
  }
  float left = F::load(a);
  float right = F::load(b);
  uint16_t tie = static_cast<uint16_t>(Max ? a & b : a | b);
  bool first = Max ? left > right : left < right;
  uint16_t chosen = left == right ? tie : first ? a : b;
  bool leftNan = left != left;
  bool rightNan = right != right;
  if (Nan)
    chosen = leftNan || rightNan ? uint16_t(0x7fff) : chosen;
  else
    chosen = leftNan && rightNan ? uint16_t(0x7fff)
             : leftNan           ? b
             : rightNan          ? a
                                 : chosen;
  if (XorSign)
    chosen = static_cast<uint16_t>((chosen & 0x7fff) | sign);
  return chosen;
}

template <unsigned N, typename F, bool Max, bool Nan, bool XorSign, bool Ftz>
void minMax(A x) {
  map2<N, uint16_t, uint16_t>(x, extremum<F, Max, Nan, XorSign, Ftz>);
}

template <unsigned N, typename F, bool Max, bool Ftz>
LaneFn findMinMax(uint16_t flags) {
  bool nan = flags & kNanResult;
  if (flags & kXorSignAbs)
    return nan ? minMax<N, F, Max, true, true, Ftz>
               : minMax<N, F, Max, false, true, Ftz>;
  return nan ? minMax<N, F, Max, true, false, Ftz>
             : minMax<N, F, Max, false, false, Ftz>;
}

template <unsigned N, typename F, bool Ftz>
LaneFn find(const LaneKey &key) {
  using T = uint16_t;
  switch (key.op) {
  case LaneOp::Min:
    return findMinMax<N, F, false, Ftz>(key.flags);
  case LaneOp::Max:
    return findMinMax<N, F, true, Ftz>(key.flags);
  case LaneOp::Abs:
    return [](A x) {
      map1<N, T, T>(x, [](T a) { return flushNarrow<F, Ftz>(a) & 0x7fff; });
    };
  case LaneOp::Neg:
    return [](A x) {
      map1<N, T, T>(x, [](T a) { return flushNarrow<F, Ftz>(a) ^ 0x8000; });
    };
  default:
    return arithmetic<N, F, Ftz>(key);
  }
}

template <unsigned N, typename F>
LaneFn find(const LaneKey &key) {
  return key.flags & kFtz ? find<N, F, true>(key) : find<N, F, false>(key);
}

} // namespace

LaneFn findHalf(const LaneKey &key) {
  switch (key.type) {
  case Type::F16:
    return find<kWarpSize, Half>(key);
  case Type::F16x2:
    return find<2 * kWarpSize, Half>(key);
  case Type::BF16:
    return find<kWarpSize, Bfloat>(key);
  case Type::BF16x2:
    return find<2 * kWarpSize, Bfloat>(key);
  default:
    return nullptr;
  }
}

void halvesToFloats(float *d, const void *s, unsigned count) {
  const uint16_t *bits = static_cast<const uint16_t *>(s);
  for (unsigned i = 0; i < count; ++i)
    d[i] = halfToFloat(bits[i]);
}

void bfloatsToFloats(float *d, const void *s, unsigned count) {
  const uint16_t *bits = static_cast<const uint16_t *>(s);
  for (unsigned i = 0; i < count; ++i)
    d[i] = bfloatToFloat(bits[i]);
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
