//===- FlashTiles.h - Register tiles of attention kernels -------*- C++ -*-===//
//
// The pieces that attention forward and backward share: vector arithmetic with
// f32 compute over f32 or bf16 storage, products on a register tile, packing,
// and exponentials. Loops stay loops; only a register tile is unrolled.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_FLASHTILES_H
#define ATTNRES_PASSES_CPU_FLASHTILES_H

#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/rows/Arithmetic.h"

namespace attnres::cpu {

/// A width cut into tiles of `tileColumns` and, where the rest is at most one
/// register wide, a narrower last one.
struct ColumnTiles {
  int64_t fullTiles;
  int64_t tileWidth;
  int64_t tailWidth; ///< 0, or one register

  ColumnTiles(int64_t width, int64_t lanes, int64_t tileWidth);
  /// The width including padding.
  int64_t paddedWidth() const { return fullTiles * tileWidth + tailWidth; }
};

/// The indices `prefix` and one more.
llvm::SmallVector<mlir::Value> appended(mlir::ValueRange prefix,
                                        mlir::Value last);

class TileBuilder : public rows::Arithmetic {
public:
  TileBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              KernelFunction &kernel, const CpuTarget &target);

  KernelFunction &kernel;
  IndexBuilder index;
  int64_t lanes;   ///< f32 in a register
  int64_t rows;    ///< rows of a register tile, at most `lanes`
  int64_t columns; ///< columns of a register tile, a multiple of `lanes`

  //===--- Values ---------------------------------------------------------===//

  mlir::VectorType vectorType(int64_t width) const;
  mlir::Value splat(float value, int64_t width) const;
  mlir::Value broadcast(mlir::Value scalar, int64_t width) const;
  /// The sum of the register-wide parts of a vector.
  mlir::Value sumRegisters(mlir::Value vector) const;
  /// Lane i is kept where `first` + i < `limit` (index values), and is
  /// `otherwise` elsewhere, whatever `vector` holds there.
  mlir::Value keepBelow(mlir::Value vector, mlir::Value first,
                        mlir::Value limit, float otherwise) const;
  /// The same where `first` + i >= `limit`.
  mlir::Value keepFrom(mlir::Value vector, mlir::Value first, mlir::Value limit,
                       float otherwise) const;

  //===--- Memory ---------------------------------------------------------===//

  /// A block of scratch of f32.
  mlir::Value scratch(llvm::ArrayRef<int64_t> shape) const;
  /// `width` elements as f32; only the first `valid` are read, the rest is 0.
  mlir::Value load(mlir::Value memref, mlir::ValueRange indices, int64_t width,
                   int64_t valid) const;
  mlir::Value load(mlir::Value memref, mlir::ValueRange indices,
                   int64_t width) const {
    return load(memref, indices, width, width);
  }
  /// Stores f32 lanes in the memref's element type, only the first `valid`.
  void store(mlir::Value vector, mlir::Value memref, mlir::ValueRange indices,
             int64_t valid) const;
  void store(mlir::Value vector, mlir::Value memref,
             mlir::ValueRange indices) const;
  /// One f32 of scratch, as a vector.
  mlir::Value loadBroadcast(mlir::Value memref, mlir::ValueRange indices,
                            int64_t width) const;

  //===--- Control flow ---------------------------------------------------===//

