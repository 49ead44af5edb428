//===- RowEmitter.h - code for one row at a time ----------------*- C++ -*-===//
//
// A row kernel runs a chain of row operations (see passes/analysis/RowOps.h) on
// one row after another. Values that stay inside the kernel live in scratch, a
// row of f32 that never leaves the first-level cache; values that leave it are
// written once. Every operation is a few loops over the columns, in vectors of
// several registers so that sums have independent chains.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_CPU_ROWEMITTER_H
#define ATTNRES_PASSES_CPU_ROWEMITTER_H

#include "dialect/Attnres.h"
#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/KernelFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace attnres::cpu {

/// Columns [column, column + width) of a row; all of them, or where `mask` is
/// set.
struct Chunk {
  mlir::Value column;
  int64_t width;
  mlir::Value mask;
};

/// One row in memory: row `row` of a memref [R, D], or, without `row`, a memref
/// [D], from column `offset` on when that is set.
struct RowRef {
  mlir::Value memref;
  mlir::Value row;
  mlir::Value offset;
};

enum class Combine { Sum, Max };

class RowEmitter {
public:
  RowEmitter(mlir::ImplicitLocOpBuilder &builder, KernelFunction &kernel,
             const CpuTarget &target, int64_t rows)
      : b(builder), index(builder, builder.getLoc()), kernel(kernel),
        target(target), rows(rows) {}

  mlir::ImplicitLocOpBuilder &b;
  IndexBuilder index;
  KernelFunction &kernel;
  const CpuTarget &target;
  const int64_t rows;

  /// The row and the work item in progress; set by the kernel's loops.
  mlir::Value row, item;

  //===--------------------------------------------------------------------===//
  // Columns
  //===--------------------------------------------------------------------===//

  /// Runs `body` on all columns of a row of `width`, in chunks of up to
  /// `registers` vector registers.
  void mapColumns(int64_t width, llvm::function_ref<void(Chunk)> body,
                  int64_t registers = 4);

  /// Combines over all columns: `body` takes a chunk and one accumulator vector
  /// for each entry of `kinds` and returns the accumulators after the chunk.
  /// Returns one f32 scalar for each.
  llvm::SmallVector<mlir::Value> reduceColumns(
      int64_t width, llvm::ArrayRef<Combine> kinds,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(Chunk,
                                                        mlir::ValueRange)>
          body,
      int64_t registers = 4);

  /// f32 vector of a chunk; `padding` where the mask is not set.
  mlir::Value load(const RowRef &ref, const Chunk &chunk, float padding = 0);
  /// The same, and asks for what a pass over the rows needs soon: for the first
  /// loop of a kernel that reads a tensor.
  mlir::Value loadAndPrefetch(const RowRef &ref, const Chunk &chunk,
                              float padding = 0);
  void store(const RowRef &ref, const Chunk &chunk, mlir::Value value);

  mlir::Value splat(mlir::Value scalar, const Chunk &chunk);
  mlir::Value splat(double value, const Chunk &chunk);

  //===--------------------------------------------------------------------===//
  // Scalars and vectors of f32
  //===--------------------------------------------------------------------===//

  mlir::Value f32(double value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y);
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  /// The larger one; y if one of them is NaN.
  mlir::Value max(mlir::Value x, mlir::Value y);
  mlir::Value neg(mlir::Value x);
  /// 1 / sqrt(x), both operations correctly rounded.
  mlir::Value rsqrt(mlir::Value x);
  mlir::Value exp(mlir::Value x);
  /// exp for sums with a term of about 1: results below 2^-126 may become 0,
  /// those above 2^127.5 infinity.
  mlir::Value expInSum(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value erf(mlir::Value x);
  /// 1 / (1 + exp(-x))
  mlir::Value sigmoid(mlir::Value x);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// The memref [rows, D] over a tensor argument of any rank.
  mlir::Value rowsView(mlir::Value memref);
  /// The memref [n] over a memref of any rank.
  mlir::Value flatView(mlir::Value memref);
  /// An f32 scratch row of `width` columns.
  mlir::Value scratchRow(int64_t width);
  mlir::Value loadScalar(mlir::Value memref, mlir::ValueRange indices);
  void storeScalar(mlir::Value value, mlir::Value memref,
                   mlir::ValueRange indices);

  /// Scratch behind the fixed part whose size depends on the number of list
  /// elements of a launch: `floatsPerElement` f32 for each element of every
  /// list together. Returns a memref<?xf32> of it.
  mlir::Value listScratch(int64_t floatsPerElement);
  /// To be called once after the kernel is complete: fixes where list scratch
  /// begins and records its size on the kernel.
  void finishListScratch();

private:
  mlir::VectorType vectorType(int64_t width);
  llvm::SmallVector<mlir::Value>
  indicesOf(const RowRef &ref, const Chunk &chunk, int64_t distance = 0);

  /// Constants that stand for the offset of list scratch until it is known, and
  /// the floats for each element before each of them.
  llvm::SmallVector<std::pair<mlir::arith::ConstantOp, int64_t>> listOffsets;
  int64_t listFloats = 0;
};

} // namespace attnres::cpu

#endif
