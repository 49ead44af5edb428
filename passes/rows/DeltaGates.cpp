//===- DeltaGates.cpp - rows of norms and gates around the delta rule -----===//
//
// The formulas stand in dialect/RecurrentOps.td and dialect/ExpertOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/RowFormula.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

//===----------------------------------------------------------------------===//
// Norm of heads
//===----------------------------------------------------------------------===//

class L2Norm : public FormulaOf<L2NormOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t width = rowWidth(op.getX());
    RowRef x = k.row(op.getX()), output = k.destination(op.getResult());
    Value squares = m.sumColumns(width, [&](Chunk c, Value sum) {
      Value v = m.loadAndPrefetch(x, c);
      return m.fma(v, v, sum);
    });
    Value r = m.rsqrt(m.add(squares, m.f32(op.getEps().convertToDouble())));
    m.mapColumns(width, [&](Chunk c) {
      m.store(output, c, m.mul(m.load(x, c), m.splat(r, c)));
    });
  }
};

class L2NormBackward : public FormulaOf<L2NormBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t width = rowWidth(op.getX());
    RowRef x = k.row(op.getX()), grad = k.row(op.getOutputGrad());
    RowRef xGrad = k.destination(op.getXGrad());
    SmallVector<Value> sums = m.reduceColumns(
        width, {Combine::Sum, Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value v = m.loadAndPrefetch(x, c);
          Value dy = m.loadAndPrefetch(grad, c);
          return SmallVector<Value>{m.fma(v, v, acc[0]), m.fma(v, dy, acc[1])};
        });
    Value r = m.rsqrt(m.add(sums[0], m.f32(op.getEps().convertToDouble())));
    Value slope = m.neg(m.mul(m.mul(m.mul(r, r), r), sums[1]));
    m.mapColumns(width, [&](Chunk c) {
      Value v = m.load(x, c), dy = m.load(grad, c);
      m.store(xGrad, c, m.fma(m.splat(r, c), dy, m.mul(m.splat(slope, c), v)));
    });
  }
};

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

/// Columns from `offset` on.
RowRef from(RowRef ref, Value offset) {
  ref.offset = offset;
  return ref;
}

/// ln(1 + exp(x)). What the sum with 1 loses of a small exponential is added
/// to the logarithm: a decay may be a thousandth, times a large rate.
Value softplus(RowMachine &m, Value x, Chunk c) {
  Value zero = m.splat(0.0, c), one = m.splat(1.0, c);
  Value e = m.exp(m.neg(m.max(x, m.neg(x)))), sum = m.add(e, one);
  Value lost = m.sub(e, m.sub(sum, one));
  Value tail = m.add(m.log(sum), m.div(lost, sum));
  return m.add(m.max(x, zero), tail);
}

/// Calls `body` with the number, the first channel and the rate of every head.
template <typename Gate>
void forHeads(
    RowKernel &k, Gate op,
    function_ref<void(Value head, Value first, Value rate, int64_t width)>
        body) {
  RowMachine &m = k.machine;
  int64_t heads = tensorOf(op.getALog().getType()).getDimSize(0);
  int64_t width = rowWidth(op.getX()) / heads;
  RowRef rates = k.shared(op.getALog());
  m.forRange(m.index.constant(0), m.index.constant(heads), 1, [&](Value head) {
    Value rate = m.exp(m.loadElement(rates, head));
    body(head, m.index.mul(head, width), rate, width);
  });
}

class KdaGate : public FormulaOf<KdaGateOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef x = k.row(op.getX()), bias = k.shared(op.getBias());
    RowRef output = k.destination(op.getResult());
    std::optional<APFloat> bound = op.getLowerBound();
    forHeads(k, op, [&](Value, Value first, Value rate, int64_t width) {
      m.mapColumns(width, [&](Chunk c) {
        Value z =
            m.add(m.load(from(x, first), c), m.load(from(bias, first), c));
        Value a = m.splat(rate, c);
        Value gate = bound ? m.mul(m.splat(bound->convertToDouble(), c),
                                   m.sigmoid(m.mul(a, z)))
                           : m.neg(m.mul(a, softplus(m, z, c)));
        m.store(from(output, first), c, gate);
      });
    });
  }
};

