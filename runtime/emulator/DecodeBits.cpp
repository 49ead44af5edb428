// Decoding of logic, shift and bit-field instructions.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"

#include <fmt/format.h>

namespace attnres::emulator {

Status FunctionDecoder::decodeLogic() {
  Type type = takeType();
  bool unary = base() == "not" || base() == "cnot";
  if (Status status = operandCount(unary ? 2 : 3, unary ? 2 : 3); !status)
    return status;
  LaneKey key;
  key.type = type;
  bool isPredicate = type == Type::Pred;
  if (base() == "and")
    key.op = isPredicate ? LaneOp::PredAnd : LaneOp::And;
  else if (base() == "or")
    key.op = isPredicate ? LaneOp::PredOr : LaneOp::Or;
  else if (base() == "xor")
    key.op = isPredicate ? LaneOp::PredXor : LaneOp::Xor;
  else if (base() == "not")
    key.op = isPredicate ? LaneOp::PredNot : LaneOp::Not;
  else
    key.op = LaneOp::Cnot;
  if (!isPredicate && !isInteger(type))
    return fail("expected a type of bits");
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], type, a);
  if (status && !unary)
    status = source(operands()[2], type, b);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  return emitLane(key, InstructionClass::Logic, d, type, {a, b});
}

Status FunctionDecoder::decodeShift() {
  Type type = takeType();
  if (!isInteger(type))
    return fail("expected a type of bits");
  if (Status status = operandCount(3, 3); !status)
    return status;
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], Type::U32, b);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  LaneOp op = base() == "shl" ? LaneOp::Shl : LaneOp::Shr;
  return emitLane({op, type, Type::None, 0}, InstructionClass::Logic, d, type,
                  {a, b});
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
  if (take("clamp"))
    key.flags |= kClamp;
  else if (!take("wrap"))
    return fail("expected .clamp or .wrap");
  if (takeType() != Type::B32)
    return fail("expected b32");
  if (Status status = operandCount(4, 4); !status)
    return status;
  int32_t d = 0;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = source(operands()[i + 1], Type::B32, s[i]); !status)
      return status;
  if (Status status = destination(operands()[0], Type::B32, d); !status)
    return status;
  return emitLane(key, InstructionClass::Logic, d, Type::B32,
                  {s[0], s[1], s[2]});
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
  if (Status status =
          operandCount(withPredicate ? 6 : 5, withPredicate ? 6 : 5);
      !status)
    return status;
  int32_t d = 0;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = source(operands()[i + 1], Type::B32, s[i]); !status)
      return status;
  int64_t table = 0;
  if (Status status = immediateInteger(operands()[4], table); !status)
    return status;
  Operand plain = operands()[0];
  plain.pair = -1;
  if (Status status = destination(plain, Type::B32, d); !status)
    return status;
  Status status = emitLane(
      {LaneOp::Lop3, Type::B32, Type::None, 0}, InstructionClass::Logic, d,
      Type::B32, {s[0], s[1], s[2]}, static_cast<uint32_t>(table) & 0xff);
  if (!status || !withPredicate)
    return status;
  int32_t p = 0;
  int32_t q = 0;
  status = setPair(operands()[0], p);
  if (status)
    status = predicateSource(operands()[5], q);
  if (!status)
    return status;
  if (p == 0)
    return fail("expected a destination predicate");
  return emitLane({LaneOp::SetpNe, Type::B32, Type::None, 0},
                  InstructionClass::Comparison, p, Type::Pred,
                  {d, constant(0, 4), q}, combination);
}

Status FunctionDecoder::decodePrmt() {
  static const char *const modes[] = {"f4e", "b4e", "rc8",
                                      "ecl", "ecr", "rc16"};
  if (takeType() != Type::B32)
    return fail("expected b32");
  uint32_t mode = 0;
  for (uint32_t i = 0; i < 6; ++i)
    if (take(modes[i]))
      mode = i + 1;
  if (Status status = operandCount(4, 4); !status)
    return status;
  int32_t d = 0;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = source(operands()[i + 1], Type::B32, s[i]); !status)
      return status;
  if (Status status = destination(operands()[0], Type::B32, d); !status)
    return status;
  return emitLane({LaneOp::Prmt, Type::B32, Type::None, 0},
                  InstructionClass::Logic, d, Type::B32, {s[0], s[1], s[2]},
                  mode);
}

// popc, clz and bfind give 32 bits whatever the source; brev keeps the type.
Status FunctionDecoder::decodeBitCount() {
  Type type = takeType();
  LaneKey key;
  key.type = type;
  Type destType = Type::U32;
  if (base() == "popc")
    key.op = LaneOp::Popc;
  else if (base() == "clz")
    key.op = LaneOp::Clz;
  else if (base() == "bfind")
    key.op = LaneOp::Bfind;
  else {
    key.op = LaneOp::Brev;
    destType = type;
  }
  if (key.op == LaneOp::Bfind && take("shiftamt"))
    key.flags |= kClamp;
  if (Status status = operandCount(2, 2); !status)
    return status;
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = destination(operands()[0], destType, d);
  if (!status)
    return status;
  return emitLane(key, InstructionClass::Logic, d, destType, {a});
}

Status FunctionDecoder::decodeBfe() {
  Type type = takeType();
  if (Status status = operandCount(4, 4); !status)
    return status;
  int32_t d = 0;
  int32_t a = 0;
  int32_t position = 0;
  int32_t length = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], Type::U32, position);
  if (status)
    status = source(operands()[3], Type::U32, length);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  return emitLane({LaneOp::Bfe, type, Type::None, 0}, InstructionClass::Logic,
                  d, type, {a, position, length});
}

Status FunctionDecoder::decodeBfi() {
  Type type = takeType();
  if (Status status = operandCount(5, 5); !status)
    return status;
  int32_t d = 0;
  int32_t s[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < 4; ++i)
    if (Status status =
            source(operands()[i + 1], i < 2 ? type : Type::U32, s[i]);
        !status)
      return status;
  if (Status status = destination(operands()[0], type, d); !status)
    return status;
  return emitLane({LaneOp::Bfi, type, Type::None, 0}, InstructionClass::Logic,
                  d, type, {s[0], s[1], s[2], s[3]});
}

Status FunctionDecoder::decodeFns() {
  if (takeType() != Type::B32)
    return fail("expected b32");
  if (Status status = operandCount(4, 4); !status)
    return status;
  int32_t d = 0;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = source(operands()[i + 1], Type::B32, s[i]); !status)
      return status;
  if (Status status = destination(operands()[0], Type::B32, d); !status)
    return status;
  return emitLane({LaneOp::Fns, Type::B32, Type::None, 0},
                  InstructionClass::Logic, d, Type::B32, {s[0], s[1], s[2]});
}

Status FunctionDecoder::decodeBmskSzext() {
  LaneKey key;
  key.op = base() == "bmsk" ? LaneOp::Bmsk : LaneOp::Szext;
  if (take("clamp"))
    key.flags |= kClamp;
  else if (!take("wrap"))
    return fail("expected .clamp or .wrap");
  key.type = takeType();
  if (typeBytes(key.type) != 4)
    return fail("expected a 32-bit type");
  if (Status status = operandCount(3, 3); !status)
    return status;
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], Type::B32, a);
  if (status)
    status = source(operands()[2], Type::B32, b);
  if (status)
    status = destination(operands()[0], Type::B32, d);
  if (!status)
    return status;
  return emitLane(key, InstructionClass::Logic, d, Type::B32, {a, b});
}

} // namespace attnres::emulator
