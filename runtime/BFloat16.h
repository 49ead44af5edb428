// Elements of bf16 on the host: the upper half of an f32.
#ifndef ATTNRES_RUNTIME_BFLOAT16_H
#define ATTNRES_RUNTIME_BFLOAT16_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace attnres::runtime {

/// Nearest bf16, ties to even; NaN stays NaN.
inline uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value))
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/// Exact.
inline float fromBF16(uint16_t value) {
  uint32_t bits = uint32_t{value} << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

} // namespace attnres::runtime

#endif
