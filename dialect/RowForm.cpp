//===- RowForm.cpp - what an operation is to a row ------------------------===//
#include "dialect/RowForm.h"

#include "dialect/Attnres.h"

using namespace mlir;
using namespace attnres;

SmallVector<Group> attnres::oneByOne(unsigned number) {
  SmallVector<Group> groups;
  for (unsigned i = 0; i < number; ++i)
    groups.push_back({i, 1});
  return groups;
}

void RowForm::add(RowPart part, unsigned number,
                  SmallVectorImpl<RowKind> &kinds,
                  SmallVectorImpl<Group> &groups) {
  unsigned first = kinds.size();
  kinds.append(number, part.kind);
  if (part.isList && number > 0) {
    groups.push_back({first, number});
    return;
  }
  for (unsigned i = 0; i < number; ++i)
    groups.push_back({first + i, 1});
}

void RowForm::countRows(Operation *op, RowsAre shape) {
  RankedTensorType type;
  for (auto [value, kind] : llvm::zip_equal(op->getOperands(), operands))
    if (!type && kind == RowKind::Row)
      type = tensorOf(value.getType());
  // The kinds of some results are added afterwards.
  for (auto [value, kind] : llvm::zip(op->getResults(), results))
    if (!type && kind == RowKind::Row)
      type = tensorOf(value.getType());
  if (!type || type.getRank() == 0)
    rows = 1;
  else if (shape == RowsAre::BatchTokens)
    rows = type.getDimSize(0) * type.getDimSize(1);
  else
    rows = rowCount(type);
}
