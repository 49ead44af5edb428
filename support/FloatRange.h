// Numbers that are given in double and used in f32.
#ifndef ATTNRES_SUPPORT_FLOATRANGE_H
#define ATTNRES_SUPPORT_FLOATRANGE_H

#include <cmath>

namespace attnres {

/// Whether a number keeps its precision when it is rounded to f32: it becomes
/// neither infinite nor zero nor subnormal.
inline bool isNormalFloat(double value) {
  return std::isnormal(static_cast<float>(value));
}

/// What isNormalFloat() asks for, in messages.
inline constexpr char normalFloatRange[] = "1.18e-38 to 3.4e+38";

} // namespace attnres
#endif
