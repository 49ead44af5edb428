// Decoding of integer and floating arithmetic.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"

#include <fmt/format.h>

namespace attnres::emulator {

/// Takes rounding, .ftz, .sat, .relu and the like; `mode` is the rounding.
uint16_t FunctionDecoder::floatFlags(Type type, Rounding &mode) {
  uint16_t flags = 0;
  mode = Rounding::Nearest;
  if (take("rn"))
    mode = Rounding::Nearest;
  else if (take("rz"))
    mode = Rounding::Zero;
  else if (take("rm"))
    mode = Rounding::Down;
  else if (take("rp"))
    mode = Rounding::Up;
  if (mode != Rounding::Nearest)
    flags |= kDirected;
  if (take("ftz"))
    flags |= kFtz;
  if (take("sat"))
    flags |= kSat;
  if (take("relu"))
    flags |= kRelu;
  // Sums of products below f16's normal range differ only under -ftz.
  if (type == Type::F16 || type == Type::F16x2)
    take("noftz");
  if (type == Type::BF16 || type == Type::BF16x2)
    take("noftz");
  return flags;
}

Status FunctionDecoder::decodeAddSub() {
  bool isAdd = base() == "add";
  Type type = takeType();
  if (take("cc")) {
    parts.push_back("cc");
    taken.push_back(false);
    parts[0] = isAdd ? "addc" : "subc";
    parts.push_back(typeName(type));
    taken.push_back(false);
    parts.push_back("first");
    taken.push_back(false);
    return decodeCarry();
  }
  if (Status status = operandCount(3, 3); !status)
    return status;
  LaneKey key{isAdd ? LaneOp::Add : LaneOp::Sub, type, Type::None, 0};
  Rounding mode = Rounding::Nearest;
  if (isFloat(type))
    key.flags = floatFlags(type, mode);
  else if (take("sat"))
    key.op = isAdd ? LaneOp::AddSat : LaneOp::SubSat;
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], type, b);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  return emitLane(key, arithmeticClass(type), d, type, {a, b},
                  static_cast<uint32_t>(mode));
}

Status FunctionDecoder::decodeMul() {
  Type type = takeType();
  if (Status status = operandCount(3, 3); !status)
    return status;
  LaneKey key{LaneOp::Mul, type, Type::None, 0};
  Rounding mode = Rounding::Nearest;
  Type destType = type;
  if (isFloat(type)) {
    key.flags = floatFlags(type, mode);
  } else if (take("hi")) {
    key.op = LaneOp::MulHi;
  } else if (take("wide")) {
    key.op = LaneOp::MulWide;
    destType = typeBytes(type) == 4 ? Type::B64 : Type::B32;
  } else if (!take("lo")) {
    return fail("expected .lo, .hi or .wide");
  }
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], type, b);
  if (status)
    status = destination(operands()[0], destType, d);
  if (!status)
    return status;
  return emitLane(key, arithmeticClass(type), d, destType, {a, b},
                  static_cast<uint32_t>(mode));
}

Status FunctionDecoder::decodeMad() {
  Type type = takeType();
  if (isFloat(type)) {
    // mad of floats is fma on every target that has one.
    parts.push_back(typeName(type));
    taken.push_back(false);
    return decodeFma();
  }
  if (take("cc")) {
    for (std::string_view part :
         {std::string_view("cc"), std::string_view(typeName(type)),
          std::string_view("first")}) {
      parts.push_back(part);
      taken.push_back(false);
    }
    parts[0] = "madc";
    return decodeCarry();
  }
  if (Status status = operandCount(4, 4); !status)
    return status;
  LaneKey key{LaneOp::Mad, type, Type::None, 0};
  Type destType = type;
  if (take("hi")) {
    key.op = take("sat") ? LaneOp::MadHiSat : LaneOp::MadHi;
  } else if (take("wide")) {
    key.op = LaneOp::MadWide;
    destType = typeBytes(type) == 4 ? Type::B64 : Type::B32;
  } else if (!take("lo")) {
    return fail("expected .lo, .hi or .wide");
  }
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  int32_t c = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], type, b);
  if (status)
    status = source(operands()[3], destType, c);
  if (status)
    status = destination(operands()[0], destType, d);
  if (!status)
    return status;
  return emitLane(key, arithmeticClass(type), d, destType, {a, b, c});
}

Status FunctionDecoder::decodeFma() {
  Type type = takeType();
  if (!isFloat(type))
    return fail("expected a floating type");
  if (Status status = operandCount(4, 4); !status)
    return status;
  Rounding mode = Rounding::Nearest;
  LaneKey key{LaneOp::Fma, type, Type::None, 0};
  key.flags = floatFlags(type, mode);
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  int32_t c = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], type, b);
  if (status)
    status = source(operands()[3], type, c);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  return emitLane(key, arithmeticClass(type), d, type, {a, b, c},
                  static_cast<uint32_t>(mode));
}

