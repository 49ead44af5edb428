//===- RowFormula.h - how an operation computes a row -----------*- C++ -*-===//
//
// A new row operation brings its formula as RowFormulaOpInterface: in its
// definition, or attached to it, as this folder does for the operations of
// attnres and arith. No pass has to know it.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWS_ROWFORMULA_H
#define ATTNRES_PASSES_ROWS_ROWFORMULA_H

#include "passes/rows/RowKernel.h"

#include <memory>

namespace attnres::rows {

/// Emits one operation of a row kernel. The three parts run once for each work
/// item before its rows, once for each row, and once after the rows. Scratch is
/// asked for when the formula is made.
class RowFormula {
public:
  explicit RowFormula(RowKernel &k) : k(k), m(k.machine) {}
  virtual ~RowFormula() = default;
  virtual void prologue() {}
  virtual void row() = 0;
  virtual void epilogue() {}

protected:
  RowKernel &k;
  RowMachine &m;
};

/// A formula of one operation type.
template <typename Op>
class FormulaOf : public RowFormula {
public:
  FormulaOf(RowKernel &k, Op op) : RowFormula(k), op(op) {}

protected:
  Op op;
};

/// The last dimension; 1 for a tensor of rank 0.
int64_t rowWidth(mlir::Value value);

/// Gives the row operations of attnres and arith their formulas once attnres is
/// loaded.
void registerRowFormulas(mlir::DialectRegistry &registry);

// By subject.
void attachDeltaGateFormulas(mlir::MLIRContext &context);
void attachDepthAttentionFormulas(mlir::MLIRContext &context);
void attachDepthGradientFormulas(mlir::MLIRContext &context);
void attachDropoutFormulas(mlir::MLIRContext &context);
void attachElementwiseFormulas(mlir::MLIRContext &context);
void attachGateFormulas(mlir::MLIRContext &context);
void attachLookupFormulas(mlir::MLIRContext &context);
void attachLossFormulas(mlir::MLIRContext &context);
void attachNormFormulas(mlir::MLIRContext &context);
void attachOptimizerFormulas(mlir::MLIRContext &context);
void attachRotationFormulas(mlir::MLIRContext &context);
void attachStateFormulas(mlir::MLIRContext &context);
void attachStaticMixFormulas(mlir::MLIRContext &context);

} // namespace attnres::rows

#include "passes/rows/RowFormulaInterface.h.inc"

namespace attnres::rows {

/// Attaches a formula that is made from the operation.
template <typename Op, typename Formula>
struct FormulaModel
    : RowFormulaOpInterface::ExternalModel<FormulaModel<Op, Formula>, Op> {
  std::unique_ptr<RowFormula> makeRowFormula(mlir::Operation *op,
                                             RowKernel &kernel) const {
    return std::make_unique<Formula>(kernel, mlir::cast<Op>(op));
  }
};

template <typename Op, typename Formula>
void attachFormula(mlir::MLIRContext &context) {
  Op::template attachInterface<FormulaModel<Op, Formula>>(context);
}

} // namespace attnres::rows

#endif
