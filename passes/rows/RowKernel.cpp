//===- RowKernel.cpp - where the values of a row kernel are ---------------===//
#include "passes/rows/RowKernel.h"

#include "passes/rows/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

RowKernel::RowKernel(Block &body, ValueRange inputs, ValueRange outputs,
                     RowMachine &machine)
    : machine(machine) {
  for (auto [argument, memory] : llvm::zip_equal(body.getArguments(), inputs))
    memoryOf[argument] = memory;
  Operation *exit = body.getTerminator();
  for (auto [value, memory] : llvm::zip_equal(exit->getOperands(), outputs))
    memoryOf[value] = memory;
  // Everything made at the entry comes before a marker, so that views stand in
  // the order of their creation and before the loops.
  Operation *marker =
      arith::ConstantIndexOp::create(machine.builder, machine.loc, 0);
  entry = OpBuilder::InsertPoint(marker->getBlock(), marker->getIterator());
}

template <typename Fn>
Value RowKernel::atEntry(Fn make) {
  OpBuilder::InsertionGuard guard(machine.builder);
  machine.builder.restoreInsertionPoint(entry);
  return make();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value RowKernel::flatView(Value memref) {
  return rows::flatView(machine.builder, machine.loc, memref);
}

Value RowKernel::rowsView(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t width = machine.rows          ? type.getNumElements() / machine.rows
                  : type.getRank() == 0 ? 1
                                        : type.getShape().back();
  return matrixView(machine.builder, machine.loc, memref, machine.rows, width);
}

RowRef RowKernel::row(Value value) {
  Value &view = rowViews[value];
  if (Value memory = memoryOf.lookup(value)) {
    if (!view)
      view = atEntry([&] { return rowsView(memory); });
    return {view, machine.row};
  }
  if (!view) {
    auto type = tensorOf(value.getType());
    int64_t width = type.getRank() == 0 ? 1
                    : machine.rows      ? type.getNumElements() / machine.rows
                                        : type.getShape().back();
    view = atEntry([&] { return machine.scratch(width); });
  }
  return {view};
}

Value RowKernel::stat(Value value) {
  Value &scalar = stats[value];
  // A scalar computed for this row, or one to load: an argument is loaded at
  // every use, since the loops of different uses may not dominate each other.
  if (scalar)
    return scalar;
  Value memory = memoryOf.lookup(value);
  Value &view = flatViews[value];
  if (!view)
    view = atEntry([&] { return flatView(memory); });
  return machine.loadElement({view}, machine.row);
}

void RowKernel::setStat(Value result, Value scalar) {
  stats[result] = scalar;
  if (Value memory = memoryOf.lookup(result)) {
    Value &view = flatViews[result];
    if (!view)
      view = atEntry([&] { return flatView(memory); });
    machine.storeElement(scalar, {view}, machine.row);
  }
}

RowRef RowKernel::shared(Value value) {
  Value &view = flatViews[value];
  if (!view)
    view = atEntry([&] { return flatView(memoryOf.lookup(value)); });
  return {view};
}

RowRef RowKernel::rowAt(Value value, Value index, int64_t width) {
  Value memory = memoryOf.lookup(value);
  auto type = cast<MemRefType>(memory.getType());
  int64_t count = width ? type.getNumElements() / width : 0;
  return {matrixView(machine.builder, machine.loc, memory, count, width),
          index};
}

Value RowKernel::isElsewhere(Value a, Value b) {
  auto addressOf = [&](Value value) -> Value {
    return memref::ExtractAlignedPointerAsIndexOp::create(
        machine.builder, machine.loc, memoryOf.lookup(value));
  };
  return machine.index.isDifferent(addressOf(a), addressOf(b));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

RowGroup RowKernel::group(ValueRange values) {
  RowGroup group;
  if (values.empty())
    return group;
  group.element = tensorOf(values.front().getType());
  if (isa<ListType>(values.front().getType()))
    group.list = memoryOf.lookup(values.front());
  else
    group.members = llvm::to_vector(values);
  return group;
}

Value RowKernel::count(const RowGroup &group) {
  if (group.list)
    return machine.listCount(group.list);
  return machine.index.constant(group.members.size());
}

SmallVector<Value> RowKernel::forMembers(
    const RowGroup &group, ValueRange init,
    function_ref<SmallVector<Value>(Value, RowRef, ValueRange)> body) {
  if (group.list)
    return forRange(machine.builder, machine.loc, machine.index.constant(0),
                    count(group), machine.index.constant(1), init,
                    [&](Value i, ValueRange carried) {
                      return body(i, memberRow(group, i), carried);
                    });
  SmallVector<Value> carried(init);
  for (auto [i, member] : llvm::enumerate(group.members))
    carried = body(machine.index.constant(i), row(member), carried);
  return carried;
}

void RowKernel::forMembers(const RowGroup &group,
                           function_ref<void(Value, RowRef)> body) {
  forMembers(group, {}, [&](Value i, RowRef row, ValueRange) {
    body(i, row);
    return SmallVector<Value>();
  });
}

void RowKernel::forMembersOf(const RowGroup &group,
                             function_ref<void(Value)> body) {
  if (group.list)
    return machine.forRange(machine.index.constant(0), count(group), 1, body);
  for (size_t i = 0; i < group.members.size(); ++i)
    body(machine.index.constant(i));
}

Value RowKernel::listMember(const RowGroup &group, Value index) {
  return machine.listMember(group.list, index, group.element);
}

Value RowKernel::staticMember(const RowGroup &group, Value index) {
  APInt constant;
  [[maybe_unused]] bool isConstant =
      matchPattern(index, m_ConstantInt(&constant));
  assert(isConstant && "members outside a list have a constant index");
  return group.members[constant.getZExtValue()];
}

RowRef RowKernel::memberRow(const RowGroup &group, Value index) {
  if (!group.list)
    return row(staticMember(group, index));
  return {rowsView(listMember(group, index)), machine.row};
}

RowRef RowKernel::memberShared(const RowGroup &group, Value index) {
  if (!group.list)
    return shared(staticMember(group, index));
  return {flatView(listMember(group, index))};
}

Value RowKernel::memberStat(const RowGroup &group, Value index) {
  if (!group.list)
    return stat(staticMember(group, index));
  return machine.loadElement({flatView(listMember(group, index))}, machine.row);
}

void RowKernel::setMemberStat(const RowGroup &group, Value index,
                              Value scalar) {
  if (!group.list)
    return setStat(staticMember(group, index), scalar);
  machine.storeElement(scalar, {flatView(listMember(group, index))},
                       machine.row);
}

RowRef RowKernel::partialOf(Value memref) {
  if (cast<MemRefType>(memref.getType()).getRank() == 1)
    return {memref};
  return {memref, machine.item};
}

RowRef RowKernel::partial(Value result) {
  return partialOf(memoryOf.lookup(result));
}

RowRef RowKernel::memberPartial(const RowGroup &group, Value index) {
  if (!group.list)
    return partial(staticMember(group, index));
  return partialOf(listMember(group, index));
}

void RowKernel::clear(const RowRef &ref, int64_t width) {
  machine.mapColumns(width, [&](Chunk chunk) {
    machine.store(ref, chunk, machine.splat(0.0, chunk));
  });
}