// addc, subc, madc, and add.cc, sub.cc, mad.cc, which have no carry in
// ("first").
Status FunctionDecoder::decodeCarry() {
  bool isMad = base() == "madc";
  size_t sources = isMad ? 3 : 2;
  if (Status status = operandCount(sources + 1, sources + 1); !status)
    return status;
  LaneKey key;
  key.op = base() == "addc" ? LaneOp::AddCarry : LaneOp::SubBorrow;
  key.type = takeType();
  if (typeBytes(key.type) < 4 || isFloat(key.type))
    return fail("expected a 32-bit or 64-bit integer type");
  if (take("cc"))
    key.flags |= kCarryOut;
  if (!take("first"))
    key.flags |= kCarryIn;
  if (isMad) {
    key.op = take("hi") ? LaneOp::MadHiCarry : LaneOp::MadCarry;
    take("lo");
  }
  int32_t slotsOf[3] = {0, 0, 0};
  for (size_t i = 0; i < sources; ++i)
    if (Status status = source(operands()[i + 1], key.type, slotsOf[i]);
        !status)
      return status;
  int32_t d = 0;
  if (Status status = destination(operands()[0], key.type, d); !status)
    return status;
  // The lane loop tells a missing third operand by slot 0.
  if (Status status = emitLane(key, InstructionClass::Integer, d, key.type,
                               {slotsOf[0], slotsOf[1], slotsOf[2],
                                key.flags & kCarryIn ? carrySlot : 0});
      !status)
    return status;
  if (key.flags & kCarryOut)
    shared.kernel.code.back().dst2 = carrySlot;
  return {};
}

Status FunctionDecoder::decodeDivRem() {
  Type type = takeType();
  if (Status status = operandCount(3, 3); !status)
    return status;
  LaneKey key{base() == "div" ? LaneOp::Div : LaneOp::Rem, type, Type::None, 0};
  Rounding mode = Rounding::Nearest;
  uint32_t imm = 0;
  if (isFloat(type)) {
    if (key.op == LaneOp::Rem)
      return fail("expected an integer type");
    bool approximate = take("approx") || take("full");
    key.flags = floatFlags(type, mode);
    imm = static_cast<uint32_t>(mode);
    if (approximate) {
      key.flags |= kApprox;
      if (shared.options.perturb)
        key.flags |= kPerturb;
      imm = shared.options.perturbSeed;
    }
  }
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], type, b);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  return emitLane(key, arithmeticClass(type), d, type, {a, b}, imm);
}

Status FunctionDecoder::decodeUnary() {
  Type type = takeType();
  if (Status status = operandCount(2, 2); !status)
    return status;
  LaneKey key{base() == "abs" ? LaneOp::Abs : LaneOp::Neg, type, Type::None, 0};
  if (isFloat(type) && take("ftz"))
    key.flags |= kFtz;
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  return emitLane(key, arithmeticClass(type), d, type, {a});
}

Status FunctionDecoder::decodeMinMax() {
  Type type = takeType();
  if (Status status = operandCount(3, 4); !status)
    return status;
  LaneKey key{base() == "min" ? LaneOp::Min : LaneOp::Max, type, Type::None, 0};
  if (isFloat(type)) {
    if (take("ftz"))
      key.flags |= kFtz;
    if (take("NaN"))
      key.flags |= kNanResult;
    if (take("xorsign")) {
      if (!take("abs"))
        return fail("expected .abs after .xorsign");
      key.flags |= kXorSignAbs;
    }
  }
  bool relu = take("relu");
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], type, b);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  InstructionClass kind = arithmeticClass(type);
  status = emitLane(key, kind, d, type, {a, b});
  // The three-operand form: min(min(a, b), c).
  if (status && operands().size() == 4) {
    int32_t c = 0;
    status = source(operands()[3], type, c);
    if (status)
      status = emitLane(key, kind, d, type, {d, c});
  }
  if (status && relu) {
    LaneKey clamp{LaneOp::Max, type, Type::None, 0};
    status =
        emitLane(clamp, kind, d, type, {d, constant(0, registerBytes(type))});
  }
  return status;
}

Status FunctionDecoder::decodeSad() {
  Type type = takeType();
  if (Status status = operandCount(4, 4); !status)
    return status;
  int32_t d = 0;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = source(operands()[i + 1], type, s[i]); !status)
      return status;
  if (Status status = destination(operands()[0], type, d); !status)
    return status;
  return emitLane({LaneOp::Sad, type, Type::None, 0}, InstructionClass::Integer,
                  d, type, {s[0], s[1], s[2]});
}

