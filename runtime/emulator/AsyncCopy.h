// What bulk tensor copies and matrix descriptors share.

#ifndef ATTNRES_RUNTIME_EMULATOR_ASYNCCOPY_H
#define ATTNRES_RUNTIME_EMULATOR_ASYNCCOPY_H

#include "runtime/emulator/TensorMap.h"

#include <cstdint>

namespace attnres::emulator {

/// First word of a valid TensorMap.
constexpr uint64_t kTensorMapMagic = 0x70616d74656e7361;

/// Where a byte of a swizzled tile lies: the 16-byte chunk number within a row
/// of 32, 64 or 128 bytes is xored with bits of the 128-byte row number. Takes
/// and returns shared-memory addresses.
constexpr uint32_t swizzled(uint32_t address, Swizzle mode) {
  switch (mode) {
  case Swizzle::Bytes32:
    return address ^ ((address >> 3) & 0x10);
  case Swizzle::Bytes64:
    return address ^ ((address >> 3) & 0x30);
  case Swizzle::Bytes128:
    return address ^ ((address >> 3) & 0x70);
  default:
    return address;
  }
}

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_ASYNCCOPY_H
