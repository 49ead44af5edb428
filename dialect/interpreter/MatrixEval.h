//===- MatrixEval.h - matrix products on tensors ----------------*- C++ -*-===//
#ifndef ATTNRES_DIALECT_INTERPRETER_MATRIXEVAL_H
#define ATTNRES_DIALECT_INTERPRETER_MATRIXEVAL_H

#include "dialect/interpreter/Evaluation.h"

namespace attnres::interpreter {

/// A tensor [..., D] read as the matrix [rows, D], or as its transpose.
struct MatrixView {
  explicit MatrixView(const Tensor &tensor, bool transposed = false)
      : data(tensor.reals.data()), rows(tensor.rows()), columns(tensor.width()),
        rowStride(tensor.width()), columnStride(1) {
    if (transposed) {
      std::swap(rows, columns);
      std::swap(rowStride, columnStride);
    }
  }
  double at(int64_t row, int64_t column) const {
    return data[row * rowStride + column * columnStride];
  }

  const double *data;
  int64_t rows, columns, rowStride, columnStride;
};

/// lhs rhs, shape [rows of lhs, columns of rhs].
inline Tensor product(MatrixView lhs, MatrixView rhs) {
  Tensor result = Tensor::ofReals({lhs.rows, rhs.columns});
  for (int64_t i = 0; i < lhs.rows; ++i)
    for (int64_t k = 0; k < lhs.columns; ++k)
      for (int64_t j = 0; j < rhs.columns; ++j)
        result.reals[i * rhs.columns + j] += lhs.at(i, k) * rhs.at(k, j);
  return result;
}

/// Adds `bias` [N], when given, to every row of [M, N].
inline void addBias(Tensor &matrix, const Tensor *bias) {
  if (bias)
    for (int64_t i = 0; i < matrix.size(); ++i)
      matrix.reals[i] += bias->reals[i % bias->size()];
}

/// Adds `init`, when given, element by element.
inline void addInit(Tensor &matrix, const Tensor *init) {
  if (init)
    for (int64_t i = 0; i < matrix.size(); ++i)
      matrix.reals[i] += init->reals[i];
}

} // namespace attnres::interpreter

#endif
