//===- MmaAttention.h - attention on tensor cores ---------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_MMAATTENTION_H
#define ATTNRES_PASSES_NVPTX_MMAATTENTION_H

#include "passes/nvptx/MatrixKernels.h"
#include "passes/nvptx/MmaTile.h"

namespace attnres::nvptx {

/// Sizes and meaning of an attention; see attnres.attention. Tensors are
///   q [batch, queries, heads, keyDim]     k [batch, keys, kvHeads, keyDim]
///   o [batch, queries, heads, valueDim]   v [batch, keys, kvHeads, valueDim]
///   lse [batch, queries, heads] in f32
/// all others of one type. Sums are f32; products of f32 are of sums of two
/// tf32.
struct AttentionShape {
  int64_t batch, queries, keys, heads, kvHeads, keyDim, valueDim;
  bool causal, isBf16;
  double scale;

  int64_t elementBytes() const { return isBf16 ? 2 : 4; }
  int64_t group() const { return heads / kvHeads; }
};

/// How attention is cut: a block has `queryGroups` times 16 queries of a head
/// for each of its warps, and `stages` tiles of `keys` keys and values are
/// under way. The keys of a single query may be split among `splits` blocks.
struct AttentionTiles {
  int64_t warps, queryGroups, keys, stages, splits;
  /// Of sm_90a, for bf16 and one group of queries: four warps multiply as one.
  bool warpGroups = false;

  int64_t queries() const { return 16 * warps * queryGroups; }
  int64_t threads() const { return 32 * warps; }
};

/// A head of at most this size.
inline constexpr int64_t kMostHeadSize = 256;

/// A tile's columns for heads of `size`: whole panels, a power of two of them.
int64_t tileColumns(int64_t size, int64_t elementBytes);

/// A copy of tiles of the rows of a head of one of the tensors, [batch, rows,
/// heads, size].
TileCopy copyOfHead(const MmaCode &code, const TileShape &tile,
                    const AttentionShape &shape, mlir::Value pointer, Int batch,
                    Int head, int64_t rows, int64_t heads, int64_t size);

/// Results that nobody wants are null. With `start`, i64 [batch], keys and
/// values are caches: query t of batch row b sees the keys up to start[b] + t.
struct AttentionForward {
  AttentionShape shape;
  mlir::Value q, k, v, start;
  mlir::Value output, lse, scratch;
};

AttentionTiles chooseForwardTiles(const AttentionShape &shape,
                                  int64_t processors, bool hasWarpGroups,
                                  int64_t mostSharedBytes);
/// Whether forward can be cut so.
bool fitsForward(const AttentionShape &shape, const AttentionTiles &tiles,
                 int64_t mostSharedBytes);

/// The output may lie over the queries.
GpuLaunch buildAttentionForward(mlir::OpBuilder &builder, mlir::Location loc,
                                const AttentionForward &attention,
                                const AttentionTiles &tiles);

/// Gradients; `lseGrad` and every result may be null.
struct AttentionBackward {
  AttentionShape shape;
  mlir::Value q, k, v, output, lse, outputGrad, lseGrad;
  mlir::Value qGrad, kGrad, vGrad, scratch;
  /// Gradients may lie over what they belong to.
  bool overwrites;
};

/// How the backward pass is cut. Blocks are of two kinds: those of keys have 16
/// for each warp and take the queries in tiles, those of queries have 16 for
/// each warp and take the keys in tiles; `tile` rows of these, `stages` of
/// which are under way. The columns of the gradients of keys and values are cut
/// into `parts`, a block for each.
struct BackwardTiles {
  int64_t warps, tile, parts, stages;
  /// Of sm_90a, for bf16 and one part: in blocks of keys, four warps multiply
  /// as one.
  bool warpGroups = false;

  int64_t rows() const { return 16 * warps; }
  int64_t threads() const { return 32 * warps; }
};

BackwardTiles chooseBackwardTiles(const AttentionShape &shape,
                                  bool hasWarpGroups, int64_t mostSharedBytes);
bool fitsBackward(const AttentionShape &shape, const BackwardTiles &tiles,
                  int64_t mostSharedBytes);

GpuLaunch buildAttentionBackward(mlir::OpBuilder &builder, mlir::Location loc,
                                 const AttentionBackward &attention,
                                 const BackwardTiles &tiles);

/// Has `work`, which builds either, build its code unless it has no blocks.
template <typename Work>
GpuLaunch buildAttention(Work &work, int64_t threads, int64_t sharedBytes) {
  GpuLaunch launch;
  launch.grid[0] = work.grid();
  launch.block[0] = threads;
  launch.sharedBytes = sharedBytes;
  launch.scratchBytes = work.scratchBytes();
  if (work.grid() > 0)
    work.build();
  return launch;
}

} // namespace attnres::nvptx

#endif
