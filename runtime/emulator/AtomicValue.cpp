// The arithmetic of atomic operations. Floating sums, minima and maxima use the
// same loops as the plain instructions, so they round alike.

#include "runtime/emulator/AtomicValue.h"

#include "runtime/emulator/lane/LaneOps.h"

#include <algorithm>
#include <cstring>

namespace attnres::emulator {
namespace {

LaneFn arithmetic(AtomicOp op, Type type) {
  LaneOp lane = op == AtomicOp::Add   ? LaneOp::Add
                : op == AtomicOp::Min ? LaneOp::Min
                                      : LaneOp::Max;
  return laneTable().find({lane, type, Type::None, 0});
}

uint64_t floating(AtomicOp op, Type type, uint64_t old, uint64_t b) {
  alignas(64) uint8_t left[8 * kWarpSize] = {};
  alignas(64) uint8_t right[8 * kWarpSize] = {};
  alignas(64) uint8_t result[8 * kWarpSize] = {};
  std::memcpy(left, &old, sizeof old);
  std::memcpy(right, &b, sizeof b);
  LaneArgs args;
  args.a = left;
  args.b = right;
  args.d = result;
  arithmetic(op, type)(args);
  uint64_t value = 0;
  std::memcpy(&value, result, typeBytes(type));
  return value;
}

template <typename T>
uint64_t ordered(AtomicOp op, uint64_t old, uint64_t b) {
  T left = static_cast<T>(old);
  T right = static_cast<T>(b);
  return static_cast<uint64_t>(op == AtomicOp::Min ? std::min(left, right)
                                                   : std::max(left, right));
}

} // namespace

bool atomicExists(AtomicOp op, Type type, bool isRed) {
  unsigned bytes = typeBytes(type);
  bool isWord = isInteger(type) && (bytes == 4 || bytes == 8);
  bool isHalf = type == Type::F16 || type == Type::BF16 ||
                type == Type::F16x2 || type == Type::BF16x2;
  switch (op) {
  case AtomicOp::Add:
    return isWord || isHalf || type == Type::F32 || type == Type::F64;
  case AtomicOp::Min:
  case AtomicOp::Max:
    return isWord || isHalf;
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Xor:
    return isWord;
  case AtomicOp::Exch:
    return isWord && !isRed;
  case AtomicOp::Cas:
    return (isWord || type == Type::B16) && !isRed;
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    return type == Type::U32;
  }
  return false;
}

uint64_t atomicValue(AtomicOp op, Type type, uint64_t old, uint64_t b,
                     uint64_t c) {
  unsigned bytes = typeBytes(type);
  uint64_t keep = bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * bytes)) - 1;
  switch (op) {
  case AtomicOp::Exch:
    return b;
  case AtomicOp::Cas:
    return (old & keep) == (b & keep) ? c : old;
  case AtomicOp::And:
    return old & b;
  case AtomicOp::Or:
    return old | b;
  case AtomicOp::Xor:
    return old ^ b;
  case AtomicOp::Inc:
    return (old & keep) >= (b & keep) ? 0 : old + 1;
  case AtomicOp::Dec:
    return (old & keep) == 0 || (old & keep) > (b & keep) ? b : old - 1;
  case AtomicOp::Add:
    return isFloat(type) ? floating(op, type, old, b) : old + b;
  default:
    break;
  }
  if (isFloat(type))
    return floating(op, type, old, b);
  switch (type) {
  case Type::S32:
    return ordered<int32_t>(op, old, b);
  case Type::S64:
    return ordered<int64_t>(op, old, b);
  case Type::U64:
  case Type::B64:
    return ordered<uint64_t>(op, old, b);
  default:
    return ordered<uint32_t>(op, old, b);
  }
}

} // namespace attnres::emulator
