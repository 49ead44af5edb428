// Values that nothing has set. Like memory sanitizers, the emulator lets them
// go through moves, packing and arithmetic, by byte where bytes move, and
// reports them where they matter: stored, used as an address, deciding a branch
// or handed to an instruction of the warp. A lane's bit in `Warp::init` says
// that its value is defined as a whole, which it nearly always is; what is here
// looks at the other lanes only.

#ifndef ATTNRES_RUNTIME_EMULATOR_UNDEFINED_H
#define ATTNRES_RUNTIME_EMULATOR_UNDEFINED_H

#include "runtime/emulator/Types.h"
#include "runtime/emulator/lane/LaneOps.h"

#include <array>
#include <cstdint>
#include <unordered_map>

namespace attnres::emulator {

class Warp;
struct Instruction;

/// How the defined bytes of an instruction's operands make those of its result.
enum class Flow : uint8_t {
  /// All of the result depends on all of the operands.
  Whole,
  Copy,
  /// Byte by byte: xor, not, lop3.
  Bytes,
  /// And what is known whatever the other operand is.
  And,
  Or,
  PredAnd,
  PredOr,
  /// Two halves of 32 bits, each on its own.
  Halves,
  /// Two operands of 32 bits become the halves, the first the upper one.
  MakeHalves,
  Select,
  ShiftLeft,
  ShiftRight,
  Permute,
  /// The low bytes of the operand, extended with or without its sign.
  Extend,
  SignExtend,
  /// The low bytes of the operand decide everything.
  LowBytes,
  InsertBits,
  ExtractBits,
};

/// For the instruction that `key` computes.
Flow flowOf(const LaneKey &key);

/// Which bytes of a register are defined, for the lanes where not all are.
struct PartialRegister {
  std::array<uint8_t, kWarpSize> defined{};
  /// The register that was never set.
  int32_t origin = 0;
};
using PartialRegisters = std::unordered_map<int32_t, PartialRegister>;

/// What an instruction's results will be like.
struct UndefinedResult {
  /// The lanes in which the result, or the second one, is not all defined.
  uint32_t lanes = 0;
  uint32_t lanes2 = 0;
  PartialRegister value;
};
/// Before the instruction executes for the lanes of `mask`.
UndefinedResult traceUndefined(Warp &warp, const Instruction &inst,
                               uint32_t mask);

} // namespace attnres::emulator

#endif // ATTNRES_RUNTIME_EMULATOR_UNDEFINED_H
