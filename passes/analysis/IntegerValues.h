//===- IntegerValues.h - what an integer may be -----------------*- C++ -*-===//
//
// The values that one element of a tensor, or a scalar, may have, as a function
// of one element x of an integer input where it is one. A value is a list of
// pieces; each says what the value may be when its input element is in an
// interval. Arithmetic is exact: what would wrap loses its input and may be
// anything of its type.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_INTEGERVALUES_H
#define ATTNRES_PASSES_INTEGERVALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace attnres {

/// A closed interval; empty when low > high.
struct Interval {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();

  bool empty() const { return low > high; }
  bool contains(Interval other) const {
    return low <= other.low && other.high <= high;
  }
  Interval operator&(Interval other) const {
    return {std::max(low, other.low), std::min(high, other.high)};
  }
};

/// Where an x comes from: an argument, and a number that is the same for
/// elements at the same position only. Argument -1 is none.
struct Source {
  int64_t argument = -1, place = 0;

  explicit operator bool() const { return argument >= 0; }
  bool operator==(Source other) const {
    return argument == other.argument && place == other.place;
  }
};

/// With x inside `when`: slope x + a number inside `offset`.
struct Piece {
  Source source;
  Interval when;
  int64_t slope = 0;
  Interval offset;
  /// Whether another input, of which only the range is known here, has a part
  /// in the offset.
  bool mixed = false;

  /// All values, clipped to 64 bits.
  Interval values() const;
};

using IntegerValues = llvm::SmallVector<Piece, 2>;

/// Any number of `width` bits; bits of one are 0 and 1.
Interval rangeOfWidth(unsigned width);
IntegerValues anything(unsigned width);
IntegerValues constantValue(Interval values);
IntegerValues inputElement(Source source, llvm::ArrayRef<Interval> range);

/// `apply` for every combination of a piece of each that can occur together.
/// The pieces it gets have the same `when`; one that has another input than the
/// first has become a plain interval.
IntegerValues
combine(const IntegerValues &lhs, const IntegerValues &rhs,
        llvm::function_ref<void(Piece, Piece, IntegerValues &)> apply);

enum class Relation { Equal, Less, LessEqual };

IntegerValues add(const IntegerValues &lhs, const IntegerValues &rhs,
                  unsigned width);
IntegerValues subtract(const IntegerValues &lhs, const IntegerValues &rhs,
                       unsigned width);
IntegerValues multiply(const IntegerValues &lhs, const IntegerValues &rhs,
                       unsigned width);
IntegerValues maximum(const IntegerValues &lhs, const IntegerValues &rhs);
IntegerValues minimum(const IntegerValues &lhs, const IntegerValues &rhs);
/// Conversion to `width` bits of a number with a sign.
IntegerValues convert(const IntegerValues &value, unsigned width);
/// 1 where the relation holds of the numbers with their signs, else 0.
IntegerValues compare(Relation relation, const IntegerValues &lhs,
                      const IntegerValues &rhs);
IntegerValues logicalAnd(const IntegerValues &lhs, const IntegerValues &rhs);
IntegerValues logicalNot(const IntegerValues &value);
IntegerValues select(const IntegerValues &condition,
                     const IntegerValues &whenTrue,
                     const IntegerValues &whenFalse);
/// Either of the two.
IntegerValues join(const IntegerValues &lhs, const IntegerValues &rhs);

/// The x of [piece.when] for which all values of the piece are inside `limits`,
/// as one interval, possibly empty.
Interval insideFor(const Piece &piece, Interval limits);

} // namespace attnres

#endif
