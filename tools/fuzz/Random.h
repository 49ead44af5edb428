//===- Random.h - numbers that follow from a seed ---------------*- C++ -*-===//
//
// The same seed gives the same numbers on every machine, which the
// distributions of the standard library do not promise.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_FUZZ_RANDOM_H
#define ATTNRES_TOOLS_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <initializer_list>
#include <random>

namespace attnres::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  uint64_t bits() { return engine(); }
  /// In [0, bound); 0 when there is no such number.
  int64_t below(int64_t bound) { return bound < 1 ? 0 : bits() % bound; }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  /// Symmetric about 0, mostly within [-2, 2].
  double real() {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += static_cast<double>(bits() >> 11) * 0x1p-53;
    return 2 * (sum - 1.5);
  }

  template <typename T>
  const T &pick(llvm::ArrayRef<T> from) {
    return from[below(from.size())];
  }
  template <typename T>
  const T &pick(const llvm::SmallVectorImpl<T> &from) {
    return from[below(from.size())];
  }
  template <typename T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(from.size())];
  }

  template <typename Range>
  void shuffle(Range &range) {
    for (size_t i = range.size(); i > 1; --i)
      std::swap(range[i - 1], range[below(i)]);
  }

private:
  std::mt19937_64 engine;
};

} // namespace attnres::fuzz

#endif
