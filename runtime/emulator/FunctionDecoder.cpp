// The common part of decoding: slots, operands, modifiers, emission and the
// table of instruction families.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/Requirements.h"
#include "runtime/emulator/SpecialRegisters.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace attnres::emulator {

FunctionDecoder::FunctionDecoder(KernelDecoding &shared,
                                 const Function &function, uint32_t index)
    : shared(shared), function(function), index(index) {}

FunctionCode &FunctionDecoder::code() { return shared.kernel.functions[index]; }

unsigned FunctionDecoder::registerBytes(Type type) {
  // 8-bit registers are kept in 16 bits, as ptxas does.
  return std::max(typeBytes(type), type == Type::Pred ? 0u : 2u);
}

Status FunctionDecoder::fail(const std::string &what) const {
  return invalidData(
      fmt::format("line {}: {}: {}", statement->line, statement->opcode, what));
}

Status FunctionDecoder::operandCount(size_t least, size_t most) const {
  size_t count = operands().size();
  if (count >= least && count <= most)
    return {};
  if (least == most)
    return fail(fmt::format("expected {} operands, found {}", least, count));
  return fail(
      fmt::format("expected {} to {} operands, found {}", least, most, count));
}

bool FunctionDecoder::take(std::string_view modifier) {
  for (size_t i = 1; i < parts.size(); ++i)
    if (!taken[i] && parts[i] == modifier) {
      taken[i] = true;
      return true;
    }
  return false;
}

std::string_view FunctionDecoder::next() {
  for (size_t i = 1; i < parts.size(); ++i)
    if (!taken[i]) {
      taken[i] = true;
      return parts[i];
    }
  return {};
}

Type FunctionDecoder::takeType() {
  for (size_t i = 1; i < parts.size(); ++i) {
    Type type = taken[i] ? Type::None : typeFromName(parts[i]);
    if (type != Type::None) {
      taken[i] = true;
      return type;
    }
  }
  return Type::None;
}

bool FunctionDecoder::pending() const {
  for (size_t i = 1; i < parts.size(); ++i)
    if (!taken[i])
      return true;
  return false;
}

int32_t FunctionDecoder::temporary(Type type) {
  int32_t slot = slotCount;
  slotCount +=
      std::max<int32_t>(1, static_cast<int32_t>(registerBytes(type) / 4));
  code().constants.resize((slotCount - code().firstConstant) * kSlotBytes);
  return slot;
}

int32_t FunctionDecoder::constant(uint64_t bits, unsigned bytes) {
  if (bytes != 0 && bytes < 8)
    bits &= (uint64_t(1) << (8 * bytes)) - 1;
  auto [found, inserted] = constantSlots.try_emplace({bits, bytes}, 0);
  if (!inserted)
    return found->second;
  int32_t slot = temporary(bytes == 8 ? Type::B64 : Type::B32);
  found->second = slot;
  code().constantSlots.push_back(slot);
  uint8_t *lanes = code().constants.data() +
                   (slot - code().firstConstant) * size_t(kSlotBytes);
  if (bytes == 0)
    bits = bits ? ~uint64_t(0) : 0;
  for (unsigned lane = 0; lane < (bytes == 0 ? 1 : kWarpSize); ++lane)
    std::memcpy(lanes + lane * size_t(bytes), &bits, bytes == 0 ? 4 : bytes);
  return slot;
}

Status FunctionDecoder::immediateInteger(const Operand &operand,
                                         int64_t &value) const {
  if (operand.kind != Operand::Immediate || operand.isFloat || operand.isSingle)
    return fail("expected an integer constant");
  value = static_cast<int64_t>(operand.bits);
  return {};
}

