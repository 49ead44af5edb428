//===- MmaSoftmax.cpp - softmax of scores in registers --------------------===//
#include "passes/nvptx/MmaSoftmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

static constexpr double kNothing = -std::numeric_limits<double>::infinity();

// The unit of scores is the magnitude of the scale, so that the largest score
// has the largest of what is given, times the scale's sign.
double MmaSoftmax::toBase2() const { return std::abs(scale) * M_LOG2E; }

Value MmaSoftmax::unseen() const {
  return code.f32(scale < 0 ? -kNothing : kNothing);
}

MmaSoftmax::State MmaSoftmax::empty() const {
  return {code.f32(kNothing), code.f32(0)};
}

/// Lanes 4 g to 4 g + 3.
Value MmaSoftmax::ofLanes(Value value, bool isMax) const {
  for (int64_t mask : {1, 2}) {
    Value other = code.shuffleXor(value, mask);
    value = isMax ? code.max(value, other) : code.add(value, other);
  }
  return value;
}

Value MmaSoftmax::shiftOf(Value max) const {
  Value isEmpty =
      arith::CmpFOp::create(code.builder, code.loc, arith::CmpFPredicate::OEQ,
                            max, code.f32(kNothing));
  return code.select(isEmpty, code.f32(0), code.mul(max, code.f32(-toBase2())));
}

Value MmaSoftmax::add(State &state, MutableArrayRef<Value> scores) const {
  if (scale < 0)
    for (Value &score : scores)
      score = code.sub(code.f32(0), score);
  Value max = scores.front();
  for (Value score : scores.drop_front())
    max = code.max(max, score);
  max = code.max(state.max, ofLanes(max, true));
  Value shift = shiftOf(max), unit = code.f32(toBase2());
  Value scaling = code.exp2(code.fma(state.max, unit, shift));
  Value sum;
  for (Value &score : scores) {
    score = code.exp2(code.fma(score, unit, shift));
    sum = sum ? code.add(sum, score) : score;
  }
  state.max = max;
  state.sum = code.fma(state.sum, scaling, sum);
  return scaling;
}

Value MmaSoftmax::inverse(State &state) const {
  state.sum = ofLanes(state.sum, false);
  return inverseOfSum(state.sum);
}

Value MmaSoftmax::inverseOfSum(Value sum) const {
  Value isEmpty = arith::CmpFOp::create(
      code.builder, code.loc, arith::CmpFPredicate::OEQ, sum, code.f32(0));
  return code.select(isEmpty, code.f32(0), code.reciprocal(sum));
}

Value MmaSoftmax::factor(Value before, Value max) const {
  return code.exp2(code.fma(before, code.f32(toBase2()), shiftOf(max)));
}

Value MmaSoftmax::logSumExp(const State &state) const {
  return code.fma(state.max, code.f32(std::abs(scale)),
                  code.mul(code.log2(state.sum), code.f32(M_LN2)));
}

Value MmaSoftmax::weight(Value score, Value binaryLse) const {
  return code.exp2(
      code.sub(code.mul(score, code.f32(scale * M_LOG2E)), binaryLse));
}
