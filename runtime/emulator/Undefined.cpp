// How undefined bytes go through instructions on registers.

#include "runtime/emulator/Undefined.h"

#include "runtime/emulator/Machine.h"

namespace attnres::emulator {
namespace {

constexpr unsigned lowBytes(unsigned count) {
  return count >= 8 ? 0xff : (1u << count) - 1;
}

bool isPair(Type type) {
  return type == Type::F16x2 || type == Type::BF16x2 || type == Type::U16x2 ||
         type == Type::S16x2;
}

Flow flowOfConversion(const LaneKey &key) {
  if (key.source == Type::F32 && isPair(key.type))
    return Flow::MakeHalves;
  bool isWhole = key.flags & (kSat | kRelu);
  if (!isWhole && isInteger(key.type) && isInteger(key.source))
    return isSigned(key.source) && typeBytes(key.type) > typeBytes(key.source)
               ? Flow::SignExtend
               : Flow::Extend;
  return Flow::LowBytes;
}

// One lane of one instruction.
class Tracer {
public:
  Tracer(const Warp &warp, const Instruction &inst, unsigned lane)
      : warp(warp), inst(inst), lane(lane) {
    for (unsigned i = 0; i < 4; ++i)
      defined[i] = warp.definedBytes(inst.src[i], lane);
  }

  unsigned result() const {
    switch (inst.flow) {
    case Flow::Copy:
      return defined[0];
    case Flow::Bytes:
      return defined[0] & defined[1] & defined[2];
    case Flow::And:
      return known(0x00);
    case Flow::Or:
      return known(0xff);
    case Flow::PredAnd:
      return knownPredicate(false);
    case Flow::PredOr:
      return knownPredicate(true);
    case Flow::Halves:
      return halves();
    case Flow::MakeHalves:
      return (isWhole(0, 4) ? 0xcu : 0u) | (isWhole(1, 4) ? 3u : 0u);
    case Flow::Select:
      return select();
    case Flow::ShiftLeft:
      return shift(true);
    case Flow::ShiftRight:
      return shift(false);
    case Flow::Permute:
      return permute();
    case Flow::Extend:
      return defined[0] | (0xff & ~lowBytes(inst.flowBytes));
    case Flow::SignExtend:
      return (defined[0] & lowBytes(inst.flowBytes)) |
             (defined[0] >> (inst.flowBytes - 1) & 1
                  ? 0xffu & ~lowBytes(inst.flowBytes)
                  : 0u);
    case Flow::LowBytes:
      return isWhole(0, inst.flowBytes) ? 0xff : 0;
    case Flow::InsertBits:
      return insertBits();
    case Flow::ExtractBits:
      return extractBits();
    case Flow::Whole:
      break;
    }
    return (defined[0] & defined[1] & defined[2] & defined[3]) == 0xff ? 0xff
                                                                       : 0;
  }

  /// Of the second result, a predicate.
  bool second() const {
    if (inst.flow == Flow::Halves)
      return halves() & 2;
    return (defined[0] & defined[1] & defined[2] & defined[3]) == 0xff;
  }

private:
  bool isWhole(unsigned operand, unsigned bytes) const {
    return (defined[operand] & lowBytes(bytes)) == lowBytes(bytes);
  }
  uint64_t value(unsigned operand, unsigned bytes) const {
    uint64_t bits = 0;
    std::memcpy(&bits, warp.slot(inst.src[operand]) + size_t(lane) * bytes,
                bytes);
    return bits;
  }
  bool predicate(unsigned operand) const {
    return warp.predicate(inst.src[operand]) >> lane & 1;
  }

  // A byte of `absorbing` in one operand makes the result's.
  unsigned known(uint8_t absorbing) const {
    unsigned result = defined[0] & defined[1];
    for (unsigned operand = 0; operand < 2; ++operand) {
      uint64_t bits = value(operand, inst.destBytes);
      for (unsigned i = 0; i < inst.destBytes; ++i)
        if (((defined[operand] >> i) & 1) &&
            static_cast<uint8_t>(bits >> (8 * i)) == absorbing)
          result |= 1u << i;
    }
    return result;
  }

  unsigned knownPredicate(bool absorbing) const {
    bool isKnown = defined[0] == 0xff && defined[1] == 0xff;
    for (unsigned operand = 0; operand < 2; ++operand)
      isKnown |= defined[operand] == 0xff && predicate(operand) == absorbing;
    return isKnown ? 0xff : 0;
  }

  // The halves of a pair, or the two predicates that come of them.
  unsigned halves() const {
    unsigned all = 0xf;
    for (unsigned operand = 0; operand < 4; ++operand)
      all &= defined[operand];
    unsigned low = (all & 3) == 3;
    unsigned high = (all & 12) == 12;
    if (inst.destBytes == 0) {
      // One predicate alone is of both.
      if (inst.dst2 == 0)
        return low && high ? 0xff : 0;
      return (low ? 0xfdu : 0) | (high ? 2u : 0);
    }
    return (low ? 3u : 0u) | (high ? 12u : 0u);
  }

  unsigned select() const {
    if (inst.src[3] != 0) {
      unsigned result = 0;
      for (unsigned half = 0; half < 2; ++half) {
        unsigned chooser = 2 + half;
        if (defined[chooser] == 0xff)
          result |= defined[predicate(chooser) ? 0 : 1] & (3u << (2 * half));
      }
      return result;
    }
    return defined[2] == 0xff ? defined[predicate(2) ? 0 : 1] : 0;
  }

