#include "support/machine/ArithmeticLoops.h"

#include "support/Loops.h"

#include <immintrin.h>

namespace attnres::machine {
namespace {

constexpr int kChains = 12; // enough to hide the latency of every instruction
constexpr int kTiles = 4;

/// Keeps the chains from being removed.
volatile float sink;

/// Defines a loop of sums that do not wait for each other: each becomes `next`,
/// which reads `sum` and what `operands` declares. A macro, since a template
/// cannot say which instructions its instances are compiled for.
#define ATTNRES_CHAINS(name, isa, Vector, mm, operands, next)                  \
  __attribute__((target(isa))) void name(int64_t steps) {                      \
    Vector x = mm##_set1_ps(0.999f), y = mm##_set1_ps(0.001f);                 \
    operands;                                                                  \
    Vector sums[kChains];                                                      \
    for (int i = 0; i < kChains; ++i)                                          \
      sums[i] = mm##_set1_ps(float(i));                                        \
    for (int64_t step = 0; step < steps; ++step) {                             \
      ATTNRES_UNROLL(12)                                                       \
      for (int i = 0; i < kChains; ++i) {                                      \
        Vector sum = sums[i];                                                  \
        sums[i] = next;                                                        \
      }                                                                        \
    }                                                                          \
    for (int i = 1; i < kChains; ++i)                                          \
      sums[0] = mm##_add_ps(sums[0], sums[i]);                                 \
    sink = mm##_cvtss_f32(sums[0]);                                            \
  }

ATTNRES_CHAINS(multiplyAddGeneric, "sse2", __m128, _mm, ,
               _mm_add_ps(_mm_mul_ps(sum, x), y))
ATTNRES_CHAINS(multiplyAddAvx2, "avx2,fma", __m256, _mm256, ,
               _mm256_fmadd_ps(sum, x, y))
ATTNRES_CHAINS(multiplyAddAvx512, "avx512f", __m512, _mm512, ,
               _mm512_fmadd_ps(sum, x, y))
ATTNRES_CHAINS(dotBf16, "avx512bf16,avx512vl", __m512, _mm512,
               __m512bh pairs = _mm512_cvtne2ps_pbh(x, y),
               _mm512_dpbf16_ps(sum, pairs, pairs))

#undef ATTNRES_CHAINS

/// Tiles of 16 rows of 64 bytes: four of sums, and two of what is multiplied.
struct alignas(64) TileShapes {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16};
};
const TileShapes tileShapes;

__attribute__((target("amx-tile,amx-bf16"))) void dotTiles(int64_t steps) {
  _tile_loadconfig(&tileShapes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  for (int64_t step = 0; step < steps; ++step) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  _tile_release();
}

} // namespace

const ArithmeticLoop kGenericMultiplyAdds = {multiplyAddGeneric,
                                             2.0 * kChains * 4};
const ArithmeticLoop kAvx2MultiplyAdds = {multiplyAddAvx2, 2.0 * kChains * 8};
const ArithmeticLoop kAvx512MultiplyAdds = {multiplyAddAvx512,
                                            2.0 * kChains * 16};
const ArithmeticLoop kBf16Dots = {dotBf16, 2.0 * kChains * 32};
const ArithmeticLoop kAmxBf16Tiles = {dotTiles, 2.0 * kTiles * 16 * 16 * 32};

} // namespace attnres::machine
