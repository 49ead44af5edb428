//===- RowLowering.h - kernels of row operations ----------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ROWS_ROWLOWERING_H
#define ATTNRES_PASSES_ROWS_ROWLOWERING_H

#include "passes/rows/RowFormula.h"

namespace attnres::rows {

/// Whether `function`, a kernel over tensors, is made of operations on the same
/// rows and returns what they make, each once.
bool isRowKernel(mlir::func::FuncOp function);

/// An error that names the operation unless all of a row kernel have formulas.
mlir::LogicalResult verifyRowFormulas(mlir::func::FuncOp function);

/// The formulas of a row kernel, in the order of its operations.
llvm::SmallVector<std::unique_ptr<RowFormula>>
makeRowFormulas(mlir::func::FuncOp function, RowKernel &kernel);

/// Emits one work item: `rowsPerItem` rows of the kernel, as far as there are.
void emitItem(llvm::ArrayRef<std::unique_ptr<RowFormula>> formulas,
              RowMachine &machine, mlir::Value item, int64_t rowsPerItem);

} // namespace attnres::rows

#endif
