//===- PointValues.h - numbers that expressions are -------------*- C++ -*-===//
//
// Evaluates point expressions that depend on nothing but the position,
// constants, and accesses whose values are given. Tables of cosines and tests
// of indices are recognized by what they are, however they are computed.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_POINTVALUES_H
#define ATTNRES_PASSES_POINTVALUES_H

#include "passes/analysis/PointExpressions.h"

namespace attnres {

/// An integer of `width` bits, extended by its sign, where i1 is 0 or 1 and an
/// index has 64; or a real number, which has width 0. What reads a rounded one
/// reads the bf16 next to it.
struct PointNumber {
  unsigned width = 0;
  int64_t integer = 0;
  double real = 0;
  bool isRounded = false;

  bool isInteger() const { return width > 0; }
  static PointNumber ofReal(double value) { return {0, 0, value}; }
  /// Wrapped to the width.
  static PointNumber ofInteger(unsigned width, uint64_t value);
};

/// The width of an integer type or index; nothing above 64.
std::optional<unsigned> pointWidth(mlir::Type type);

/// A constant element, or nothing when it has no such number.
std::optional<PointNumber> pointNumber(mlir::Attribute element);

/// `expr`, an application on integers whose result is an integer; nothing when
/// it is not one of those that expressions are made of.
std::optional<PointNumber>
applyToIntegers(const PointExpr *expr, llvm::ArrayRef<PointNumber> operands);

/// Reals are computed in double, but from operands rounded to bf16 where those
/// of the program may be (PointExpressions::isRounded).
class PointValues {
public:
  explicit PointValues(PointExpressions &exprs) : exprs(exprs) {}

  /// Where expressions are evaluated, an index for each position dimension.
  /// Before the first call, or with no indices, what depends on the position
  /// has no value.
  void setPosition(llvm::ArrayRef<int64_t> indices);
  /// Lets a resolved access have a value.
  void assign(const PointExpr *access, PointNumber value);
  /// Nothing when the value is not known.
  std::optional<PointNumber> evaluate(const PointExpr *expr);

private:
  std::optional<PointNumber> compute(const PointExpr *expr);
  std::optional<int64_t> indexAt(mlir::AffineExpr index) const;
  std::optional<PointNumber> access(const PointExpr *expr);
  std::optional<PointNumber> apply(const PointExpr *expr,
                                   llvm::ArrayRef<PointNumber> operands);

  PointExpressions &exprs;
  llvm::SmallVector<int64_t> position;
  llvm::DenseMap<const PointExpr *, PointNumber> assigned, known;
};

} // namespace attnres

#endif
