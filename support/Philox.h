// Philox4x32-10, the counter-based generator of Salmon et al., "Parallel Random
// Numbers: As Easy as 1, 2, 3" (SC 2011). Element i of a stream is computed
// directly, so results depend on no order, thread count or batch size.
#ifndef ATTNRES_SUPPORT_PHILOX_H
#define ATTNRES_SUPPORT_PHILOX_H

#include <array>
#include <cstdint>

namespace attnres {

using PhiloxBlock = std::array<uint32_t, 4>;

/// Ten rounds on `counter` with the two key words of `key`.
constexpr PhiloxBlock philox(PhiloxBlock counter, uint64_t key) {
  auto key0 = static_cast<uint32_t>(key);
  auto key1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t{0xD2511F53} * counter[0];
    uint64_t product1 = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key0,
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key1,
               static_cast<uint32_t>(product0)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

/// One sequence of random values per (seed, stream).
class RandomStream {
public:
  RandomStream(uint64_t seed, uint64_t stream) : seed(seed), stream(stream) {}

  /// 128 random bits.
  PhiloxBlock block(uint64_t index) const {
    return philox(
        {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32),
         static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32)},
        seed);
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform(uint64_t index) const {
    PhiloxBlock b = block(index);
    uint64_t bits = (uint64_t{b[1]} << 32) | b[0];
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }

  /// Mean 0, variance 1, close to normal and never beyond 4.9: the sum of
  /// eight 16-bit uniform numbers. Integer arithmetic up to one rounding, so
  /// every machine and math library gives the same bits.
  float normal(uint64_t index) const {
    int32_t sum = 0;
    for (uint32_t word : block(index))
      sum += static_cast<int32_t>(word & 0xffff) +
             static_cast<int32_t>(word >> 16);
    // The sum of eight uniform integers below n has mean 4 (n-1) and variance
    // 8 (n^2 - 1) / 12.
    constexpr double inverseDeviation = 1.8688123650118534e-05;
    return static_cast<float>((sum - 4 * 65535) * inverseDeviation);
  }

private:
  uint64_t seed, stream;
};

} // namespace attnres
#endif