Status FunctionDecoder::immediateBits(const Operand &operand, Type type,
                                      uint64_t &bits) const {
  bits = operand.bits;
  bool isNumber = type >= Type::U8 && type <= Type::S64;
  if ((operand.isFloat || operand.isSingle) &&
      (isNumber || (operand.isFloat && type == Type::B32)))
    return fail(fmt::format("floating constant for an operand of type {}",
                            typeName(type)));
  if (!operand.isFloat && !operand.isSingle) {
    if (type == Type::F32 || type == Type::F64)
      return fail(fmt::format("integer constant for an operand of type {}",
                              typeName(type)));
    return {};
  }
  if (type == Type::F64 || type == Type::B64) {
    if (operand.isSingle) {
      float single = 0;
      uint32_t narrow = static_cast<uint32_t>(operand.bits);
      std::memcpy(&single, &narrow, sizeof single);
      double wide = single;
      std::memcpy(&bits, &wide, sizeof bits);
    }
    return {};
  }
  if (typeBytes(type) != 4)
    return fail(fmt::format("floating constant for an operand of type {}",
                            typeName(type)));
  if (operand.isFloat) {
    double wide = 0;
    std::memcpy(&wide, &operand.bits, sizeof wide);
    float single = static_cast<float>(wide);
    uint32_t narrow = 0;
    std::memcpy(&narrow, &single, sizeof narrow);
    bits = narrow;
  }
  return {};
}

Status FunctionDecoder::source(const Operand &operand, Type type, int32_t &slot,
                               bool relaxed) {
  if (type == Type::Pred)
    return predicateSource(operand, slot);
  unsigned bytes = std::max(2u, typeBytes(type));
  if (bytes == 16 && operand.kind != Operand::Register)
    return fail("expected a register of 128 bits");
  if (operand.kind == Operand::Immediate) {
    uint64_t bits = 0;
    if (Status status = immediateBits(operand, type, bits); !status.ok())
      return status;
    slot = constant(bits, bytes);
    return {};
  }
  if (operand.kind == Operand::Symbol) {
    uint64_t address = 0;
    Space space = Space::None;
    bool frameRelative = false;
    if (Status status = symbolAddress(operand, address, space, frameRelative);
        !status.ok())
      return status;
    if (bytes < 4)
      return fail(
          fmt::format("address of '{}' needs 32 or 64 bits", operand.symbol));
    if (!frameRelative) {
      slot = constant(address, bytes);
      return {};
    }
    slot = temporary(type);
    return frameAddress(slot, static_cast<uint32_t>(address), bytes);
  }
  if (operand.kind != Operand::Register || operand.pair >= 0 ||
      operand.negated || operand.offset != 0)
    return fail("expected a register or a constant");
  Type actual = registerType(operand.reg);
  if (actual == Type::Pred || !areCompatible(actual, type) ||
      (relaxed ? registerBytes(actual) < bytes
               : registerBytes(actual) != bytes))
    return fail(fmt::format("register '{}' of type {} where type {} is "
                            "expected",
                            function.registers[operand.reg].name,
                            typeName(actual), typeName(type)));
  slot = registerSlot(operand.reg);
  return {};
}

Status FunctionDecoder::destination(const Operand &operand, Type type,
                                    int32_t &slot, bool relaxed) {
  if (type == Type::Pred)
    return predicateDestination(operand, slot);
  if (operand.kind == Operand::Sink && operand.pair < 0) {
    slot = temporary(type);
    return {};
  }
  if (operand.kind != Operand::Register || operand.negated ||
      operand.offset != 0)
    return fail("expected a destination register");
  unsigned bytes = std::max(2u, typeBytes(type));
  Type actual = registerType(operand.reg);
  if (function.registers[operand.reg].isSpecial)
    return fail(fmt::format("special register '{}' cannot be written",
                            function.registers[operand.reg].name));
  if (actual == Type::Pred || !areCompatible(actual, type) ||
      (relaxed ? registerBytes(actual) < bytes
               : registerBytes(actual) != bytes))
    return fail(fmt::format("register '{}' of type {} where type {} is "
                            "expected",
                            function.registers[operand.reg].name,
                            typeName(actual), typeName(type)));
  slot = registerSlot(operand.reg);
  return {};
}

