//===- RowKernel.h - where the values of a row kernel are -------*- C++ -*-===//
//
// Values that stay inside a row kernel live in scratch, a row of f32 that never
// leaves the first-level cache; values that leave it are written once.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWS_ROWKERNEL_H
#define ATTNRES_PASSES_ROWS_ROWKERNEL_H

#include "dialect/Attnres.h"
#include "passes/rows/RowMachine.h"

namespace attnres::rows {

class RowFormula;

/// The members of an operand or result group: a list whose length is known at
/// run time, or values.
struct RowGroup {
  mlir::Value list; ///< a list argument, or null
  mlir::RankedTensorType element;
  llvm::SmallVector<mlir::Value> members; ///< when there is no list
};

/// Where the values of a row kernel are while its operations are emitted.
class RowKernel {
public:
  /// The kernel `body` over tensors, whose arguments are `inputs` in memory
  /// (memrefs of the shape of the tensor, lists as the machine has them) and
  /// whose results go to `outputs`. Views are made where the builder stands.
  RowKernel(mlir::Block &body, mlir::ValueRange inputs,
            mlir::ValueRange outputs, RowMachine &machine);

  RowMachine &machine;

  //===--- Values ---------------------------------------------------------===//

  /// The current row of a Row value: an argument, a result in memory, or
  /// scratch.
  RowRef row(mlir::Value value);
  /// Where the current row of a Row result goes.
  RowRef destination(mlir::Value result) { return row(result); }
  /// The scalar of the current row of a Stat value (i64 for indices).
  mlir::Value stat(mlir::Value value);
  /// Sets the scalar of a Stat result, and stores it if it leaves the kernel.
  void setStat(mlir::Value result, mlir::Value scalar);
  /// A Shared value as it is in memory, flattened to rank 1.
  RowRef shared(mlir::Value value);
  /// The only element of a Shared scalar.
  mlir::Value sharedScalar(mlir::Value value) {
    return machine.loadElement(shared(value), machine.index.constant(0));
  }
  /// Row `index` of an argument or returned value seen as rows of `width`.
  RowRef rowAt(mlir::Value value, mlir::Value index, int64_t width);
  /// Whether two arguments or returned values start at different addresses.
  mlir::Value isElsewhere(mlir::Value a, mlir::Value b);
  /// The work item's row of a Partial result, a tensor [P, D] of partial sums
  /// (or [D] when the kernel is a single work item).
  RowRef partial(mlir::Value result);
  /// Writes zeros to a row.
  void clear(const RowRef &ref, int64_t width);

  //===--- Groups ---------------------------------------------------------===//

  RowGroup group(mlir::ValueRange values);
  mlir::Value count(const RowGroup &group);
  /// The members in order: `body` gets the index, the current row of the
  /// member, and what is carried.
  llvm::SmallVector<mlir::Value>
  forMembers(const RowGroup &group, mlir::ValueRange init,
             llvm::function_ref<llvm::SmallVector<mlir::Value>(
                 mlir::Value index, RowRef row, mlir::ValueRange carried)>
                 body);
  /// The same with nothing carried.
  void forMembers(const RowGroup &group,
                  llvm::function_ref<void(mlir::Value index, RowRef row)> body);
  /// The indices of the members in order, nothing carried.
  void forMembersOf(const RowGroup &group,
                    llvm::function_ref<void(mlir::Value index)> body);
  /// Member `index` as the current row, as a shared vector, as a statistic, or
  /// as partial sums.
  RowRef memberRow(const RowGroup &group, mlir::Value index);
  RowRef memberShared(const RowGroup &group, mlir::Value index);
  mlir::Value memberStat(const RowGroup &group, mlir::Value index);
  void setMemberStat(const RowGroup &group, mlir::Value index,
                     mlir::Value scalar);
  RowRef memberPartial(const RowGroup &group, mlir::Value index);

private:
  mlir::Value listMember(const RowGroup &group, mlir::Value index);
  mlir::Value staticMember(const RowGroup &group, mlir::Value index);
  RowRef partialOf(mlir::Value memref);
  /// The memref [n] over a memref of any rank, and [rows of the kernel, D].
  mlir::Value flatView(mlir::Value memref);
  mlir::Value rowsView(mlir::Value memref);

  llvm::DenseMap<mlir::Value, mlir::Value> memoryOf;
  llvm::DenseMap<mlir::Value, mlir::Value> rowViews;
  llvm::DenseMap<mlir::Value, mlir::Value> flatViews;
  llvm::DenseMap<mlir::Value, mlir::Value> stats;
  /// Views and scratch are made at the top of the function.
  mlir::OpBuilder::InsertPoint entry;
  template <typename Fn>
  mlir::Value atEntry(Fn make);
};

} // namespace attnres::rows

#endif
