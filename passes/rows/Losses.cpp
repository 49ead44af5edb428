//===- Losses.cpp - rows of the cross entropy -----------------------------===//
//
// The formulas stand in dialect/LayerOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/OnlineSoftmax.h"
#include "passes/rows/RowFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

/// `value` where the row's target counts, otherwise 0.
Value keepLive(RowMachine &m, Value value, Value target, int64_t ignored) {
  Value isLive = m.index.isDifferent(target, m.index.integer(ignored));
  return m.select(isLive, value, m.f32(0));
}

class CrossEntropy : public FormulaOf<CrossEntropyRowsOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t classes = rowWidth(op.getLogits());
    RowRef logits = k.row(op.getLogits());
    constexpr float lowest = OnlineSoftmax::kEmpty;
    auto softmax = OnlineSoftmax::sums(m);
    // NaN may be overlooked here: the sum finds it.
    Value top = m.maxColumns(classes, [&](Chunk c, Value top) {
      return m.max(top, m.loadAndPrefetch(logits, c, lowest));
    });
    Value shift = softmax.shiftOf(top);
    Value sum = m.sumColumns(classes, [&](Chunk c, Value sum) {
      Value x = m.load(logits, c, lowest);
      return m.add(sum, softmax.weightOf(x, m.splat(shift, c)));
    });
    Value lse = softmax.lseOf(top, sum);
    Value target = k.stat(op.getTargets());
    Value chosen = m.loadElement(logits, m.index.within(target, classes));
    Value loss = m.sub(lse, chosen);
    if (double share = op.getLabelSmoothing().convertToDouble(); share > 0) {
      // lse - mean(logits), of differences that are as small as the loss.
      Value others = m.sumColumns(classes, [&](Chunk c, Value sum) {
        Value distance = m.sub(m.splat(lse, c), m.load(logits, c));
        return m.add(sum, m.keepColumns(distance, 0, c));
      });
      loss = m.fma(m.f32(share / static_cast<double>(classes)), others,
                   m.mul(m.f32(1 - share), loss));
    }
    k.setStat(op.getNll(), keepLive(m, loss, target, op.getIgnoreIndex()));
    k.setStat(op.getLse(), lse);
  }
};

class CrossEntropyBackward : public FormulaOf<CrossEntropyRowsBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t classes = rowWidth(op.getLogits());
    RowRef logits = k.row(op.getLogits());
    RowRef output = k.destination(op.getLogitsGrad());
    Value target = k.stat(op.getTargets()), lse = k.stat(op.getLse());
    Value scale =
        keepLive(m, k.sharedScalar(op.getScale()), target, op.getIgnoreIndex());
    Value factor = scale;
    if (op.getLseGrad())
      factor = m.add(factor, k.stat(op.getLseGrad()));
    Value column = m.index.cast(target);
    double share = op.getLabelSmoothing().convertToDouble();
    double other = share / static_cast<double>(classes);
    Value hitScale = m.mul(scale, m.f32(1 - share + other));
    Value otherScale = m.mul(scale, m.f32(other));
    m.mapColumns(classes, [&](Chunk c) {
      Value p =
          m.expInSum(m.sub(m.loadAndPrefetch(logits, c), m.splat(lse, c)));
      Value hit = m.select(m.isColumn(column, c), m.splat(hitScale, c),
                           m.splat(otherScale, c));
      m.store(output, c, m.sub(m.mul(p, m.splat(factor, c)), hit));
    });
  }
};

} // namespace

void attnres::rows::attachLossFormulas(MLIRContext &context) {
  attachFormula<CrossEntropyRowsOp, CrossEntropy>(context);
  attachFormula<CrossEntropyRowsBackwardOp, CrossEntropyBackward>(context);
}
