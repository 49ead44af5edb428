//===- MmaGrouped.h - products with chosen matrices -------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_MMAGROUPED_H
#define ATTNRES_PASSES_NVPTX_MMAGROUPED_H

#include "passes/nvptx/MatrixKernels.h"
#include "passes/nvptx/MmaTile.h"

namespace attnres::nvptx {

/// Which of `matrices` matrices each of `count` rows chooses: i64 in memory, of
/// which the nearest number that there is counts.
struct Choices {
  mlir::Value pointer;
  int64_t count, matrices;
};

/// The rows that the choices read, `width` elements each: `shared` choices that
/// follow each other read one row.
struct ChoiceRows {
  mlir::Value pointer;
  bool isBf16;
  int64_t width, shared;
};

/// result[c] = weight[choice c] x[c], see attnres.grouped_linear: weight
/// [matrices, columns, x.width], or [matrices, x.width, columns] when
/// transposed.
struct GroupedLinear {
  Choices choices;
  ChoiceRows x;
  mlir::Value weight;
  bool isWeightBf16, transposed;
  int64_t columns;
  mlir::Value result; ///< [count, columns]
  bool isResultBf16;

  bool isBf16() const { return x.isBf16 && isWeightBf16; }
};

/// result[m] = sum of lhs[c] rhs[c]^T over the choices c of m, in their order,
/// see attnres.grouped_weight_grad: f32 [matrices, lhs.width, rhs.width].
struct GroupedWeightGrad {
  Choices choices;
  ChoiceRows lhs, rhs;
  mlir::Value result;

  bool isBf16() const { return lhs.isBf16 && rhs.isBf16; }
};

GpuLaunch buildGroupedLinear(mlir::OpBuilder &builder, mlir::Location loc,
                             const GroupedLinear &product, int64_t processors);
GpuLaunch buildGroupedWeightGrad(mlir::OpBuilder &builder, mlir::Location loc,
                                 const GroupedWeightGrad &product);

} // namespace attnres::nvptx

#endif
