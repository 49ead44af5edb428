//===- MatmulEmitter.h - Matrix products as cpu-stage kernels ---*- C++ -*-===//
//
//   C[M,N] = A[M,K] B[K,N]  (+ bias[N])  (+ init[M,N])
//
// B is read from panels: f32 [ceil(N/NR)][K][NR], where NR columns of B (the
// target's `tileColumns`) stand side by side and the last panel is padded with
// zeros. A kernel of its own packs them, so that weights are packed once for
// many products. Where A is stored as [K,M] and B as [K,N] (weight gradients),
// each item packs its part of both, block by block of k: what it copies is next
// to what it multiplies with. Products of few rows (decoding) read B where it
// lies.
//
// Matrices may have leading dimensions: [..., D] is the matrix [rows, D].
//
// Sums are f32, over k in ascending order within blocks of at most `blockK`,
// then over the blocks; bias and init are added to the first block's sum. The
// order does not depend on how work items are shared out.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_MATMULEMITTER_H
#define ATTNRES_PASSES_CPU_MATMULEMITTER_H

#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/KernelFunction.h"

namespace attnres::cpu {

/// How the right operand of a product is stored.
enum class RightOperand {
  Packed,     ///< panels as above, f32
  RowMajor,   ///< [K,N]: each item packs its part, or reads it in place
  Transposed, ///< [N,K], read in place, for products of few rows
};

/// The largest M for which reading the right operand in place reads it once,
/// and so beats packing it.
inline constexpr int64_t kMaxSkinnyRows = 4;

struct MatmulOptions {
  bool transposedA = false; ///< A is stored as [K,M]
  RightOperand right = RightOperand::Packed;
  bool hasBias = false; ///< the third input is a row [N]
  bool hasInit = false; ///< the last input is [M,N]; may be C's own memory
  /// Work items that AMX kernels are cut into, if there is enough for them.
  /// Each packs its part of both operands anew, so more than there are threads
  /// cost time.
  int64_t wantedItems = 4;
};

/// The type of the panels of a [K,N] operand.
mlir::MemRefType getPackedType(mlir::MLIRContext *context, int64_t n, int64_t k,
                               const CpuTarget &target);

struct MatrixShape {
  int64_t rows, columns;
};
/// The shape of a memref of rank 1 or more as a matrix.
MatrixShape getMatrixShape(mlir::Value memref);

/// Fills the body of `kernel`: one input, B stored as [K,N], or as [N,K] when
/// `transposed`, in f32 or bf16; one output, the panels, whose width is a
/// multiple of the target's lanes.
void emitPack(mlir::OpBuilder &builder, KernelFunction &kernel,
              const CpuTarget &target, bool transposed);

/// Fills the body of `kernel`: inputs A, B, then bias and init as `options`
/// say; output C. A, C and init may be f32 or bf16, and so may B unless it is
/// packed; bias is f32 or bf16. Any M, N and K from 0 on. The panels of a
/// packed B may have any width that is a multiple of the target's lanes; its
/// `tileColumns` is the fastest.
void emitMatmul(mlir::OpBuilder &builder, KernelFunction &kernel,
                const CpuTarget &target, const MatmulOptions &options);

/// Whether `emitAmxMatmul` is how a product of A[m,k] and B, given their
/// types, is to be computed.
bool usesAmx(const CpuTarget &target, mlir::Type a, mlir::Type b, int64_t m,
             int64_t k);

/// `emitMatmul` with AMX tiles, for A and B both in bf16 or both in f32
/// (AmxPacking.h) and B where it lies. Sums are f32 over all of k.
void emitAmxMatmul(mlir::OpBuilder &builder, KernelFunction &kernel,
                   const CpuTarget &target, const MatmulOptions &options);

/// The same on vectors with dot products, for A and B both in bf16.
bool usesDots(const CpuTarget &target, mlir::Type a, mlir::Type b, int64_t m,
              int64_t k);
void emitDotMatmul(mlir::OpBuilder &builder, KernelFunction &kernel,
                   const CpuTarget &target, const MatmulOptions &options);

/// `emitMatmul` where B is read in place.
void emitSkinnyMatmul(mlir::OpBuilder &builder, KernelFunction &kernel,
                      const CpuTarget &target, const MatmulOptions &options);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_MATMULEMITTER_H
