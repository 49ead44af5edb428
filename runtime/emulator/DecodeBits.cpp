// Decoding of logic, shift and bit-field instructions.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"

#include <fmt/format.h>

namespace attnres::emulator {

Status FunctionDecoder::decodeLogic() {
  struct Names {
    LaneOp bits, predicates;
  };
  static const std::unordered_map<std::string_view, Names> ops = {
      {"and", {LaneOp::And, LaneOp::PredAnd}},
      {"or", {LaneOp::Or, LaneOp::PredOr}},
      {"xor", {LaneOp::Xor, LaneOp::PredXor}},
      {"not", {LaneOp::Not, LaneOp::PredNot}},
      {"cnot", {LaneOp::Cnot, LaneOp::None}},
  };
  Type type = takeType();
  if (type != Type::Pred && !isInteger(type))
    return fail("expected a type of bits");
  const Names &names = ops.at(base());
  LaneKey key{type == Type::Pred ? names.predicates : names.bits, type,
              Type::None, 0};
  bool unary = base() == "not" || base() == "cnot";
  if (unary)
    return laneInstruction(key, InstructionClass::Logic, type, {type});
  return laneInstruction(key, InstructionClass::Logic, type, {type, type});
}

Status FunctionDecoder::decodeShift() {
  Type type = takeType();
  if (!isInteger(type))
    return fail("expected a type of bits");
  LaneOp op = base() == "shl" ? LaneOp::Shl : LaneOp::Shr;
  return laneInstruction({op, type, Type::None, 0}, InstructionClass::Logic,
                         type, {type, Type::U32});
}

/// Takes .clamp or .wrap.
Status FunctionDecoder::clampOrWrap(LaneKey &key) {
  if (take("clamp"))
    key.flags |= kClamp;
  else if (!take("wrap"))
    return fail("expected .clamp or .wrap");
  return {};
}

Status FunctionDecoder::decodeFunnel() {
  LaneKey key;
  key.type = Type::B32;
  if (take("l"))
    key.op = LaneOp::ShfL;
  else if (take("r"))
    key.op = LaneOp::ShfR;
  else
    return fail("expected .l or .r");
  if (Status status = clampOrWrap(key); !status.ok())
    return status;
  return wordInstruction(key.op, key.flags, 3);
}

/// An instruction on b32 alone with `count` sources.
Status FunctionDecoder::wordInstruction(LaneOp op, uint16_t flags,
                                        unsigned count, uint32_t imm) {
  if (takeType() != Type::B32)
    return fail("expected b32");
  LaneKey key{op, Type::B32, Type::None, flags};
  constexpr Type word = Type::B32;
  if (count == 2)
    return laneInstruction(key, InstructionClass::Logic, word, {word, word});
  return laneInstruction(key, InstructionClass::Logic, word, {word, word, word},
                         imm);
}

// lop3.b32 d, a, b, c, table, and lop3.or.b32 d|p, a, b, c, table, q with
// p = (d != 0) or q.
Status FunctionDecoder::decodeLop3() {
  uint32_t combination = take("or")    ? kBoolOr
                         : take("and") ? kBoolAnd
                                       : kBoolNone;
  bool withPredicate = combination != kBoolNone;
  if (takeType() != Type::B32)
    return fail("expected b32");
  size_t count = withPredicate ? 6 : 5;
  if (Status status = operandCount(count, count); !status.ok())
    return status;
  Slots slotsOf;
  int64_t table = 0;
  Operand plain = operands()[0];
  plain.pair = -1;
  Status status;
  for (size_t i = 0; status.ok() && i < 3; ++i)
    status = source(operands()[i + 1], Type::B32, slotsOf.sources[i]);
  if (status.ok())
    status = immediateInteger(operands()[4], table);
  if (status.ok())
    status = destination(plain, Type::B32, slotsOf.destination);
  if (status.ok())
    status = emitLane({LaneOp::Lop3, Type::B32, Type::None, 0},
                      InstructionClass::Logic, Type::B32, slotsOf,
                      static_cast<uint32_t>(table) & 0xff);
  if (!status.ok() || !withPredicate)
    return status;
  int32_t p = 0;
  int32_t q = 0;
  status = setPair(operands()[0], p);
  if (status.ok())
    status = predicateSource(operands()[5], q);
  if (!status.ok())
    return status;
  if (p == 0)
    return fail("expected a destination predicate");
  return emitLane({LaneOp::SetpNe, Type::B32, Type::None, 0},
                  InstructionClass::Comparison, Type::Pred,
                  {p, {slotsOf.destination, constant(0, 4), q}}, combination);
}

Status FunctionDecoder::decodePrmt() {
  static const char *const modes[] = {"f4e", "b4e", "rc8",
                                      "ecl", "ecr", "rc16"};
  uint32_t mode = 0;
  for (uint32_t i = 0; i < 6; ++i)
    if (take(modes[i]))
      mode = i + 1;
  return wordInstruction(LaneOp::Prmt, 0, 3, mode);
}

// popc, clz and bfind give 32 bits whatever the source; brev keeps the type.
Status FunctionDecoder::decodeBitCount() {
  static const std::unordered_map<std::string_view, LaneOp> ops = {
      {"popc", LaneOp::Popc},
      {"clz", LaneOp::Clz},
      {"bfind", LaneOp::Bfind},
      {"brev", LaneOp::Brev}};
  Type type = takeType();
  LaneKey key{ops.at(base()), type, Type::None, 0};
  if (key.op == LaneOp::Bfind && take("shiftamt"))
    key.flags |= kClamp;
  Type result = key.op == LaneOp::Brev ? type : Type::U32;
  return laneInstruction(key, InstructionClass::Logic, result, {type});
}

Status FunctionDecoder::decodeBfe() {
  Type type = takeType();
  return laneInstruction({LaneOp::Bfe, type, Type::None, 0},
                         InstructionClass::Logic, type,
                         {type, Type::U32, Type::U32});
}

Status FunctionDecoder::decodeBfi() {
  Type type = takeType();
  return laneInstruction({LaneOp::Bfi, type, Type::None, 0},
                         InstructionClass::Logic, type,
                         {type, type, Type::U32, Type::U32});
}

Status FunctionDecoder::decodeFns() {
  return wordInstruction(LaneOp::Fns, 0, 3);
}

Status FunctionDecoder::decodeBmskSzext() {
  LaneKey key;
  key.op = base() == "bmsk" ? LaneOp::Bmsk : LaneOp::Szext;
  if (Status status = clampOrWrap(key); !status.ok())
    return status;
  if (key.op == LaneOp::Bmsk)
    return wordInstruction(key.op, key.flags, 2);
  key.type = takeType();
  if (typeBytes(key.type) != 4)
    return fail("expected u32 or s32");
  return laneInstruction(key, InstructionClass::Logic, Type::B32,
                         {Type::B32, Type::B32});
}

} // namespace attnres::emulator
