//===- MatmulTilingTest.cpp - products are cut into even shares -----------===//
#include "passes/cpu/MatmulTiling.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace attnres::cpu;

namespace {

constexpr int64_t kTileRows = 12, kTileColumns = 32;

/// Register tiles of the largest of `threads` shares, each of as many items in
/// a row, one more for some; fails unless all shares make up the product.
int64_t largestShare(const MatmulTiling &tiling, int64_t threads) {
  auto inItem = [&](int64_t item) {
    int64_t b = item / tiling.columnRanges, r = item % tiling.columnRanges;
    int64_t tiles = (b + 1) * tiling.rowTiles / tiling.rowBlocks -
                    b * tiling.rowTiles / tiling.rowBlocks;
    int64_t panels = (r + 1) * tiling.panels / tiling.columnRanges -
                     r * tiling.panels / tiling.columnRanges;
    EXPECT_LE(tiles, tiling.getTilesInBlock());
    EXPECT_LE(panels, tiling.getPanelsInRange());
    return tiles * panels;
  };
  int64_t largest = 0, all = 0;
  for (int64_t thread = 0; thread < threads; ++thread) {
    int64_t share = 0;
    for (int64_t item = thread * tiling.getGrid() / threads;
         item < (thread + 1) * tiling.getGrid() / threads; ++item)
      share += inItem(item);
    largest = std::max(largest, share);
    all += share;
  }
  EXPECT_EQ(all, tiling.rowTiles * tiling.panels);
  return largest;
}

int64_t tilesOf(int64_t rows) { return (rows + kTileRows - 1) / kTileRows; }
int64_t panelsOf(int64_t columns) {
  return (columns + kTileColumns - 1) / kTileColumns;
}

TEST(MatmulTiling, WeightGradientsAreEvenForTwoThreads) {
  for (int64_t m : {256, 688, 704, 768, 2048, 3072})
    for (int64_t n : {256, 688, 704, 768, 2048, 3072}) {
      SCOPED_TRACE(testing::Message() << m << "x" << n);
      MatmulTiling tiling = tilePackingProduct({}, tilesOf(m), kTileRows,
                                               panelsOf(n), kTileColumns);
      EXPECT_LE(largestShare(tiling, 2) * 2,
                1.05 * static_cast<double>(tilesOf(m) * panelsOf(n)));
      int64_t rows = tiling.getTilesInBlock() * kTileRows;
      int64_t columns = tiling.getPanelsInRange() * kTileColumns;
      EXPECT_LE(4 * rows * columns, 1 << 20) << "of C in an item";
    }
}

TEST(MatmulTiling, LargeGradientsServeManyThreads) {
  MatmulTiling tiling = tilePackingProduct({}, tilesOf(3072), kTileRows,
                                           panelsOf(768), kTileColumns);
  for (int64_t threads : {4, 8, 16})
    EXPECT_LE(largestShare(tiling, threads) * threads,
              1.1 * static_cast<double>(tiling.rowTiles * tiling.panels));
}

TEST(MatmulTiling, LinearLayersAreEven) {
  for (int64_t n : {256, 688, 768, 3072})
    for (int64_t threads : {2, 4, 8}) {
      SCOPED_TRACE(testing::Message() << n << ", " << threads << " threads");
      MatmulTiling tiling =
          tilePackedProduct({}, tilesOf(2048), panelsOf(n), 256,
                            /*tilesInBlock=*/4, false);
      EXPECT_LE(largestShare(tiling, threads) * threads,
                1.1 * static_cast<double>(tiling.rowTiles * tiling.panels));
    }
}

TEST(MatmulTiling, TinyAndEmptyProductsHaveAnItem) {
  for (int64_t tiles : {0, 1, 2})
    for (int64_t panels : {0, 1, 2}) {
      MatmulTiling packing =
          tilePackingProduct({}, tiles, kTileRows, panels, kTileColumns);
      MatmulTiling packed = tilePackedProduct({}, tiles, panels, 1, 4, false);
      EXPECT_GE(packing.getGrid(), 1);
      EXPECT_GE(packed.getGrid(), 1);
      EXPECT_EQ(largestShare(packing, 1), tiles * panels);
      EXPECT_EQ(largestShare(packed, 1), tiles * panels);
    }
}

} // namespace
