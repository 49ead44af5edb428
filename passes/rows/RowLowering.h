//===- RowLowering.h - kernels of row operations ----------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ROWS_ROWLOWERING_H
#define ATTNRES_PASSES_ROWS_ROWLOWERING_H

#include "passes/rows/RowFormula.h"

namespace attnres::rows {

/// Whether `body`, of a kernel over tensors, is made of operations on the same
/// rows and returns what they make, each once.
bool isRowKernel(mlir::Block &body);

/// The number of ranges of rows, one work item each: as many as the kernel has
/// partial sums, or else `preferred`. Nothing where partial sums disagree.
std::optional<int64_t> findRanges(mlir::Block &body, int64_t preferred);

/// An error that names the operation unless all of a row kernel have formulas.
mlir::LogicalResult verifyRowFormulas(mlir::Block &body);

/// The formulas of a row kernel, in the order of its operations.
llvm::SmallVector<std::unique_ptr<RowFormula>>
makeRowFormulas(mlir::Block &body, RowKernel &kernel);

/// Emits one work item: `rowsPerItem` rows of the kernel, as far as there are.
void emitItem(llvm::ArrayRef<std::unique_ptr<RowFormula>> formulas,
              RowMachine &machine, mlir::Value item, int64_t rowsPerItem);

} // namespace attnres::rows

#endif
