//===- AttentionMatch.h - attention found in linalg -------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ATTENTIONMATCH_H
#define ATTNRES_PASSES_ATTENTIONMATCH_H

#include "passes/import/SoftmaxMatcher.h"

namespace attnres {

/// What is needed to build the attention.
struct AttentionMatch {
  PointOperand q, k, v, output;
  /// Number of dimensions of `output` that each dimension of the root's result
  /// consists of.
  llvm::SmallVector<unsigned> outputGroups;
  /// Position dimensions: batch (as in q), query row, key row, columns of the
  /// heads of q and k, columns of v.
  llvm::SmallVector<unsigned> batch;
  unsigned m, n, headDim, valueDim;
  bool causal = false;
  double scale = 1;
};

/// Replaces the result of `root`, the product with the values, by the attention
/// of the match. What rounds an f32 result to the type of the operands takes
/// the result of the attention instead.
void replaceByAttention(mlir::linalg::LinalgOp root,
                        const AttentionMatch &match);

} // namespace attnres

#endif
