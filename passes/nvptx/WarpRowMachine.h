//===- WarpRowMachine.h - rows in the lanes of a warp -----------*- C++ -*-===//
//
// A work item is a range of rows, one warp does it. Lane l of a chunk has the
// columns [base + l W, base + (l + 1) W), with W such that an access is at most
// 16 bytes of f32 or bf16 and aligned: accesses of a warp are then whole
// sectors. A column always belongs to the same lane, so that only elements
// which all lanes read, and sums over a row, need a synchronization of the
// warp.
//
// The sum over a row takes the chunks of a lane in order, then the columns
// within it, then the lanes by exchanges over distances 16, 8, 4, 2, 1: the
// order depends on the width alone, and every lane gets the same bits.
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

  /// `lane` and `item` are indices; `scratch` points to the scratch of all
  /// items, `lists` are the kernel's list arguments. What is asked of memory is
  /// built where the builder stands.
  WarpRowMachine(mlir::OpBuilder &builder, mlir::Location loc, int64_t rows,
                 mlir::Value lane, mlir::Value item, mlir::Value scratch,
                 mlir::ValueRange lists);

  void mapColumns(int64_t width, ChunkBody body,
                  rows::Live live = rows::Live::Few) override;
  llvm::SmallVector<mlir::Value>
  reduceColumns(int64_t width, llvm::ArrayRef<rows::Combine> kinds,
                ReduceBody body, rows::Live live = rows::Live::Few) override;

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

  /// Bytes of scratch of an item: fixed ones, and for each member of all lists
  /// together.
  struct ScratchBytes {
    int64_t fixed, perMember;
  };
  /// To be called once after the kernel is complete.
  ScratchBytes finishScratch();

private:
  /// Columns of a lane in a chunk of a row of `width`.
  static int64_t laneColumns(int64_t width);
  llvm::SmallVector<mlir::Value> indicesOf(const RowRef &ref,
                                           mlir::Value column) const;
  mlir::Value combine(rows::Combine kind, mlir::Value x, mlir::Value y) const;
  mlir::Value combineLanes(rows::Combine kind, mlir::Value vector);
  /// f32 of scratch from a byte of the item's part on.
  mlir::Value scratchView(mlir::Value offset, mlir::MemRefType type,
                          mlir::ValueRange sizes);

  mlir::Value lane;
  mlir::Value itemScratch; ///< memref<?xi8> of the item
  mlir::Value members;     ///< of all lists together
  /// Constants that are known only when the kernel is complete: bytes of an
  /// item, fixed and for each member; where list scratch begins.
  mlir::arith::ConstantOp fixedBytes, memberBytes;
  llvm::SmallVector<mlir::arith::ConstantOp> listOffsets;
  ScratchBytes bytes{0, 0};
};

} // namespace attnres::nvptx

#endif
