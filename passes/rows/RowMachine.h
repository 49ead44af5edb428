//===- RowMachine.h - what formulas of rows are written in ------*- C++ -*-===//
//
// A row kernel runs a chain of row operations (see passes/analysis/RowOps.h) on
// one row after another. The formula of an operation (RowFormula.h) is written
// once, in terms of this machine: loops over the columns of a row in chunks,
// arithmetic on chunks, sums and maxima over a row, and scratch. A target
// implements the machine: vectors of several registers on processors, the lanes
// of a warp on GPUs.
//
// Scalars are uniform: every part of the machine that works on the row has
// them. What one step writes, the following steps read; within a loop over
// chunks, only what the same chunk wrote.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWS_ROWMACHINE_H
#define ATTNRES_PASSES_ROWS_ROWMACHINE_H

#include "passes/rows/Arithmetic.h"
#include "passes/rows/Control.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace attnres::rows {

/// Some columns of a row, worked on together: the lanes of one value. Formulas
/// pass it on and do not look inside.
struct Chunk {
  mlir::Value column; ///< index, the first one
  int64_t width;      ///< lanes
  mlir::Value mask;   ///< the lanes that are columns; null for all
};

/// One row in memory: row `row` of a memref [R, D], or, without `row`, a memref
/// [D], from column `offset` on when that is set.
struct RowRef {
  mlir::Value memref;
  mlir::Value row = {};
  mlir::Value offset = {};
};

enum class Combine { Sum, Max };

/// How many values the body of a loop over chunks keeps for each column: with
/// many, chunks are narrower.
enum class Live { Few, Many };

