//===- OnlineSoftmax.h - softmax of scores that come in parts ---*- C++ -*-===//
//
// The softmax of scores seen so far is a state: their maximum m, the sum
// l = sum_i e^(s_i - m), and sums of anything else with the same weights,
// o = sum_i e^(s_i - m) v_i. When new scores raise m, what has been summed is
// multiplied by e^(m - m'). In the end o / l is the mixture and m + ln l the
// log-sum-exp of the scores. A finished state is one again: its maximum is the
// log-sum-exp, its sum 1.
//
// A state is a number for each value that the arithmetic works on: one row in a
// scalar, or several rows in the lanes of a vector. Where it is kept is the
// caller's business.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_ROWS_ONLINESOFTMAX_H
#define ATTNRES_PASSES_ROWS_ONLINESOFTMAX_H

#include "passes/rows/Arithmetic.h"

#include <cmath>
#include <limits>

namespace attnres::rows {

class OnlineSoftmax {
public:
  /// The maximum of no scores.
  static constexpr double kEmpty = -std::numeric_limits<double>::infinity();

  /// Natural weights e^(s - m) of scores that are not all -inf.
  static OnlineSoftmax natural(const Arithmetic &a) {
    return {a, Kind::Natural};
  }
  /// The same of scores that may all be -inf: then weights and mixture are 0
  /// and the log-sum-exp is -inf.
  static OnlineSoftmax maybeEmpty(const Arithmetic &a) {
    return {a, Kind::MaybeEmpty};
  }
  /// The same where weights are only summed: see `Arithmetic::expInSum`.
  static OnlineSoftmax sums(const Arithmetic &a) { return {a, Kind::InSums}; }
  /// Scores that are `unit` > 0 times what is given, all perhaps -inf. Weights
  /// are only summed, and taken as powers of two. The units of ln 2 are those
  /// of binary logarithms.
  static OnlineSoftmax binary(const Arithmetic &a, float unit) {
    return {a, Kind::Binary, unit};
  }
  static OnlineSoftmax binaryLogarithms(const Arithmetic &a) {
    return {a, Kind::BinaryLogarithms};
  }

  /// What scores are shifted by before the exponential, to be computed once
  /// for many of them: m, 0 where m = -inf, in the form that the exponential
  /// takes.
  mlir::Value shiftOf(mlir::Value max) const;
  /// e^(score - m)
  mlir::Value weightOf(mlir::Value score, mlir::Value shift) const;
  /// e^(before - m), by which sums so far are multiplied; 1 exactly when the
  /// maximum stays.
  mlir::Value factorOf(mlir::Value before, mlir::Value shift) const;

  /// The state's maximum after scores up to `scores` have joined one of maximum
  /// `before`, and what follows from it.
  struct Raised {
    mlir::Value max, shift, factor;
  };
  Raised raise(mlir::Value before, mlir::Value scores) const;

  /// 1 / l; 0 for an empty state.
  mlir::Value inverseOf(mlir::Value sum) const;
  /// m + ln l, natural whatever the unit of the scores is; -inf for an empty
  /// state.
  mlir::Value lseOf(mlir::Value max, mlir::Value sum) const;

private:
  enum class Kind { Natural, MaybeEmpty, InSums, Binary, BinaryLogarithms };
  OnlineSoftmax(const Arithmetic &a, Kind kind, float unit = 1)
      : a(a), kind(kind), unit(unit), toBase2(unit * M_LOG2E) {}

  const Arithmetic &a;
  Kind kind;
  float unit;
  double toBase2;
};

} // namespace attnres::rows

#endif