Status FunctionDecoder::predicateSource(const Operand &operand, int32_t &slot) {
  if (operand.kind == Operand::Immediate && !operand.isFloat &&
      !operand.isSingle) {
    slot = constant(operand.bits != 0, 0);
    return {};
  }
  if (operand.kind != Operand::Register ||
      registerType(operand.reg) != Type::Pred || operand.pair >= 0)
    return fail("expected a predicate");
  slot = registerSlot(operand.reg);
  if (operand.negated) {
    int32_t inverse = temporary(Type::Pred);
    Status status =
        emitLane({LaneOp::PredNot, Type::Pred, Type::None, 0},
                 InstructionClass::Logic, Type::Pred, {inverse, {slot}});
    slot = inverse;
    return status;
  }
  return {};
}

Status FunctionDecoder::predicateDestination(const Operand &operand,
                                             int32_t &slot) {
  if (operand.kind == Operand::Sink) {
    slot = temporary(Type::Pred);
    return {};
  }
  if (operand.kind != Operand::Register || operand.negated ||
      registerType(operand.reg) != Type::Pred)
    return fail("expected a destination predicate");
  slot = registerSlot(operand.reg);
  return {};
}

// The q of `p|q`, or slot 0.
Status FunctionDecoder::setPair(const Operand &operand, int32_t &q) {
  q = 0;
  if (operand.pair < 0)
    return {};
  if (registerType(operand.pair) != Type::Pred)
    return fail("expected a predicate after '|'");
  q = registerSlot(operand.pair);
  return {};
}

// A .global or .const variable.
bool FunctionDecoder::moduleVariable(const std::string &name, uint64_t addend,
                                     uint64_t &address, Space &space) const {
  auto found = shared.addresses.variables.find(name);
  if (found == shared.addresses.variables.end())
    return false;
  space = Space::Global;
  address = found->second + addend;
  return true;
}

Status FunctionDecoder::symbolAddress(const Operand &operand, uint64_t &address,
                                      Space &space, bool &frameRelative) const {
  frameRelative = false;
  uint64_t addend = static_cast<uint64_t>(operand.offset);
  if (operand.local >= 0) {
    const Variable &variable = function.variables[operand.local];
    space = variable.space;
    if (!variable.moduleName.empty()) {
      if (moduleVariable(variable.moduleName, addend, address, space))
        return {};
    } else if (space == Space::Shared) {
      auto found = shared.localSharedOffsets.find({&function, operand.local});
      if (found != shared.localSharedOffsets.end()) {
        address = found->second + addend;
        return {};
      }
    } else {
      auto found = frameOffsets.find(operand.local);
      if (found != frameOffsets.end()) {
        address = found->second + addend;
        // The parameters of a kernel are one buffer, not part of a frame.
        frameRelative = !(space == Space::Param && function.isEntry &&
                          isFormalParameter(operand.local));
        return {};
      }
    }
    return fail(fmt::format("variable '{}' has no address", operand.symbol));
  }
  auto sharedVariable = shared.sharedOffsets.find(operand.symbol);
  if (sharedVariable != shared.sharedOffsets.end()) {
    space = Space::Shared;
    address = sharedVariable->second + addend;
    return {};
  }
  if (moduleVariable(operand.symbol, addend, address, space))
    return {};
  auto callee = shared.addresses.functions.find(operand.symbol);
  if (callee != shared.addresses.functions.end()) {
    space = Space::None;
    address = callee->second + addend;
    return {};
  }
  return fail(fmt::format("unknown name '{}'", operand.symbol));
}

bool FunctionDecoder::isFormalParameter(int variable) const {
  for (int parameter : function.parameters)
    if (parameter == variable)
      return true;
  return false;
}

Status FunctionDecoder::destinationPair(const Operand &operand, Type type,
                                        int32_t &slot, int32_t &predicate) {
  Operand first = operand;
  Status status = setPair(first, predicate);
  first.pair = -1;
  return status.ok() ? destination(first, type, slot) : status;
}

