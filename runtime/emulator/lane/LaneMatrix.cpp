// The inner loops of mma and wgmma over floats. Products of 16-bit values are
// exact in float; they are added to the running sum in the order of k, every
// addition rounded to nearest.

#include "runtime/emulator/lane/LaneSupport.h"

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {
namespace {

using Float8 = float __attribute__((vector_size(32)));
using Float16 = float __attribute__((vector_size(64)));

// Rows of d, 4 at a time and one vector wide.
template <typename V>
void block(float *d, const float *a, const float *b, unsigned n, unsigned k) {
  V sums[4];
  for (unsigned r = 0; r < 4; ++r)
    std::memcpy(&sums[r], d + r * n, sizeof(V));
  for (unsigned j = 0; j < k; ++j) {
    V right;
    std::memcpy(&right, b + j * n, sizeof right);
    for (unsigned r = 0; r < 4; ++r)
      sums[r] += a[r * k + j] * right;
  }
  for (unsigned r = 0; r < 4; ++r)
    std::memcpy(d + r * n, &sums[r], sizeof(V));
}

template <bool IsHalf>
void widenPairs(float *values, const void *bits) {
  const auto *from = static_cast<const uint16_t *>(bits);
  for (unsigned i = 0; i < 2 * kWarpSize; ++i)
    values[i] = IsHalf ? halfToFloat(from[i]) : bfloatToFloat(from[i]);
}

template <bool IsHalf>
void mmaPairs(float *const *d, const void *const *a, const void *const *b,
              const float *const *c) {
  alignas(64) float left[16 * 16];
  alignas(64) float right[16 * 8];
  alignas(64) float sums[16 * 8];
  alignas(64) float values[2 * kWarpSize];
  for (unsigned i = 0; i < 4; ++i) {
    widenPairs<IsHalf>(values, a[i]);
    float *to = left + (i & 1) * 8 * 16 + (i >> 1) * 8;
    // Eight values of a row belong to four neighbouring lanes.
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(to + row * 16, values + row * 8, 8 * sizeof(float));
  }
  for (unsigned i = 0; i < 2; ++i) {
    widenPairs<IsHalf>(values, b[i]);
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned column = 0; column < 8; ++column)
        right[(i * 8 + k) * 8 + column] = values[column * 8 + k];
  }
  for (unsigned half = 0; half < 2; ++half)
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      sums[half * 64 + 2 * lane] = c[2 * half][lane];
      sums[half * 64 + 2 * lane + 1] = c[2 * half + 1][lane];
    }
  mma16x8(sums, left, right, 16);
  for (unsigned half = 0; half < 2; ++half)
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      d[2 * half][lane] = sums[half * 64 + 2 * lane];
      d[2 * half + 1][lane] = sums[half * 64 + 2 * lane + 1];
    }
}

} // namespace

void mma16x8(float *d, const float *a, const float *b, unsigned k) {
  for (unsigned row = 0; row < 16; row += 4)
    block<Float8>(d + row * 8, a + row * k, b, 8, k);
}

void mmaWide(float *d, const float *a, const float *b, unsigned m, unsigned n,
             unsigned k) {
  for (unsigned row = 0; row < m; row += 4) {
    unsigned column = 0;
    for (; column + 16 <= n; column += 16)
      block<Float16>(d + row * n + column, a + row * k, b + column, n, k);
    for (; column < n; column += 8)
      block<Float8>(d + row * n + column, a + row * k, b + column, n, k);
  }
}

void mmaHalf16(float *const *d, const void *const *a, const void *const *b,
               const float *const *c) {
  mmaPairs<true>(d, a, b, c);
}

void mmaBfloat16(float *const *d, const void *const *a, const void *const *b,
                 const float *const *c) {
  mmaPairs<false>(d, a, b, c);
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
