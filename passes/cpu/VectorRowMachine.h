//===- VectorRowMachine.h - rows in the vectors of a processor --*- C++ -*-===//
//
// A work item is a range of rows, one thread does it. A chunk is a vector of
// several registers, so that sums have independent chains.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_CPU_VECTORROWMACHINE_H
#define ATTNRES_PASSES_CPU_VECTORROWMACHINE_H

#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/rows/ChunkMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace attnres::cpu {

class VectorRowMachine final : public rows::ChunkMachine {
public:
  using Chunk = rows::Chunk;
  using RowRef = rows::RowRef;

  VectorRowMachine(mlir::OpBuilder &builder, mlir::Location loc,
                   KernelFunction &kernel, const CpuTarget &target,
                   int64_t rows)
      : ChunkMachine(builder, loc, rows), kernel(kernel), lanes(target.lanes) {}

  void mapColumns(int64_t width, ChunkBody body,
                  rows::Live live = rows::Live::Few) override;
  llvm::SmallVector<mlir::Value>
  reduceColumns(int64_t width, llvm::ArrayRef<rows::Combine> kinds,
                ReduceBody body, rows::Live live = rows::Live::Few) override;

  mlir::Value load(const RowRef &ref, const Chunk &chunk,
                   float padding = 0) override;
  mlir::Value loadAndPrefetch(const RowRef &ref, const Chunk &chunk,
                              float padding = 0) override;
  void store(const RowRef &ref, const Chunk &chunk, mlir::Value value) override;

  mlir::Value loadElement(const RowRef &ref, mlir::Value column) override;
  void storeElement(mlir::Value value, const RowRef &ref,
                    mlir::Value column) override;
  void mapElements(
      const RowRef &from, const RowRef &to, mlir::Value count,
      llvm::ArrayRef<mlir::Value> parameters,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body) override;
  /// Elements are mapped in full vectors.
  int64_t elementSlack() const override { return lanes; }

  mlir::Value scratch(int64_t width) override;
  mlir::Value listScratch(int64_t width) override;
  mlir::Value listCount(mlir::Value list) override;
  mlir::Value listMember(mlir::Value list, mlir::Value i,
                         mlir::RankedTensorType type) override;

  /// To be called once after the kernel is complete: fixes where list scratch
  /// begins and records its size on the kernel.
  void finishListScratch();

private:
  /// The lanes of one register that are columns when only `count` are.
  mlir::Value firstLanes(int64_t count) const;
  /// Of the element `distance` columns behind `column`.
  llvm::SmallVector<mlir::Value>
  indicesOf(const RowRef &ref, mlir::Value column, int64_t distance = 0) const;
  mlir::Value combine(rows::Combine kind, mlir::Value x, mlir::Value y) const;
  /// A vector combined to one f32.
  mlir::Value combineLanes(rows::Combine kind, mlir::Value vector) const;

  KernelFunction &kernel;
  int64_t lanes; ///< f32 in a register

  /// Constants that stand for the offset of list scratch until it is known.
  llvm::SmallVector<mlir::arith::ConstantOp> listOffsets;
  int64_t listFloats = 0;
};

} // namespace attnres::cpu

#endif
