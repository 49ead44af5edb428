//===- RowOps.h - operations that work row by row ---------------*- C++ -*-===//
//
// Most operations treat the rows of [..., D] independently, so that chains of
// them run in one kernel with one pass over memory. This page says which, and
// what each operand and result is to a row.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWOPS_H
#define ATTNRES_PASSES_ROWOPS_H

#include "dialect/Attnres.h"

namespace attnres {

/// What a tensor is to an operation that works on one row at a time.
enum class RowKind {
  Row,     ///< [..., D], one row of it
  Stat,    ///< [...], one scalar for each row
  Shared,  ///< the same for all rows: [D], a table, a scalar
  Partial, ///< what all rows make together: [P, D], summed over the rows of
           ///< one of P ranges, or a cache that the rows are written into
};

/// Whether `op` works row by row, so that it can join a row kernel.
bool isRowOp(mlir::Operation *op);

/// The number of rows a row operation iterates over.
int64_t rowsOf(mlir::Operation *op);

RowKind operandKind(mlir::OpOperand &operand);
RowKind resultKind(mlir::OpResult result);

/// A run of operands or results that a kernel sees as one list when it has
/// more than one member.
struct Group {
  unsigned first, size;
};
/// The operands of `op` as consecutive groups; operands that can never be in a
/// list are groups of one.
llvm::SmallVector<Group> operandGroups(mlir::Operation *op);
llvm::SmallVector<Group> resultGroups(mlir::Operation *op);

/// The operand whose memory result `result` may be written to, because each
/// element is read before the element of the result at the same place is
/// written and not afterwards; null when there is none.
llvm::SmallVector<mlir::OpOperand *> reusableOperands(mlir::OpResult result);

/// Rows are cut into this many ranges, one work item each. Depends on the
/// number of rows alone, so that partial sums do not depend on the machine.
int64_t rowRanges(int64_t rows);

} // namespace attnres

#endif
