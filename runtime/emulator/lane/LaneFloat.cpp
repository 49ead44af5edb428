// f32 and f64 arithmetic over 32 lanes, with the rounding, flushing,
// saturation and NaN rules of PTX. Built with -ffp-contract=off: a product and
// a sum are fused only where the program says fma.

#include "runtime/emulator/lane/LaneSupport.h"

#include <cfenv>
#include <cmath>
#include <type_traits>

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

constexpr unsigned n = kWarpSize;
using A = const LaneArgs &;

template <typename T, bool Ftz, bool Sat>
LaneFn arithmetic(LaneOp op) {
  switch (op) {
  case LaneOp::Add:
    return [](A x) {
      map2<n, T, T>(x, [](T a, T b) {
        return output<Ftz, Sat>(T(input<Ftz>(a) + input<Ftz>(b)));
      });
    };
  case LaneOp::Sub:
    return [](A x) {
      map2<n, T, T>(x, [](T a, T b) {
        return output<Ftz, Sat>(T(input<Ftz>(a) - input<Ftz>(b)));
      });
    };
  case LaneOp::Mul:
    return [](A x) {
      map2<n, T, T>(x, [](T a, T b) {
        return output<Ftz, Sat>(T(input<Ftz>(a) * input<Ftz>(b)));
      });
    };
  case LaneOp::Fma:
    return [](A x) {
      map3<n, T, T, T>(x, [](T a, T b, T c) {
        return output<Ftz, Sat>(
            T(std::fma(input<Ftz>(a), input<Ftz>(b), input<Ftz>(c))));
      });
    };
  case LaneOp::Div:
    return [](A x) {
      map2<n, T, T>(x, [](T a, T b) {
        return output<Ftz, Sat>(T(input<Ftz>(a) / input<Ftz>(b)));
      });
    };
  case LaneOp::Rcp:
    return [](A x) {
      map1<n, T, T>(
          x, [](T a) { return output<Ftz, Sat>(T(T(1) / input<Ftz>(a))); });
    };
  case LaneOp::Sqrt:
    return [](A x) {
      map1<n, T, T>(
          x, [](T a) { return output<Ftz, Sat>(T(std::sqrt(input<Ftz>(a)))); });
    };
  default:
    return nullptr;
  }
}

// The loop runs inside the caller's rounding mode; the fences keep the
// compiler from moving arithmetic across the mode changes.
template <typename T, bool Ftz, bool Sat, LaneOp Op>
void directed(A x) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                              FE_UPWARD};
  std::fesetround(modes[x.imm & 3]);
  asm volatile("" ::: "memory");
  arithmetic<T, Ftz, Sat>(Op)(x);
  asm volatile("" ::: "memory");
  std::fesetround(FE_TONEAREST);
}

template <typename T, bool Ftz, bool Sat>
LaneFn directedArithmetic(LaneOp op) {
  switch (op) {
  case LaneOp::Add:
    return directed<T, Ftz, Sat, LaneOp::Add>;
  case LaneOp::Sub:
    return directed<T, Ftz, Sat, LaneOp::Sub>;
  case LaneOp::Mul:
    return directed<T, Ftz, Sat, LaneOp::Mul>;
  case LaneOp::Fma:
    return directed<T, Ftz, Sat, LaneOp::Fma>;
  case LaneOp::Div:
    return directed<T, Ftz, Sat, LaneOp::Div>;
  case LaneOp::Rcp:
    return directed<T, Ftz, Sat, LaneOp::Rcp>;
  case LaneOp::Sqrt:
    return directed<T, Ftz, Sat, LaneOp::Sqrt>;
  default:
    return nullptr;
  }
}

// NaN loses against a number, or wins with .NaN; -0 is below +0.
template <bool Max, bool Nan, bool XorSign, bool Ftz, typename T>
T extremum(T a, T b) {
  a = input<Ftz>(a);
  b = input<Ftz>(b);
  using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr U signBit = U(1) << (8 * sizeof(T) - 1);
  U sign = (bitCast<U>(a) ^ bitCast<U>(b)) & signBit;
  if (XorSign) {
    a = bitCast<T>(bitCast<U>(a) & ~signBit);
    b = bitCast<T>(bitCast<U>(b) & ~signBit);
  }
  U tieBits =
      Max ? bitCast<U>(a) & bitCast<U>(b) : bitCast<U>(a) | bitCast<U>(b);
  bool first = Max ? a > b : a < b;
  T chosen = a == b ? bitCast<T>(tieBits) : first ? a : b;
  if (Nan) {
    chosen = a != a ? a : b != b ? b : chosen;
  } else {
    chosen = a != a ? b : b != b ? a : chosen;
  }
  chosen = canonical(chosen);
  if (XorSign)
    chosen = bitCast<T>((bitCast<U>(chosen) & ~signBit) | sign);
  return chosen;
}