  void forRange(mlir::Value from, mlir::Value to, int64_t step,
                llvm::function_ref<void(mlir::Value i)> body) const;
  void forRange(int64_t to, llvm::function_ref<void(mlir::Value i)> body) const;
  llvm::SmallVector<mlir::Value>
  forRange(mlir::Value from, mlir::Value to, int64_t step,
           mlir::ValueRange init,
           llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                             mlir::ValueRange)>
               body) const;
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body) const;
  void ifElse(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise) const;
  mlir::Value less(mlir::Value a, mlir::Value b) const;
  mlir::Value equal(mlir::Value a, mlir::Value b) const;
  /// max(a, 0)
  mlir::Value positive(mlir::Value a) const;
  /// The next multiple of `step`.
  mlir::Value roundUp(mlir::Value a, int64_t step) const;
  mlir::Value roundDown(mlir::Value a, int64_t step) const;

  //===--- Tiles ----------------------------------------------------------===//

  /// acc[r] += sum over k in [from, to) of a(r, k) * b(k), where a is an f32
  /// and b a vector as wide as the accumulators.
  llvm::SmallVector<mlir::Value>
  product(llvm::ArrayRef<mlir::Value> acc, mlir::Value from, mlir::Value to,
          llvm::function_ref<mlir::Value(int64_t row, mlir::Value k)> a,
          llvm::function_ref<mlir::Value(mlir::Value k)> b) const;

  /// `rows` copies of zero.
  llvm::SmallVector<mlir::Value> zeroTile(int64_t width) const;

  /// `lanes` vectors as the rows of a matrix: its columns.
  llvm::SmallVector<mlir::Value>
  transpose(llvm::SmallVector<mlir::Value> rows) const;

  /// Reduces each of up to `lanes` registers to one lane: lane r of the result
  /// belongs to vector r, lanes beyond repeat vector 0.
  mlir::Value reduceRows(
      llvm::SmallVector<mlir::Value> rows,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine) const;

  /// Calls `body(tile, width)` for every column tile: in a loop over the full
  /// ones, then for the tail. `tile` counts from 0.
  void forColumnTiles(
      const ColumnTiles &tiles,
      llvm::function_ref<void(mlir::Value tile, int64_t width)> body) const;

  //===--- Rows of tensors ------------------------------------------------===//

  /// Calls `body(column)` for every register of a row of `width` elements, a
  /// multiple of a register.
  void forRegisters(int64_t width,
                    llvm::function_ref<void(mlir::Value column)> body) const;

  /// Asks for a row of a tensor that is needed soon.
  void prefetchRow(mlir::Value memref, mlir::ValueRange prefix,
                   int64_t width) const;

  /// Calls `body(column, vector, valid)` for the row of `width` elements at
  /// `prefix` + [column], one register at a time; of the last one only `valid`
  /// lanes belong to the row, the others are 0.
  void forRowVectors(mlir::Value memref, mlir::ValueRange prefix, int64_t width,
                     llvm::function_ref<void(mlir::Value column,
                                             mlir::Value vector, int64_t valid)>
                         body) const;

  /// The dot product of two rows of `width` elements at equal indices (f32).
  mlir::Value rowDot(mlir::Value a, mlir::Value b, mlir::ValueRange prefix,
                     int64_t width) const;

  /// Transposes `lanes` rows of `width` elements into `destination`, which has
  /// the layout [tile][width][columns]: element (row i, column d) goes to
  /// [group / (columns / lanes)][d][group % (columns / lanes) * lanes + i].
  /// `row(i)` gives the indices of row i without the last one.
  void packTransposed(
      mlir::Value source,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(int64_t i)> row,
      int64_t width, mlir::Value destination, mlir::Value group) const;

private:
  mlir::Value compareLanes(mlir::Value vector, mlir::Value first,
                           mlir::Value limit) const;
  mlir::Value shuffle(mlir::Value a, mlir::Value b, int64_t half,
                      bool high) const;
};

/// start[b] of a memref i64 [B], the nearest in [0, last]: kernels read nothing
/// outside a cache.
mlir::Value loadCacheStart(const TileBuilder &t, mlir::Value start,
                           mlir::Value b, int64_t last);

/// documents[b, query] of a memref i64 [B, T], the nearest in [0, T]: the first
/// key that the query sees, or more keys than there are.
mlir::Value loadDocument(const TileBuilder &t, mlir::Value documents,
                         mlir::Value b, mlir::Value query);
/// The least of these over the queries [first, end).
mlir::Value leastDocument(const TileBuilder &t, mlir::Value documents,
                          mlir::Value b, mlir::Value first, mlir::Value end);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_FLASHTILES_H
