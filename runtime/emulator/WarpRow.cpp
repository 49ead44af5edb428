// The usual shapes of a warp's memory access, checked at once rather than lane
// by lane: a row (all lanes, each right behind the one before) and a broadcast
// (all lanes at one place). Whatever is not plainly in order here is left to
// the checks by lane, which also make the findings.

#include "runtime/emulator/Machine.h"

namespace attnres::emulator {
namespace {

bool isRow(const uint64_t *addresses, unsigned bytes) {
  uint64_t different = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    different |= addresses[lane] ^ (addresses[0] + lane * bytes);
  return different == 0;
}

bool isBroadcast(const uint64_t *addresses, uint32_t mask) {
  uint64_t first = addresses[__builtin_ctz(mask)];
  for (uint32_t left = mask; left != 0; left &= left - 1)
    if (addresses[__builtin_ctz(left)] != first)
      return false;
  return true;
}

// Shadow entries are looked at in segments of so many bytes: mostly each was
// written, or read, by one instruction.
constexpr unsigned segment = 16;

// Whether the entries belong to one record.
bool haveOneRecord(const uint32_t *entries, unsigned count) {
  uint32_t different = 0;
  for (unsigned i = 0; i < count; ++i)
    different |= entries[i] ^ entries[0];
  return different >> RaceLog::laneBits == 0;
}

// Which lane accesses the bytes of a segment, rather than a number.
constexpr unsigned eachItsOwn = kWarpSize; // lane after lane
constexpr unsigned allLanes = kWarpSize + 1;

// Whether the entries of bytes [first, first + count) were made by the lanes
// that access them now.
bool areOwnLanes(const uint32_t *entries, unsigned first, unsigned count,
                 unsigned bytes, unsigned lane) {
  uint32_t different = 0;
  unsigned shift = static_cast<unsigned>(__builtin_ctz(bytes));
  for (unsigned i = 0; i < count; ++i)
    different |=
        entries[i] ^ (lane == eachItsOwn ? (first + i) >> shift : lane);
  return lane != allLanes && different % kWarpSize == 0;
}

bool areInitialized(const uint8_t *init, unsigned bytes) {
  return std::memchr(init, 0, bytes) == nullptr;
}

// The entries of bytes [first, first + count) of a row that `record` accesses.
void fillRow(uint32_t *entries, uint32_t record, unsigned first, unsigned count,
             unsigned bytes) {
  unsigned shift = static_cast<unsigned>(__builtin_ctz(bytes));
  for (unsigned i = 0; i < count; ++i)
    entries[i] = record << RaceLog::laneBits | (first + i) >> shift;
}

} // namespace

void Warp::addressesOf(const MemoryExtra &memory, int32_t base,
                       uint64_t *addresses) const {
  uint64_t offset = static_cast<uint64_t>(memory.offset);
  if (base == 0) {
    std::fill_n(addresses, kWarpSize, offset);
  } else if (memory.narrowAddress) {
    const uint32_t *from = lanes<uint32_t>(base);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      addresses[lane] = from[lane] + offset;
  } else {
    const uint64_t *from = lanes<uint64_t>(base);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      addresses[lane] = from[lane] + offset;
  }
  if (memory.space == Space::Generic || memory.space == Space::Global)
    return;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    addresses[lane] = toGeneric(memory, addresses[lane]);
}

// How the accesses behind the entries of a segment stand to the present one.
Warp::RowOrder Warp::segmentOrder(Access &access, const uint32_t *entries,
                                  unsigned first, unsigned count,
                                  unsigned bytes, unsigned lane) const {
  if (!haveOneRecord(entries, count))
    return RowOrder::Unknown;
  uint32_t number = entries[0] >> RaceLog::laneBits;
  if (number == 0 || number == access.ordered)
    return RowOrder::Before;
  bool anyLane = true;
  bool ordered = isOrdered(access, entries[0], entries[0] % kWarpSize, anyLane);
  if (ordered && anyLane) {
    access.ordered = number;
    return RowOrder::Before;
  }
  if (ordered)
    return areOwnLanes(entries, first, count, bytes, lane) ? RowOrder::Before
                                                           : RowOrder::Unknown;
  return RowOrder::Apart;
}

bool Warp::isRowAfter(Access &access, const uint32_t *entries, unsigned total,
                      unsigned bytes, unsigned lane) const {
  for (unsigned first = 0; first < total; first += segment)
    if (segmentOrder(access, entries + first, first,
                     std::min(segment, total - first), bytes,
                     lane) != RowOrder::Before)
      return false;
  return true;
}

bool Warp::loadRow(const MemoryExtra &memory, const uint64_t *addresses,
                   unsigned bytes, uint32_t mask, Access &access, Row &row) {
  row.isBroadcast = false;
  if (mask != kFullMask || !isRow(addresses, bytes)) {
    if (!isBroadcast(addresses, mask))
      return false;
    row.isBroadcast = true;
  }
  unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
  unsigned total = row.isBroadcast ? bytes : bytes * kWarpSize;
  Target target;
  if (addresses[first] >> kWindowShift > kSharedWindow >> kWindowShift ||
      !resolve(memory.space, addresses[first], total, bytes, first,
               AccessKind::Load, target, false))
    return false;
  if (block.launch.checks.initialized && !areInitialized(target.init, total))
    return false;
  row.data = target.data;
  if (access.record == 0)
    return true;
  if (!isRowAfter(access, target.writes, total, bytes,
                  row.isBroadcast ? allLanes : eachItsOwn))
    return false;
  // The first lane stands for all in a broadcast.
  unsigned reader = row.isBroadcast ? first : eachItsOwn;
  for (unsigned at = 0; at < total; at += segment) {
    unsigned count = std::min(segment, total - at);
    uint32_t *entries = target.reads + at;
    switch (segmentOrder(access, entries, at, count, bytes, reader)) {
    case RowOrder::Before:
      if (row.isBroadcast)
        std::fill_n(entries, count, access.record << RaceLog::laneBits | first);
      else
        fillRow(entries, access.record, at, count, bytes);
      break;
    case RowOrder::Apart:
      // A read that nothing has ordered stays, as in checkRead.
      break;
    case RowOrder::Unknown:
      return false;
    }
  }
  return true;
}

bool Warp::storeRow(const MemoryExtra &memory, const uint64_t *addresses,
                    unsigned bytes, uint32_t mask, Access &access,
                    const uint8_t *values) {
  Target target;
  unsigned total = bytes * kWarpSize;
  if (mask != kFullMask || !isRow(addresses, bytes) ||
      addresses[0] >> kWindowShift > kSharedWindow >> kWindowShift ||
      !resolve(memory.space, addresses[0], total, bytes, 0, AccessKind::Store,
               target, false))
    return false;
  if (access.record != 0) {
    if (!isRowAfter(access, target.writes, total, bytes, eachItsOwn) ||
        !isRowAfter(access, target.reads, total, bytes, eachItsOwn))
      return false;
    fillRow(target.writes, access.record, 0, total, bytes);
  }
  std::memcpy(target.data, values, total);
  std::memset(target.init, 1, total);
  return true;
}

} // namespace attnres::emulator
