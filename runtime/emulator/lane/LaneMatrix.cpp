// The inner loops of mma and wgmma over floats. Products of 16-bit values are
// exact in float; they are added to the running sum in the order of k, every
// addition rounded to nearest.

#include "runtime/emulator/lane/LaneSupport.h"

namespace attnres::emulator {
namespace ATTNRES_LANE_LEVEL {

void mma16x8(float *d, const float *a, const float *b, unsigned k) {
  // Four rows at a time, so that each row of b is loaded once for all of them.
  for (unsigned row = 0; row < 16; row += 4) {
    float sums[4][8];
    std::memcpy(sums, d + row * 8, sizeof sums);
    for (unsigned j = 0; j < k; ++j) {
      const float *right = b + j * 8;
      for (unsigned r = 0; r < 4; ++r) {
        float left = a[(row + r) * k + j];
        for (unsigned column = 0; column < 8; ++column)
          sums[r][column] += left * right[column];
      }
    }
    std::memcpy(d + row * 8, sums, sizeof sums);
  }
}

void mmaWide(float *d, const float *a, const float *b, unsigned m, unsigned n,
             unsigned k) {
  for (unsigned row = 0; row < m; row += 4)
    for (unsigned first = 0; first < n; first += 8) {
      float sums[4][8];
      for (unsigned r = 0; r < 4; ++r)
        std::memcpy(sums[r], d + (row + r) * n + first, sizeof sums[r]);
      for (unsigned j = 0; j < k; ++j) {
        const float *right = b + j * n + first;
        for (unsigned r = 0; r < 4; ++r) {
          float left = a[(row + r) * k + j];
          for (unsigned column = 0; column < 8; ++column)
            sums[r][column] += left * right[column];
        }
      }
      for (unsigned r = 0; r < 4; ++r)
        std::memcpy(d + (row + r) * n + first, sums[r], sizeof sums[r]);
    }
}

} // namespace ATTNRES_LANE_LEVEL
} // namespace attnres::emulator
