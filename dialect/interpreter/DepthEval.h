//===- DepthEval.h - attention over depth on tensors ------------*- C++ -*-===//
#ifndef ATTNRES_DIALECT_INTERPRETER_DEPTHEVAL_H
#define ATTNRES_DIALECT_INTERPRETER_DEPTHEVAL_H

#include "dialect/interpreter/Evaluation.h"

namespace attnres::interpreter {

/// A softmax state: the mixture [..., D] of some items and the log-sum-exp
/// [...] of their scores.
struct SoftmaxState {
  Tensor output, lse;
};

/// Depth attention of one query over `sources`, each [..., D], and the items
/// already in `before` when that is given:
///
///     s_i = (query * gain) . v_i rsqrt(mean(v_i^2) + eps)
///     lse = ln(exp(before.lse) + sum_i exp(s_i))
///     output = exp(before.lse - lse) before.output + sum_i exp(s_i - lse) v_i
SoftmaxState depthMixture(const Tensor &query, const Tensor &gain,
                          mlir::ArrayRef<const Tensor *> sources, double eps,
                          const Tensor *beforeOutput = nullptr,
                          const Tensor *beforeLse = nullptr);

/// sum_i softmax(logits)_i v_i.
Tensor staticMixture(const Tensor &logits,
                     mlir::ArrayRef<const Tensor *> sources);

} // namespace attnres::interpreter

#endif
