//===- WarpRowMachine.h - rows in the lanes of a warp -----------*- C++ -*-===//
//
// A work item is a range of rows. A group of warps does it, one for rows of up
// to 1024 columns, several for wider ones, so that every lane has a part of a
// row that fits its registers. Lane l of a group has the columns
// [base + l W, base + (l + 1) W) of a chunk, with W such that an access is at
// most 16 bytes and aligned: accesses of a warp are then whole sectors. A
// column always belongs to the same lane, so that only elements which all lanes
// read, and sums over a row, need a synchronization.
//
// The sum over a row takes the chunks of a lane in order, then the columns
// within it, then the lanes of a warp by exchanges over distances 16, 8, 4, 2,
// 1, then the warps in order: the order depends on the width alone, and every
// lane gets the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_WARPROWMACHINE_H
#define ATTNRES_PASSES_NVPTX_WARPROWMACHINE_H

#include "passes/nvptx/GpuTarget.h"
#include "passes/rows/ChunkMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace attnres::nvptx {

class WarpRowMachine final : public rows::ChunkMachine {
public:
  using Chunk = rows::Chunk;
  using RowRef = rows::RowRef;

  /// The threads that share a row.
  struct Group {
    int64_t warps;
    /// Columns of a lane in a chunk, at most: 16 bytes of the widest element
    /// type, so that the lanes of a warp have a piece of memory without gaps.
    int64_t laneColumns;
    mlir::Value lane; ///< of the group, index
    mlir::Value item; ///< that it does, index
    /// Memory to exchange sums by, kExchangeBytes at a multiple of 16 in shared
    /// memory; not of a single warp.
    mlir::Value exchange;
    /// Where scratch lies, in shared or global memory, and which part of it is
    /// the group's (index).
    mlir::Value scratch, part;
    /// Whether scratch has room for what is read again, and for how many
    /// members of each list.
    bool keepsRows = false;
    llvm::ArrayRef<int64_t> capacities = {};
  };
  static constexpr int64_t kExchangeBytes = 1024;

  /// Warps that share a row of `width`, 1, 2, 4, 8 or 16, when a lane is to
  /// have about `laneColumns` columns.
  static int64_t warpsFor(int64_t width, int64_t laneColumns);

  /// `lists` are the kernel's list arguments. What is asked of memory is built
  /// where the builder stands. The group of several warps is the block.
  WarpRowMachine(mlir::OpBuilder &builder, mlir::Location loc, int64_t rows,
                 const Group &group, mlir::ValueRange lists);

  void mapColumns(int64_t width, ChunkBody body,
                  rows::Live live = rows::Live::Few) override;
  llvm::SmallVector<mlir::Value>
  reduceColumns(int64_t width, llvm::ArrayRef<rows::Combine> kinds,
                ReduceBody body, rows::Live live = rows::Live::Few) override;

  std::optional<llvm::SmallVector<Chunk>>
  registerChunks(int64_t width) override;
  llvm::SmallVector<mlir::Value>
  combineChunks(llvm::ArrayRef<rows::Combine> kinds,
                mlir::ValueRange values) override;
  void meet() override { sync(); }
  mlir::Value nearbyRows(mlir::Value list, int64_t count, int64_t width,
                         mlir::Type type) override;

  mlir::Value load(const RowRef &ref, const Chunk &chunk,
                   float padding = 0) override;
  /// Warps hide the latency of each other: nothing is fetched ahead.
  mlir::Value loadAndPrefetch(const RowRef &ref, const Chunk &chunk,
                              float padding = 0) override {
    return load(ref, chunk, padding);
  }
  void store(const RowRef &ref, const Chunk &chunk, mlir::Value value) override;

  mlir::Value loadElement(const RowRef &ref, mlir::Value column) override;
  void storeElement(mlir::Value value, const RowRef &ref,
                    mlir::Value column) override;
  void mapElements(
      const RowRef &from, const RowRef &to, mlir::Value count,
      llvm::ArrayRef<mlir::Value> parameters,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body) override;
  int64_t elementSlack() const override { return 0; }

  mlir::Value scratch(int64_t width) override;
  mlir::Value listScratch(int64_t width) override;
  mlir::Value listCount(mlir::Value list) override;
  mlir::Value listMember(mlir::Value list, mlir::Value i,
                         mlir::RankedTensorType type) override;

  /// Bytes of scratch of a group: fixed ones, and for each member of all lists
  /// together.
  struct ScratchBytes {
    int64_t fixed, perMember;
  };
  /// To be called once after the kernel is complete.
  ScratchBytes finishScratch();

private:
  int64_t lanes() const { return group.warps * kWarpLanes; }
  /// Columns of a lane in a chunk of a row of `width`.
  int64_t laneColumns(int64_t width) const;
  /// The chunks of a row, in order.
  llvm::SmallVector<Chunk> chunksOf(int64_t width);
  llvm::SmallVector<mlir::Value> indicesOf(const RowRef &ref,
                                           mlir::Value column) const;
  /// What lanes of the group have written is there for all of them.
  void sync();
  mlir::Value combine(rows::Combine kind, mlir::Value x, mlir::Value y) const;
  mlir::Value combineWarp(rows::Combine kind, mlir::Value vector);
  /// Values of the warps, in all lanes of all of them.
  llvm::SmallVector<mlir::Value>
  combineWarps(llvm::ArrayRef<rows::Combine> kinds,
               llvm::ArrayRef<mlir::Value> values);
  /// Numbers of scratch, f32 unless others are wanted, from a byte of the
  /// group's part on.
  mlir::Value scratchView(mlir::Value offset, llvm::ArrayRef<int64_t> shape,
                          mlir::ValueRange sizes, mlir::Type type = {});

  Group group;
  llvm::SmallVector<mlir::Value> lists;
  mlir::Value groupScratch; ///< memref<?xi8> of the group
  mlir::Value members;      ///< of all lists together
  /// Constants that are known only when the kernel is complete: bytes of a
  /// group, fixed and for each member; where list scratch begins.
  mlir::arith::ConstantOp fixedBytes, memberBytes;
  llvm::SmallVector<mlir::arith::ConstantOp> listOffsets;
  ScratchBytes bytes{0, 0};
};

} // namespace attnres::nvptx

#endif