Status FunctionDecoder::groupCount(uint32_t &count) {
  int64_t value = 0;
  Status status = operandCount(1, 1);
  if (status.ok())
    status = immediateInteger(operands()[0], value);
  count = static_cast<uint32_t>(std::clamp<int64_t>(value, 0, 1 << 20));
  return status;
}

Space FunctionDecoder::takeSharedOrGeneric() {
  return take("shared") || take("shared::cta") ? Space::Shared : Space::Generic;
}

Instruction &FunctionDecoder::emitAt(Handler handler, InstructionClass kind,
                                     Extra *extra, int32_t base) {
  Instruction &inst = emit(handler, kind);
  inst.extra = extra;
  inst.src[0] = base;
  return inst;
}

Status FunctionDecoder::labelTarget(const std::string &label,
                                    uint32_t &statementIndex) const {
  for (int scope = statement->scope; scope >= 0;
       scope = function.scopeParent[scope]) {
    auto found = function.labels.find({scope, label});
    if (found != function.labels.end()) {
      statementIndex = static_cast<uint32_t>(found->second);
      return {};
    }
  }
  return fail(fmt::format("unknown label '{}'", label));
}

Status FunctionDecoder::vectorOperand(const Operand &operand, Type type,
                                      size_t count, std::vector<int32_t> &list,
                                      bool isDestination) {
  // A single register stands for a vector of one.
  const Operand *first = &operand;
  size_t found = 1;
  if (operand.kind == Operand::Vector) {
    first = operand.elements.data();
    found = operand.elements.size();
  }
  if (found != count)
    return fail(fmt::format("expected a vector of {} registers, found {}",
                            count, found));
  for (size_t i = 0; i < count; ++i) {
    int32_t slot = 0;
    Status status = isDestination ? destination(first[i], type, slot)
                                  : source(first[i], type, slot);
    if (!status.ok())
      return status;
    list.push_back(slot);
  }
  return {};
}

// Emission.

Instruction &FunctionDecoder::emit(Handler handler, InstructionClass kind) {
  Instruction inst;
  inst.handler = handler;
  inst.kind = kind;
  inst.line = statement->line;
  if (statement->guard >= 0) {
    inst.guard = registerSlot(statement->guard);
    inst.guardNegated = statement->guardNegated;
  }
  shared.kernel.code.push_back(inst);
  return shared.kernel.code.back();
}

Status FunctionDecoder::slotsFor(Type result,
                                 std::initializer_list<Type> sources,
                                 Slots &slotsOf) {
  if (Status status = operandCount(sources.size() + 1, sources.size() + 1);
      !status.ok())
    return status;
  size_t i = 0;
  for (Type type : sources) {
    if (Status status = source(operands()[i + 1], type, slotsOf.sources[i]);
        !status.ok())
      return status;
    ++i;
  }
  if (operands()[0].kind == Operand::Sink)
    return fail("expected a destination register, found '_'");
  return destination(operands()[0], result, slotsOf.destination);
}

Status FunctionDecoder::emitLane(const LaneKey &key, InstructionClass kind,
                                 Type result, const Slots &slotsOf,
                                 uint32_t imm) {
  LaneFn lane = laneTable().find(key);
  if (!lane)
    return fail("this form is not supported");
  Instruction &inst = emit(executeLane, kind);
  inst.lane = lane;
  inst.dst = slotsOf.destination;
  inst.destBytes =
      static_cast<uint8_t>(result == Type::Pred ? 0 : registerBytes(result));
  std::copy(slotsOf.sources.begin(), slotsOf.sources.end(), inst.src);
  inst.imm = imm;
  inst.flow = flowOf(key);
  if (key.op == LaneOp::Cvt)
    inst.flowBytes = static_cast<uint8_t>(
        inst.flow == Flow::Extend
            ? std::min(typeBytes(key.type), typeBytes(key.source))
            : typeBytes(key.source));
  else if (key.op == LaneOp::Shr)
    inst.flowBytes = isSigned(key.type);
  return {};
}

