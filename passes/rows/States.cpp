//===- States.cpp - rows of merged softmax states -------------------------===//
//
// The formulas stand in dialect/DepthOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/OnlineSoftmax.h"
#include "passes/rows/RowFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

class MergeStates : public FormulaOf<MergeStatesOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    auto softmax = OnlineSoftmax::maybeEmpty(m);
    Value a = k.stat(op.getLhsLse()), b = k.stat(op.getRhsLse());
    // Finished states: their sums are 1.
    auto [max, shift, wa] = softmax.raise(a, b);
    Value wb = softmax.weightOf(b, shift);
    Value sum = m.add(wa, wb);
    Value scale = softmax.inverseOf(sum);
    k.setStat(op.getLse(), softmax.lseOf(max, sum));
    Value fa = m.mul(wa, scale), fb = m.mul(wb, scale);
    RowRef lhs = k.row(op.getLhs()), rhs = k.row(op.getRhs());
    RowRef output = k.destination(op.getOutput());
    m.mapColumns(rowWidth(op.getLhs()), [&](Chunk c) {
      Value y = m.mul(m.splat(fa, c), m.load(lhs, c));
      m.store(output, c, m.fma(m.splat(fb, c), m.load(rhs, c), y));
    });
  }
};

class MergeStatesBackward : public FormulaOf<MergeStatesBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t width = rowWidth(op.getLhs());
    RowRef lhs = k.row(op.getLhs()), rhs = k.row(op.getRhs());
    RowRef grad = k.row(op.getOutputGrad());
    SmallVector<Value> dots = m.reduceColumns(
        width, {Combine::Sum, Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value g = m.load(grad, c);
          return SmallVector<Value>{m.fma(m.load(lhs, c), g, acc[0]),
                                    m.fma(m.load(rhs, c), g, acc[1])};
        });
    Value lse = k.stat(op.getLse());
    auto weight = [&](Value part) {
      // Nothing has a weight in an empty state.
      return m.selectEqual(lse, OnlineSoftmax::kEmpty, m.f32(0),
                           m.exp(m.sub(part, lse)));
    };
    Value a = weight(k.stat(op.getLhsLse())),
          b = weight(k.stat(op.getRhsLse()));
    Value mean = m.fma(a, dots[0], m.mul(b, dots[1]));
    Value shift =
        op.getLseGrad() ? m.sub(k.stat(op.getLseGrad()), mean) : m.neg(mean);
    k.setStat(op.getLhsLseGrad(), m.mul(a, m.add(dots[0], shift)));
    k.setStat(op.getRhsLseGrad(), m.mul(b, m.add(dots[1], shift)));
    RowRef lhsGrad = k.destination(op.getLhsGrad());
    RowRef rhsGrad = k.destination(op.getRhsGrad());
    m.mapColumns(width, [&](Chunk c) {
      Value g = m.load(grad, c);
      m.store(lhsGrad, c, m.mul(m.splat(a, c), g));
      m.store(rhsGrad, c, m.mul(m.splat(b, c), g));
    });
  }
};

} // namespace

void attnres::rows::attachStateFormulas(MLIRContext &context) {
  attachFormula<MergeStatesOp, MergeStates>(context);
  attachFormula<MergeStatesBackwardOp, MergeStatesBackward>(context);
}
