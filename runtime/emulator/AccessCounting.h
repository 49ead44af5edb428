// Memory counters of one warp access, and what strong accesses share.

#ifndef ATTNRES_RUNTIME_EMULATOR_ACCESSCOUNTING_H
#define ATTNRES_RUNTIME_EMULATOR_ACCESSCOUNTING_H

#include "runtime/emulator/Counters.h"

#include <cstdint>

namespace attnres::emulator {

class Warp;

/// Adds one access of `bytes` per lane of `mask`. Global: sectors of 32 bytes.
/// Shared: passes over 32 banks of 4 bytes, where lanes that read the same word
/// share it, and wide accesses go in 2 or 4 parts of the warp.
void countAccess(Counters &counters, const uint64_t *addresses, unsigned bytes,
                 uint32_t mask, bool isStore);

/// Clocks passed through a flag or lock at `address` (a generic one).
void publishOrAcquire(Warp &warp, uint64_t address, uint32_t mask,
                      bool publishes, bool acquires);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_ACCESSCOUNTING_H