Status FunctionDecoder::laneInstruction(const LaneKey &key,
                                        InstructionClass kind, Type result,
                                        std::initializer_list<Type> sources,
                                        uint32_t imm) {
  Slots slotsOf;
  if (Status status = slotsFor(result, sources, slotsOf); !status.ok())
    return status;
  return emitLane(key, kind, result, slotsOf, imm);
}

Status FunctionDecoder::emitMove(Type type, int32_t dst, int32_t src) {
  LaneOp op = type == Type::Pred ? LaneOp::PredMov : LaneOp::Mov;
  return emitLane({op, type, Type::None, 0}, InstructionClass::Move, type,
                  {dst, {src}});
}

Status FunctionDecoder::frameAddress(int32_t dst, uint32_t offset,
                                     unsigned bytes) {
  Instruction &inst = emit(executeFrameAddress, InstructionClass::Move);
  inst.dst = dst;
  inst.destBytes = static_cast<uint8_t>(bytes);
  inst.imm = offset;
  return {};
}

InstructionClass FunctionDecoder::arithmeticClass(Type type) {
  switch (type) {
  case Type::F32:
  case Type::TF32:
    return InstructionClass::Float32;
  case Type::F64:
    return InstructionClass::Float64;
  case Type::F16:
  case Type::BF16:
  case Type::F16x2:
  case Type::BF16x2:
    return InstructionClass::Half;
  default:
    return InstructionClass::Integer;
  }
}

const std::unordered_map<std::string_view, FunctionDecoder::Decode> &
FunctionDecoder::families() {
  using F = FunctionDecoder;
  static const std::unordered_map<std::string_view, Decode> table = {
      {"add", &F::decodeAddSub},
      {"sub", &F::decodeAddSub},
      {"mul", &F::decodeMul},
      {"mad", &F::decodeMad},
      {"fma", &F::decodeFma},
      {"addc", &F::decodeCarry},
      {"subc", &F::decodeCarry},
      {"madc", &F::decodeCarry},
      {"div", &F::decodeDivRem},
      {"rem", &F::decodeDivRem},
      {"abs", &F::decodeUnary},
      {"neg", &F::decodeUnary},
      {"min", &F::decodeMinMax},
      {"max", &F::decodeMinMax},
      {"sad", &F::decodeSad},
      {"mul24", &F::decodeMul24},
      {"mad24", &F::decodeMul24},
      {"rcp", &F::decodeApproxUnary},
      {"sqrt", &F::decodeApproxUnary},
      {"rsqrt", &F::decodeApproxUnary},
      {"sin", &F::decodeApproxUnary},
      {"cos", &F::decodeApproxUnary},
      {"lg2", &F::decodeApproxUnary},
      {"ex2", &F::decodeApproxUnary},
      {"tanh", &F::decodeApproxUnary},
      {"testp", &F::decodeTestp},
      {"copysign", &F::decodeCopysign},
      {"dp4a", &F::decodeDotProduct},
      {"dp2a", &F::decodeDotProduct},
      {"and", &F::decodeLogic},
      {"or", &F::decodeLogic},
      {"xor", &F::decodeLogic},
      {"not", &F::decodeLogic},
      {"cnot", &F::decodeLogic},
      {"shl", &F::decodeShift},
      {"shr", &F::decodeShift},
      {"shf", &F::decodeFunnel},
      {"lop3", &F::decodeLop3},
      {"prmt", &F::decodePrmt},
      {"popc", &F::decodeBitCount},
      {"clz", &F::decodeBitCount},
      {"bfind", &F::decodeBitCount},
      {"brev", &F::decodeBitCount},
      {"bfe", &F::decodeBfe},
      {"bfi", &F::decodeBfi},
      {"fns", &F::decodeFns},
      {"bmsk", &F::decodeBmskSzext},
      {"szext", &F::decodeBmskSzext},
      {"mov", &F::decodeMov},
      {"selp", &F::decodeSelp},
      {"slct", &F::decodeSlct},
      {"setp", &F::decodeSetp},
      {"set", &F::decodeSet},
      {"cvt", &F::decodeCvt},
      {"cvta", &F::decodeCvta},
      {"isspacep", &F::decodeIsspacep},
      {"mapa", &F::decodeMapa},
      {"getctarank", &F::decodeGetctarank},
      {"ld", &F::decodeLoad},
      {"ldu", &F::decodeLoad},
      {"st", &F::decodeStore},
      {"atom", &F::decodeAtomic},
      {"red", &F::decodeAtomic},
      {"prefetch", &F::decodePrefetch},
      {"prefetchu", &F::decodePrefetch},
      {"applypriority", &F::decodePrefetch},
      {"discard", &F::decodePrefetch},
      {"createpolicy", &F::decodeCreatePolicy},
      {"bra", &F::decodeBranch},
      {"brx", &F::decodeBranchTable},
      {"call", &F::decodeCall},
      {"ret", &F::decodeReturn},
      {"exit", &F::decodeExit},
      {"trap", &F::decodeTrap},
      {"brkpt", &F::decodeTrap},
      {"bar", &F::decodeBarrier},
      {"barrier", &F::decodeBarrier},
      {"membar", &F::decodeFence},
      {"fence", &F::decodeFence},
      {"shfl", &F::decodeShfl},
      {"vote", &F::decodeVote},
      {"match", &F::decodeMatch},
      {"redux", &F::decodeRedux},
      {"activemask", &F::decodeActiveMask},
      {"elect", &F::decodeElect},
      {"griddepcontrol", &F::decodeNoOperation},
      {"setmaxnreg", &F::decodeNoOperation},
      {"pmevent", &F::decodeNoOperation},
      {"nanosleep", &F::decodeNanosleep},
      {"ldmatrix", &F::decodeLdmatrix},
      {"stmatrix", &F::decodeStmatrix},
      {"movmatrix", &F::decodeMovmatrix},
      {"mma", &F::decodeMma},
      {"wmma", &F::decodeWmma},
      {"wgmma", &F::decodeWgmma},
      {"cp", &F::decodeCp},
      {"mbarrier", &F::decodeMbarrier},
      {"tensormap", &F::decodeTensorMap},
  };
  return table;
}

