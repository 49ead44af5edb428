//===- MatmulTiling.cpp - How a matrix product is cut ---------------------===//
#include "passes/cpu/MatmulTiling.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace attnres::cpu;
using llvm::alignTo;
using llvm::divideCeil;

int64_t MatmulTiling::getTilesInBlock() const {
  return divideCeil(rowTiles, rowBlocks);
}

int64_t MatmulTiling::getPanelsInRange() const {
  return divideCeil(panels, columnRanges);
}

//===----------------------------------------------------------------------===//
// Panels packed before
//===----------------------------------------------------------------------===//

MatmulTiling attnres::cpu::tilePackedProduct(const ProductTiles &tiles,
                                             int64_t rowTiles, int64_t panels,
                                             int64_t k, int64_t tilesInBlock,
                                             bool copiesA) {
  MatmulTiling tiling;
  tiling.rowTiles = rowTiles;
  tiling.panels = panels;
  tiling.rowBlocks = std::max<int64_t>(divideCeil(rowTiles, tilesInBlock), 1);
  int64_t kBlocks = std::max<int64_t>(divideCeil(k, tiles.maxBlockK), 1);
  tiling.blockK = std::max<int64_t>(alignTo(divideCeil(k, kBlocks), 16), 16);
  // The copy of a block of A must be worth it.
  int64_t fewestPanels = copiesA ? 8 : 1;
  int64_t wantedRanges = divideCeil(tiles.wantedItems, tiling.rowBlocks);
  tiling.columnRanges = std::clamp<int64_t>(
      wantedRanges, 1, std::max<int64_t>(panels / fewestPanels, 1));
  return tiling;
}

//===----------------------------------------------------------------------===//
// Packed by the items
//===----------------------------------------------------------------------===//

/// The time of a product in which each of `threads` takes as many items as the
/// others, or one more, as a multiple of the time of its multiplications alone
/// shared by two threads.
static double estimateTime(const ProductTiles &costs,
                           const MatmulTiling &tiling, int64_t threads) {
  double tiles = tiling.getTilesInBlock(), panels = tiling.getPanelsInRange();
  double items = divideCeil(tiling.getGrid(), threads);
  return items *
         (tiles * panels + costs.timeOfCopyingA * tiles +
          costs.timeOfCopyingB * panels) *
         2 / (tiling.rowTiles * tiling.panels);
}

MatmulTiling attnres::cpu::tilePackingProduct(const ProductTiles &shapes,
                                              int64_t rowTiles,
                                              int64_t tileRows, int64_t panels,
                                              int64_t tileColumns) {
  int64_t depth = shapes.packedDepth;
  MatmulTiling best{rowTiles, panels, 1, 1, depth};
  double bestTime = 0;
  auto fits = [&](int64_t tiles, int64_t width) {
    int64_t rows = tiles * tileRows, columns = width * tileColumns;
    return 4 * (rows * columns + depth * (rows + columns)) <= shapes.itemBytes;
  };
  for (int64_t tiles = 1; tiles <= rowTiles && fits(tiles, 1); ++tiles)
    for (int64_t width = 1; width <= panels && fits(tiles, width); ++width) {
      int64_t rowBlocks = divideCeil(rowTiles, tiles);
      int64_t columnRanges = divideCeil(panels, width);
      MatmulTiling tiling{rowTiles, panels, rowBlocks, columnRanges, depth};
      // A few threads are what counts; where it costs them little, more items
      // serve more threads.
      double time = estimateTime(shapes, tiling, 2) +
                    estimateTime(shapes, tiling, 4) / 16 +
                    estimateTime(shapes, tiling, 8) / 256;
      if (bestTime == 0 || time < bestTime) {
        best = tiling;
        bestTime = time;
      }
    }
  return best;
}
