//===- MatmulTiling.h - How a matrix product is cut -------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_CPU_MATMULTILING_H
#define ATTNRES_PASSES_CPU_MATMULTILING_H

#include "passes/cpu/CpuTiles.h"

#include <cstdint>

namespace attnres::cpu {

/// C[M,N] is made of register tiles of MR rows by panels of NR columns; those
/// at the end may be incomplete. Item b * columnRanges + r computes row block b
/// of column range r. Blocks and ranges have the same number of register tiles
/// and panels, or one more: threads that take as many items do as much work.
struct MatmulTiling {
  int64_t rowTiles;     ///< register tiles along M
  int64_t panels;       ///< panels along N
  int64_t rowBlocks;    ///< items along M
  int64_t columnRanges; ///< items along N
  int64_t blockK;       ///< steps of k between two times that C is touched

  int64_t getGrid() const { return rowBlocks * columnRanges; }
  /// In the largest block.
  int64_t getTilesInBlock() const;
  /// In the largest range.
  int64_t getPanelsInRange() const;
};

/// Where the panels are packed before, or B's rows are read as they are.
/// `copiesA`: every item copies its block of A.
MatmulTiling tilePackedProduct(const ProductTiles &tiles, int64_t rowTiles,
                               int64_t panels, int64_t k, int64_t tilesInBlock,
                               bool copiesA);

/// Where every item packs its part of both operands: `rowTiles` register tiles
/// of `tileRows` rows, `panels` panels of `tileColumns` columns.
MatmulTiling tilePackingProduct(const ProductTiles &shapes, int64_t rowTiles,
                                int64_t tileRows, int64_t panels,
                                int64_t tileColumns);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_MATMULTILING_H
