// Decoding of control flow, barriers and exchanges between lanes.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/SyncExtras.h"

#include <fmt/format.h>

namespace attnres::emulator {

Status FunctionDecoder::decodeBranch() {
  take("uni");
  if (Status status = operandCount(1, 1); !status.ok())
    return status;
  if (operands()[0].kind != Operand::Symbol)
    return fail("expected a label");
  uint32_t target = 0;
  if (Status status = labelTarget(operands()[0].symbol, target); !status.ok())
    return status;
  fixups.push_back({shared.kernel.code.size(), target});
  emit(executeBranch, InstructionClass::Control);
  return {};
}

// brx.idx %r, table;
Status FunctionDecoder::decodeBranchTable() {
  if (!take("idx"))
    return fail("expected .idx");
  take("uni");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  int32_t a = 0;
  if (Status status = source(operands()[0], Type::U32, a); !status.ok())
    return status;
  if (operands()[1].kind != Operand::Symbol)
    return fail("expected a table of labels");
  const std::vector<std::string> *table = nullptr;
  for (int scope = statement->scope; scope >= 0 && !table;
       scope = function.scopeParent[scope]) {
    auto found = function.targetTables.find({scope, operands()[1].symbol});
    if (found != function.targetTables.end())
      table = &found->second;
  }
  if (!table)
    return fail(fmt::format("unknown table '{}'", operands()[1].symbol));
  auto *extra = addExtra<BranchTableExtra>();
  TableFixup fixup;
  fixup.table = extra;
  for (const std::string &label : *table) {
    uint32_t target = 0;
    if (Status status = labelTarget(label, target); !status.ok())
      return status;
    fixup.statements.push_back(target);
  }
  tableFixups.push_back(std::move(fixup));
  Instruction &inst = emit(executeBranchTable, InstructionClass::Control);
  inst.src[0] = a;
  inst.extra = extra;
  return {};
}

Status FunctionDecoder::decodeReturn() {
  take("uni");
  if (Status status = operandCount(0, 0); !status.ok())
    return status;
  emit(function.isEntry ? executeExit : executeReturn,
       InstructionClass::Control);
  return {};
}

Status FunctionDecoder::decodeExit() {
  if (Status status = operandCount(0, 0); !status.ok())
    return status;
  emit(executeExit, InstructionClass::Control);
  return {};
}

Status FunctionDecoder::decodeTrap() {
  if (Status status = operandCount(0, 0); !status.ok())
    return status;
  emit(executeTrap, InstructionClass::Control);
  return {};
}

Status FunctionDecoder::decodeNoOperation() {
  if (base() == "griddepcontrol") {
    if (!take("wait") && !take("launch_dependents"))
      return fail("expected .wait or .launch_dependents");
    if (Status status = operandCount(0, 0); !status.ok())
      return status;
  } else if (base() == "setmaxnreg") {
    if (!take("inc") && !take("dec"))
      return fail("expected .inc or .dec");
    if (!take("sync") || !take("aligned") || takeType() != Type::U32)
      return fail("expected .sync.aligned.u32");
    int64_t count = 0;
    if (Status status = operandCount(1, 1); !status.ok())
      return status;
    if (Status status = immediateInteger(operands()[0], count); !status.ok())
      return status;
    if (count < 24 || count > 256 || count % 8 != 0)
      return fail(fmt::format("{} registers, expected a multiple of 8 from 24 "
                              "to 256",
                              count));
  } else {
    take("mask");
    if (Status status = operandCount(1, 1); !status.ok())
      return status;
  }
  emit(executeNothing, InstructionClass::Control);
  return {};
}

Status FunctionDecoder::decodeNanosleep() {
  if (takeType() != Type::U32)
    return fail("expected u32");
  if (Status status = operandCount(1, 1); !status.ok())
    return status;
  int32_t a = 0;
  if (Status status = source(operands()[0], Type::U32, a); !status.ok())
    return status;
  Instruction &inst = emit(executeNanosleep, InstructionClass::Control);
  inst.src[0] = a;
  return {};
}

Status FunctionDecoder::decodeBarrier() {
  if (take("cluster")) {
    bool arrive = take("arrive");
    bool wait = !arrive && take("wait");
    if (!arrive && !wait)
      return fail("expected .arrive or .wait");
    take("acquire");
    take("release");
    bool relaxed = take("relaxed");
    take("aligned");
    if (Status status = operandCount(0, 0); !status.ok())
      return status;
    Instruction &inst = emit(executeClusterBarrier, InstructionClass::Barrier);
    inst.imm = (wait ? 1u : 0u) | (relaxed ? 2u : 0u);
    return {};
  }
  if (take("warp")) {
    if (!take("sync"))
      return fail("expected .sync");
    if (Status status = operandCount(1, 1); !status.ok())
      return status;
    auto *extra = addExtra<ExchangeExtra>();
    if (Status status = source(operands()[0], Type::B32, extra->memberSlot);
        !status.ok())
      return status;
    Instruction &inst = emit(executeWarpBarrier, InstructionClass::Barrier);
    inst.src[0] = extra->memberSlot;
    inst.extra = extra;
    return {};
  }
  auto *extra = addExtra<BarrierExtra>();
  take("cta");
  extra->aligned = base() == "bar";
  if (take("aligned"))
    extra->aligned = true;
  bool reduces = false;
  if (take("sync")) {
    extra->kind = BarrierExtra::Sync;
  } else if (take("arrive")) {
    extra->kind = BarrierExtra::Arrive;
  } else if (take("red")) {
    reduces = true;
    extra->kind = take("popc")  ? BarrierExtra::Popc
                  : take("and") ? BarrierExtra::And
                  : take("or")  ? BarrierExtra::Or
                                : BarrierExtra::Sync;
    if (extra->kind == BarrierExtra::Sync)
      return fail("expected .popc, .and or .or");
  } else {
    return fail("expected .sync, .arrive or .red");
  }
  int32_t dst = 0;
  int32_t s[3] = {0, 0, 0};
  size_t first = 0;
  size_t last = operands().size();
  if (reduces) {
    bool isPopc = extra->kind == BarrierExtra::Popc;
    if (takeType() != (isPopc ? Type::U32 : Type::Pred))
      return fail("unexpected type");
    if (Status status = operandCount(3, 4); !status.ok())
      return status;
    Status status =
        destination(operands()[0], isPopc ? Type::U32 : Type::Pred, dst);
    if (status.ok())
      status = predicateSource(operands().back(), s[2]);
    if (!status.ok())
      return status;
    first = 1;
    last = operands().size() - 1;
  } else if (Status status = operandCount(1, 2); !status.ok()) {
    return status;
  }
  auto isConstant = [&](size_t i, int64_t &value) {
    return operands()[i].kind == Operand::Immediate &&
           immediateInteger(operands()[i], value).ok();
  };
  int64_t value = 0;
  if (isConstant(first, value) && (value < 0 || value > 15))
    return fail(fmt::format("barrier {}, expected 0 to 15", value));
  if (last - first == 2 && isConstant(first + 1, value) &&
      (value <= 0 || value % kWarpSize != 0))
    return fail(
        fmt::format("{} threads, expected a multiple of {}", value, kWarpSize));
  if (Status status = source(operands()[first], Type::U32, s[0]); !status.ok())
    return status;
  if (last - first == 2) {
    extra->hasCount = true;
    if (Status status = source(operands()[first + 1], Type::U32, s[1]);
        !status.ok())
      return status;
  }
  if (extra->kind == BarrierExtra::Arrive && !extra->hasCount)
    return fail("expected a number of threads");
  Instruction &inst = emit(executeBarrier, InstructionClass::Barrier);
  inst.extra = extra;
  inst.dst = dst;
  inst.destBytes = extra->kind == BarrierExtra::Popc ? 4 : 0;
  for (size_t i = 0; i < 3; ++i)
    inst.src[i] = s[i];
  return {};
}

Status FunctionDecoder::decodeFence() {
  if (Status status = operandCount(0, 2); !status.ok())
    return status;
  if (take("proxy")) {
    // For shared memory, too, unless it names the global one.
    bool isGlobal = take("global");
    bool isAsync = false;
    while (pending())
      isAsync |= next().substr(0, 5) == "async";
    Instruction &inst = emit(executeProxyFence, InstructionClass::Barrier);
    inst.imm = isAsync && !isGlobal;
    return {};
  }
  if (Status status = operandCount(0, 0); !status.ok())
    return status;
  bool cta = false;
  bool isInit = take("mbarrier_init");
  if (isInit) {
    if (!take("release") || !take("cluster"))
      return fail("expected .release.cluster");
  } else {
    take("sc");
    take("acq_rel");
    take("acquire");
    take("release");
    take("sync_restrict::shared::cta");
    take("sync_restrict::shared::cluster");
    cta = take("cta");
    if (!cta && !take("gl") && !take("sys") && !take("gpu") && !take("cluster"))
      return fail("expected a scope");
  }
  Instruction &inst =
      emit(isInit ? executeInitFence : executeFence, InstructionClass::Barrier);
  inst.imm = !cta;
  return {};
}

Status FunctionDecoder::memberMask(const Operand &operand,
                                   ExchangeExtra *extra) {
  return source(operand, Type::B32, extra->memberSlot);
}

Status FunctionDecoder::decodeShfl() {
  if (!take("sync"))
    return fail("only the .sync form is supported");
  auto *extra = addExtra<ExchangeExtra>();
  if (take("up"))
    extra->shfl = ShflMode::Up;
  else if (take("down"))
    extra->shfl = ShflMode::Down;
  else if (take("bfly"))
    extra->shfl = ShflMode::Bfly;
  else if (take("idx"))
    extra->shfl = ShflMode::Idx;
  else
    return fail("expected .up, .down, .bfly or .idx");
  if (typeBytes(takeType()) != 4)
    return fail("expected b32");
  if (Status status = operandCount(5, 5); !status.ok())
    return status;
  int32_t s[3] = {0, 0, 0};
  for (size_t i = 0; i < 3; ++i)
    if (Status status = source(operands()[i + 1], Type::B32, s[i]);
        !status.ok())
      return status;
  int32_t d = 0;
  int32_t p = 0;
  Status status = memberMask(operands()[4], extra);
  if (status.ok())
    status = destinationPair(operands()[0], Type::B32, d, p);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeShfl, InstructionClass::WarpExchange);
  inst.extra = extra;
  inst.dst = d;
  inst.dst2 = p;
  for (size_t i = 0; i < 3; ++i)
    inst.src[i] = s[i];
  inst.src[3] = extra->memberSlot;
  return {};
}

