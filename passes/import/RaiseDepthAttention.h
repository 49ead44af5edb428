//===- RaiseDepthAttention.h - depth mixtures in linalg ---------*- C++ -*-===//
#ifndef ATTNRES_PASSES_RAISEDEPTHATTENTION_H
#define ATTNRES_PASSES_RAISEDEPTHATTENTION_H

#include "mlir/IR/Value.h"

namespace attnres {

/// Lets attention over depth take the place of `root` when that is the weighted
/// sum of such a mixture; returns whether it is.
bool raiseDepthAttention(mlir::Value root);

} // namespace attnres

#endif
