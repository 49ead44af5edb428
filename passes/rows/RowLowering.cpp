//===- RowLowering.cpp - kernels of row operations ------------------------===//
#include "passes/rows/RowLowering.h"

#include "passes/analysis/RowOps.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

/// Whether a value that another operation of the kernel makes is what `operand`
/// is read as: a row or a scalar of the same row, not what all rows share.
static bool isReadInStep(OpOperand &operand) {
  auto result = dyn_cast<OpResult>(operand.get());
  if (!result)
    return true;
  RowKind kind = operandKind(operand);
  return kind == resultKind(result) && !isa<ListType>(result.getType()) &&
         (kind == RowKind::Row || kind == RowKind::Stat);
}

bool attnres::rows::isRowKernel(Block &body) {
  if (body.without_terminator().empty() || !isRowOp(&body.front()))
    return false;
  DenseSet<Value> returned;
  for (Value value : body.getTerminator()->getOperands())
    if (isa<BlockArgument>(value) || !returned.insert(value).second)
      return false;
  int64_t rows = rowsOf(&body.front());
  for (Operation &op : body.without_terminator()) {
    if (!isRowOp(&op) || rowsOf(&op) != rows ||
        !llvm::all_of(op.getOpOperands(), isReadInStep))
      return false;
    for (OpResult result : op.getResults())
      if ((isa<ListType>(result.getType()) ||
           resultKind(result) == RowKind::Partial) &&
          !returned.contains(result))
        return false;
  }
  return true;
}

std::optional<int64_t> attnres::rows::findRanges(Block &body,
                                                 int64_t preferred) {
  std::optional<int64_t> ranges;
  for (Operation &op : body.without_terminator())
    if (auto sums = dyn_cast<PartialSumsOpInterface>(op)) {
      auto partials = static_cast<int64_t>(sums.getPartials().value_or(0));
      if (partials < 1 || (ranges && *ranges != partials))
        return std::nullopt;
      ranges = partials;
    }
  return ranges ? ranges : preferred;
}

LogicalResult attnres::rows::verifyRowFormulas(Block &body) {
  for (Operation &op : body.without_terminator()) {
    auto formula = dyn_cast<RowFormulaOpInterface>(op);
    if (!formula)
      return op.emitOpError("works row by row but has no formula of a row");
    if (!formula.hasRowFormula())
      return op.emitOpError("has no formula of a row in this form");
  }
  return success();
}

SmallVector<std::unique_ptr<RowFormula>>
attnres::rows::makeRowFormulas(Block &body, RowKernel &kernel) {
  SmallVector<std::unique_ptr<RowFormula>> formulas;
  for (auto op : body.getOps<RowFormulaOpInterface>())
    formulas.push_back(op.makeRowFormula(kernel));
  return formulas;
}

void attnres::rows::emitItem(ArrayRef<std::unique_ptr<RowFormula>> formulas,
                             RowMachine &machine, Value item,
                             int64_t rowsPerItem) {
  const IndexBuilder &index = machine.index;
  machine.item = item;
  for (auto &formula : formulas)
    formula->prologue();
  Value first = index.mul(item, rowsPerItem);
  Value last = index.min(index.add(first, rowsPerItem), machine.rows);
  machine.forRange(first, last, 1, [&](Value row) {
    machine.row = row;
    for (auto &formula : formulas)
      formula->row();
  });
  for (auto &formula : formulas)
    formula->epilogue();
}
