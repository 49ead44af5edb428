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

#include <limits>

namespace attnres::cpu {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

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

/// The memrefs that forward reads and writes. A result that nobody wants is
/// null. With `start`, i64 [batch], k and v are caches of `keys` positions:
/// query t of batch row b sees the keys up to start[b] + t, and no key behind
/// the last query's position is read. With `documents`, i64 [batch, queries],
/// it sees no key before documents[b, t].
struct AttentionForwardMemory {
  mlir::Value q, k, v;
  mlir::Value output, lse;
  mlir::Value start = {}, documents = {};
};

/// The memrefs that backward reads and writes; `lseGrad`, `documents` and every
/// result may be null.
struct AttentionBackwardMemory {
  mlir::Value q, k, v, output, lse, outputGrad, lseGrad;
  mlir::Value qGrad, kGrad, vGrad;
  mlir::Value documents = {};
};

/// Fills `kernel` with attention. A query that sees nothing gets o = 0 and
/// lse = -inf. Expects the builder's insertion point where `createKernel` left
/// it; completes the kernel.
void buildAttentionForward(mlir::OpBuilder &builder, mlir::Location loc,
                           KernelFunction &kernel,
                           const AttentionForwardMemory &memory,
                           const AttentionShape &shape,
                           const CpuTarget &target);

/// The same for one query, causal and with `start`.
void buildDecodeAttention(mlir::OpBuilder &builder, mlir::Location loc,
                          KernelFunction &kernel,
                          const AttentionForwardMemory &memory,
                          const AttentionShape &shape, const CpuTarget &target);

/// Fills `kernel` with the gradients of attention. Queries that see nothing,
/// and keys that no query sees, get zeros. Expects the builder's insertion
/// point where `createKernel` left it; completes the kernel.
void buildAttentionBackward(mlir::OpBuilder &builder, mlir::Location loc,
                            KernelFunction &kernel,
                            const AttentionBackwardMemory &memory,
                            const AttentionShape &shape,
                            const CpuTarget &target);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_FLASHATTENTION_H