class KdaGateBackward : public FormulaOf<KdaGateBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void prologue() override {
    k.clear(k.partial(op.getALogGrad()), rowWidth(op.getALog()));
    k.clear(k.partial(op.getBiasGrad()), rowWidth(op.getX()));
  }
  void row() override {
    RowRef x = k.row(op.getX()), bias = k.shared(op.getBias());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef xGrad = k.destination(op.getXGrad());
    RowRef ratesGrad = k.partial(op.getALogGrad());
    RowRef biasGrad = k.partial(op.getBiasGrad());
    std::optional<APFloat> bound = op.getLowerBound();
    forHeads(k, op, [&](Value head, Value first, Value rate, int64_t width) {
      Value sum = m.sumColumns(width, [&](Chunk c, Value sum) {
        Value z =
            m.add(m.load(from(x, first), c), m.load(from(bias, first), c));
        Value dy = m.load(from(grad, first), c), a = m.splat(rate, c);
        Value dz, dRate;
        if (bound) {
          Value s = m.sigmoid(m.mul(a, z));
          Value slope = m.mul(s, m.sub(m.splat(1.0, c), s));
          Value factor = m.mul(m.splat(bound->convertToDouble(), c), a);
          dz = m.mul(m.mul(factor, slope), dy);
          dRate = m.mul(dz, z);
        } else {
          Value factor = m.neg(m.mul(a, dy));
          dz = m.mul(factor, m.sigmoid(z));
          dRate = m.mul(factor, softplus(m, z, c));
        }
        RowRef sums = from(biasGrad, first);
        m.store(sums, c, m.add(m.load(sums, c), dz));
        m.store(from(xGrad, first), c, dz);
        return m.add(sum, m.keepColumns(dRate, 0, c));
      });
      m.storeElement(m.add(m.loadElement(ratesGrad, head), sum), ratesGrad,
                     head);
    });
  }
};

//===----------------------------------------------------------------------===//
// Bounded gated activation
//===----------------------------------------------------------------------===//

/// 1 - 2 / (exp(2 |x|) + 1) with the sign of x, and near 0, where that would
/// cancel, x + x^3 p(x^2) (p from the Chebyshev nodes of [0, 0.625^2]); within
/// 1.5 units in the last place.
Value tanh(RowMachine &m, Value x, Chunk c) {
  Value one = m.splat(1.0, c), size = m.max(x, m.neg(x));
  // Beyond 10 the result is 1.
  Value bounded = m.min(m.splat(10.0, c), size);
  Value power = m.exp2InSum(m.mul(bounded, m.splat(2 * M_LOG2E, c)));
  Value large = m.sub(one, m.div(m.splat(2.0, c), m.add(power, one)));
  large = math::CopySignOp::create(m.builder, m.loc, large, x);

  Value square = m.mul(x, x), sum = m.splat(-0.00609671418, c);
  for (double coefficient :
       {0.0209971797, -0.0538509078, 0.133327693, -0.333333284})
    sum = m.fma(sum, square, m.splat(coefficient, c));
  Value small = m.fma(m.mul(sum, square), x, x);
  return m.select(m.isLess(size, m.splat(0.625, c)), small, large);
}

class SituGlu : public FormulaOf<SituGluOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef gate = k.row(op.getGate()), up = k.row(op.getUp());
    RowRef output = k.destination(op.getResult());
    double a = op.getGateBound().convertToDouble(),
           b = op.getUpBound().convertToDouble();
    m.mapColumns(rowWidth(op.getResult()), [&](Chunk c) {
      Value g = m.loadAndPrefetch(gate, c), u = m.loadAndPrefetch(up, c);
      Value left = m.mul(tanh(m, m.div(g, m.splat(a, c)), c), m.sigmoid(g));
      Value right = tanh(m, m.div(u, m.splat(b, c)), c);
      m.store(output, c,
              m.mul(m.mul(m.splat(a, c), left), m.mul(m.splat(b, c), right)));
    });
  }
};

class SituGluBackward : public FormulaOf<SituGluBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef gate = k.row(op.getGate()), up = k.row(op.getUp());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef gateGrad = k.destination(op.getGateGrad());
    RowRef upGrad = k.destination(op.getUpGrad());
    double a = op.getGateBound().convertToDouble(),
           b = op.getUpBound().convertToDouble();
    m.mapColumns(rowWidth(op.getGate()), [&](Chunk c) {
      Value g = m.loadAndPrefetch(gate, c), u = m.loadAndPrefetch(up, c),
            dy = m.loadAndPrefetch(grad, c);
      Value one = m.splat(1.0, c), s = m.sigmoid(g);
      Value t = tanh(m, m.div(g, m.splat(a, c)), c);
      Value w = tanh(m, m.div(u, m.splat(b, c)), c);
      Value rest = m.mul(m.splat(a, c), m.mul(t, m.sub(one, s)));
      Value slope = m.add(m.sub(one, m.mul(t, t)), rest);
      m.store(gateGrad, c,
              m.mul(m.mul(dy, m.mul(m.splat(b, c), w)), m.mul(s, slope)));
      m.store(upGrad, c,
              m.mul(m.mul(dy, m.mul(m.splat(a, c), t)),
                    m.mul(s, m.sub(one, m.mul(w, w)))));
    });
  }
};

} // namespace

void attnres::rows::attachDeltaGateFormulas(MLIRContext &context) {
  attachFormula<L2NormOp, L2Norm>(context);
  attachFormula<L2NormBackwardOp, L2NormBackward>(context);
  attachFormula<KdaGateOp, KdaGate>(context);
  attachFormula<KdaGateBackwardOp, KdaGateBackward>(context);
  attachFormula<SituGluOp, SituGlu>(context);
  attachFormula<SituGluBackwardOp, SituGluBackward>(context);
}
