//===- AttentionMatch.h - attention found in linalg -------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_ATTENTIONMATCH_H
#define ATTNRES_PASSES_ATTENTIONMATCH_H

#include "passes/import/SoftmaxMatcher.h"

namespace attnres {

/// What is needed to build the attention. All dimensions are position
/// dimensions.
struct AttentionMatch {
  PointOperand q, k, v, output;
  /// Of texts; in front of those of heads.
  llvm::SmallVector<unsigned> batch;
  /// Of heads that have keys of their own, and of those that share one's.
  llvm::SmallVector<unsigned> keyHeads, sharing;
  /// Query row, key row, columns of the heads of q and k, columns of v.
  unsigned m, n, headDim, valueDim;
  llvm::SmallVector<int64_t> extents; ///< of position dimensions
  bool causal = false;
  double scale = 1;
};

/// The attention that `root` is the result of, if it is.
std::optional<AttentionMatch> matchAttention(mlir::Value root);

/// Emits the attention of a match before the operation of its output and lets
/// it take the output's place. What rounds an f32 result to the type of the
/// operands takes the result of the attention instead.
void replaceByAttention(const AttentionMatch &match);

} // namespace attnres

#endif
