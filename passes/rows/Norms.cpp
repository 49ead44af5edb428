//===- Norms.cpp - rows of norms ------------------------------------------===//
//
// The formulas stand in dialect/LayerOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/RowFormula.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

/// rsqrt(sum / width + eps).
Value inverseRoot(RowMachine &m, Value sum, int64_t width, double eps) {
  return m.rsqrt(m.add(m.div(sum, m.f32(width)), m.f32(eps)));
}

class RMSNorm : public FormulaOf<RMSNormOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t width = rowWidth(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef output = k.destination(op.getResult());
    Value squares = m.sumColumns(width, [&](Chunk c, Value sum) {
      Value v = m.loadAndPrefetch(x, c);
      return m.fma(v, v, sum);
    });
    Value r = inverseRoot(m, squares, width, op.getEps().convertToDouble());
    m.mapColumns(width, [&](Chunk c) {
      m.store(output, c,
              m.mul(m.mul(m.load(x, c), m.splat(r, c)), m.load(weight, c)));
    });
  }
};

class RMSNormBackward : public FormulaOf<RMSNormBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void prologue() override {
    k.clear(k.partial(op.getWeightGrad()), rowWidth(op.getX()));
  }
  void row() override {
    int64_t width = rowWidth(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef xGrad = k.destination(op.getXGrad());
    RowRef weightGrad = k.partial(op.getWeightGrad());
    // sum x^2 and sum weight g x
    SmallVector<Value> sums = m.reduceColumns(
        width, {Combine::Sum, Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value v = m.loadAndPrefetch(x, c);
          Value a = m.mul(m.load(weight, c), m.loadAndPrefetch(grad, c));
          return SmallVector<Value>{m.fma(v, v, acc[0]), m.fma(a, v, acc[1])};
        });
    Value r = inverseRoot(m, sums[0], width, op.getEps().convertToDouble());
    Value r3 = m.mul(m.mul(r, r), r);
    Value slope = m.neg(m.mul(r3, m.div(sums[1], m.f32(width))));
    m.mapColumns(width, [&](Chunk c) {
      Value v = m.load(x, c), dy = m.load(grad, c), rs = m.splat(r, c);
      Value a = m.mul(m.load(weight, c), dy);
      m.store(weightGrad, c, m.fma(m.mul(rs, v), dy, m.load(weightGrad, c)));
      m.store(xGrad, c, m.fma(rs, a, m.mul(m.splat(slope, c), v)));
    });
  }
};

/// Mean and rsqrt(variance + eps) of the current row. Two passes: the squares
/// of deviations do not cancel.
std::pair<Value, Value> moments(RowMachine &m, const RowRef &x, int64_t width,
                                double eps) {
  Value sum = m.sumColumns(width, [&](Chunk c, Value sum) {
    return m.add(sum, m.loadAndPrefetch(x, c));
  });
  Value mean = m.div(sum, m.f32(width));
  Value squares = m.sumColumns(width, [&](Chunk c, Value sum) {
    Value d = m.sub(m.load(x, c), m.splat(mean, c));
    // Columns outside the row do not deviate.
    d = m.keepColumns(d, 0, c);
    return m.fma(d, d, sum);
  });
  return {mean, inverseRoot(m, squares, width, eps)};
}

class LayerNorm : public FormulaOf<LayerNormOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    int64_t width = rowWidth(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef bias = k.shared(op.getBias()),
           output = k.destination(op.getResult());
    auto [mean, r] = moments(m, x, width, op.getEps().convertToDouble());
    m.mapColumns(width, [&, mean = mean, r = r](Chunk c) {
      Value n = m.mul(m.sub(m.load(x, c), m.splat(mean, c)), m.splat(r, c));
      m.store(output, c, m.fma(n, m.load(weight, c), m.load(bias, c)));
    });
  }
};

class LayerNormBackward : public FormulaOf<LayerNormBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void prologue() override {
    k.clear(k.partial(op.getWeightGrad()), rowWidth(op.getX()));
    k.clear(k.partial(op.getBiasGrad()), rowWidth(op.getX()));
  }
  void row() override {
    int64_t width = rowWidth(op.getX());
    RowRef x = k.row(op.getX()), weight = k.shared(op.getWeight());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef xGrad = k.destination(op.getXGrad());
    RowRef weightGrad = k.partial(op.getWeightGrad());
    RowRef biasGrad = k.partial(op.getBiasGrad());
    auto [mean, r] = moments(m, x, width, op.getEps().convertToDouble());
    auto normalized = [&, mean = mean, r = r](Chunk c) {
      return m.mul(m.sub(m.load(x, c), m.splat(mean, c)), m.splat(r, c));
    };
    // sum a and sum a n, with a = weight g; a is 0 outside the row
    SmallVector<Value> sums = m.reduceColumns(
        width, {Combine::Sum, Combine::Sum}, [&](Chunk c, ValueRange acc) {
          Value a = m.mul(m.load(weight, c), m.loadAndPrefetch(grad, c));
          return SmallVector<Value>{m.add(acc[0], a),
                                    m.fma(a, normalized(c), acc[1])};
        });
    Value meanA = m.div(sums[0], m.f32(width));
    Value meanAn = m.div(sums[1], m.f32(width));
    m.mapColumns(width, [&, r = r](Chunk c) {
      Value dy = m.load(grad, c), n = normalized(c);
      Value a = m.mul(m.load(weight, c), dy);
      m.store(weightGrad, c, m.fma(n, dy, m.load(weightGrad, c)));
      m.store(biasGrad, c, m.add(dy, m.load(biasGrad, c)));
      Value inner =
          m.sub(m.sub(a, m.splat(meanA, c)), m.mul(n, m.splat(meanAn, c)));
      m.store(xGrad, c, m.mul(m.splat(r, c), inner));
    });
  }
};

} // namespace

void attnres::rows::attachNormFormulas(MLIRContext &context) {
  attachFormula<RMSNormOp, RMSNorm>(context);
  attachFormula<RMSNormBackwardOp, RMSNormBackward>(context);
  attachFormula<LayerNormOp, LayerNorm>(context);
  attachFormula<LayerNormBackwardOp, LayerNormBackward>(context);
}
