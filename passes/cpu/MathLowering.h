//===- MathLowering.h - Math functions on vectors without libm --*- C++ -*-===//

#ifndef ATTNRES_PASSES_CPU_MATHLOWERING_H
#define ATTNRES_PASSES_CPU_MATHLOWERING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/cpu/CpuTarget.h"

namespace attnres::cpu {

/// Replaces operations that no instruction of `target` computes (exp, tanh,
/// bf16 conversions, rounding without SSE4.1, ...) by arithmetic on scalars or
/// vectors of any shape. NaN and infinities are handled as IEEE 754 says:
/// exp(-inf) is 0, NaN stays NaN.
mlir::LogicalResult lowerMath(mlir::func::FuncOp function,
                              const CpuTarget &target);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_MATHLOWERING_H
