//===- RowKernel.h - a chain of row operations as one kernel ----*- C++ -*-===//
#ifndef ATTNRES_PASSES_CPU_ROWKERNEL_H
#define ATTNRES_PASSES_CPU_ROWKERNEL_H

#include "passes/cpu/RowEmitter.h"

#include <memory>

namespace attnres::cpu {

class RowKernel;

/// Emits one operation of a row kernel. The three parts run once for each work
/// item before its rows, once for each row, and once after the rows.
class RowOpEmitter {
public:
  virtual ~RowOpEmitter() = default;
  virtual void prologue() {}
  virtual void row() = 0;
  virtual void epilogue() {}
};

/// The members of an operand or result group: a list whose length is known at
/// run time, or values.
struct RowGroup {
  mlir::Value list; ///< !llvm.ptr, or null
  mlir::RankedTensorType element;
  llvm::SmallVector<mlir::Value> members; ///< when there is no list
};

/// Where the values of a row kernel are while its operations are emitted.
class RowKernel {
public:
  RowKernel(KernelOp tensorFunction, KernelFunction &kernel,
            RowEmitter &emitter);

  RowEmitter &e;

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
  /// The memory of an argument or returned value, any rank; null if the value
  /// stays inside the kernel.
  mlir::Value memory(mlir::Value value) const;

  RowGroup group(mlir::ValueRange values);
  mlir::Value count(const RowGroup &group);
  /// The members in order: `body` gets the index, the member's memory (null
  /// for a value inside the kernel) or value, and what is carried.
  llvm::SmallVector<mlir::Value>
  forMembers(const RowGroup &group, mlir::ValueRange init,
             llvm::function_ref<llvm::SmallVector<mlir::Value>(
                 mlir::Value index, RowRef row, mlir::ValueRange carried)>
                 body);
  /// The indices of the members in order, nothing carried.
  void forMembersOf(const RowGroup &group,
                    llvm::function_ref<void(mlir::Value index)> body);
  /// Member `index` as the current row, as a shared vector, or as a statistic.
  RowRef memberRow(const RowGroup &group, mlir::Value index);
  RowRef memberShared(const RowGroup &group, mlir::Value index);
  mlir::Value memberStat(const RowGroup &group, mlir::Value index);
  void setMemberStat(const RowGroup &group, mlir::Value index,
                     mlir::Value scalar);
  /// Row `item` of member `index`, a tensor [P, D] of partial sums (or [D]
  /// when the kernel is a single work item).
  RowRef memberPartial(const RowGroup &group, mlir::Value index);
  RowRef partial(mlir::Value result);

  /// Writes zeros to a row.
  void clear(const RowRef &ref, int64_t width);

private:
  mlir::Value listElement(const RowGroup &group, mlir::Value index);
  mlir::Value staticMember(const RowGroup &group, mlir::Value index);
  RowRef partialOf(mlir::Value memref);

  llvm::DenseMap<mlir::Value, mlir::Value> memoryOf;
  llvm::DenseMap<mlir::Value, mlir::Value> rowViews;
  llvm::DenseMap<mlir::Value, mlir::Value> flatViews;
  llvm::DenseMap<mlir::Value, mlir::Value> stats;
  /// Views and scratch are made at the top of the function.
  mlir::OpBuilder::InsertPoint entry;
  template <typename Fn>
  mlir::Value atEntry(Fn make);
};

/// The emitter of `op`, or null when `op` is not a row operation of that file.
std::unique_ptr<RowOpEmitter> createLayerEmitter(RowKernel &kernel,
                                                 mlir::Operation *op);
std::unique_ptr<RowOpEmitter> createDepthEmitter(RowKernel &kernel,
                                                 mlir::Operation *op);

} // namespace attnres::cpu

#endif
