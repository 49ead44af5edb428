// Decoding of integer and floating arithmetic.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"

#include <fmt/format.h>

namespace attnres::emulator {
namespace {

bool isHalf(Type type) {
  return type == Type::F16 || type == Type::F16x2 || type == Type::BF16 ||
         type == Type::BF16x2;
}

} // namespace

/// Takes rounding, .ftz, .sat and .relu as far as the type has them; the
/// rounding goes to `imm`.
uint16_t FunctionDecoder::floatFlags(Type type, uint32_t &imm) {
  uint16_t flags = 0;
  Rounding mode = Rounding::Nearest;
  bool isWide = type == Type::F32 || type == Type::F64;
  if (!take("rn") && isWide)
    mode = take("rz")   ? Rounding::Zero
           : take("rm") ? Rounding::Down
           : take("rp") ? Rounding::Up
                        : Rounding::Nearest;
  if (mode != Rounding::Nearest)
    flags |= kDirected;
  if (type != Type::F64 && take("ftz"))
    flags |= kFtz;
  if (type != Type::F64 && take("sat"))
    flags |= kSat;
  if (isHalf(type) && take("relu"))
    flags |= kRelu;
  imm = static_cast<uint32_t>(mode);
  return flags;
}

/// Flags and immediate of an .approx form, which has no rounding mode.
void FunctionDecoder::makeApproximate(LaneKey &key, uint32_t &imm) const {
  key.flags |= kApprox;
  if (shared.options.perturb)
    key.flags |= kPerturb;
  imm = shared.options.perturbSeed;
}

Status FunctionDecoder::decodeAddSub() {
  bool isAdd = base() == "add";
  Type type = takeType();
  if (take("cc"))
    return carryForm(isAdd ? LaneOp::AddCarry : LaneOp::SubBorrow, type,
                     kCarryOut);
  LaneKey key{isAdd ? LaneOp::Add : LaneOp::Sub, type, Type::None, 0};
  uint32_t imm = 0;
  if (isFloat(type))
    key.flags = floatFlags(type, imm);
  else if (take("sat"))
    key.op = isAdd ? LaneOp::AddSat : LaneOp::SubSat;
  return laneInstruction(key, arithmeticClass(type), type, {type, type}, imm);
}

/// Takes .lo, .hi or .wide; a wide result has twice the bits.
Status FunctionDecoder::productPart(LaneKey &key, LaneOp low, LaneOp high,
                                    LaneOp wide, Type &result) {
  result = key.type;
  if (take("lo")) {
    key.op = low;
  } else if (take("hi")) {
    key.op = high;
  } else if (take("wide")) {
    key.op = wide;
    result = typeBytes(key.type) == 4 ? Type::B64 : Type::B32;
  } else {
    return fail("expected .lo, .hi or .wide");
  }
  return {};
}

Status FunctionDecoder::decodeMul() {
  Type type = takeType();
  LaneKey key{LaneOp::Mul, type, Type::None, 0};
  uint32_t imm = 0;
  Type result = type;
  if (isFloat(type))
    key.flags = floatFlags(type, imm);
  else if (Status status = productPart(key, LaneOp::Mul, LaneOp::MulHi,
                                       LaneOp::MulWide, result);
           !status.ok())
    return status;
  return laneInstruction(key, arithmeticClass(type), result, {type, type}, imm);
}

Status FunctionDecoder::decodeMad() {
  Type type = takeType();
  // mad of floats is fma on every target that has one.
  if (isFloat(type))
    return fusedProduct(type);
  if (take("cc"))
    return carryForm(take("hi") ? LaneOp::MadHiCarry : LaneOp::MadCarry, type,
                     kCarryOut);
  LaneKey key{LaneOp::Mad, type, Type::None, 0};
  Type result = type;
  if (Status status =
          productPart(key, LaneOp::Mad, LaneOp::MadHi, LaneOp::MadWide, result);
      !status.ok())
    return status;
  if (key.op == LaneOp::MadHi && take("sat"))
    key.op = LaneOp::MadHiSat;
  return laneInstruction(key, arithmeticClass(type), result,
                         {type, type, result});
}

Status FunctionDecoder::decodeFma() { return fusedProduct(takeType()); }

Status FunctionDecoder::fusedProduct(Type type) {
  if (!isFloat(type))
    return fail("expected a floating type");
  LaneKey key{LaneOp::Fma, type, Type::None, 0};
  uint32_t imm = 0;
  key.flags = floatFlags(type, imm);
  return laneInstruction(key, arithmeticClass(type), type, {type, type, type},
                         imm);
}

Status FunctionDecoder::decodeCarry() {
  LaneOp op = base() == "addc"   ? LaneOp::AddCarry
              : base() == "subc" ? LaneOp::SubBorrow
              : take("hi")       ? LaneOp::MadHiCarry
                                 : LaneOp::MadCarry;
  uint16_t flags = kCarryIn;
  if (take("cc"))
    flags |= kCarryOut;
  return carryForm(op, takeType(), flags);
}

// addc, subc and madc, and the .cc forms without a carry in.
Status FunctionDecoder::carryForm(LaneOp op, Type type, uint16_t flags) {
  if (typeBytes(type) < 4 || !isInteger(type))
    return fail("expected a 32-bit or 64-bit integer type");
  bool isMad = op == LaneOp::MadCarry || op == LaneOp::MadHiCarry;
  if (isMad)
    take("lo");
  Slots slotsOf;
  Status status = isMad ? slotsFor(type, {type, type, type}, slotsOf)
                        : slotsFor(type, {type, type}, slotsOf);
  if (!status.ok())
    return status;
  // The lane loop tells a missing third operand by slot 0.
  if (flags & kCarryIn)
    slotsOf.sources[3] = carrySlot;
  status = emitLane({op, type, Type::None, flags}, InstructionClass::Integer,
                    type, slotsOf);
  if (status.ok() && (flags & kCarryOut))
    shared.kernel.code.back().dst2 = carrySlot;
  return status;
}

Status FunctionDecoder::decodeDivRem() {
  Type type = takeType();
  LaneKey key{base() == "div" ? LaneOp::Div : LaneOp::Rem, type, Type::None, 0};
  uint32_t imm = 0;
  if (isFloat(type)) {
    if (key.op == LaneOp::Rem)
      return fail("expected an integer type");
    bool approximate = take("approx") || take("full");
    key.flags = floatFlags(type, imm);
    if (approximate)
      makeApproximate(key, imm);
  }
  return laneInstruction(key, arithmeticClass(type), type, {type, type}, imm);
}

Status FunctionDecoder::decodeUnary() {
  Type type = takeType();
  LaneKey key{base() == "abs" ? LaneOp::Abs : LaneOp::Neg, type, Type::None, 0};
  if (isFloat(type) && take("ftz"))
    key.flags |= kFtz;
  return laneInstruction(key, arithmeticClass(type), type, {type});
}

Status FunctionDecoder::decodeMinMax() {
  Type type = takeType();
  if (Status status = operandCount(3, 4); !status.ok())
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
  bool relu = !isFloat(type) && take("relu");
  InstructionClass kind = arithmeticClass(type);
  int32_t d = 0;
  int32_t chosen = 0;
  Status status = source(operands()[1], type, chosen);
  // min(a, b, c) is min(min(a, b), c); the destination may be an operand, too.
  for (size_t i = 2; status.ok() && i < operands().size(); ++i) {
    int32_t next = 0;
    int32_t result = temporary(type);
    status = source(operands()[i], type, next);
    if (status.ok())
      status = emitLane(key, kind, type, {result, {chosen, next}});
    chosen = result;
  }
  if (status.ok() && relu) {
    int32_t result = temporary(type);
    status = emitLane({LaneOp::Max, type, Type::None, 0}, kind, type,
                      {result, {chosen, constant(0, registerBytes(type))}});
    chosen = result;
  }
  if (status.ok())
    status = destination(operands()[0], type, d);
  if (status.ok())
    shared.kernel.code.back().dst = d;
  return status;
}

Status FunctionDecoder::decodeSad() {
  Type type = takeType();
  return laneInstruction({LaneOp::Sad, type, Type::None, 0},
                         InstructionClass::Integer, type, {type, type, type});
}

Status FunctionDecoder::decodeMul24() {
  bool isMad = base() == "mad24";
  Type type = takeType();
  bool high = take("hi");
  take("lo");
  bool saturates = isMad && high && type == Type::S32 && take("sat");
  if (typeBytes(type) != 4)
    return fail("expected u32 or s32");
  LaneOp op = saturates ? LaneOp::Mad24HiSat
              : isMad   ? (high ? LaneOp::Mad24Hi : LaneOp::Mad24)
                        : (high ? LaneOp::Mul24Hi : LaneOp::Mul24);
  LaneKey key{op, type, Type::None, 0};
  if (isMad)
    return laneInstruction(key, InstructionClass::Integer, type,
                           {type, type, type});
  return laneInstruction(key, InstructionClass::Integer, type, {type, type});
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
  LaneKey key{ops.at(base()), type, Type::None, 0};
  bool approximate = take("approx");
  uint32_t imm = 0;
  // rcp.approx.ftz.f64 is the only form of f64 with .ftz.
  if (approximate && type == Type::F64)
    take("ftz");
  key.flags = floatFlags(type, imm);
  if (approximate)
    makeApproximate(key, imm);
  Status status =
      laneInstruction(key, InstructionClass::Special, type, {type}, imm);
  // The loops over 16-bit values learn so that they have to perturb.
  if (status.ok())
    shared.kernel.code.back().sourceBytes = shared.options.perturb ? 1 : 0;
  return status;
}

Status FunctionDecoder::decodeTestp() {
  static const char *const properties[] = {
      "finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  Type type = takeType();
  if (type != Type::F32 && type != Type::F64)
    return fail("expected f32 or f64");
  uint32_t imm = 6;
  for (uint32_t i = 0; i < 6; ++i)
    if (take(properties[i]))
      imm = i;
  if (imm == 6)
    return fail("unknown property");
  return laneInstruction({LaneOp::Testp, type, Type::None, 0},
                         InstructionClass::Comparison, Type::Pred, {type}, imm);
}

Status FunctionDecoder::decodeCopysign() {
  Type type = takeType();
  if (type != Type::F32 && type != Type::F64)
    return fail("expected f32 or f64");
  return laneInstruction({LaneOp::Copysign, type, Type::None, 0},
                         arithmeticClass(type), type, {type, type});
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
  return laneInstruction(key, InstructionClass::Integer, Type::B32,
                         {Type::B32, Type::B32, Type::B32}, high);
}

} // namespace attnres::emulator
