// Decoding of moves, selection, comparison, conversion and address spaces.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/SpecialRegisters.h"

#include <fmt/format.h>

namespace attnres::emulator {
Status FunctionDecoder::decodeMov() {
  Type type = takeType();
  if (type == Type::None)
    return fail("expected a type");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  const Operand &to = operands()[0];
  const Operand &from = operands()[1];
  if (to.kind == Operand::Vector || from.kind == Operand::Vector)
    return movPacked(type);
  if (to.kind == Operand::Sink)
    return fail("expected a destination register, found '_'");
  const SpecialRegister *special =
      from.kind == Operand::Register
          ? findSpecialRegister(function.registers[from.reg].name)
          : nullptr;
  if (special && special->isClock) {
    int32_t d = 0;
    if (Status status = destination(to, special->type, d); !status.ok())
      return status;
    Instruction &inst = emit(executeReadClock, InstructionClass::Move);
    inst.dst = d;
    inst.destBytes = static_cast<uint8_t>(typeBytes(special->type));
    inst.imm = static_cast<uint32_t>(special->special);
    return {};
  }
  if (type == Type::B128) {
    int32_t d = 0;
    int32_t a = 0;
    Status status = source(from, type, a);
    if (status.ok())
      status = destination(to, type, d);
    if (status.ok())
      status = emitMove(Type::B64, d, a);
    if (status.ok())
      status = emitMove(Type::B64, d + 2, a + 2);
    return status;
  }
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(from, type, a);
  if (status.ok())
    status = destination(to, type, d);
  if (!status.ok())
    return status;
  return emitMove(type, d, a);
}

// mov.b32 %r, {%rs1, %rs2} and mov.b32 {%rs1, %rs2}, %r.
Status FunctionDecoder::movPacked(Type type) {
  const Operand &to = operands()[0];
  const Operand &from = operands()[1];
  bool pack = from.kind == Operand::Vector;
  if (pack && to.kind == Operand::Vector)
    return fail("only one operand may be a vector");
  const Operand &vector = pack ? from : to;
  size_t count = vector.elements.size();
  if (count != 2 && count != 4)
    return fail(fmt::format("expected 2 or 4 elements, found {}", count));
  if (type < Type::B8 || type > Type::B128)
    return fail(fmt::format("vector with type {}, expected one of bits",
                            typeName(type)));
  unsigned total = typeBytes(type);
  unsigned bytes = total / static_cast<unsigned>(count);
  Type element = bytes == 8   ? Type::B64
                 : bytes == 4 ? Type::B32
                 : bytes == 2 ? Type::B16
                 : bytes == 1 ? Type::B8
                              : Type::None;
  if (element == Type::None)
    return fail("elements do not fit the type");
  bool isTyped = false;
  for (const Operand &each : vector.elements) {
    isTyped |= each.kind != Operand::Sink;
    if (each.kind == Operand::Register &&
        typeBytes(registerType(each.reg)) != bytes)
      return fail(fmt::format("element '{}' of {} bytes, expected {}",
                              function.registers[each.reg].name,
                              typeBytes(registerType(each.reg)), bytes));
  }
  if (!isTyped)
    return fail("no element of the vector is a register");
  auto *list = addExtra<SlotList>();
  list->bytes = static_cast<uint8_t>(bytes);
  for (const Operand &each : vector.elements) {
    int32_t slot = 0;
    Status status =
        pack ? source(each, element, slot) : destination(each, element, slot);
    if (!status.ok())
      return status;
    list->slots.push_back(slot);
  }
  int32_t whole = 0;
  Status status =
      pack ? destination(to, type, whole) : source(from, type, whole);
  if (!status.ok())
    return status;
  Instruction &inst =
      emit(pack ? executePack : executeUnpack, InstructionClass::Move);
  inst.extra = list;
  (pack ? inst.dst : inst.src[0]) = whole;
  inst.destBytes = static_cast<uint8_t>(pack ? total : registerBytes(element));
  inst.sourceBytes = static_cast<uint8_t>(total);
  return {};
}

Status FunctionDecoder::decodeSelp() {
  Type type = takeType();
  if (type == Type::Pred || typeBytes(type) < 2)
    return fail("expected a type of 16, 32 or 64 bits");
  Type bits = typeBytes(type) == 8   ? Type::B64
              : typeBytes(type) == 4 ? Type::B32
                                     : Type::B16;
  return laneInstruction({LaneOp::Selp, bits, Type::None, 0},
                         InstructionClass::Comparison, type,
                         {type, type, Type::Pred});
}

Status FunctionDecoder::decodeSlct() {
  LaneKey key;
  key.op = LaneOp::Slct;
  bool ftz = take("ftz");
  key.type = takeType();
  key.source = takeType();
  if (key.source != Type::S32 && key.source != Type::F32)
    return fail("expected s32 or f32 as the second type");
  if (ftz && key.source != Type::F32)
    return fail(".ftz needs f32");
  if (ftz)
    key.flags |= kFtz;
  return laneInstruction(key, InstructionClass::Comparison, key.type,
                         {key.type, key.type, key.source});
}

Status FunctionDecoder::setpParts(LaneOp &op, uint32_t &combination) {
  static const std::pair<std::string_view, LaneOp> comparisons[] = {
      {"eq", LaneOp::SetpEq},   {"ne", LaneOp::SetpNe},
      {"lt", LaneOp::SetpLt},   {"le", LaneOp::SetpLe},
      {"gt", LaneOp::SetpGt},   {"ge", LaneOp::SetpGe},
      {"equ", LaneOp::SetpEqu}, {"neu", LaneOp::SetpNeu},
      {"ltu", LaneOp::SetpLtu}, {"leu", LaneOp::SetpLeu},
      {"gtu", LaneOp::SetpGtu}, {"geu", LaneOp::SetpGeu},
      {"num", LaneOp::SetpNum}, {"nan", LaneOp::SetpNan},
      {"lo", LaneOp::SetpLt},   {"ls", LaneOp::SetpLe},
      {"hi", LaneOp::SetpGt},   {"hs", LaneOp::SetpGe},
  };
  op = LaneOp::None;
  for (const auto &[name, value] : comparisons)
    if (take(name)) {
      op = value;
      break;
    }
  if (op == LaneOp::None)
    return fail("unknown comparison");
  combination = take("and")   ? kBoolAnd
                : take("or")  ? kBoolOr
                : take("xor") ? kBoolXor
                              : kBoolNone;
  return {};
}

Status FunctionDecoder::decodeSetp() {
  LaneKey key;
  uint32_t combination = kBoolNone;
  if (Status status = setpParts(key.op, combination); !status.ok())
    return status;
  if (take("ftz"))
    key.flags |= kFtz;
  key.type = takeType();
  size_t count = combination == kBoolNone ? 3 : 4;
  if (Status status = operandCount(count, count); !status.ok())
    return status;
  int32_t p = 0;
  int32_t q = 0;
  int32_t a = 0;
  int32_t b = 0;
  int32_t c = 0;
  Status status = source(operands()[1], key.type, a);
  if (status.ok())
    status = source(operands()[2], key.type, b);
  if (status.ok() && count == 4)
    status = predicateSource(operands()[3], c);
  if (status.ok())
    status = predicateDestination(operands()[0], p);
  if (status.ok())
    status = setPair(operands()[0], q);
  if (status.ok())
    status = emitLane(key, InstructionClass::Comparison, Type::Pred,
                      {p, {a, b, c}}, combination);
  if (status.ok())
    shared.kernel.code.back().dst2 = q;
  return status;
}

// set.cmp.dtype.stype: a comparison, then a choice of all ones (or 1.0) and 0.
Status FunctionDecoder::decodeSet() {
  LaneKey key;
  uint32_t combination = kBoolNone;
  if (Status status = setpParts(key.op, combination); !status.ok())
    return status;
  if (take("ftz"))
    key.flags |= kFtz;
  Type destType = takeType();
  key.type = takeType();
  if (key.type == Type::None)
    return fail("expected two types");
  size_t count = combination == kBoolNone ? 3 : 4;
  if (Status status = operandCount(count, count); !status.ok())
    return status;
  bool packed = key.type == Type::F16x2 || key.type == Type::BF16x2;
  int32_t p = temporary(Type::Pred);
  int32_t q = packed ? temporary(Type::Pred) : 0;
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  int32_t c = 0;
  Status status = source(operands()[1], key.type, a);
  if (status.ok())
    status = source(operands()[2], key.type, b);
  if (status.ok() && count == 4)
    status = predicateSource(operands()[3], c);
  if (status.ok())
    status = destination(operands()[0], destType, d);
  if (status.ok())
    status = emitLane(key, InstructionClass::Comparison, Type::Pred,
                      {p, {a, b, c}}, combination);
  if (!status.ok())
    return status;
  shared.kernel.code.back().dst2 = q;
  uint64_t yes = ~uint64_t(0);
  switch (destType) {
  case Type::F32:
    yes = 0x3f800000;
    break;
  case Type::F16:
    yes = 0x3c00;
    break;
  case Type::BF16:
    yes = 0x3f80;
    break;
  case Type::F16x2:
    yes = 0x3c003c00;
    break;
  case Type::BF16x2:
    yes = 0x3f803f80;
    break;
  default:
    if (!isInteger(destType))
      return fail("unsupported destination type");
    break;
  }
  unsigned bytes = registerBytes(destType);
  Type chosen = packed       ? Type::F16x2
                : bytes == 8 ? Type::B64
                : bytes == 4 ? Type::B32
                             : Type::B16;
  if (packed && bytes != 4)
    return fail("unsupported destination type");
  return emitLane({LaneOp::Selp, chosen, Type::None, 0},
                  InstructionClass::Comparison, destType,
                  {d, {constant(yes, bytes), constant(0, bytes), p, q}});
}

Status FunctionDecoder::cvtPack() {
  if (!take("sat"))
    return fail("expected .sat");
  LaneKey key;
  key.op = LaneOp::CvtPack;
  key.type = takeType();
  if (takeType() != Type::S32)
    return fail("expected s32 as the second type");
  bool withC = take("b32");
  if (!withC)
    withC = takeType() == Type::B32;
  if (Status status = operandCount(3, 4); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  int32_t c = constant(0, 4);
  Status status = source(operands()[1], Type::S32, a);
  if (status.ok())
    status = source(operands()[2], Type::S32, b);
  if (status.ok() && operands().size() == 4)
    status = source(operands()[3], Type::B32, c);
  if (status.ok())
    status = destination(operands()[0], Type::B32, d);
  if (!status.ok())
    return status;
  return emitLane(key, InstructionClass::Conversion, Type::B32, {d, {a, b, c}});
}

Status FunctionDecoder::decodeCvt() {
  if (take("pack"))
    return cvtPack();
  LaneKey key;
  key.op = LaneOp::Cvt;
  static const std::pair<std::string_view, std::pair<Rounding, bool>> modes[] =
      {{"rni", {Rounding::Nearest, true}}, {"rzi", {Rounding::Zero, true}},
       {"rmi", {Rounding::Down, true}},    {"rpi", {Rounding::Up, true}},
       {"rn", {Rounding::Nearest, false}}, {"rz", {Rounding::Zero, false}},
       {"rm", {Rounding::Down, false}},    {"rp", {Rounding::Up, false}},
       {"rna", {Rounding::Away, false}}};
  Rounding mode = Rounding::None;
  bool toWhole = false;
  for (const auto &[name, value] : modes)
    if (take(name)) {
      mode = value.first;
      toWhole = value.second;
      break;
    }
  bool saturate = take("sat");
  bool finite = take("satfinite");
  bool relu = take("relu");
  bool ftz = take("ftz");
  key.type = takeType();
  key.source = takeType();
  if (key.type == Type::None || key.source == Type::None)
    return fail("expected two types");
  bool pairOfFloats = key.source == Type::F32 &&
                      (key.type == Type::F16x2 || key.type == Type::BF16x2 ||
                       key.type == Type::E4M3x2 || key.type == Type::E5M2x2);
  bool bytePair = key.source == Type::E4M3x2 || key.source == Type::E5M2x2;
  bool halfPair = key.source == Type::F16x2;
  bool narrowPair = key.type == Type::E4M3x2 || key.type == Type::E5M2x2;
  if ((bytePair && key.type != Type::F16x2) || (halfPair && !narrowPair) ||
      (narrowPair && !pairOfFloats && !halfPair) ||
      (!pairOfFloats && !bytePair &&
       (key.type == Type::F16x2 || key.type == Type::BF16x2)) ||
      key.source == Type::BF16x2 || key.source == Type::TF32 ||
      key.type == Type::Pred || key.source == Type::Pred)
    return fail("this form is not supported");
  size_t count = pairOfFloats ? 3 : 2;
  if (Status status = operandCount(count, count); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  int32_t b = 0;
  Status status = source(operands()[1], key.source, a, true);
  if (status.ok() && pairOfFloats)
    status = source(operands()[2], key.source, b);
  if (status.ok())
    status = destination(operands()[0], key.type, d, true);
  if (!status.ok())
    return status;

  bool intSource = isInteger(key.source);
  bool intDest = isInteger(key.type);
  if (intSource && intDest && mode != Rounding::None)
    return fail("rounding of an integer conversion");
  if (mode == Rounding::None)
    mode = intDest && !intSource ? Rounding::Zero : Rounding::Nearest;
  // f32 to f32 with .rn and the like changes nothing but NaN and .ftz.
  uint32_t imm = static_cast<uint32_t>(mode);
  imm |= saturate ? 16 : 0;
  imm |= relu ? 32 : 0;
  imm |= ftz ? 64 : 0;
  imm |= finite || narrowPair ? 128 : 0;
  imm |= toWhole && !intDest ? 256 : 0;
  auto widthOf = [&](const Operand &operand, Type type) {
    return operand.kind == Operand::Register
               ? registerBytes(registerType(operand.reg))
               : registerBytes(type);
  };
  unsigned sourceBytes = widthOf(operands()[1], key.source);
  unsigned destBytes = operands()[0].kind == Operand::Register
                           ? registerBytes(registerType(operands()[0].reg))
                           : registerBytes(key.type);
  if (destBytes > 8 || sourceBytes > 8)
    return fail("128-bit registers cannot be converted");
  if (relu)
    key.flags |= kRelu;
  bool plain =
      sourceBytes == typeBytes(key.source) &&
      destBytes == typeBytes(key.type) && !saturate && !ftz && !finite &&
      mode == (intDest && !intSource ? Rounding::Zero : Rounding::Nearest) &&
      !(imm & 256);
  if (plain) {
    LaneKey fast = key;
    fast.flags |= kApprox;
    if (laneTable().find(fast))
      key = fast;
  }
  Type destType = destBytes == 8   ? Type::B64
                  : destBytes == 4 ? Type::B32
                                   : Type::B16;
  status =
      emitLane(key, InstructionClass::Conversion, destType, {d, {a, b}}, imm);
  if (status.ok())
    shared.kernel.code.back().sourceBytes = static_cast<uint8_t>(sourceBytes);
  return status;
}

namespace {

Space spaceFromName(std::string_view name) {
  if (name == "global")
    return Space::Global;
  if (name == "shared" || name == "shared::cta" || name == "shared::cluster")
    return Space::Shared;
  if (name == "local")
    return Space::Local;
  if (name == "const")
    return Space::Const;
  if (name == "param" || name == "param::entry")
    return Space::Param;
  return Space::None;
}

} // namespace

// Global and constant addresses are generic ones already; the others differ by
// the base of their window.
Status FunctionDecoder::decodeCvta() {
  bool toSpace = take("to");
  Space space = spaceFromName(next());
  if (space == Space::None)
    return fail("unknown state space");
  Type type = takeType();
  if (type != Type::U64 && type != Type::U32)
    return fail("expected u64 or u32");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], type, a);
  if (status.ok())
    status = destination(operands()[0], type, d);
  if (!status.ok())
    return status;
  uint64_t window = space == Space::Shared  ? kSharedWindow
                    : space == Space::Local ? kLocalWindow
                    : space == Space::Param ? kParamWindow
                                            : 0;
  if (window == 0 || type == Type::U32)
    return emitMove(type, d, a);
  LaneOp op = toSpace ? LaneOp::Sub : LaneOp::Add;
  return emitLane({op, Type::U64, Type::None, 0}, InstructionClass::Integer,
                  Type::U64, {d, {a, constant(window, 8)}});
}

Status FunctionDecoder::decodeIsspacep() {
  std::string_view name = next();
  Space space = spaceFromName(name);
  if (space == Space::None)
    return fail("unknown state space");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  int32_t p = 0;
  int32_t a = 0;
  Status status = source(operands()[1], Type::U64, a);
  if (status.ok())
    status = predicateDestination(operands()[0], p);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeIsSpace, InstructionClass::Comparison);
  inst.dst = p;
  inst.destBytes = 0;
  inst.src[0] = a;
  inst.imm = static_cast<uint32_t>(space);
  // .shared is the block's own; any block's is .shared::cluster.
  inst.target = name == "shared::cluster";
  return {};
}

