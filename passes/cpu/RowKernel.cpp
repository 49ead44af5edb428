//===- RowKernel.cpp - a chain of row operations as one kernel ------------===//
#include "passes/cpu/RowKernel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

RowKernel::RowKernel(KernelOp tensorFunction, KernelFunction &kernel,
                     RowEmitter &emitter)
    : e(emitter), entry(emitter.b.saveInsertionPoint()) {
  for (auto [argument, memory] :
       llvm::zip_equal(tensorFunction.getArguments(), kernel.inputs))
    memoryOf[argument] = memory;
  Operation *exit = tensorFunction.front().getTerminator();
  for (auto [value, memory] :
       llvm::zip_equal(exit->getOperands(), kernel.outputs))
    memoryOf[value] = memory;
  // Everything made at the entry comes before a marker, so that views stand in
  // the order of their creation and before the loops.
  Operation *marker = arith::ConstantIndexOp::create(e.b, e.b.getLoc(), 0);
  entry = OpBuilder::InsertPoint(marker->getBlock(), marker->getIterator());
}

template <typename Fn>
Value RowKernel::atEntry(Fn make) {
  OpBuilder::InsertionGuard guard(e.b);
  e.b.restoreInsertionPoint(entry);
  return make();
}

Value RowKernel::memory(Value value) const { return memoryOf.lookup(value); }

RowRef RowKernel::row(Value value) {
  Value &view = rowViews[value];
  if (Value memory = memoryOf.lookup(value)) {
    if (!view)
      view = atEntry([&] { return e.rowsView(memory); });
    return {view, e.row, Value()};
  }
  if (!view) {
    auto type = tensorOf(value.getType());
    int64_t width = type.getRank() == 0 ? 1
                    : e.rows            ? type.getNumElements() / e.rows
                                        : type.getShape().back();
    view = atEntry([&] { return e.scratchRow(width); });
  }
  return {view, Value(), Value()};
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
    view = atEntry([&] { return e.flatView(memory); });
  return e.loadScalar(view, e.row);
}

void RowKernel::setStat(Value result, Value scalar) {
  stats[result] = scalar;
  if (Value memory = memoryOf.lookup(result)) {
    Value &view = flatViews[result];
    if (!view)
      view = atEntry([&] { return e.flatView(memory); });
    e.storeScalar(scalar, view, e.row);
  }
}

RowRef RowKernel::shared(Value value) {
  Value &view = flatViews[value];
  if (!view)
    view = atEntry([&] { return e.flatView(memoryOf.lookup(value)); });
  return {view, Value(), Value()};
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
    return getListCount(e.b, e.b.getLoc(), group.list);
  return e.index.constant(group.members.size());
}

SmallVector<Value> RowKernel::forMembers(
    const RowGroup &group, ValueRange init,
    function_ref<SmallVector<Value>(Value, RowRef, ValueRange)> body) {
  if (group.list)
    return forRange(e.b, e.b.getLoc(), e.index.constant(0), count(group),
                    e.index.constant(1), init,
                    [&](Value i, ValueRange carried) {
                      return body(i, memberRow(group, i), carried);
                    });
  SmallVector<Value> carried(init);
  for (auto [i, member] : llvm::enumerate(group.members))
    carried = body(e.index.constant(i), row(member), carried);
  return carried;
}

void RowKernel::forMembersOf(const RowGroup &group,
                             function_ref<void(Value)> body) {
  if (group.list)
    return forRange(e.b, e.b.getLoc(), e.index.constant(0), count(group),
                    e.index.constant(1), body);
  for (size_t i = 0; i < group.members.size(); ++i)
    body(e.index.constant(i));
}

Value RowKernel::listElement(const RowGroup &group, Value index) {
  auto type =
      MemRefType::get(group.element.getShape(), group.element.getElementType());
  return getListElement(e.b, e.b.getLoc(), group.list, index, type);
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
  return {e.rowsView(listElement(group, index)), e.row, Value()};
}

RowRef RowKernel::memberShared(const RowGroup &group, Value index) {
  if (!group.list)
    return shared(staticMember(group, index));
  return {e.flatView(listElement(group, index)), Value(), Value()};
}

Value RowKernel::memberStat(const RowGroup &group, Value index) {
  if (!group.list)
    return stat(staticMember(group, index));
  return e.loadScalar(e.flatView(listElement(group, index)), e.row);
}

void RowKernel::setMemberStat(const RowGroup &group, Value index,
                              Value scalar) {
  if (!group.list)
    return setStat(staticMember(group, index), scalar);
  e.storeScalar(scalar, e.flatView(listElement(group, index)), e.row);
}

RowRef RowKernel::partialOf(Value memref) {
  if (cast<MemRefType>(memref.getType()).getRank() == 1)
    return {memref, Value(), Value()};
  return {memref, e.item, Value()};
}

RowRef RowKernel::partial(Value result) {
  return partialOf(memoryOf.lookup(result));
}

RowRef RowKernel::memberPartial(const RowGroup &group, Value index) {
  if (!group.list)
    return partial(staticMember(group, index));
  return partialOf(listElement(group, index));
}

void RowKernel::clear(const RowRef &ref, int64_t width) {
  e.mapColumns(width,
               [&](Chunk chunk) { e.store(ref, chunk, e.splat(0.0, chunk)); });
}
