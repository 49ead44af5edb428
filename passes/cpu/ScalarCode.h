//===- ScalarCode.h - arithmetic of scalar kernels --------------*- C++ -*-===//
//
// Bodies of linalg operations are written by others. This says which of their
// operations there is code for, and brings the arithmetic of small floats into
// f32.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_CPU_SCALARCODE_H
#define ATTNRES_PASSES_CPU_SCALARCODE_H

#include "dialect/Attnres.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace attnres::cpu {

/// An error at the first operation in the body of `op` that kernels have no
/// code for.
mlir::LogicalResult verifyScalarCode(mlir::linalg::GenericOp op);

/// Every arith or math operation on bf16 or f16 in `kernel` computes in f32 and
/// rounds its result, which gives what arithmetic of the small type would for
/// sums, products, quotients and roots. f64 is rounded to a small float once.
void widenSmallFloats(KernelOp kernel);

/// Replaces the conversions between f16 and f32 in `function` by arithmetic on
/// bits, for processors without instructions for them.
void expandHalfConversions(mlir::func::FuncOp function);

} // namespace attnres::cpu

#endif
