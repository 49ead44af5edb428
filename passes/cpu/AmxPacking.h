//===- AmxPacking.h - Operands of products as AMX tiles ---------*- C++ -*-===//
//
// A tile of A holds 16 rows x 32 k, a tile of B 32 k x 16 columns, both as 16
// rows of 16 pairs of bf16: (i, p) is row i and the p-th pair of k in A, and
// the p-th pair of k and column i, the other way around, in B. Which k make a
// pair is free as long as A and B agree.
//
// An f32 becomes three bf16 whose sum it is exactly, each the rest of those
// before, rounded to nearest: x0 of x, x1 of x - x0, x2 of x - x0 - x1. Then
//
//   x y = x2 y0 + x1 y0 + x1 y1 + x0 y1 + x0 y2 + x0 y0 + r,  |r| < 2^-22 |x y|
//
// where r is the three products left out, 2^-26 |x y| in the mean. What is
// below 2^-126 counts as zero, so elements below 2^-102 lose their last bits.
// Sums with an infinity are NaN; every finite x has finite parts.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_AMXPACKING_H
#define ATTNRES_PASSES_CPU_AMXPACKING_H

#include "passes/cpu/KernelFunction.h"

namespace attnres::cpu {

// Of a tile: rows, k, bytes.
inline constexpr int64_t kTile = 16;
inline constexpr int64_t kTileDepth = 32;
inline constexpr int64_t kTileBytes = 1024;
/// Rows of A or columns of B that are packed and multiplied together.
inline constexpr int64_t kBlock = 2 * kTile;

/// What lies side by side: the k of a row, or the rows (or columns) of one k.
enum class Order { DepthInner, DepthOuter };

/// A matrix [extent, depth] or [depth, extent] in bf16 or f32.
struct AmxSource {
  mlir::Value memory; ///< flat
  Order order;
  int64_t extent, depth;

  bool isF32() const;
  /// bf16 that an element becomes.
  int64_t getPieces() const { return isF32() ? 3 : 1; }
};

/// Blocks of a source in tiles:
/// [slice of k][block][step of k in the slice][piece][half of the block].
struct AmxPacked {
  mlir::Value memory; ///< flat, bf16
  Order order;        ///< DepthInner for A, DepthOuter for B
  int64_t blocks;     ///< at most
  int64_t sliceSteps; ///< of 32 k
};

/// Packs blocks [firstBlock, endBlock) of 32 rows or columns, steps [firstStep,
/// endStep) of k. Zeros complete the tiles.
void packAmxTiles(mlir::OpBuilder &builder, mlir::Location loc,
                  const AmxSource &source, const AmxPacked &packed,
                  mlir::Value firstBlock, mlir::Value endBlock,
                  mlir::Value firstStep, mlir::Value endStep);

/// Runs `body` with the number of a tile or block and how much of it exists:
/// all `whole` of it in [begin, end), and the rest in the last, `total` being
/// what exists of all.
void forBlocks(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value begin,
               mlir::Value end, int64_t total, int64_t whole,
               llvm::function_ref<void(mlir::Value, int64_t)> body);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_AMXPACKING_H
