//===- RaiseDepthAttention.h - depth mixtures in linalg ---------*- C++ -*-===//
#ifndef ATTNRES_PASSES_RAISEDEPTHATTENTION_H
#define ATTNRES_PASSES_RAISEDEPTHATTENTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace attnres {

/// Emits attention over depth before `root` when that is the weighted sum of
/// such a mixture, and returns what is its result; else null.
mlir::Value raiseDepthAttention(mlir::linalg::LinalgOp root);

} // namespace attnres

#endif