Status FunctionDecoder::decodeVote() {
  if (!take("sync"))
    return fail("only the .sync form is supported");
  auto *extra = addExtra<ExchangeExtra>();
  Type destType = Type::Pred;
  if (take("all")) {
    extra->vote = VoteMode::All;
  } else if (take("any")) {
    extra->vote = VoteMode::Any;
  } else if (take("uni")) {
    extra->vote = VoteMode::Uni;
  } else if (take("ballot")) {
    extra->vote = VoteMode::Ballot;
    destType = Type::B32;
  } else {
    return fail("expected .all, .any, .uni or .ballot");
  }
  if (takeType() != destType)
    return fail(fmt::format("expected {}", typeName(destType)));
  if (Status status = operandCount(3, 3); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  Status status = predicateSource(operands()[1], a);
  if (status.ok())
    status = memberMask(operands()[2], extra);
  if (status.ok())
    status = destination(operands()[0], destType, d);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeVote, InstructionClass::WarpExchange);
  inst.extra = extra;
  inst.dst = d;
  inst.destBytes = destType == Type::Pred ? 0 : 4;
  inst.src[0] = a;
  inst.src[3] = extra->memberSlot;
  return {};
}

Status FunctionDecoder::decodeMatch() {
  auto *extra = addExtra<ExchangeExtra>();
  if (take("all"))
    extra->matchAll = true;
  else if (!take("any"))
    return fail("expected .all or .any");
  if (!take("sync"))
    return fail("expected .sync");
  Type type = takeType();
  if (typeBytes(type) != 4 && typeBytes(type) != 8)
    return fail("expected b32 or b64");
  if (Status status = operandCount(3, 3); !status.ok())
    return status;
  int32_t d = 0;
  int32_t p = 0;
  int32_t a = 0;
  Status status = source(operands()[1], type, a);
  if (status.ok())
    status = memberMask(operands()[2], extra);
  if (status.ok())
    status = destinationPair(operands()[0], Type::B32, d, p);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeMatch, InstructionClass::WarpExchange);
  inst.extra = extra;
  inst.dst = d;
  inst.dst2 = p;
  inst.src[0] = a;
  inst.src[3] = extra->memberSlot;
  inst.sourceBytes = static_cast<uint8_t>(typeBytes(type));
  return {};
}

