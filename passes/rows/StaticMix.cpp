//===- StaticMix.cpp - rows of mixtures whose weights are parameters ------===//
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

/// softmax(weights), once for each work item, in scratch.
template <typename Op>
class StaticFormula : public FormulaOf<Op> {
public:
  StaticFormula(RowKernel &k, Op op)
      : FormulaOf<Op>(k, op), sources(k.group(op.getSources())),
        width(sources.element.getShape().back()),
        count(rowWidth(op.getWeights())), alpha{k.machine.scratch(count)} {}

  void prologue() override {
    RowMachine &m = this->m;
    RowRef logits = this->k.shared(this->op.getWeights());
    constexpr float lowest = OnlineSoftmax::kEmpty;
    auto softmax = OnlineSoftmax::natural(m);
    Value top = m.maxColumns(count, [&](Chunk c, Value top) {
      return m.max(top, m.load(logits, c, lowest));
    });
    Value shift = softmax.shiftOf(top);
    Value sum = m.sumColumns(count, [&](Chunk c, Value sum) {
      Value x = softmax.weightOf(m.load(logits, c, lowest), m.splat(shift, c));
      m.store(alpha, c, x);
      return m.add(sum, x);
    });
    m.mapColumns(count, [&](Chunk c) {
      m.store(alpha, c, m.div(m.load(alpha, c), m.splat(sum, c)));
    });
  }

protected:
  RowGroup sources;
  int64_t width, count;
  RowRef alpha;
};

class StaticMix : public StaticFormula<StaticMixOp> {
public:
  using StaticFormula::StaticFormula;

  void row() override {
    RowRef output = k.destination(op.getOutput());
    m.mapColumns(width, [&](Chunk c) {
      SmallVector<Value> sum = k.forMembers(
          sources, m.splat(0.0, c), [&](Value i, RowRef v, ValueRange acc) {
            Value a = m.splat(m.loadElement(alpha, i), c);
            return SmallVector<Value>{m.fma(a, m.load(v, c), acc[0])};
          });
      m.store(output, c, sum[0]);
    });
  }
};

class StaticMixBackward : public StaticFormula<StaticMixBackwardOp> {
public:
  StaticMixBackward(RowKernel &k, StaticMixBackwardOp op)
      : StaticFormula(k, op), accumulators(k.group(op.getAccumulators())),
        sourceGrads(k.group(op.getSourceGrads())) {}

  /// sum over rows of v_i.g, where the gradients of the logits will be.
  void prologue() override {
    StaticFormula::prologue();
    k.clear(k.partial(op.getWeightsGrad()), count);
  }

  void row() override {
    RowRef grad = k.row(op.getOutputGrad());
    RowRef dots = k.partial(op.getWeightsGrad());
    k.forMembers(sources, [&](Value i, RowRef v) {
      Value dot = m.sumColumns(width, [&](Chunk c, Value sum) {
        return m.fma(m.load(v, c), m.load(grad, c), sum);
      });
      m.storeElement(m.add(m.loadElement(dots, i), dot), dots, i);
      Value a = m.loadElement(alpha, i);
      RowRef destination = k.memberRow(sourceGrads, i);
      m.mapColumns(width, [&](Chunk c) {
        Value sum = accumulators.element
                        ? m.load(k.memberRow(accumulators, i), c)
                        : m.splat(0.0, c);
        m.store(destination, c, m.fma(m.splat(a, c), m.load(grad, c), sum));
      });
    });
  }

  void epilogue() override {
    RowRef dots = k.partial(op.getWeightsGrad());
    Value mean = m.sumColumns(count, [&](Chunk c, Value sum) {
      return m.fma(m.load(alpha, c), m.load(dots, c), sum);
    });
    m.mapColumns(count, [&](Chunk c) {
      Value d = m.sub(m.load(dots, c), m.splat(mean, c));
      m.store(dots, c, m.mul(m.load(alpha, c), d));
    });
  }

private:
  RowGroup accumulators, sourceGrads;
};

} // namespace

void attnres::rows::attachStaticMixFormulas(MLIRContext &context) {
  attachFormula<StaticMixOp, StaticMix>(context);
  attachFormula<StaticMixBackwardOp, StaticMixBackward>(context);
}