// For instructions that exist, why there is nothing to execute them.
static std::string unknownInstruction(std::string_view base) {
  static const std::pair<std::string_view, const char *> kinds[] = {
      {"tex", "textures"},
      {"tld4", "textures"},
      {"txq", "textures"},
      {"suld", "surfaces"},
      {"sust", "surfaces"},
      {"sured", "surfaces"},
      {"suq", "surfaces"},
      {"istypep", "textures"},
      {"tcgen05", "tensor memory"},
      {"alloca", "dynamic stack memory"},
      {"stacksave", "dynamic stack memory"},
      {"stackrestore", "dynamic stack memory"}};
  for (const auto &[name, what] : kinds)
    if (base == name)
      return fmt::format("unknown instruction, there is no support for {}",
                         what);
  return "unknown instruction";
}

Status FunctionDecoder::decodeStatement() {
  std::string_view opcode = statement->opcode;
  parts.clear();
  while (true) {
    size_t dot = opcode.find('.');
    parts.push_back(opcode.substr(0, dot));
    if (dot == std::string_view::npos)
      break;
    opcode.remove_prefix(dot + 1);
  }
  taken.assign(parts.size(), false);
  auto family = families().find(base());
  if (family == families().end())
    return fail(unknownInstruction(base()));
  Status form = checkModifiers(parts);
  if (form.ok() && !isImplied)
    form = checkRequirements(shared.module, function, *statement, parts);
  if (!form.ok())
    return fail(form.message());
  if (Status status = (this->*family->second)(); !status.ok())
    return status;
  for (size_t i = 1; i < parts.size(); ++i)
    if (!taken[i])
      return fail(fmt::format("unknown modifier '.{}'", parts[i]));
  return {};
}

