//===- MmaKda.h - Kimi delta attention on tensor cores ----------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_MMAKDA_H
#define ATTNRES_PASSES_NVPTX_MMAKDA_H

#include "passes/nvptx/MatrixKernels.h"
#include "passes/nvptx/MmaTile.h"

namespace attnres::nvptx {

/// Of attnres.kda:
///   q, k    [batch, tokens, heads, keyDim]
///   v       [batch, tokens, valueHeads, valueDim]
///   decay   [batch, tokens, valueHeads, keyDim] in f32
///   beta    [batch, tokens, valueHeads]
///   state   [batch, valueHeads, keyDim, valueDim] in f32, null for zeros
///   length  i64 [batch], null where all tokens count
struct Kda {
  struct Tensor {
    mlir::Value pointer;
    bool isBf16 = false;

    int64_t elementBytes() const { return isBf16 ? 2 : 4; }
  };
  int64_t batch, tokens, heads, valueHeads, keyDim, valueDim;
  double scale;
  Tensor q, k, v, beta;
  mlir::Value decay, state, length;

  /// Whether the matrix instructions take bf16; otherwise f32 as sums of two
  /// tf32.
  bool isBf16() const { return q.isBf16 && k.isBf16 && v.isBf16; }
};

/// Results that nobody wants are null. The new state may lie over the state.
struct KdaResults {
  Kda::Tensor output;
  mlir::Value newState;
};

/// How many warps a block has, a power of two up to 8: each has 16 columns of
/// the state.
int64_t chooseKdaWarps(const Kda &kda, int64_t processors);

/// Whether blocks of so many warps can take it: keys of up to 256 channels.
bool fitsKda(const Kda &kda, int64_t warps, int64_t mostSharedBytes);

GpuLaunch buildKda(mlir::OpBuilder &builder, mlir::Location loc, const Kda &kda,
                   const KdaResults &results, int64_t warps);

/// Gradients of the results, of the new state null for 0, and of the operands,
/// null where nobody wants them; those of states and decays are f32.
struct KdaGradients {
  Kda::Tensor output;
  mlir::Value newState;
  Kda::Tensor q, k, v, beta;
  mlir::Value decay, state, scratch;
};

/// nullopt for heads that no block has room for.
std::optional<GpuLaunch> buildKdaBackward(mlir::OpBuilder &builder,
                                          mlir::Location loc, const Kda &kda,
                                          const KdaGradients &gradients,
                                          int64_t mostSharedBytes);

} // namespace attnres::nvptx

#endif