class RowMachine : public Arithmetic {
public:
  using ChunkBody = llvm::function_ref<void(Chunk)>;
  using ReduceBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      Chunk, mlir::ValueRange)>;

  RowMachine(mlir::OpBuilder &builder, mlir::Location loc, int64_t rows)
      : Arithmetic(builder, loc), index(builder, loc), rows(rows) {}
  virtual ~RowMachine() = default;

  IndexBuilder index;
  /// Rows of the kernel.
  const int64_t rows;

  /// The row and the work item in progress (index); set by the kernel's loops.
  mlir::Value row, item;

  //===--- Columns --------------------------------------------------------===//

  /// Runs `body` on all columns of a row of `width`.
  virtual void mapColumns(int64_t width, ChunkBody body,
                          Live live = Live::Few) = 0;

  /// Combines over all columns: `body` takes a chunk and one accumulator for
  /// each entry of `kinds` and returns the accumulators after the chunk.
  /// Returns one f32 scalar for each. The order of the sums depends on the
  /// width and the machine alone.
  virtual llvm::SmallVector<mlir::Value>
  reduceColumns(int64_t width, llvm::ArrayRef<Combine> kinds, ReduceBody body,
                Live live = Live::Few) = 0;

  /// The chunks of a row of `width`, in order, on machines that can keep a few
  /// rows of it in registers: what is read once need not be read again. Bodies
  /// for them are written one after the other.
  virtual std::optional<llvm::SmallVector<Chunk>>
  registerChunks(int64_t width) {
    (void)width;
    return std::nullopt;
  }
  /// On such machines: combines accumulators, each the lanes of a chunk, over
  /// the lanes; returns one f32 scalar for each.
  virtual llvm::SmallVector<mlir::Value>
  combineChunks(llvm::ArrayRef<Combine> kinds, mlir::ValueRange accumulators) {
    (void)kinds, (void)accumulators;
    llvm_unreachable("rows do not fit registers");
  }
  /// On such machines: what bodies for chunks have stored is there for all.
  virtual void meet() {}
  /// On such machines: memory nearby for rows of `width` elements of `type`,
  /// one for each member of a list or `count` of them, which are read again. A
  /// memref of one dimension; null where there is none.
  virtual mlir::Value nearbyRows(mlir::Value list, int64_t count, int64_t width,
                                 mlir::Type type) {
    (void)list, (void)count, (void)width, (void)type;
    return {};
  }

  /// f32 lanes of a chunk; `padding` outside the row.
  virtual mlir::Value load(const RowRef &ref, const Chunk &chunk,
                           float padding = 0) = 0;
  /// The same, and asks for what a pass over the rows needs soon: for the first
  /// loop of a kernel that reads a tensor.
  virtual mlir::Value loadAndPrefetch(const RowRef &ref, const Chunk &chunk,
                                      float padding = 0) = 0;
  /// Rounds to the element type of the row.
  virtual void store(const RowRef &ref, const Chunk &chunk,
                     mlir::Value value) = 0;

  virtual mlir::Value splat(mlir::Value scalar, const Chunk &chunk) = 0;
  virtual mlir::Value splat(double value, const Chunk &chunk) = 0;
  /// `value` in the columns of the row, `otherwise` in lanes beyond them.
  virtual mlir::Value keepColumns(mlir::Value value, double otherwise,
                                  const Chunk &chunk) = 0;
  /// Lanes of i1: whether the lane is column `column` (index).
  virtual mlir::Value isColumn(mlir::Value column, const Chunk &chunk) = 0;
  /// Lanes of i32: a scalar, and the number of the lane's column.
  virtual mlir::Value splatWord(mlir::Value word, const Chunk &chunk) = 0;
  virtual mlir::Value columnWords(const Chunk &chunk) = 0;

  /// `reduceColumns` of one sum, and of one maximum.
  mlir::Value
  sumColumns(int64_t width,
             llvm::function_ref<mlir::Value(Chunk, mlir::Value)> body) {
    return reduceOne(width, Combine::Sum, body);
  }
  mlir::Value
  maxColumns(int64_t width,
             llvm::function_ref<mlir::Value(Chunk, mlir::Value)> body) {
    return reduceOne(width, Combine::Max, body);
  }

  //===--- Elements -------------------------------------------------------===//

  /// One element of a row: f32 from any float type, others as they are.
  virtual mlir::Value loadElement(const RowRef &ref, mlir::Value column) = 0;
  /// Stores an f32 to a row of f32.
  virtual void storeElement(mlir::Value value, const RowRef &ref,
                            mlir::Value column) = 0;

  /// Sets to[i] = body(from[i], parameters[i % n]) for i in [0, count), where
  /// both are scratch, perhaps the same, and n is a power of two. May touch
  /// `elementSlack()` elements behind the last.
  virtual void mapElements(
      const RowRef &from, const RowRef &to, mlir::Value count,
      llvm::ArrayRef<mlir::Value> parameters,
      llvm::function_ref<mlir::Value(mlir::Value x, mlir::Value parameter)>
          body) = 0;
  virtual int64_t elementSlack() const = 0;

  //===--- Memory ---------------------------------------------------------===//

  /// Scratch of `width` f32 of the work item in progress. To be asked for
  /// outside the loops.
  virtual mlir::Value scratch(int64_t width) = 0;
  /// The same for sizes that depend on the number of list members of a launch:
  /// `width` f32 for each member of every list together.
  virtual mlir::Value listScratch(int64_t width) = 0;

  /// The number of tensors of a list argument, and member `i` (indices) as a
  /// memref.
  virtual mlir::Value listCount(mlir::Value list) = 0;
  virtual mlir::Value listMember(mlir::Value list, mlir::Value i,
                                 mlir::RankedTensorType type) = 0;

  //===--- Control --------------------------------------------------------===//

  void forRange(mlir::Value from, mlir::Value to, int64_t step,
                llvm::function_ref<void(mlir::Value)> body) {
    rows::forRange(builder, loc, from, to, index.constant(step), body);
  }
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body) {
    rows::ifTrue(builder, loc, condition, body);
  }

private:
  mlir::Value
  reduceOne(int64_t width, Combine kind,
            llvm::function_ref<mlir::Value(Chunk, mlir::Value)> body) {
    return reduceColumns(width, {kind}, [&](Chunk chunk, mlir::ValueRange acc) {
      return llvm::SmallVector<mlir::Value>{body(chunk, acc.front())};
    })[0];
  }
};

} // namespace attnres::rows

#endif
