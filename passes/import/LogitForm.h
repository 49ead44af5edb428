//===- LogitForm.h - logits as scores with a mask ---------------*- C++ -*-===//
//
// However a mask is written (selections, sums, products with zeros and ones, by
// comparisons of indices or by constants), every logit is a * S + b of one
// score S, with numbers a and b that are known for each query and key. These
// numbers say what is masked.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_LOGITFORM_H
#define ATTNRES_PASSES_LOGITFORM_H

#include "passes/analysis/PointExpressions.h"

namespace attnres {

/// Position dimensions of a query and a key, of known extents.
struct QueryAndKey {
  unsigned query, key;
  int64_t queries, keys;
};

/// Logits that are scale * S for every visible key, and nothing else.
struct LogitForm {
  const PointExpr *scores; ///< S, what is not an elementwise operation
  double scale;
  bool causal; ///< key j is visible to query i iff j <= i + keys - queries
};

/// Hidden is a key whose logit is -inf, or has at most -9e8 added to it (to 0
/// times or `scale` times the score), or for which `keep`, unless null, is 0;
/// it is 1 for the others. Nothing when that is not known, or when keys are
/// hidden in another way than causally.
std::optional<LogitForm> analyzeLogits(PointExpressions &exprs,
                                       const PointExpr *logits,
                                       const PointExpr *keep,
                                       const QueryAndKey &positions);

} // namespace attnres

#endif
