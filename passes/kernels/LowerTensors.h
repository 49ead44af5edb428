//===- LowerTensors.h - tensor operations as linalg -------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_LOWERTENSORS_H
#define ATTNRES_PASSES_LOWERTENSORS_H

#include "mlir/IR/Operation.h"

namespace attnres {

/// What `tensor.gather` and `tensor.generate` compute, as a `linalg.generic`
/// that reads elements, emitted before `op`; null for other operations and
/// where a shape is dynamic.
mlir::Value readElements(mlir::Operation *op);

} // namespace attnres

#endif
