// FNV-1a, 64 bits: checksums of files and keys of random streams. Changing any
// one byte of the input always changes the result.
#ifndef ATTNRES_SUPPORT_HASH_H
#define ATTNRES_SUPPORT_HASH_H

#include <cstdint>
#include <string_view>

namespace attnres {

constexpr uint64_t fnv1a64(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : bytes)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

} // namespace attnres
#endif