  unsigned shift(bool left) const {
    if (!isWhole(1, 4))
      return 0;
    uint32_t amount = static_cast<uint32_t>(value(1, 4));
    unsigned width = inst.destBytes;
    if (amount >= 8 * width)
      return isSignedShift() ? 0u : 0xffu;
    if (amount % 8 != 0)
      return isWhole(0, width) ? 0xff : 0;
    unsigned bytes = amount / 8;
    unsigned own = defined[0] & lowBytes(width);
    if (left)
      return (own << bytes | lowBytes(bytes)) & 0xff;
    unsigned filled = lowBytes(width) & ~lowBytes(width - bytes);
    bool isFilled = !isSignedShift() || (own >> (width - 1) & 1);
    return own >> bytes | (isFilled ? filled : 0);
  }
  bool isSignedShift() const { return inst.flowBytes != 0; }

  unsigned permute() const {
    if (inst.imm != 0 || !isWhole(2, 4))
      return isWhole(0, 4) && isWhole(1, 4) && isWhole(2, 4) ? 0xff : 0;
    unsigned bytes = (defined[0] & 15) | (defined[1] & 15) << 4;
    uint32_t selector = static_cast<uint32_t>(value(2, 4));
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i)
      result |= (bytes >> (selector >> (4 * i) & 7) & 1) << i;
    return result;
  }

  // Source 0 into source 1, at bit source 2, so many as source 3 says.
  unsigned insertBits() const {
    unsigned width = inst.destBytes;
    if (!isWhole(2, 4) || !isWhole(3, 4))
      return 0;
    uint32_t start = static_cast<uint32_t>(value(2, 4)) & 255;
    uint32_t count = static_cast<uint32_t>(value(3, 4)) & 255;
    unsigned result = 0;
    for (unsigned i = 0; i < width; ++i) {
      uint32_t first = 8 * i;
      bool isInserted = first + 8 > start && first < start + count;
      bool isKept = first < start || first + 8 > start + count;
      bool isDefined = !isKept || (defined[1] >> i & 1);
      // The bytes of the inserted value that its bits come from.
      for (unsigned j = 0; isInserted && j < width; ++j)
        if (8 * j + start < first + 8 && 8 * j + 8 + start > first)
          isDefined &= defined[0] >> j & 1;
      result |= unsigned(isDefined) << i;
    }
    return result;
  }

  unsigned extractBits() const {
    unsigned width = inst.destBytes;
    if (!isWhole(1, 4) || !isWhole(2, 4))
      return 0;
    uint32_t start = static_cast<uint32_t>(value(1, 4)) & 255;
    uint32_t count = static_cast<uint32_t>(value(2, 4)) & 255;
    for (unsigned i = 0; i < width; ++i)
      if (8 * i < start + count && 8 * i + 8 > start && !(defined[0] >> i & 1))
        return 0;
    return 0xff;
  }

  const Warp &warp;
  const Instruction &inst;
  unsigned lane;
  unsigned defined[4];
};

} // namespace

Flow flowOf(const LaneKey &key) {
  switch (key.op) {
  case LaneOp::Mov:
  case LaneOp::PredMov:
  case LaneOp::PredNot:
    return Flow::Copy;
  case LaneOp::Xor:
  case LaneOp::Not:
  case LaneOp::Lop3:
    return Flow::Bytes;
  case LaneOp::And:
    return Flow::And;
  case LaneOp::Or:
    return Flow::Or;
  case LaneOp::PredAnd:
    return Flow::PredAnd;
  case LaneOp::PredOr:
    return Flow::PredOr;
  case LaneOp::Selp:
    return Flow::Select;
  case LaneOp::Shl:
    return Flow::ShiftLeft;
  case LaneOp::Shr:
    return Flow::ShiftRight;
  case LaneOp::Prmt:
    return Flow::Permute;
  case LaneOp::Bfi:
    return Flow::InsertBits;
  case LaneOp::Bfe:
    return isSigned(key.type) ? Flow::Whole : Flow::ExtractBits;
  case LaneOp::Cvt:
    return flowOfConversion(key);
  default:
    return isPair(key.type) ? Flow::Halves : Flow::Whole;
  }
}

UndefinedResult traceUndefined(Warp &warp, const Instruction &inst,
                               uint32_t mask) {
  UndefinedResult result;
  uint32_t missing = 0;
  for (int32_t source : inst.src) {
    uint32_t lanes = mask & ~warp.init[source];
    if (lanes == 0)
      continue;
    // A result under way is not an undefined one.
    if (warp.reportPending(source, lanes))
      continue;
    if (missing == 0)
      result.value.origin = warp.originOf(source);
    missing |= lanes;
  }
  unsigned whole = lowBytes(inst.destBytes == 0 ? 1 : inst.destBytes);
  for (uint32_t left = missing; left != 0; left &= left - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    Tracer tracer(warp, inst, lane);
    unsigned defined = tracer.result() & whole;
    result.value.defined[lane] = static_cast<uint8_t>(defined);
    if (defined != whole)
      result.lanes |= 1u << lane;
    if (inst.dst2 != 0 && !tracer.second())
      result.lanes2 |= 1u << lane;
  }
  return result;
}

} // namespace attnres::emulator
