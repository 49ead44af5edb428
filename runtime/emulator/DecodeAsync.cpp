// Decoding of cp.async, bulk and tensor copies, mbarrier, st.async.

#include "runtime/emulator/FunctionDecoder.h"

#include "runtime/emulator/Handlers.h"
#include "runtime/emulator/SyncExtras.h"

#include <fmt/format.h>

namespace attnres::emulator {

// cp.async in all its forms, and cp.reduce.async.bulk.
Status FunctionDecoder::decodeCp() {
  bool reduces = take("reduce");
  if (!take("async"))
    return fail("expected .async");
  if (take("bulk"))
    return bulkCopy(reduces);
  if (reduces)
    return fail("expected .bulk");
  if (take("commit_group")) {
    emit(executeCpAsyncCommit, InstructionClass::AsyncCopy);
    return operandCount(0, 0);
  }
  if (take("wait_all")) {
    emit(executeCpAsyncWait, InstructionClass::AsyncCopy).imm = UINT32_MAX;
    return operandCount(0, 0);
  }
  if (take("wait_group")) {
    return groupCount(
        emit(executeCpAsyncWait, InstructionClass::AsyncCopy).imm);
  }
  if (take("mbarrier")) {
    auto *arrive = addExtra<CpAsyncArriveExtra>();
    if (!take("arrive"))
      return fail("expected .arrive");
    arrive->noIncrement = take("noinc");
    arrive->space = takeSharedOrGeneric();
    if (takeType() != Type::B64)
      return fail("expected b64");
    if (Status status = operandCount(1, 1); !status.ok())
      return status;
    int32_t base = 0;
    if (Status status = addressOperand(operands()[0], *arrive, base);
        !status.ok())
      return status;
    emitAt(executeCpAsyncArrive, InstructionClass::AsyncCopy, arrive, base);
    return {};
  }
  auto *copy = addExtra<CpAsyncExtra>();
  take("ca");
  bool bypass = take("cg");
  if (!take("shared") && !take("shared::cta"))
    return fail("expected .shared.global");
  if (!take("global"))
    return fail("expected .shared.global");
  bool hint = takeCacheModifiers();
  if (Status status = operandCount(3, 5); !status.ok())
    return status;
  copy->destination.space = Space::Shared;
  copy->source.space = Space::Global;
  int32_t destination = 0;
  int32_t from = 0;
  int64_t bytes = 0;
  Status status = addressOperand(operands()[0], copy->destination, destination);
  if (status.ok())
    status = addressOperand(operands()[1], copy->source, from);
  if (status.ok())
    status = immediateInteger(operands()[2], bytes);
  if (!status.ok())
    return status;
  if ((bytes != 4 && bytes != 8 && bytes != 16) || (bypass && bytes != 16))
    return fail(fmt::format("copy of {} bytes", bytes));
  copy->bytes = static_cast<unsigned>(bytes);
  int32_t limit = 0;
  size_t extra = operands().size() - (hint ? 1 : 0);
  if (extra == 4) {
    const Operand &fourth = operands()[3];
    if (fourth.kind == Operand::Register &&
        registerType(fourth.reg) == Type::Pred) {
      copy->limit = CpAsyncExtra::IgnorePredicate;
      status = predicateSource(fourth, limit);
    } else {
      copy->limit = CpAsyncExtra::SourceBytes;
      status = source(fourth, Type::U32, limit);
    }
    if (!status.ok())
      return status;
  } else if (extra > 4) {
    return fail("too many operands");
  }
  Instruction &inst = emit(executeCpAsync, InstructionClass::AsyncCopy);
  inst.extra = copy;
  inst.src[0] = destination;
  inst.src[1] = from;
  inst.src[2] = limit;
  return {};
}

// [tensorMap, {coordinates}]
Status FunctionDecoder::tensorOperand(const Operand &operand,
                                      MemoryExtra &memory, int32_t &slot,
                                      std::vector<int32_t> &coordinates,
                                      size_t rank) {
  if (operand.kind != Operand::Address || operand.elements.size() != 2)
    return fail("expected [tensorMap, {coordinates}]");
  Operand address;
  address.kind = Operand::Address;
  address.elements.push_back(operand.elements[0]);
  memory.space = Space::Generic;
  if (Status status = addressOperand(address, memory, slot); !status.ok())
    return status;
  return vectorOperand(operand.elements[1], Type::S32, rank, coordinates,
                       false);
}

Status FunctionDecoder::bulkCopy(bool reduces) {
  if (take("commit_group")) {
    emit(executeBulkCommit, InstructionClass::AsyncCopy);
    return operandCount(0, 0);
  }
  if (take("wait_group")) {
    uint32_t readsOnly = take("read");
    uint32_t count = 0;
    if (Status status = groupCount(count); !status.ok())
      return status;
    emit(executeBulkWait, InstructionClass::AsyncCopy).imm =
        count * 2 + readsOnly;
    return {};
  }
  auto *bulk = addExtra<BulkExtra>();
  bulk->reduces = reduces;
  bool prefetch = take("prefetch");
  bulk->isTensor = take("tensor");
  size_t rank = 0;
  if (bulk->isTensor) {
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d"};
    for (size_t i = 0; i < 5; ++i)
      if (take(ranks[i]))
        rank = i + 1;
    if (rank == 0)
      return fail("expected .1d to .5d");
    take("tile");
  }
  take("L2");
  bool hint = take("L2::cache_hint");
  bool multicast = take("multicast::cluster");
  bool viaBarrier = take("mbarrier::complete_tx::bytes");
  bool viaGroup = take("bulk_group");
  // The first space is the destination.
  std::string_view spaces[2];
  for (std::string_view &space : spaces)
    for (size_t i = 1; i < parts.size() && space.empty(); ++i)
      if (!taken[i] && (parts[i] == "global" || parts[i] == "shared::cta" ||
                        parts[i] == "shared::cluster")) {
        space = parts[i];
        taken[i] = true;
      }
  if (reduces) {
    if (Status status = atomicOperation(bulk->op); !status.ok())
      return status;
    take("noftz");
    if (!bulk->isTensor) {
      bulk->type = takeType();
      if (Status status = checkAtomic(bulk->op, bulk->type, true); !status.ok())
        return status;
    }
  }
  if (prefetch) {
    // Only the operands are checked.
    emit(executeNothing, InstructionClass::AsyncCopy);
    return operandCount(1, 3);
  }
  if (spaces[0] == "global" && spaces[1] == "shared::cta" && viaGroup)
    bulk->direction = BulkExtra::SharedToGlobal;
  else if (spaces[0].substr(0, 6) == "shared" && spaces[1] == "global" &&
           viaBarrier && !reduces)
    bulk->direction = BulkExtra::GlobalToShared;
  else if (spaces[0] == "shared::cluster" && spaces[1] == "shared::cta" &&
           viaBarrier && !bulk->isTensor)
    bulk->direction = BulkExtra::SharedToShared;
  else
    return fail("this direction is not supported");
  bool toGlobal = bulk->direction == BulkExtra::SharedToGlobal;
  size_t plain = bulk->isTensor ? (toGlobal ? 2 : 3) : (toGlobal ? 3 : 4);
  size_t count = plain + (multicast ? 1 : 0) + (hint ? 1 : 0);
  if (Status status = operandCount(count, count); !status.ok())
    return status;
  bulk->destination.space = toGlobal ? Space::Global : Space::Shared;
  bulk->source.space = bulk->direction == BulkExtra::GlobalToShared
                           ? Space::Global
                           : Space::Shared;
  bulk->barrier.space = Space::Shared;
  Status status;
  if (bulk->isTensor && toGlobal)
    status = tensorOperand(operands()[0], bulk->destination,
                           bulk->destinationSlot, bulk->coordinates, rank);
  else
    status =
        addressOperand(operands()[0], bulk->destination, bulk->destinationSlot);
  if (status.ok()) {
    if (bulk->isTensor && !toGlobal)
      status = tensorOperand(operands()[1], bulk->source, bulk->sourceSlot,
                             bulk->coordinates, rank);
    else
      status = addressOperand(operands()[1], bulk->source, bulk->sourceSlot);
  }
  size_t at = 2;
  if (status.ok() && !bulk->isTensor)
    status = source(operands()[at++], Type::U32, bulk->sizeSlot);
  if (status.ok() && !toGlobal)
    status = addressOperand(operands()[at++], bulk->barrier, bulk->barrierSlot);
  if (status.ok() && multicast)
    status = source(operands()[at++], Type::B16, bulk->multicastSlot);
  if (!status.ok())
    return status;
  emit(executeBulkCopy, InstructionClass::AsyncCopy).extra = bulk;
  return {};
}

Status FunctionDecoder::decodeMbarrier() {
  auto *barrier = addExtra<MbarrierExtra>();
  auto form = [&] {
    takeScopeAndSemantics(*barrier);
    bool cluster = take("shared::cluster");
    barrier->cluster = cluster;
    barrier->space = cluster ? Space::Shared : takeSharedOrGeneric();
    return takeType() == Type::B64 ? Status() : fail("expected b64");
  };
  int32_t base = 0;
  if (take("init")) {
    if (Status status = form(); !status.ok())
      return status;
    if (Status status = operandCount(2, 2); !status.ok())
      return status;
    Status status = addressOperand(operands()[0], *barrier, base);
    if (status.ok())
      status = source(operands()[1], Type::U32, barrier->countSlot);
    if (!status.ok())
      return status;
    emitAt(executeMbarrierInit, InstructionClass::Barrier, barrier, base);
    return {};
  }
  if (take("inval")) {
    if (Status status = form(); !status.ok())
      return status;
    if (Status status = operandCount(1, 1); !status.ok())
      return status;
    if (Status status = addressOperand(operands()[0], *barrier, base);
        !status.ok())
      return status;
    emitAt(executeMbarrierInvalidate, InstructionClass::Barrier, barrier, base);
    return {};
  }
  if (take("pending_count")) {
    if (takeType() != Type::B64)
      return fail("expected b64");
    if (Status status = operandCount(2, 2); !status.ok())
      return status;
    int32_t d = 0;
    Status status = source(operands()[1], Type::B64, base);
    if (status.ok())
      status = destination(operands()[0], Type::U32, d);
    if (!status.ok())
      return status;
    Instruction &inst = emit(executeMbarrierPending, InstructionClass::Barrier);
    inst.src[0] = base;
    inst.dst = d;
    return {};
  }
  // mbarrier.arrive.expect_tx is an arrival.
  bool isArrival = parts.size() > 1 && parts[1].substr(0, 6) == "arrive";
  if (!isArrival && (take("expect_tx") || take("complete_tx"))) {
    barrier->completes = parts[1] == "complete_tx";
    if (Status status = form(); !status.ok())
      return status;
    if (Status status = operandCount(2, 2); !status.ok())
      return status;
    Status status = addressOperand(operands()[0], *barrier, base);
    if (status.ok())
      status = source(operands()[1], Type::U32, barrier->txSlot);
    if (!status.ok())
      return status;
    emitAt(executeMbarrierTransaction, InstructionClass::Barrier, barrier,
           base);
    return {};
  }
  if (take("arrive") || take("arrive_drop")) {
    barrier->drop = parts[1] == "arrive_drop";
    barrier->expectTx = take("expect_tx");
    barrier->noComplete = take("noComplete");
    if (Status status = form(); !status.ok())
      return status;
    if (Status status = operandCount(1, 3); !status.ok())
      return status;
    size_t at = 0;
    int32_t d = 0;
    if (operands()[0].kind != Operand::Address) {
      if (Status status = destination(operands()[0], Type::B64, d);
          !status.ok())
        return status;
      barrier->returnsState = operands()[0].kind == Operand::Register;
      at = 1;
    }
    if (at >= operands().size() || operands().size() > at + 2)
      return fail("unexpected operands");
    if (Status status = addressOperand(operands()[at++], *barrier, base);
        !status.ok())
      return status;
    if (at < operands().size()) {
      int32_t &slot = barrier->expectTx ? barrier->txSlot : barrier->countSlot;
      if (Status status = source(operands()[at], Type::U32, slot); !status.ok())
        return status;
    } else if (barrier->expectTx) {
      return fail("expected a number of bytes");
    }
    emitAt(executeMbarrierArrive, InstructionClass::Barrier, barrier, base)
        .dst = d;
    return {};
  }
  barrier->isTry = take("try_wait");
  if (!barrier->isTry && !take("test_wait"))
    return fail("unknown mbarrier operation");
  barrier->parity = take("parity");
  if (Status status = form(); !status.ok())
    return status;
  if (Status status = operandCount(3, barrier->isTry ? 4 : 3); !status.ok())
    return status;
  int32_t p = 0;
  Status status = addressOperand(operands()[1], *barrier, base);
  if (status.ok())
    status = source(operands()[2], barrier->parity ? Type::U32 : Type::B64,
                    barrier->countSlot);
  if (status.ok())
    status = predicateDestination(operands()[0], p);
  if (!status.ok())
    return status;
  Instruction &inst =
      emitAt(executeMbarrierTest, InstructionClass::Barrier, barrier, base);
  inst.dst = p;
  inst.destBytes = 0;
  return {};
}

// tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [map], dimension, value;
Status FunctionDecoder::decodeTensorMap() {
  auto *map = addExtra<TensorMapExtra>();
  int32_t base = 0;
  if (take("cp_fenceproxy")) {
    for (const char *part : {"global", "shared::cta", "tensormap::generic",
                             "release", "sync", "aligned"})
      if (!take(part))
        return fail(fmt::format("expected .{}", part));
    if (!take("cta") && !take("cluster") && !take("gpu") && !take("sys"))
      return fail("expected a scope");
    if (Status status = operandCount(3, 3); !status.ok())
      return status;
    int32_t from = 0;
    int64_t bytes = 0;
    map->space = Space::Global;
    map->source.space = Space::Shared;
    Status status = addressOperand(operands()[0], *map, base);
    if (status.ok())
      status = addressOperand(operands()[1], map->source, from);
    if (status.ok())
      status = immediateInteger(operands()[2], bytes);
    if (status.ok() && bytes != 128)
      status = fail(fmt::format("copy of {} bytes, expected 128", bytes));
    if (!status.ok())
      return status;
    emitAt(executeTensorMapCopy, InstructionClass::AsyncCopy, map, base)
        .src[1] = from;
    return {};
  }
  struct Name {
    const char *text;
    TensorMapExtra::Field field;
    Type type;
    bool isIndexed;
  };
  static const Name names[] = {
      {"global_address", TensorMapExtra::Address, Type::B64, false},
      {"rank", TensorMapExtra::Rank, Type::B32, false},
      {"box_dim", TensorMapExtra::BoxSize, Type::B32, true},
      {"global_dim", TensorMapExtra::Size, Type::B32, true},
      {"global_stride", TensorMapExtra::Stride, Type::B64, true},
      {"element_stride", TensorMapExtra::ElementStride, Type::B32, true},
      {"elemtype", TensorMapExtra::ElementType, Type::B32, false},
      {"interleave_layout", TensorMapExtra::Interleave, Type::B32, false},
      {"swizzle_mode", TensorMapExtra::SwizzleMode, Type::B32, false},
      {"fill_mode", TensorMapExtra::Fill, Type::B32, false}};
  if (!take("replace") || !take("tile"))
    return fail("expected .replace.tile or .cp_fenceproxy");
  const Name *which = nullptr;
  for (const Name &name : names)
    if (!which && take(name.text))
      which = &name;
  if (!which)
    return fail("unknown field");
  map->field = which->field;
  map->space = take("global") ? Space::Global : takeSharedOrGeneric();
  if (!take("b1024") || takeType() != which->type)
    return fail(fmt::format("expected .b1024.{}", typeName(which->type)));
  size_t count = which->isIndexed ? 3 : 2;
  if (Status status = operandCount(count, count); !status.ok())
    return status;
  Status status = addressOperand(operands()[0], *map, base);
  if (status.ok() && which->isIndexed) {
    int64_t dimension = 0;
    status = immediateInteger(operands()[1], dimension);
    if (status.ok() && (dimension < 0 || dimension > 4))
      status = fail(fmt::format("dimension {}, expected 0 to 4", dimension));
    map->dimension = static_cast<uint32_t>(dimension);
  }
  if (status.ok())
    status = source(operands().back(), which->type, map->valueSlot);
  if (!status.ok())
    return status;
  emitAt(executeTensorMapReplace, InstructionClass::AsyncCopy, map, base);
  return {};
}

// st.async and red.async: remote shared memory, completing on an mbarrier.
Status FunctionDecoder::decodeStAsync() {
  auto *store = addExtra<StAsyncExtra>();
  store->reduces = base() == "red";
  take("relaxed");
  take("weak");
  take("cluster");
  if (!take("shared::cluster") || !take("mbarrier::complete_tx::bytes"))
    return fail("expected .shared::cluster.mbarrier::complete_tx::bytes");
  if (store->reduces)
    if (Status status = atomicOperation(store->op); !status.ok())
      return status;
  size_t count = take("v4") ? 4 : take("v2") ? 2 : 1;
  store->type = takeType();
  if (typeBytes(store->type) != 4 && typeBytes(store->type) != 8)
    return fail("expected a type of 32 or 64 bits");
  if (store->reduces)
    if (Status status = checkAtomic(store->op, store->type, true); !status.ok())
      return status;
  if (Status status = operandCount(3, 3); !status.ok())
    return status;
  store->destination.space = Space::Shared;
  store->barrier.space = Space::Shared;
  Status status =
      addressOperand(operands()[0], store->destination, store->destinationSlot);
  if (status.ok())
    status =
        vectorOperand(operands()[1], store->type, count, store->values, false);
  if (status.ok())
    status = addressOperand(operands()[2], store->barrier, store->barrierSlot);
  if (!status.ok())
    return status;
  emit(executeStAsync, InstructionClass::AsyncCopy).extra = store;
  return {};
}

} // namespace attnres::emulator
