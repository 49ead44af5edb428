//===- RowOps.h - questions about row operations ----------------*- C++ -*-===//
//
// What passes ask of the row form of an operation, see dialect/RowForm.h.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWOPS_H
#define ATTNRES_PASSES_ROWOPS_H

#include "dialect/Attnres.h"

namespace attnres {

/// Whether `op` works row by row, so that it can join a row kernel.
bool isRowOp(mlir::Operation *op);

/// The number of rows an operation of RowOpInterface iterates over.
int64_t rowsOf(mlir::Operation *op);

/// What an operand or result of a RowOpInterface is to a row.
RowKind operandKind(mlir::OpOperand &operand);
RowKind resultKind(mlir::OpResult result);

/// Whether `op` says which of its operands and results a kernel sees as lists,
/// or never has lists: only operations of the dialect do. A launch has its
/// operands listed already.
bool saysItsLists(mlir::Operation *op);

/// The operands of such an operation as consecutive groups; those that are not
/// in a list are groups of one.
llvm::SmallVector<Group> operandGroups(mlir::Operation *op);
llvm::SmallVector<Group> resultGroups(mlir::Operation *op);

/// The operands whose memory `result` may be written to, best first: what the
/// row form or OverwritingOpInterface says, and the accumulator that is added
/// to the result. They have the result's type.
llvm::SmallVector<mlir::OpOperand *> reusableOperands(mlir::OpResult result);

} // namespace attnres

#endif