// Registers first, then the frame's local memory: the function's own .local
// variables, formal parameters and return values, and the .param variables of
// the calls it makes.
Status FunctionDecoder::layoutFrame() {
  slots.reserve(function.registers.size());
  for (const RegisterDecl &decl : function.registers) {
    slots.push_back(slotCount);
    code().registerNames[slotCount] = decl.name;
    if (const SpecialRegister *special = findSpecialRegister(decl.name))
      code().specials.emplace_back(special->special, slotCount);
    slotCount += std::max<int32_t>(
        1, static_cast<int32_t>(registerBytes(decl.type) / 4));
  }
  carrySlot = slotCount++;
  code().registerNames[carrySlot] = "CC";
  code().firstConstant = static_cast<uint32_t>(slotCount);

  uint64_t localBytes = 0;
  uint64_t stackBytes = kFrameBytes;
  uint64_t parameterBytes = 0;
  for (size_t i = 0; i < function.variables.size(); ++i) {
    const Variable &variable = function.variables[i];
    int variableIndex = static_cast<int>(i);
    bool isKernelParameter =
        function.isEntry && isFormalParameter(variableIndex);
    if (variable.space == Space::Shared || !variable.moduleName.empty())
      continue;
    // What a compiler keeps on the stack.
    if (variable.space == Space::Local || isArray(variable))
      stackBytes += (variable.bytes + 7) / 8 * 8;
    uint64_t &end = isKernelParameter ? parameterBytes : localBytes;
    end = (end + variable.align - 1) / variable.align * variable.align;
    frameOffsets[variableIndex] = static_cast<uint32_t>(end);
    ParameterLayout layout{variable.name, static_cast<uint32_t>(end),
                           static_cast<uint32_t>(variable.bytes),
                           static_cast<uint32_t>(variable.align),
                           variable.type};
    end += variable.bytes;
    if (end > (1u << 24))
      return invalidData(fmt::format(
          "line {}: function '{}' needs more than 16 MiB of local memory",
          variable.line, function.name));
    if (isFormalParameter(variableIndex))
      code().parameters.push_back(layout);
    for (int result : function.returns)
      if (result == variableIndex)
        code().returns.push_back(layout);
  }
  constexpr uint64_t parameterLimit = 32764;
  if (parameterBytes > parameterLimit)
    return invalidData(fmt::format(
        "line {}: kernel '{}' has {} bytes of parameters, expected "
        "at most {}",
        function.line, function.name, parameterBytes, parameterLimit));
  frameEnd = localBytes;
  code().stackBytes = static_cast<uint32_t>(stackBytes);
  if (function.isEntry) {
    shared.kernel.parameters = code().parameters;
    shared.kernel.parameterBytes = static_cast<uint32_t>(parameterBytes);
  }
  return {};
}

Status FunctionDecoder::decode() {
  code().name = function.name;
  code().entry = static_cast<uint32_t>(shared.kernel.code.size());
  if (Status status = layoutFrame(); !status.ok())
    return status;
  statementPc.reserve(function.statements.size() + 1);
  for (const Statement &each : function.statements) {
    statement = &each;
    statementPc.push_back(static_cast<uint32_t>(shared.kernel.code.size()));
    if (Status status = decodeStatement(); !status.ok())
      return status;
  }
  // Falling off the end returns.
  Statement end;
  end.opcode = "ret";
  end.line = function.statements.empty() ? function.line
                                         : function.statements.back().line;
  statement = &end;
  isImplied = true;
  statementPc.push_back(static_cast<uint32_t>(shared.kernel.code.size()));
  if (Status status = decodeStatement(); !status.ok())
    return status;
  for (const Fixup &fixup : fixups)
    shared.kernel.code[fixup.pc].target = statementPc[fixup.statement];
  for (const TableFixup &fixup : tableFixups)
    for (uint32_t target : fixup.statements)
      fixup.table->targets.push_back(statementPc[target]);
  code().localBytes = static_cast<uint32_t>((frameEnd + 15) / 16 * 16);
  code().slotCount = static_cast<uint32_t>(slotCount);
  code().constants.resize((slotCount - code().firstConstant) *
                          size_t(kSlotBytes));
  return {};
}

} // namespace attnres::emulator
