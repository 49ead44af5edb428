#include "tools/run/MachineLimits.h"

#include "tools/run/Options.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <immintrin.h>

namespace attnres::run {
namespace {

constexpr int64_t kSteps = 100000, kItems = 16;
constexpr int64_t kAmxShare = 5; // an instruction of tiles takes long
constexpr int kChains = 12;      // enough to hide the latency of either unit
constexpr size_t kCopyBytes = size_t(256) << 20;
constexpr size_t kCopyItem = size_t(1) << 20;

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Keeps the chains from being removed.
volatile float sink;

__attribute__((target("avx512f"))) void chainsAvx512() {
  __m512 x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(0.001f);
  __m512 sum[kChains];
  for (int i = 0; i < kChains; ++i)
    sum[i] = _mm512_set1_ps(float(i));
  for (int64_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      sum[i] = _mm512_fmadd_ps(sum[i], x, y);
  for (int i = 1; i < kChains; ++i)
    sum[0] = _mm512_add_ps(sum[0], sum[i]);
  sink = _mm512_cvtss_f32(sum[0]);
}

__attribute__((target("avx2,fma"))) void chainsAvx2() {
  __m256 x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f);
  __m256 sum[kChains];
  for (int i = 0; i < kChains; ++i)
    sum[i] = _mm256_set1_ps(float(i));
  for (int64_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      sum[i] = _mm256_fmadd_ps(sum[i], x, y);
  for (int i = 1; i < kChains; ++i)
    sum[0] = _mm256_add_ps(sum[0], sum[i]);
  sink = _mm256_cvtss_f32(sum[0]);
}

/// Without the instruction: a multiplication and an addition.
void chainsGeneric() {
  __m128 x = _mm_set1_ps(0.999f), y = _mm_set1_ps(0.001f);
  __m128 sum[kChains];
  for (int i = 0; i < kChains; ++i)
    sum[i] = _mm_set1_ps(float(i));
  for (int64_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      sum[i] = _mm_add_ps(_mm_mul_ps(sum[i], x), y);
  for (int i = 1; i < kChains; ++i)
    sum[0] = _mm_add_ps(sum[0], sum[i]);
  sink = _mm_cvtss_f32(sum[0]);
}

__attribute__((target("avx512bf16,avx512vl"))) void chainsBf16() {
  __m512bh x = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.5f), _mm512_set1_ps(0.5f));
  __m512 sum[kChains];
  for (int i = 0; i < kChains; ++i)
    sum[i] = _mm512_set1_ps(float(i));
  for (int64_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      sum[i] = _mm512_dpbf16_ps(sum[i], x, x);
  for (int i = 1; i < kChains; ++i)
    sum[0] = _mm512_add_ps(sum[0], sum[i]);
  sink = _mm512_cvtss_f32(sum[0]);
}

/// Tiles of 16 rows of 64 bytes: four of sums, and two of what is multiplied.
struct alignas(64) TileShapes {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16};
};
const TileShapes tileShapes;

__attribute__((target("amx-tile,amx-bf16"))) void chainsAmx() {
  _tile_loadconfig(&tileShapes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  for (int64_t step = 0; step < kSteps / kAmxShare; ++step) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  _tile_release();
}

/// Operations per second of `kItems` times `chains`, `flops` operations each.
double measureRate(runtime::ThreadPool &threads, void (*chains)(),
                   double flops) {
  double start = now();
  threads.run(
      kItems,
      [](void *context, int, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          (*static_cast<void (**)()>(context))();
      },
      &chains);
  return flops * kItems / (now() - start);
}

} // namespace

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

MachineLimits::MachineLimits(runtime::CpuDevice &device, const std::string &isa)
    : threads(device.threads()),
      level(isa == "host" ? device.features().toString() : isa),
      hasAvx512(level.rfind("avx512", 0) == 0), hasAvx2(level == "avx2"),
      hasBf16(level.rfind("avx512-bf16", 0) == 0),
      hasAmx(level.find("amx-bf16") != std::string::npos) {
  if (hasAmx)
    check(runtime::enableAmx());
}

void MachineLimits::touchMemory() {
  for (runtime::AlignedBuffer *buffer : {&from, &to})
    if (!buffer->data()) {
      *buffer = unwrap(runtime::AlignedBuffer::allocate(kCopyBytes));
      std::memset(buffer->data(), 1, kCopyBytes);
    }
}

double MachineLimits::measureFlops() {
  double flops = 2.0 * kChains * kSteps;
  if (hasAvx512)
    return measureRate(threads, chainsAvx512, flops * 16);
  if (hasAvx2)
    return measureRate(threads, chainsAvx2, flops * 8);
  return measureRate(threads, chainsGeneric, flops * 4);
}

double MachineLimits::measureProductFlops() {
  return hasAmx ? measureBf16Flops() / 6 : measureFlops();
}

double MachineLimits::measureBf16Flops() {
  if (hasAmx)
    return measureRate(threads, chainsAmx,
                       2.0 * 16 * 16 * 32 * 4 * (kSteps / kAmxShare));
  if (hasBf16)
    // Slower than f32 on some processors.
    return std::max(measureFlops(), measureRate(threads, chainsBf16,
                                                2.0 * 32 * kChains * kSteps));
  return measureFlops();
}

double MachineLimits::measureCopy() {
  touchMemory();
  double start = now();
  threads.run(
      kCopyBytes / kCopyItem,
      [](void *context, int, int64_t begin, int64_t end) {
        auto *self = static_cast<MachineLimits *>(context);
        std::memcpy(
            reinterpret_cast<char *>(self->to.data()) + begin * kCopyItem,
            reinterpret_cast<char *>(self->from.data()) + begin * kCopyItem,
            (end - begin) * kCopyItem);
      },
      this);
  return 2.0 * kCopyBytes / (now() - start);
}

double MachineLimits::measureUpdate() {
  touchMemory();
  double start = now();
  threads.run(
      kCopyBytes / kCopyItem,
      [](void *context, int, int64_t begin, int64_t end) {
        auto *self = static_cast<MachineLimits *>(context);
        auto *values = reinterpret_cast<uint64_t *>(self->to.data());
        constexpr int64_t count = kCopyItem / sizeof *values;
        for (int64_t i = begin * count; i < end * count; ++i)
          values[i] += 1;
      },
      this);
  return 2.0 * kCopyBytes / (now() - start);
}

double MachineLimits::measureRead() {
  touchMemory();
  double start = now();
  threads.run(
      kCopyBytes / kCopyItem,
      [](void *context, int, int64_t begin, int64_t end) {
        // Several places at once, each fetched ahead: left to itself, a core
        // keeps fewer requests in flight than memory can serve.
        constexpr size_t streams = 4, words = 8, ahead = 2048;
        constexpr size_t stride = kCopyItem / streams;
        auto *self = static_cast<MachineLimits *>(context);
        const auto *data = reinterpret_cast<const char *>(self->from.data());
        uint64_t sums[words] = {};
        for (int64_t item = begin; item < end; ++item)
          for (size_t at = 0; at < stride; at += sizeof sums)
            for (size_t stream = 0; stream < streams; ++stream) {
              const char *place = data + static_cast<size_t>(item) * kCopyItem +
                                  stream * stride + at;
              __builtin_prefetch(place + ahead);
              uint64_t line[words];
              std::memcpy(line, place, sizeof line);
              for (size_t word = 0; word < words; ++word)
                sums[word] += line[word];
            }
        uint64_t total = 0;
        for (uint64_t sum : sums)
          total += sum;
        sink = static_cast<float>(total);
      },
      this);
  return static_cast<double>(kCopyBytes) / (now() - start);
}

} // namespace attnres::run
