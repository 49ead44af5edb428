//===- RowOps.cpp - questions about row operations ------------------------===//
#include "passes/analysis/RowOps.h"

using namespace mlir;
using namespace attnres;

static RowForm formOf(Operation *op) {
  return cast<RowOpInterface>(op).getRowForm();
}

bool attnres::isRowOp(Operation *op) {
  auto rows = dyn_cast<RowOpInterface>(op);
  return rows && rows.getRowForm().joins;
}

int64_t attnres::rowsOf(Operation *op) { return formOf(op).rows; }

RowKind attnres::operandKind(OpOperand &operand) {
  return formOf(operand.getOwner()).operands[operand.getOperandNumber()];
}

RowKind attnres::resultKind(OpResult result) {
  return formOf(result.getOwner()).results[result.getResultNumber()];
}

bool attnres::saysItsLists(Operation *op) {
  return !isa<AttnresDialect>(op->getDialect()) ||
         isa<RowOpInterface, ListOpInterface, LaunchOp>(op);
}

SmallVector<Group> attnres::operandGroups(Operation *op) {
  if (auto rows = dyn_cast<RowOpInterface>(op))
    return SmallVector<Group>(rows.getRowForm().operandGroups);
  if (auto lists = dyn_cast<ListOpInterface>(op))
    return lists.getOperandLists();
  assert(saysItsLists(op) && "not a kernel's operation");
  return oneByOne(op->getNumOperands());
}

SmallVector<Group> attnres::resultGroups(Operation *op) {
  if (auto rows = dyn_cast<RowOpInterface>(op))
    return SmallVector<Group>(rows.getRowForm().resultGroups);
  if (auto lists = dyn_cast<ListOpInterface>(op))
    return lists.getResultLists();
  assert(saysItsLists(op) && "not a kernel's operation");
  return oneByOne(op->getNumResults());
}

SmallVector<OpOperand *> attnres::reusableOperands(OpResult result) {
  Operation *op = result.getOwner();
  SmallVector<OpOperand *> operands;
  auto allow = [&](OpOperand &operand) {
    if (operand.get().getType() == result.getType())
      operands.push_back(&operand);
  };
  if (auto rows = dyn_cast<RowOpInterface>(op))
    for (Overwrite overwrite : rows.getRowForm().overwrites)
      if (overwrite.result == result.getResultNumber())
        allow(op->getOpOperand(overwrite.operand));
  if (auto overwriting = dyn_cast<OverwritingOpInterface>(op))
    for (Overwrite overwrite : overwriting.getOverwrites())
      if (overwrite.result == result.getResultNumber())
        allow(op->getOpOperand(overwrite.operand));
  if (auto accumulating = dyn_cast<AccumulatingOpInterface>(op))
    for (auto [sum, operand] :
         llvm::zip(accumulating.getAccumulatedResults(),
                   accumulating.getAccumulatedOperandsMutable()))
      if (sum == result)
        allow(operand);
  return operands;
}
