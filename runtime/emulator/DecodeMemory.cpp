// Decoding of addresses, loads, stores and atomics.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/AtomicValue.h"
#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/SyncExtras.h"

#include <fmt/format.h>

namespace attnres::emulator {

// [register + offset], [variable + offset] or [constant].
Status FunctionDecoder::addressOperand(const Operand &operand,
                                       MemoryExtra &memory, int32_t &baseSlot) {
  if (operand.kind != Operand::Address || operand.elements.size() != 1)
    return fail("expected an address");
  const Operand &inner = operand.elements[0];
  baseSlot = 0;
  switch (inner.kind) {
  case Operand::Register: {
    Type type = registerType(inner.reg);
    unsigned bytes = registerBytes(type);
    if (type == Type::Pred || (bytes != 4 && bytes != 8) || inner.pair >= 0 ||
        inner.negated)
      return fail("an address register needs 32 or 64 bits");
    memory.narrowAddress = bytes == 4;
    memory.offset = inner.offset;
    baseSlot = registerSlot(inner.reg);
    return {};
  }
  case Operand::Immediate:
    memory.offset = static_cast<int64_t>(inner.bits);
    return {};
  case Operand::Symbol: {
    uint64_t address = 0;
    Space space = Space::None;
    if (Status status =
            symbolAddress(inner, address, space, memory.frameRelative);
        !status.ok())
      return status;
    memory.offset = static_cast<int64_t>(address);
    Space wanted = memory.space == Space::Const ? Space::Global : memory.space;
    if (wanted != Space::Generic && space != Space::None && space != wanted)
      return fail(fmt::format("'{}' is in another state space", inner.symbol));
    if (memory.space == Space::Generic) {
      // A variable's name in a generic access: go through its window.
      if (space == Space::Shared)
        memory.offset += static_cast<int64_t>(kSharedWindow);
      if (memory.frameRelative || space == Space::Local)
        memory.space = Space::Local;
    }
    memory.isParameter = memory.frameRelative && space == Space::Param;
    if (memory.isParameter && memory.space == Space::Param)
      memory.space = Space::Local;
    return {};
  }
  default:
    return fail("expected an address");
  }
}

// Where addresses have 64 bits, only windows of the block have narrow ones.
Status FunctionDecoder::checkAddress(const MemoryExtra &memory,
                                     int32_t base) const {
  if (base != 0 && memory.narrowAddress &&
      (memory.space == Space::Generic || memory.space == Space::Global))
    return fail("address register of 32 bits, expected 64");
  return {};
}

/// Cache operators and hints have no effect here.
bool FunctionDecoder::takeCacheModifiers() {
  static const char *const ignored[] = {"ca",
                                        "cg",
                                        "cs",
                                        "lu",
                                        "cv",
                                        "wb",
                                        "wt",
                                        "nc",
                                        "L1::no_allocate",
                                        "L1::evict_first",
                                        "L1::evict_last",
                                        "L1::evict_normal",
                                        "L1::evict_unchanged",
                                        "L2::evict_first",
                                        "L2::evict_last",
                                        "L2::evict_normal",
                                        "L2::64B",
                                        "L2::128B",
                                        "L2::256B"};
  for (const char *modifier : ignored)
    take(modifier);
  return take("L2::cache_hint");
}

bool FunctionDecoder::takeScopeAndSemantics(MemoryExtra &memory) {
  bool any = false;
  for (const char *modifier : {"volatile", "relaxed", "mmio"})
    if (take(modifier))
      memory.strong = any = true;
  if (take("acquire"))
    memory.strong = memory.acquire = any = true;
  if (take("release"))
    memory.strong = memory.release = any = true;
  if (take("acq_rel") || take("sc"))
    memory.strong = memory.acquire = memory.release = any = true;
  take("weak");
  memory.wideScope = true;
  if (take("cta"))
    memory.wideScope = false;
  if (take("gpu") || take("sys") || take("cluster"))
    memory.wideScope = true;
  return any;
}

static Space takeSpace(bool global, bool sharedCta, bool sharedCluster,
                       bool local, bool param, bool constant) {
  return global                       ? Space::Global
         : sharedCta || sharedCluster ? Space::Shared
         : local                      ? Space::Local
         : param                      ? Space::Param
         : constant                   ? Space::Const
                                      : Space::Generic;
}

Status FunctionDecoder::memoryForm(MemoryExtra &memory, size_t &count) {
  take("uni"); // param::func of calls and uniform hints
  bool hint = takeCacheModifiers();
  takeScopeAndSemantics(memory);
  bool cluster = take("shared::cluster");
  bool param = take("param") || take("param::func") || take("param::entry");
  memory.space =
      takeSpace(take("global"), take("shared") || take("shared::cta"), cluster,
                take("local"), param, take("const"));
  memory.cluster = cluster;
  count = take("v8") ? 8 : take("v4") ? 4 : take("v2") ? 2 : 1;
  memory.type = takeType();
  memory.elementBytes = static_cast<uint8_t>(typeBytes(memory.type));
  memory.isSigned = isSigned(memory.type);
  if (memory.elementBytes == 0)
    return fail("expected a type");
  if (memory.elementBytes * count > 32 ||
      (memory.elementBytes == 16 && count > 1))
    return fail("access of more than 32 bytes");
  return operandCount(2, hint ? 3 : 2);
}

Status FunctionDecoder::memoryRegisters(const Operand &operand,
                                        MemoryExtra &memory, size_t count,
                                        bool isDestination) {
  const Operand *first = &operand;
  size_t found = 1;
  if (operand.kind == Operand::Vector) {
    first = operand.elements.data();
    found = operand.elements.size();
  }
  if (found != count)
    return fail(fmt::format("expected {} registers, found {}", count, found));
  memory.registerBytes = 0;
  for (size_t i = 0; i < count; ++i) {
    int32_t slot = 0;
    bool isSink = first[i].kind == Operand::Sink;
    Status status;
    if (!isSink || !isDestination)
      status = isDestination ? destination(first[i], memory.type, slot, true)
                             : source(first[i], memory.type, slot, true);
    if (!status.ok())
      return status;
    memory.slots.push_back(slot);
    unsigned bytes = first[i].kind == Operand::Register
                         ? registerBytes(registerType(first[i].reg))
                         : registerBytes(memory.type);
    if (isSink && isDestination)
      continue;
    if (memory.registerBytes != 0 && memory.registerBytes != bytes)
      return fail("registers of different widths");
    memory.registerBytes = static_cast<uint8_t>(bytes);
  }
  return {};
}

Status FunctionDecoder::decodeLoad() {
  auto *memory = addExtra<MemoryExtra>();
  size_t count = 1;
  if (Status status = memoryForm(*memory, count); !status.ok())
    return status;
  int32_t base = 0;
  bool kernelParameter = false;
  if (memory->space == Space::Param) {
    if (Status status = addressOperand(operands()[1], *memory, base);
        !status.ok())
      return status;
    kernelParameter = memory->space == Space::Param && function.isEntry;
    if (!function.isEntry)
      memory->space = Space::Local;
  } else if (Status status = addressOperand(operands()[1], *memory, base);
             !status.ok()) {
    return status;
  }
  if (Status status = checkAddress(*memory, base); !status.ok())
    return status;
  if (operands()[0].kind == Operand::Sink)
    return fail("expected a destination register, found '_'");
  if (Status status = memoryRegisters(operands()[0], *memory, count, true);
      !status.ok())
    return status;
  bool direct = kernelParameter && base == 0;
  emitAt(direct ? executeLoadParameter : executeLoad, InstructionClass::Load,
         memory, base);
  return {};
}

Status FunctionDecoder::decodeStore() {
  if (take("async"))
    return decodeStAsync();
  auto *memory = addExtra<MemoryExtra>();
  size_t count = 1;
  if (Status status = memoryForm(*memory, count); !status.ok())
    return status;
  int32_t base = 0;
  if (Status status = addressOperand(operands()[0], *memory, base);
      !status.ok())
    return status;
  if (Status status = checkAddress(*memory, base); !status.ok())
    return status;
  if (memory->space == Space::Param && !function.isEntry)
    memory->space = Space::Local;
  if (memory->space == Space::Param || memory->space == Space::Const)
    return fail("store to read-only memory");
  if (Status status = memoryRegisters(operands()[1], *memory, count, false);
      !status.ok())
    return status;
  emitAt(executeStore, InstructionClass::Store, memory, base);
  return {};
}

/// The type is that of red's and atom's operands, and of bulk reductions.
Status FunctionDecoder::checkAtomic(AtomicOp op, Type type, bool isRed) const {
  if (atomicExists(op, type, isRed))
    return {};
  return fail(fmt::format("there is no such operation on {}", typeName(type)));
}

Status FunctionDecoder::atomicOperation(AtomicOp &op) {
  static const std::pair<std::string_view, AtomicOp> names[] = {
      {"add", AtomicOp::Add},   {"min", AtomicOp::Min}, {"max", AtomicOp::Max},
      {"and", AtomicOp::And},   {"or", AtomicOp::Or},   {"xor", AtomicOp::Xor},
      {"exch", AtomicOp::Exch}, {"cas", AtomicOp::Cas}, {"inc", AtomicOp::Inc},
      {"dec", AtomicOp::Dec}};
  for (const auto &[name, value] : names)
    if (take(name)) {
      op = value;
      return {};
    }
  return fail("unknown atomic operation");
}

Status FunctionDecoder::decodeAtomic() {
  bool isRed = base() == "red";
  if (isRed && take("async"))
    return decodeStAsync();
  auto *atomic = addExtra<AtomicExtra>();
  atomic->returns = !isRed;
  takeScopeAndSemantics(*atomic);
  atomic->strong = true;
  bool cluster = take("shared::cluster");
  atomic->space =
      takeSpace(take("global"), take("shared") || take("shared::cta"), cluster,
                false, false, false);
  atomic->cluster = cluster;
  if (Status status = atomicOperation(atomic->op); !status.ok())
    return status;
  take("noftz");
  bool hint = takeCacheModifiers();
  size_t count = take("v8") ? 8 : take("v4") ? 4 : take("v2") ? 2 : 1;
  atomic->type = takeType();
  atomic->elementBytes = static_cast<uint8_t>(typeBytes(atomic->type));
  atomic->registerBytes = atomic->elementBytes;
  if (Status status = checkAtomic(atomic->op, atomic->type, isRed);
      !status.ok())
    return status;
  size_t first = isRed ? 0 : 1;
  bool isCas = atomic->op == AtomicOp::Cas;
  size_t least = first + 2 + (isCas ? 1 : 0);
  if (Status status = operandCount(least, least + (hint ? 1 : 0)); !status.ok())
    return status;
  int32_t base = 0;
  if (Status status = addressOperand(operands()[first], *atomic, base);
      !status.ok())
    return status;
  if (Status status = checkAddress(*atomic, base); !status.ok())
    return status;
  if (atomic->space != Space::Generic && atomic->space != Space::Global &&
      atomic->space != Space::Shared)
    return fail("atomics need global or shared memory");
  if (Status status = vectorOperand(operands()[first + 1], atomic->type, count,
                                    atomic->slots, false);
      !status.ok())
    return status;
  int32_t c = 0;
  if (isCas) {
    if (count != 1)
      return fail("compare and swap of a vector");
    if (Status status = source(operands()[first + 2], atomic->type, c);
        !status.ok())
      return status;
  }
  if (!isRed)
    if (Status status = vectorOperand(operands()[0], atomic->type, count,
                                      atomic->results, true);
        !status.ok())
      return status;
  emitAt(executeAtomic, InstructionClass::Atomic, atomic, base).src[1] = c;
  return {};
}

// Prefetches and hints about cache lines have no effect.
Status FunctionDecoder::decodePrefetch() {
  if (Status status = operandCount(1, 2); !status.ok())
    return status;
  while (pending())
    next();
  MemoryExtra ignored;
  int32_t base = 0;
  if (Status status = addressOperand(operands()[0], ignored, base);
      !status.ok())
    return status;
  emit(executeNothing, InstructionClass::Load);
  return {};
}

// A policy is an opaque number that only cache hints use.
Status FunctionDecoder::decodeCreatePolicy() {
  while (pending())
    next();
  if (Status status = operandCount(1, 4); !status.ok())
    return status;
  int32_t d = 0;
  if (Status status = destination(operands()[0], Type::B64, d); !status.ok())
    return status;
  return emitMove(Type::B64, d, constant(0x1000000000000000u, 8));
}

} // namespace attnres::emulator
