// The arithmetic of atomic operations, one value at a time.

#ifndef ATTNRES_RUNTIME_EMULATOR_ATOMICVALUE_H
#define ATTNRES_RUNTIME_EMULATOR_ATOMICVALUE_H

#include "runtime/emulator/SyncExtras.h"

namespace attnres::emulator {

/// The new contents of a location that held `old`; all values in the low bits.
uint64_t atomicValue(AtomicOp op, Type type, uint64_t old, uint64_t b,
                     uint64_t c);

/// Whether PTX has the operation on the type, without a result (`isRed`) or
/// with one.
bool atomicExists(AtomicOp op, Type type, bool isRed);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_ATOMICVALUE_H
