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

// Where a row's entries are not of one instruction, they are looked at in
// segments of so many bytes.
constexpr unsigned segment = 16;

// Calls `visit` with the segments of a Warp::RowPart until it returns false,
// and returns whether it never did.
template <typename Part, typename F>
bool bySegments(const Part &part, F visit) {
  Part piece = part;
  for (unsigned at = 0; at < part.count; at += segment) {
    piece.first = part.first + at;
    piece.count = std::min(segment, part.count - at);
    if (!visit(piece))
      return false;
  }
  return true;
}

// Whether the entries belong to one record.
bool haveOneRecord(const uint32_t *entries, unsigned count) {
  uint32_t different = 0;
  for (unsigned i = 0; i < count; ++i)
    different |= entries[i] ^ entries[0];
  return different >> RaceLog::laneBits == 0;
}

// Which lane accesses the bytes of a part, rather than a number.
constexpr unsigned eachItsOwn = kWarpSize; // lane after lane
constexpr unsigned allLanes = kWarpSize + 1;

// Whether the entries of a part were made by the lanes that access it now.
bool areOwnLanes(const uint32_t *entries, unsigned first, unsigned count,
                 unsigned bytes, unsigned lane) {
  uint32_t different = 0;
  unsigned shift = static_cast<unsigned>(__builtin_ctz(bytes));
  for (unsigned i = 0; i < count; ++i)
    different |=
        entries[i] ^ (lane == eachItsOwn ? (first + i) >> shift : lane);
  return lane != allLanes && different % (1 << RaceLog::laneBits) == 0;
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

// Whether all accesses behind the entries of one plane are before the present.
bool Warp::isAfterPlane(Access &access, const uint32_t *entries,
                        const RowPart &part) const {
  if (!haveOneRecord(entries, part.count)) {
    if (part.count <= segment)
      return false;
    return bySegments(part, [&](const RowPart &piece) {
      return isAfterPlane(access, entries + (piece.first - part.first), piece);
    });
  }
  uint32_t number = entries[0] >> RaceLog::laneBits;
  if (number == 0)
    return true;
  Order order = judge(access, number).order;
  return order == Order::Before ||
         (order == Order::Own &&
          areOwnLanes(entries, part.first, part.count, part.bytes, part.lane));
}

bool Warp::isAfter(Access &access, const AccessLists &list,
                   const RowPart &part) const {
  unsigned planes = list.count();
  for (unsigned plane = 0; plane < planes; ++plane) {
    const uint32_t *entries = list.planeAt(plane) + part.offset + part.first;
    if (!isAfterPlane(access, entries, part))
      return false;
    if (plane + 1 < planes && entries[0] == 0 &&
        haveOneRecord(entries, part.count))
      return true;
  }
  return true;
}

// Adds a read as addRun does, for a row.
bool Warp::addRow(Access &access, AccessLists &list,
                  const RowPart &part) const {
  bool isBroadcast = part.lane != eachItsOwn;
  bool isSeveral = part.lane == allLanes;
  auto put = [&](uint32_t *entries) {
    if (isBroadcast)
      std::fill_n(entries, part.count,
                  access.record << RaceLog::laneBits |
                      (isSeveral ? RaceLog::severalLanes : part.lane));
    else
      fillRow(entries, access.record, part.first, part.count, part.bytes);
    return true;
  };
  for (unsigned plane = 0;; ++plane) {
    uint32_t *entries = list.makePlane(plane);
    if (!entries)
      return true;
    entries += part.offset + part.first;
    if (!haveOneRecord(entries, part.count)) {
      if (part.count <= segment)
        return false;
      return bySegments(part, [&](const RowPart &piece) {
        return addRow(access, list, piece);
      });
    }
    uint32_t number = entries[0] >> RaceLog::laneBits;
    if (number == 0)
      return put(entries);
    const Verdict &verdict = judge(access, number);
    bool isSame = access.isStrong() == verdict.isStrong;
    switch (verdict.order) {
    case Order::Before:
      if (isSame || verdict.isStrong)
        return put(entries);
      break;
    case Order::Own:
      // All lanes join whichever there were.
      if (isSame && (isSeveral || areOwnLanes(entries, part.first, part.count,
                                              part.bytes, part.lane)))
        return put(entries);
      return false;
    case Order::Forever:
      if (isSame || !verdict.isStrong)
        return true;
      break;
    case Order::Apart:
      break;
    default:
      return false;
    }
  }
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
  RowPart part;
  part.offset = target.offset;
  part.bytes = bytes;
  part.lane = !row.isBroadcast           ? eachItsOwn
              : (mask & (mask - 1)) == 0 ? first
                                         : allLanes;
  return exclusively(addresses[first], total, [&](unsigned at, unsigned count) {
    part.first = at;
    part.count = count;
    return isAfter(access, *target.writes, part) &&
           addRow(access, *target.reads, part);
  });
}

bool Warp::storeRow(const MemoryExtra &memory, const uint64_t *addresses,
                    unsigned bytes, uint32_t mask, Access &access,
                    const uint8_t *values) {
  Target target;
  unsigned total = bytes * kWarpSize;
  if (mask != kFullMask || access.isStrong() || !isRow(addresses, bytes) ||
      addresses[0] >> kWindowShift > kSharedWindow >> kWindowShift ||
      !resolve(memory.space, addresses[0], total, bytes, 0, AccessKind::Store,
               target, false))
    return false;
  auto check = [&](unsigned at, unsigned count) {
    RowPart part{target.offset, at, count, bytes, eachItsOwn};
    if (!isAfter(access, *target.writes, part) ||
        !isAfter(access, *target.reads, part))
      return false;
    fillRow(target.writes->first() + target.offset + at, access.record, at,
            count, bytes);
    if (target.writes->count() > 1)
      std::fill_n(target.writes->planeAt(1) + target.offset + at, count, 0);
    return true;
  };
  if (access.record != 0 && !exclusively(addresses[0], total, check))
    return false;
  std::memcpy(target.data, values, total);
  std::memset(target.init, 1, total);
  return true;
}

} // namespace attnres::emulator
