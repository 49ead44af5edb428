//===- DoubleFunctions.h - sines and cosines in f64 -------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_DOUBLEFUNCTIONS_H
#define ATTNRES_PASSES_NVPTX_DOUBLEFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace attnres::nvptx {

/// Writes math.sin and math.cos of f64, for which GPUs have no library, as
/// arithmetic. Meant for |x| below 10^8, as in tables of rotations.
void populateDoubleFunctions(mlir::RewritePatternSet &patterns);

} // namespace attnres::nvptx

#endif
