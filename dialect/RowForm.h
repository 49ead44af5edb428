//===- RowForm.h - what an operation is to a row ----------------*- C++ -*-===//
//
// Most operations treat the rows of [..., D] independently, so that chains of
// them run in one kernel with one pass over memory. An operation says so by
// RowOpInterface; its definition lists what each operand and result is to a
// row.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_DIALECT_ROWFORM_H
#define ATTNRES_DIALECT_ROWFORM_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace attnres {

/// What a tensor is to an operation that works on one row at a time.
enum class RowKind {
  Row,     ///< [..., D], one row of it
  Stat,    ///< [...], one scalar for each row
  Shared,  ///< the same for all rows: [D], a table, a scalar
  Partial, ///< what all rows make together: [P, D], summed over the rows of
           ///< one of P ranges, or a cache that the rows are written into
};

/// A run of operands or results that a kernel sees as one list when it has
/// more than one member.
struct Group {
  unsigned first, size;
};

/// `number` groups of one.
llvm::SmallVector<Group> oneByOne(unsigned number);

/// An operand or result as the definition of an operation lists it. A variadic
/// one that is no list is a group for each member.
struct RowPart {
  constexpr RowPart(RowKind kind, bool isList = false)
      : kind(kind), isList(isList) {}
  RowKind kind;
  bool isList;
};

/// How definitions of operations spell these.
namespace row_parts {
inline constexpr RowPart Row = RowKind::Row, Stat = RowKind::Stat,
                         Shared = RowKind::Shared, Partial = RowKind::Partial;
constexpr RowPart list(RowPart part) { return {part.kind, true}; }
} // namespace row_parts

/// Result `result` may be written over operand `operand`.
struct Overwrite {
  unsigned result, operand;
};

/// How many dimensions of [..., D] count rows.
enum class RowsAre {
  AllButLast,  ///< a row is a vector [D]
  BatchTokens, ///< a row is what one token of a batch row has: [H, D] of
               ///< [B, T, H, D]
};

struct RowForm {
  /// The number of rows; those of a tensor of rank 0 are one.
  int64_t rows = 1;
  /// Whether the operation, as it stands, can join a row kernel. A sum over
  /// all rows cannot before it is cut into partial sums.
  bool joins = true;
  /// One for each operand and result.
  llvm::SmallVector<RowKind, 8> operands, results;
  /// All operands and results in order, cut into groups.
  llvm::SmallVector<Group, 8> operandGroups, resultGroups;
  /// Where each element is read before the element of the result at the same
  /// place is written and not afterwards, in order of preference.
  llvm::SmallVector<Overwrite, 4> overwrites;

  void addOperands(RowPart part, unsigned number) {
    add(part, number, operands, operandGroups);
  }
  void addResults(RowPart part, unsigned number) {
    add(part, number, results, resultGroups);
  }
  /// Counts the rows of `op` by its first operand that is a row, or else its
  /// first result.
  void countRows(mlir::Operation *op, RowsAre shape = RowsAre::AllButLast);

  /// The form of an operation whose declared operands and results are
  /// `operands` and `results`.
  template <typename Op>
  static RowForm of(Op op, llvm::ArrayRef<RowPart> operands,
                    llvm::ArrayRef<RowPart> results,
                    llvm::ArrayRef<Overwrite> overwrites = {},
                    RowsAre shape = RowsAre::AllButLast) {
    RowForm form;
    for (unsigned i = 0; i < operands.size(); ++i)
      form.addOperands(operands[i], op.getODSOperandIndexAndLength(i).second);
    for (unsigned i = 0; i < results.size(); ++i)
      form.addResults(results[i], op.getODSResultIndexAndLength(i).second);
    form.overwrites.assign(overwrites.begin(), overwrites.end());
    form.countRows(op, shape);
    return form;
  }

private:
  static void add(RowPart part, unsigned number,
                  llvm::SmallVectorImpl<RowKind> &kinds,
                  llvm::SmallVectorImpl<Group> &groups);
};

} // namespace attnres

#endif
