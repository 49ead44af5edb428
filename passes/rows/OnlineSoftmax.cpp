//===- OnlineSoftmax.cpp - softmax of scores that come in parts -----------===//
#include "passes/rows/OnlineSoftmax.h"

using namespace mlir;
using namespace attnres::rows;

Value OnlineSoftmax::shiftOf(Value max) const {
  if (kind == Kind::Natural)
    return max;
  // Binary: -c m with c = unit log2 e, to be added in a multiply-add.
  Value shift =
      kind == Kind::Binary ? a.mul(max, a.constantLike(max, -toBase2)) : max;
  return a.selectEqual(max, kEmpty, a.constantLike(max, 0), shift);
}

Value OnlineSoftmax::weightOf(Value score, Value shift) const {
  switch (kind) {
  case Kind::Natural:
  case Kind::MaybeEmpty:
    return a.exp(a.sub(score, shift));
  case Kind::InSums:
    return a.expInSum(a.sub(score, shift));
  case Kind::Binary:
    return a.exp2InSum(a.fma(score, a.constantLike(score, toBase2), shift));
  case Kind::BinaryLogarithms:
    return a.exp2InSum(a.sub(score, shift));
  }
  llvm_unreachable("unknown kind");
}

Value OnlineSoftmax::factorOf(Value before, Value shift) const {
  if (kind != Kind::Binary)
    return weightOf(before, shift);
  // Rounded as the shift is, so that an unchanged maximum gives 2^0.
  Value scaled = a.mul(before, a.constantLike(before, toBase2));
  return a.exp2InSum(a.add(scaled, shift));
}

OnlineSoftmax::Raised OnlineSoftmax::raise(Value before, Value scores) const {
  Value max = a.max(before, scores);
  Value shift = shiftOf(max);
  return {max, shift, factorOf(before, shift)};
}

Value OnlineSoftmax::inverseOf(Value sum) const {
  Value inverse = a.div(a.constantLike(sum, 1), sum);
  if (kind == Kind::Natural)
    return inverse;
  // The sum is 0 only where every score is -inf; NaN goes through.
  return a.selectEqual(sum, 0, a.constantLike(sum, 0), inverse);
}

Value OnlineSoftmax::lseOf(Value max, Value sum) const {
  Value log = a.log(sum), lse;
  switch (kind) {
  case Kind::Natural:
  case Kind::MaybeEmpty:
  case Kind::InSums:
    return a.add(shiftOf(max), log); // ln 0 = -inf
  case Kind::BinaryLogarithms:
    lse = a.fma(max, a.constantLike(max, M_LN2), log);
    break;
  case Kind::Binary: {
    // Weights were shifted by the rounded c m; put back what the rounding took.
    Value rounding = a.fma(max, a.constantLike(max, toBase2), shiftOf(max));
    log = a.fma(rounding, a.constantLike(rounding, -M_LN2), log);
    lse = a.fma(max, a.constantLike(max, unit), log);
    break;
  }
  }
  return a.selectEqual(sum, 0, a.constantLike(sum, kEmpty), lse);
}
