//===- KdaKernel.h - Kimi delta attention on the CPU ------------*- C++ -*-===//
//
// Emitters of the gated delta rule and its backward pass in cpu-stage form.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_KDAKERNEL_H
#define ATTNRES_PASSES_CPU_KDAKERNEL_H

#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/KernelFunction.h"

namespace attnres::cpu {

/// Static sizes. Tensors are
///   q, k [batch, tokens, heads, keyDim]   v [batch, tokens, valueHeads,
///   valueDim] decay [batch, tokens, valueHeads, keyDim] in f32 beta [batch,
///   tokens, valueHeads] states [batch, valueHeads, keyDim, valueDim] in f32
/// of the element type of their memrefs; arithmetic is f32. `heads` divides
/// `valueHeads`.
struct KdaShape {
  int64_t batch = 0, tokens = 0, heads = 0, valueHeads = 0;
  int64_t keyDim = 0, valueDim = 0;
  double scale = 1;
};

/// The operands of both directions; `state` and `length` (i64 [batch]) may be
/// null.
struct KdaOperands {
  mlir::Value q, k, v, decay, beta, state, length;
};

/// A result that nobody wants is null.
struct KdaResults {
  mlir::Value output, newState;
};

/// Gradients of the results, of the state null for 0, and of the operands, null
/// where nobody wants them.
struct KdaGradients {
  mlir::Value output, newState;
  mlir::Value q, k, v, decay, beta, state;
};

/// Fills `kernel` with the recurrence: an item is a value head of a text.
/// Expects the builder's insertion point where `createKernel` left it;
/// completes the kernel.
void buildKdaForward(mlir::OpBuilder &builder, mlir::Location loc,
                     KernelFunction &kernel, const KdaOperands &operands,
                     const KdaResults &results, const KdaShape &shape,
                     const CpuTarget &target);

/// The same with its gradients: an item is a head of a text with the value
/// heads that read it.
void buildKdaBackward(mlir::OpBuilder &builder, mlir::Location loc,
                      KernelFunction &kernel, const KdaOperands &operands,
                      const KdaGradients &gradients, const KdaShape &shape,
                      const CpuTarget &target);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_KDAKERNEL_H