Status FunctionDecoder::decodeMul24() {
  bool isMad = base() == "mad24";
  Type type = takeType();
  bool high = take("hi");
  take("lo");
  bool saturates = isMad && high && type == Type::S32 && take("sat");
  if (typeBytes(type) != 4)
    return fail("expected u32 or s32");
  size_t sources = isMad ? 3 : 2;
  if (Status status = operandCount(sources + 1, sources + 1); !status)
    return status;
  LaneOp op = saturates ? LaneOp::Mad24HiSat
              : isMad   ? (high ? LaneOp::Mad24Hi : LaneOp::Mad24)
                        : (high ? LaneOp::Mul24Hi : LaneOp::Mul24);
  int32_t d = 0;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < sources; ++i)
    if (Status status = source(operands()[i + 1], type, s[i]); !status)
      return status;
  if (Status status = destination(operands()[0], type, d); !status)
    return status;
  return emitLane({op, type, Type::None, 0}, InstructionClass::Integer, d, type,
                  {s[0], s[1], s[2]});
}

// rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh: rounded forms of the first two,
// .approx forms of all.
Status FunctionDecoder::decodeApproxUnary() {
  static const std::unordered_map<std::string_view, LaneOp> ops = {
      {"rcp", LaneOp::Rcp}, {"sqrt", LaneOp::Sqrt}, {"rsqrt", LaneOp::Rsqrt},
      {"sin", LaneOp::Sin}, {"cos", LaneOp::Cos},   {"lg2", LaneOp::Lg2},
      {"ex2", LaneOp::Ex2}, {"tanh", LaneOp::Tanh},
  };
  Type type = takeType();
  if (Status status = operandCount(2, 2); !status)
    return status;
  LaneKey key{ops.at(base()), type, Type::None, 0};
  bool approximate = take("approx");
  Rounding mode = Rounding::Nearest;
  key.flags = floatFlags(type, mode);
  uint32_t imm = static_cast<uint32_t>(mode);
  if (approximate) {
    key.flags |= kApprox;
    if (shared.options.perturb)
      key.flags |= kPerturb;
    imm = shared.options.perturbSeed;
  }
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = destination(operands()[0], type, d);
  if (status)
    status = emitLane(key, InstructionClass::Special, d, type, {a}, imm);
  if (status)
    shared.kernel.code.back().sourceBytes = shared.options.perturb ? 1 : 0;
  return status;
}

Status FunctionDecoder::decodeTestp() {
  static const char *const properties[] = {
      "finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  Type type = takeType();
  if (type != Type::F32 && type != Type::F64)
    return fail("expected f32 or f64");
  if (Status status = operandCount(2, 2); !status)
    return status;
  uint32_t imm = 6;
  for (uint32_t i = 0; i < 6; ++i)
    if (take(properties[i]))
      imm = i;
  if (imm == 6)
    return fail("unknown property");
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = predicateDestination(operands()[0], d);
  if (!status)
    return status;
  return emitLane({LaneOp::Testp, type, Type::None, 0},
                  InstructionClass::Comparison, d, Type::Pred, {a}, imm);
}

Status FunctionDecoder::decodeCopysign() {
  Type type = takeType();
  if (type != Type::F32 && type != Type::F64)
    return fail("expected f32 or f64");
  if (Status status = operandCount(3, 3); !status)
    return status;
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], type, a);
  if (status)
    status = source(operands()[2], type, b);
  if (status)
    status = destination(operands()[0], type, d);
  if (!status)
    return status;
  return emitLane({LaneOp::Copysign, type, Type::None, 0},
                  arithmeticClass(type), d, type, {a, b});
}

Status FunctionDecoder::decodeDotProduct() {
  LaneKey key{base() == "dp4a" ? LaneOp::Dp4a : LaneOp::Dp2a, Type::None,
              Type::None, 0};
  uint32_t high = 0;
  if (key.op == LaneOp::Dp2a) {
    high = take("hi");
    take("lo");
  }
  key.type = takeType();
  key.source = takeType();
  if (typeBytes(key.type) != 4 || typeBytes(key.source) != 4)
    return fail("expected two of u32 and s32");
  if (Status status = operandCount(4, 4); !status)
    return status;
  int32_t d = 0;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = source(operands()[i + 1], Type::B32, s[i]); !status)
      return status;
  if (Status status = destination(operands()[0], Type::B32, d); !status)
    return status;
  return emitLane(key, InstructionClass::Integer, d, Type::B32,
                  {s[0], s[1], s[2]}, high);
}

} // namespace attnres::emulator
