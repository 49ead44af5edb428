#include "support/machine/ArithmeticLoops.h"

#include "support/Loops.h"

#include <immintrin.h>

namespace attnres::machine {
namespace {

constexpr int kChains = 12; // enough to hide the latency of every instruction
constexpr int kTiles = 4;

/// Keeps the chains from being removed.
volatile float sink;

__attribute__((target("avx512f"))) void multiplyAddAvx512(int64_t steps) {
  __m512 x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(0.001f);
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i)
    sums[i] = _mm512_set1_ps(float(i));
  for (int64_t step = 0; step < steps; ++step) {
    ATTNRES_UNROLL(12)
    for (int i = 0; i < kChains; ++i)
      sums[i] = _mm512_fmadd_ps(sums[i], x, y);
  }
  for (int i = 1; i < kChains; ++i)
    sums[0] = _mm512_add_ps(sums[0], sums[i]);
  sink = _mm512_cvtss_f32(sums[0]);
}

__attribute__((target("avx2,fma"))) void multiplyAddAvx2(int64_t steps) {
  __m256 x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f);
  __m256 sums[kChains];
  for (int i = 0; i < kChains; ++i)
    sums[i] = _mm256_set1_ps(float(i));
  for (int64_t step = 0; step < steps; ++step) {
    ATTNRES_UNROLL(12)
    for (int i = 0; i < kChains; ++i)
      sums[i] = _mm256_fmadd_ps(sums[i], x, y);
  }
  for (int i = 1; i < kChains; ++i)
    sums[0] = _mm256_add_ps(sums[0], sums[i]);
  sink = _mm256_cvtss_f32(sums[0]);
}

void multiplyAddGeneric(int64_t steps) {
  __m128 x = _mm_set1_ps(0.999f), y = _mm_set1_ps(0.001f);
  __m128 sums[kChains];
  for (int i = 0; i < kChains; ++i)
    sums[i] = _mm_set1_ps(float(i));
  for (int64_t step = 0; step < steps; ++step) {
    ATTNRES_UNROLL(12)
    for (int i = 0; i < kChains; ++i)
      sums[i] = _mm_add_ps(_mm_mul_ps(sums[i], x), y);
  }
  for (int i = 1; i < kChains; ++i)
    sums[0] = _mm_add_ps(sums[0], sums[i]);
  sink = _mm_cvtss_f32(sums[0]);
}

__attribute__((target("avx512bf16,avx512vl"))) void dotBf16(int64_t steps) {
  __m512bh x = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.5f), _mm512_set1_ps(0.5f));
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i)
    sums[i] = _mm512_set1_ps(float(i));
  for (int64_t step = 0; step < steps; ++step) {
    ATTNRES_UNROLL(12)
    for (int i = 0; i < kChains; ++i)
      sums[i] = _mm512_dpbf16_ps(sums[i], x, x);
  }
  for (int i = 1; i < kChains; ++i)
    sums[0] = _mm512_add_ps(sums[0], sums[i]);
  sink = _mm512_cvtss_f32(sums[0]);
}

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
