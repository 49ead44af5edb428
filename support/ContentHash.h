// A 64-bit hash of what a file holds, as fast as memory: it tells whether two
// files are the same whatever their names and times are. Not for adversaries.
//
// Eight lanes take eight little-endian bytes each in turn. A step of a lane is
// a bijection of its state for a given input, and of the input for a given
// state, so a change of any one word always changes the result.
#ifndef ATTNRES_SUPPORT_CONTENTHASH_H
#define ATTNRES_SUPPORT_CONTENTHASH_H

#include "support/Hash.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace attnres {

class ContentHash {
public:
  /// Adds bytes; how they are cut into calls does not matter.
  void add(std::string_view bytes) {
    total += bytes.size();
    if (held > 0) {
      size_t taken = std::min(sizeof pending - held, bytes.size());
      std::memcpy(pending + held, bytes.data(), taken);
      held += taken;
      bytes.remove_prefix(taken);
      if (held < sizeof pending)
        return;
      addBlocks(pending, 1);
      held = 0;
    }
    size_t blocks = bytes.size() / sizeof pending;
    addBlocks(bytes.data(), blocks);
    bytes.remove_prefix(blocks * sizeof pending);
    if (bytes.empty())
      return;
    std::memcpy(pending, bytes.data(), bytes.size());
    held = bytes.size();
  }

  /// The hash of everything added so far.
  uint64_t value() const {
    ContentHash padded = *this;
    std::memset(padded.pending + held, 0, sizeof pending - held);
    padded.addBlocks(padded.pending, 1);
    char summary[sizeof lanes + sizeof total];
    std::memcpy(summary, padded.lanes, sizeof lanes);
    std::memcpy(summary + sizeof lanes, &total, sizeof total);
    return fnv1a64({summary, sizeof summary});
  }

private:
  static constexpr int numLanes = 8;

  void addBlocks(const char *block, size_t count) {
    uint64_t state[numLanes]; // in registers: bytes might be anybody's memory
    std::memcpy(state, lanes, sizeof lanes);
    for (; count > 0; --count, block += sizeof pending)
      for (int lane = 0; lane < numLanes; ++lane) {
        uint64_t word;
        std::memcpy(&word, block + lane * sizeof word, sizeof word);
        uint64_t mixed = (state[lane] ^ word) * 0x9E3779B97F4A7C15;
        state[lane] = mixed ^ (mixed >> 32);
      }
    std::memcpy(lanes, state, sizeof lanes);
  }

  uint64_t lanes[numLanes] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t total = 0;
  char pending[numLanes * sizeof(uint64_t)];
  size_t held = 0;
};

/// Sixteen digits.
inline std::string showHash(uint64_t hash) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4)
    text[static_cast<size_t>(i)] = digits[hash & 15];
  return text;
}

} // namespace attnres
#endif