Status FunctionDecoder::decodeRedux() {
  if (!take("sync"))
    return fail("expected .sync");
  auto *extra = addExtra<ExchangeExtra>();
  static const std::pair<std::string_view, ReduxOp> ops[] = {
      {"add", ReduxOp::Add}, {"min", ReduxOp::Min}, {"max", ReduxOp::Max},
      {"and", ReduxOp::And}, {"or", ReduxOp::Or},   {"xor", ReduxOp::Xor}};
  bool known = false;
  for (const auto &[name, op] : ops)
    if (!known && take(name)) {
      extra->redux = op;
      known = true;
    }
  if (!known)
    return fail("unknown reduction");
  extra->isAbs = take("abs");
  extra->nanResult = take("NaN");
  extra->type = takeType();
  if (typeBytes(extra->type) != 4)
    return fail("expected a 32-bit type");
  if (Status status = operandCount(3, 3); !status.ok())
    return status;
  int32_t d = 0;
  int32_t a = 0;
  Status status = source(operands()[1], extra->type, a);
  if (status.ok())
    status = memberMask(operands()[2], extra);
  if (status.ok())
    status = destination(operands()[0], extra->type, d);
  if (!status.ok())
    return status;
  Instruction &inst = emit(executeRedux, InstructionClass::WarpExchange);
  inst.extra = extra;
  inst.dst = d;
  inst.src[0] = a;
  inst.src[3] = extra->memberSlot;
  return {};
}

Status FunctionDecoder::decodeActiveMask() {
  if (takeType() != Type::B32)
    return fail("expected b32");
  if (Status status = operandCount(1, 1); !status.ok())
    return status;
  int32_t d = 0;
  if (Status status = destination(operands()[0], Type::B32, d); !status.ok())
    return status;
  emit(executeActiveMask, InstructionClass::WarpExchange).dst = d;
  return {};
}

// elect.sync d|p, mask;
Status FunctionDecoder::decodeElect() {
  if (!take("sync"))
    return fail("expected .sync");
  if (Status status = operandCount(2, 2); !status.ok())
    return status;
  auto *extra = addExtra<ExchangeExtra>();
  int32_t d = 0;
  int32_t p = 0;
  Status status = memberMask(operands()[1], extra);
  if (status.ok())
    status = destinationPair(operands()[0], Type::B32, d, p);
  if (!status.ok())
    return status;
  if (p == 0)
    return fail("expected a destination predicate");
  Instruction &inst = emit(executeElect, InstructionClass::WarpExchange);
  inst.extra = extra;
  inst.dst = d;
  inst.dst2 = p;
  inst.src[3] = extra->memberSlot;
  return {};
}

} // namespace attnres::emulator