template <typename T, bool Max, bool Nan, bool XorSign, bool Ftz>
void minMax(A x) {
  map2<n, T, T>(x, extremum<Max, Nan, XorSign, Ftz, T>);
}

template <typename T, bool Max>
LaneFn findMinMax(uint16_t flags) {
  bool nan = flags & kNanResult;
  bool ftz = flags & kFtz;
  if (flags & kXorSignAbs)
    return nan ? (ftz ? minMax<T, Max, true, true, true>
                      : minMax<T, Max, true, true, false>)
               : (ftz ? minMax<T, Max, false, true, true>
                      : minMax<T, Max, false, true, false>);
  return nan ? (ftz ? minMax<T, Max, true, false, true>
                    : minMax<T, Max, true, false, false>)
             : (ftz ? minMax<T, Max, false, false, true>
                    : minMax<T, Max, false, false, false>);
}

template <typename T>
LaneFn signs(LaneOp op, bool ftz) {
  switch (op) {
  case LaneOp::Abs:
    if (ftz)
      return [](A x) {
        map1<n, T, T>(x, [](T a) { return std::fabs(flush(a)); });
      };
    return [](A x) { map1<n, T, T>(x, [](T a) { return std::fabs(a); }); };
  case LaneOp::Neg:
    if (ftz)
      return [](A x) { map1<n, T, T>(x, [](T a) { return -flush(a); }); };
    return [](A x) { map1<n, T, T>(x, [](T a) { return -a; }); };
  case LaneOp::Copysign:
    // PTX takes the sign from a and the magnitude from b.
    return [](A x) {
      map2<n, T, T>(x, [](T a, T b) { return std::copysign(b, a); });
    };
  default:
    return nullptr;
  }
}

// imm: 0 finite, 1 infinite, 2 number, 3 notanumber, 4 normal, 5 subnormal.
template <typename T>
void testProperty(A x) {
  const T *a = static_cast<const T *>(x.a);
  uint32_t mask = 0;
  for (unsigned i = 0; i < n; ++i) {
    int kind = std::fpclassify(a[i]);
    bool holds = false;
    switch (x.imm) {
    case 0:
      holds = kind != FP_NAN && kind != FP_INFINITE;
      break;
    case 1:
      holds = kind == FP_INFINITE;
      break;
    case 2:
      holds = kind != FP_NAN;
      break;
    case 3:
      holds = kind == FP_NAN;
      break;
    case 4:
      holds = kind == FP_NORMAL || kind == FP_ZERO;
      break;
    default:
      holds = kind == FP_SUBNORMAL;
      break;
    }
    mask |= uint32_t(holds) << i;
  }
  storeMask(x.d, mask);
}

template <typename T, bool Ftz, bool Sat>
LaneFn select(const LaneKey &key) {
  if (key.flags & kDirected)
    return directedArithmetic<T, Ftz, Sat>(key.op);
  return arithmetic<T, Ftz, Sat>(key.op);
}

} // namespace

LaneFn findFloat(const LaneKey &key) {
  bool isDouble = key.type == Type::F64;
  bool ftz = key.flags & kFtz;
  bool sat = key.flags & kSat;
  switch (key.op) {
  case LaneOp::Min:
    return isDouble ? findMinMax<double, false>(key.flags)
                    : findMinMax<float, false>(key.flags);
  case LaneOp::Max:
    return isDouble ? findMinMax<double, true>(key.flags)
                    : findMinMax<float, true>(key.flags);
  case LaneOp::Abs:
  case LaneOp::Neg:
  case LaneOp::Copysign:
    return isDouble ? signs<double>(key.op, ftz) : signs<float>(key.op, ftz);
  case LaneOp::Testp:
    return isDouble ? testProperty<double> : testProperty<float>;
  default:
    break;
  }
  if (isDouble)
    return select<double, false, false>(key);
  if (ftz)
    return sat ? select<float, true, true>(key)
               : select<float, true, false>(key);
  return sat ? select<float, false, true>(key)
             : select<float, false, false>(key);
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
