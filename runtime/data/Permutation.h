// A random order of n things that needs no memory: element i of the order is
// computed directly. A Feistel network on just enough bits, repeated until the
// value falls below n ("cycle walking"), is a bijection of [0, n).
#ifndef ATTNRES_RUNTIME_DATA_PERMUTATION_H
#define ATTNRES_RUNTIME_DATA_PERMUTATION_H

#include "support/Philox.h"

#include <cstdint>
#include <utility>

namespace attnres::runtime {

class Permutation {
public:
  /// Of [0, size); size < 2^62. Different (seed, stream) pairs give
  /// independent orders.
  Permutation(int64_t size, uint64_t seed, uint64_t stream)
      : size(static_cast<uint64_t>(size)), random(seed, stream) {
    while (uint64_t{1} << (2 * halfBits) < this->size)
      ++halfBits;
  }

  int64_t operator()(int64_t index) const {
    auto value = static_cast<uint64_t>(index);
    do
      value = encrypt(value);
    while (value >= size);
    return static_cast<int64_t>(value);
  }

private:
  uint64_t encrypt(uint64_t value) const {
    uint64_t mask = (uint64_t{1} << halfBits) - 1;
    uint64_t left = value >> halfBits, right = value & mask;
    constexpr uint64_t rounds = 4;
    for (uint64_t round = 0; round < rounds; ++round) {
      // halfBits <= 31 leaves room for the round number.
      uint64_t mixed = random.block((round << 32) | right)[0] & mask;
      left ^= mixed;
      std::swap(left, right);
    }
    return (left << halfBits) | right;
  }

  uint64_t size;
  RandomStream random;
  int halfBits = 0;
};

} // namespace attnres::runtime
#endif
