//===- MmaTile.h - tiles of matrices in shared memory -----------*- C++ -*-===//
//
// A tile lies in shared memory as panels of 128 bytes of each of its rows. The
// eight pieces of 16 bytes of a row in a panel are exchanged by an exclusive or
// with a number that follows from the row, so that neither the copies, which
// write along rows, nor the matrix instructions' loads, which read eight rows
// at one place, touch a bank twice.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_MMATILE_H
#define ATTNRES_PASSES_NVPTX_MMATILE_H

#include "passes/nvptx/MmaCode.h"

#include <optional>

namespace attnres::nvptx {

inline constexpr int64_t kPanelBytes = 128, kPieceBytes = 16;

struct TileShape {
  int64_t rows;         ///< a multiple of 8
  int64_t columns;      ///< whole panels
  int64_t elementBytes; ///< 2 for bf16, 4 for f32
  /// What loads read at once: one place of eight rows, or single f32 of eight
  /// columns in four rows, which are neighbours or every other one. Tiles of
  /// EvenQuads may be read by Rows as well.
  enum class Reads { Rows, Quads, EvenQuads } reads = Reads::Rows;

  int64_t bytes() const { return rows * columns * elementBytes; }
  int64_t panelBytes() const { return rows * kPanelBytes; }
  /// Of a piece in its row, where rows differ from `row` by multiples of 8.
  Int offsetOf(Int row, Int piece) const;
};

/// A matrix in global memory, of whose elements outside [rows, columns] a tile
/// gets zeros. Rows begin at multiples of the largest power of two, up to 16,
/// that divides the bytes of `stride` and of `columns`.
struct TileSource {
  mlir::Value pointer;
  bool isBf16;
  int64_t stride; ///< elements from row to row
  int64_t rows, columns;

  int64_t elementBytes() const { return isBf16 ? 2 : 4; }
};

/// Copies from a matrix to a tile, each thread a part. Elements of bf16 become
/// f32 where the tile has them so.
class TileCopy {
public:
  /// `checkRows`, `checkColumns`: whether a tile may reach beyond the matrix.
  TileCopy(const MmaCode &code, const TileShape &tile, const TileSource &source,
           bool checkRows, bool checkColumns);

  /// Issues this thread's copies of the tile that begins at the given element.
  /// `to` is the tile's first byte. To be committed and waited for; what does
  /// not go in the background is there when issued. With `rowLimit`, which is
  /// no more than the source's rows, those from there on are not read.
  void issue(Int firstRow, Int firstColumn, mlir::Value to,
             std::optional<Int> rowLimit = std::nullopt) const;

  /// Where this thread's parts of a tile's rows are, which lie anywhere in the
  /// matrix.
  struct Rows {
    llvm::SmallVector<mlir::Value> starts, present;
  };
  /// Row `place` of the tile is row `rowOf(place)` of the matrix; those from
  /// `count` on, which is at least 1, are zeros and not asked for. A row of the
  /// tile has no more parts than the block has threads.
  Rows gather(Int count, llvm::function_ref<Int(Int place)> rowOf) const;
  /// Issues copies of these rows from column `firstColumn` on.
  void issue(const Rows &rows, Int firstColumn, mlir::Value to) const;

private:
  void issueOne(mlir::Value from, mlir::Value to, mlir::Value isPresent) const;

  const MmaCode &code;
  TileShape tile;
  TileSource source;
  bool checkRows, checkColumns;
  int64_t accessBytes; ///< of global memory
  bool isAsync;
};

/// The fragments that matrix instructions take of a tile: registers of 16 rows
/// and one step of the depth, which is 32 bytes. The left operand has its a0 to
/// a3, the right one b0 and b1 of the first eight rows and then of the others.
/// Of EvenQuads, places t and t + 4 of a step of the depth are 2 t and 2 t + 1:
/// the order in which the result of a matrix instruction has its columns, when
/// it is the left operand.
class TileFragments {
public:
  enum class Side { Left, Right };
  /// `alongDepth`: the tile's columns are the depth and its rows the operand's
  /// rows; otherwise the other way round. The fragments are of `count` groups
  /// of 16 rows of the operand from `first` on.
  TileFragments(const MmaCode &code, const TileShape &tile, Side side,
                bool alongDepth, Int first, int64_t count);

  MmaOperand load(mlir::Value tileBegin, int64_t group, int64_t step) const;

private:
  Registers loadBits(mlir::Value tileBegin, int64_t group, int64_t step) const;

  const MmaCode &code;
  TileShape tile;
  Side side;
  bool alongDepth;
  /// Bytes of what depends on the lane: for each of the four steps in a panel,
  /// or for each group of rows (of single f32: for each half of it) of those
  /// `groups`, behind which the same come a panel later.
  llvm::SmallVector<Int> offsets;
  int64_t groups = 0;
};

/// The size of the parts of 16 rows and columns that warps multiply, and the
/// bytes of a step of the depth.
inline constexpr int64_t kGroupSize = 16, kStepBytes = 32;

/// sums += left right^T: for `rows` groups of rows and `columns` groups of
/// columns, over `steps` of the depth. The sums of a row's columns are next to
/// each other, eight registers for each group (MmaCode::multiplyAdd).
void multiplyTiles(
    const MmaCode &code, int64_t rows, int64_t columns, int64_t steps,
    llvm::function_ref<MmaOperand(int64_t row, int64_t step)> left,
    llvm::function_ref<MmaOperand(int64_t column, int64_t step)> right,
    llvm::MutableArrayRef<mlir::Value> sums);

} // namespace attnres::nvptx

#endif
