//===- MmaProduct.h - matrix products on tensor cores -----------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_MMAPRODUCT_H
#define ATTNRES_PASSES_NVPTX_MMAPRODUCT_H

#include "passes/nvptx/MatrixKernels.h"
#include "passes/nvptx/MmaTile.h"

namespace attnres::nvptx {

/// result = init + bias + left right, sums in f32.
struct Product {
  /// The left operand has `rows` rows, the right one, seen as its transpose,
  /// `columns`: along the depth where they lie so, otherwise the matrix in
  /// memory is the transpose, [depth, rows].
  struct Operand {
    mlir::Value pointer;
    bool isBf16;
    bool alongDepth;
  };
  int64_t rows, columns, depth;
  Operand left, right;
  mlir::Value result;
  bool isResultBf16;
  mlir::Value bias; ///< f32 [columns], or null
  mlir::Value init; ///< of the result's shape and type, or null
  mlir::Value scratch;

  /// Whether the matrix instructions take bf16; otherwise f32 as sums of two
  /// tf32.
  bool isBf16() const { return left.isBf16 && right.isBf16; }
};

/// How a product is cut: a block has a tile of rows x columns, each of its
/// warps an equal part of that, and `stages` tiles of 128 bytes of the depth
/// are under way. The depth may be split among `splits` blocks.
struct ProductTiles {
  int64_t rows, columns, warpRows, warpColumns, stages, splits = 1;
  /// Of sm_90a, for bf16: four warps multiply as one, 16 rows each.
  bool warpGroups = false;

  int64_t threads() const { return 32 * warpRows * warpColumns; }
  int64_t sharedBytes() const {
    return stages * (rows + columns) * kPanelBytes;
  }
  /// Whether the kernel can be cut so.
  bool fit(const Product &product, int64_t mostSharedBytes) const;
};

/// What is best for a GPU of so many multiprocessors.
ProductTiles chooseTiles(const Product &product, int64_t processors,
                         bool hasWarpGroups);

GpuLaunch buildProduct(mlir::OpBuilder &builder, mlir::Location loc,
                       const Product &product, const ProductTiles &tiles);

} // namespace attnres::nvptx

#endif