// The address of the same variable in another block of the cluster.
Status FunctionDecoder::decodeMapa() {
  bool sharedSpace = take("shared::cluster");
  Type type = takeType();
  if (type != Type::U64 && type != Type::U32)
    return fail("expected u64 or u32");
  if (Status status = operandCount(3, 3); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  int32_t rank = 0;
  Status status = source(operands()[1], type, a);
  if (status.ok())
    status = source(operands()[2], Type::U32, rank);
  if (status.ok())
    status = destination(operands()[0], type, d);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeMapa, InstructionClass::Integer);
  inst.dst = d;
  inst.destBytes = static_cast<uint8_t>(typeBytes(type));
  inst.src[0] = a;
  inst.src[1] = rank;
  inst.imm = sharedSpace;
  return {};
}

Status FunctionDecoder::decodeGetctarank() {
  bool sharedSpace = take("shared::cluster");
  Type type = takeType();
  if (type != Type::U64 && type != Type::U32)
    return fail("expected u64 or u32");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], type, a);
  if (status.ok())
    status = destination(operands()[0], Type::U32, d);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeClusterRank, InstructionClass::Integer);
  inst.dst = d;
  inst.destBytes = 4;
  inst.sourceBytes = static_cast<uint8_t>(typeBytes(type));
  inst.src[0] = a;
  inst.imm = sharedSpace;
  return {};
}

} // namespace attnres::emulator
