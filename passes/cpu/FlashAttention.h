//===- FlashAttention.h - Attention kernels for the CPU ---------*- C++ -*-===//
//
// Emitters of sequence attention and its backward pass in cpu-stage form. They
// fill the body of a kernel function; nothing of size queries x keys is ever
// stored.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_FLASHATTENTION_H
#define ATTNRES_PASSES_CPU_FLASHATTENTION_H

#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/KernelFunction.h"

namespace attnres::cpu {

/// Static sizes and meaning of one attention operation. Tensors are
///   q [batch, queries, heads, keyDim]     k [batch, keys, kvHeads, keyDim]
///   o [batch, queries, heads, valueDim]   v [batch, keys, kvHeads, valueDim]
///   lse [batch, queries, heads] in f32, natural base
/// all of the element type of their memrefs (f32 or bf16); arithmetic is f32.
/// `kvHeads` divides `heads`. A causal mask is aligned to the bottom right
/// corner: query t sees the keys up to t + keys - queries.
struct AttentionShape {
  int64_t batch = 0;
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t heads = 0;
  int64_t kvHeads = 0;
  int64_t keyDim = 0;
  int64_t valueDim = 0;
  bool causal = false;
  /// Factor of the scores, usually keyDim^-1/2.
  double scale = 1;
};

/// Fills `kernel` with inputs (q, k, v) and outputs (o, lse). A query that sees
/// nothing gets o = 0 and lse = -inf. Expects the builder's insertion point
/// where `createKernel` left it; completes the kernel.
void buildAttentionForward(mlir::OpBuilder &builder, mlir::Location loc,
                           KernelFunction &kernel, const AttentionShape &shape,
                           const CpuTarget &target);

/// Fills `kernel` with inputs (q, k, v, o, lse, do) or (q, k, v, o, lse, do,
/// dlse) and outputs (dq, dk, dv). Queries that see nothing, and keys that no
/// query sees, get zero gradients. Expects the builder's insertion point where
/// `createKernel` left it; completes the kernel.
void buildAttentionBackward(mlir::OpBuilder &builder, mlir::Location loc,
                            KernelFunction &kernel,
                            const AttentionShape &shape,
                            const CpuTarget &target);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_FLASHATTENTION_H
