//===- ElementwiseFormula.h - rows of elementwise operations ----*- C++ -*-===//
#ifndef ATTNRES_PASSES_ROWS_ELEMENTWISEFORMULA_H
#define ATTNRES_PASSES_ROWS_ELEMENTWISEFORMULA_H

#include "passes/rows/RowFormula.h"

namespace attnres::rows {

/// The elements of the results in a chunk, from those of the operands.
template <typename Op>
using ElementsOf = llvm::SmallVector<mlir::Value, 2>(
    RowMachine &m, Chunk c, Op op, llvm::ArrayRef<mlir::Value> x);

/// Of an operation whose operands and results are rows of one width.
template <typename Op, ElementsOf<Op> *compute>
class ElementwiseFormula : public FormulaOf<Op> {
public:
  using FormulaOf<Op>::FormulaOf;
  void row() override {
    RowKernel &k = this->k;
    RowMachine &m = this->m;
    llvm::SmallVector<RowRef> inputs, outputs;
    for (mlir::Value operand : this->op->getOperands())
      inputs.push_back(k.row(operand));
    for (mlir::Value result : this->op->getResults())
      outputs.push_back(k.destination(result));
    m.mapColumns(rowWidth(this->op->getResult(0)), [&](Chunk c) {
      llvm::SmallVector<mlir::Value> x;
      for (const RowRef &input : inputs)
        x.push_back(m.loadAndPrefetch(input, c));
      llvm::SmallVector<mlir::Value, 2> results = compute(m, c, this->op, x);
      for (auto [output, value] : llvm::zip_equal(outputs, results))
        m.store(output, c, value);
    });
  }
};

template <typename Op, ElementsOf<Op> *compute>
void attachElementwise(mlir::MLIRContext &context) {
  attachFormula<Op, ElementwiseFormula<Op, compute>>(context);
}

} // namespace attnres::rows

#endif
