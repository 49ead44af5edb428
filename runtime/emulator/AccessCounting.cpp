// Sectors and bank conflicts of a warp's memory access.

#include "runtime/emulator/AccessCounting.h"

#include <algorithm>

namespace attnres::emulator {
namespace {

constexpr uint64_t sectorBytes = 32;
constexpr unsigned banks = 32;

unsigned distinct(uint64_t *values, unsigned count) {
  // Mostly ascending already.
  if (!std::is_sorted(values, values + count))
    std::sort(values, values + count);
  return static_cast<unsigned>(std::unique(values, values + count) - values);
}

void countGlobal(SpaceCounters &counts, const uint64_t *addresses,
                 unsigned bytes, uint32_t mask) {
  uint64_t sectors[2 * kWarpSize];
  unsigned count = 0;
  unsigned lanes = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1, ++lanes) {
    uint64_t first = addresses[__builtin_ctz(left)];
    uint64_t sector = first / sectorBytes;
    if (count == 0 || sectors[count - 1] != sector)
      sectors[count++] = sector;
    uint64_t last = (first + bytes - 1) / sectorBytes;
    if (last != sector)
      sectors[count++] = last;
  }
  uint64_t used = distinct(sectors, count);
  counts.transactions += used;
  // Lanes that share an address need no sector of their own.
  uint64_t ideal = (uint64_t(lanes) * bytes + sectorBytes - 1) / sectorBytes;
  counts.idealTransactions += std::min(ideal, used);
}

// Whether the lanes take consecutive places, in order: the usual case.
bool isConsecutive(const uint64_t *addresses, unsigned bytes, uint32_t mask) {
  unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
  uint64_t expected = addresses[first];
  for (uint32_t left = mask; left != 0; left &= left - 1, expected += bytes)
    if (addresses[__builtin_ctz(left)] != expected)
      return false;
  return true;
}

unsigned sharedPasses(const uint64_t *addresses, unsigned bytes,
                      uint32_t mask) {
  if (isConsecutive(addresses, bytes, mask))
    return 1;
  uint64_t words[kWarpSize * 4];
  unsigned count = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    uint64_t address = addresses[__builtin_ctz(left)];
    uint64_t last = (address + bytes - 1) / 4;
    for (uint64_t word = address / 4; word <= last; ++word)
      if (count == 0 || words[count - 1] != word)
        words[count++] = word;
  }
  unsigned different = distinct(words, count);
  uint8_t perBank[banks] = {};
  unsigned passes = 0;
  for (unsigned i = 0; i < different; ++i)
    passes = std::max<unsigned>(passes, ++perBank[words[i] % banks]);
  return passes;
}

void countShared(Counters &counters, const uint64_t *addresses, unsigned bytes,
                 uint32_t mask) {
  // 8-byte accesses go by half warps, 16-byte ones by quarters.
  unsigned parts = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4;
  unsigned width = kWarpSize / parts;
  for (unsigned part = 0; part < parts; ++part) {
    uint32_t lanes =
        parts == 1 ? mask : mask & (((1u << width) - 1) << (part * width));
    if (lanes == 0)
      continue;
    unsigned passes = sharedPasses(addresses, std::min(bytes, 16u), lanes);
    counters.shared.transactions += passes;
    counters.shared.idealTransactions += 1;
    counters.bankConflicts += passes - 1;
  }
}

} // namespace

void countAccess(Counters &counters, const uint64_t *addresses, unsigned bytes,
                 uint32_t mask, bool isStore) {
  uint32_t byWindow[4] = {};
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    byWindow[(addresses[lane] >> kWindowShift) & 3] |= 1u << lane;
  }
  SpaceCounters *spaces[4] = {&counters.global, &counters.shared,
                              &counters.local, &counters.parameter};
  for (unsigned window = 0; window < 4; ++window) {
    uint32_t lanes = byWindow[window];
    if (lanes == 0)
      continue;
    SpaceCounters &counts = *spaces[window];
    ++counts.requests;
    uint64_t total =
        uint64_t(bytes) * static_cast<unsigned>(__builtin_popcount(lanes));
    (isStore ? counts.storeBytes : counts.loadBytes) += total;
    if (window == 0)
      countGlobal(counts, addresses, bytes, lanes);
    else if (window == 1)
      countShared(counters, addresses, bytes, lanes);
  }
}

} // namespace attnres::emulator
