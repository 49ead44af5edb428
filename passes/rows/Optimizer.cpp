//===- Optimizer.cpp - rows of sums over rows and of updates
//----------------===//
//
// The formulas stand in dialect/OptimizerOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/RowFormula.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

class SumRows : public FormulaOf<SumRowsOp> {
public:
  using FormulaOf::FormulaOf;
  void prologue() override {
    k.clear(k.partial(op.getResult()), rowWidth(op.getX()));
  }
  void row() override {
    RowRef x = k.row(op.getX()), sum = k.partial(op.getResult());
    m.mapColumns(rowWidth(op.getX()), [&](Chunk c) {
      m.store(sum, c, m.add(m.load(sum, c), m.load(x, c)));
    });
  }
};

/// One sum for each range of rows, [P].
class SumSquares : public FormulaOf<SumSquaresOp> {
public:
  using FormulaOf::FormulaOf;
  void prologue() override { m.storeElement(m.f32(0), sums(), m.item); }
  void row() override {
    RowRef x = k.row(op.getX());
    Value sum = m.sumColumns(rowWidth(op.getX()), [&](Chunk c, Value sum) {
      Value v = m.load(x, c);
      return m.fma(v, v, sum);
    });
    m.storeElement(m.add(m.loadElement(sums(), m.item), sum), sums(), m.item);
  }

private:
  RowRef sums() { return k.shared(op.getResult()); }
};

class AdamW : public FormulaOf<AdamWOp> {
public:
  using FormulaOf::FormulaOf;

  void prologue() override {
    rate = k.sharedScalar(op.getLr());
    scale = k.sharedScalar(op.getGradScale());
    Value step = k.sharedScalar(op.getStep());
    firstCorrection = correction(step, op.getBeta1().convertToDouble());
    secondCorrection = correction(step, op.getBeta2().convertToDouble());
  }

  void row() override {
    double beta1 = op.getBeta1().convertToDouble();
    double beta2 = op.getBeta2().convertToDouble();
    RowRef param = k.row(op.getParam()), grad = k.row(op.getGrad());
    RowRef first = k.row(op.getM()), second = k.row(op.getV());
    RowRef newParam = k.destination(op.getNewParam());
    RowRef newFirst = k.destination(op.getNewM()),
           newSecond = k.destination(op.getNewV());
    m.mapColumns(rowWidth(op.getParam()), [&](Chunk c) {
      auto constant = [&](double value) { return m.splat(value, c); };
      Value p = m.loadAndPrefetch(param, c);
      Value g = m.mul(m.splat(scale, c), m.loadAndPrefetch(grad, c));
      Value m1 = m.fma(constant(beta1), m.loadAndPrefetch(first, c),
                       m.mul(constant(1 - beta1), g));
      Value v1 = m.fma(constant(beta2), m.loadAndPrefetch(second, c),
                       m.mul(constant(1 - beta2), m.mul(g, g)));
      Value mHat = m.div(m1, m.splat(firstCorrection, c));
      Value vHat = m.div(v1, m.splat(secondCorrection, c));
      Value update = m.div(
          mHat, m.add(m.sqrt(vHat), constant(op.getEps().convertToDouble())));
      double decay = op.getWeightDecay().convertToDouble();
      if (decay != 0)
        update = m.fma(constant(decay), p, update);
      m.store(newFirst, c, m1);
      m.store(newSecond, c, v1);
      m.store(newParam, c, m.sub(p, m.mul(m.splat(rate, c), update)));
    });
  }

private:
  /// 1 - beta^step.
  Value correction(Value step, double beta) {
    if (beta == 0)
      return m.f32(1);
    // -expm1(x) with x = t ln beta; near 0 by its series, since 1 - exp(x)
    // would cancel.
    Value x = m.mul(step, m.f32(std::log(beta)));
    Value series = m.f32(1);
    for (int n = 9; n >= 2; --n)
      series = m.fma(m.mul(series, x), m.f32(1.0 / n), m.f32(1));
    Value isSmall = m.isGreater(x, m.f32(-0.5));
    return m.select(isSmall, m.neg(m.mul(x, series)),
                    m.sub(m.f32(1), m.exp(x)));
  }

  Value rate, scale, firstCorrection, secondCorrection;
};

class Lion : public FormulaOf<LionOp> {
public:
  using FormulaOf::FormulaOf;

  void prologue() override {
    rate = k.sharedScalar(op.getLr());
    scale = k.sharedScalar(op.getGradScale());
  }

  void row() override {
    RowRef param = k.row(op.getParam()), grad = k.row(op.getGrad());
    RowRef moment = k.row(op.getM());
    RowRef newParam = k.destination(op.getNewParam()),
           newMoment = k.destination(op.getNewM());
    m.mapColumns(rowWidth(op.getParam()), [&](Chunk c) {
      auto constant = [&](double value) { return m.splat(value, c); };
      Value p = m.loadAndPrefetch(param, c);
      Value g = m.mul(m.splat(scale, c), m.loadAndPrefetch(grad, c));
      Value m0 = m.loadAndPrefetch(moment, c);
      auto mixed = [&](double beta) {
        return m.fma(constant(beta), m0, m.mul(constant(1 - beta), g));
      };
      Value direction = mixed(op.getBeta1().convertToDouble());
      // A direction that is 0 or NaN stays.
      Value sign = m.select(
          m.isGreater(direction, constant(0)), constant(1),
          m.select(m.isLess(direction, constant(0)), constant(-1), direction));
      double decay = op.getWeightDecay().convertToDouble();
      if (decay != 0)
        sign = m.fma(constant(decay), p, sign);
      m.store(newMoment, c, mixed(op.getBeta2().convertToDouble()));
      m.store(newParam, c, m.sub(p, m.mul(m.splat(rate, c), sign)));
    });
  }

private:
  Value rate, scale;
};

class Momentum : public FormulaOf<MomentumOp> {
public:
  using FormulaOf::FormulaOf;

  void prologue() override { scale = k.sharedScalar(op.getGradScale()); }

  void row() override {
    RowRef grad = k.row(op.getGrad()), moment = k.row(op.getM());
    RowRef direction = k.destination(op.getDirection()),
           newMoment = k.destination(op.getNewM());
    m.mapColumns(rowWidth(op.getGrad()), [&](Chunk c) {
      Value beta = m.splat(op.getBeta().convertToDouble(), c);
      Value g = m.mul(m.splat(scale, c), m.loadAndPrefetch(grad, c));
      Value m1 = m.fma(beta, m.loadAndPrefetch(moment, c), g);
      m.store(newMoment, c, m1);
      m.store(direction, c, op.getNesterov() ? m.fma(beta, m1, g) : m1);
    });
  }

private:
  Value scale;
};

class Descend : public FormulaOf<DescendOp> {
public:
  using FormulaOf::FormulaOf;

  void prologue() override { rate = k.sharedScalar(op.getLr()); }

  void row() override {
    RowRef param = k.row(op.getParam()), direction = k.row(op.getDirection());
    RowRef newParam = k.destination(op.getNewParam());
    m.mapColumns(rowWidth(op.getParam()), [&](Chunk c) {
      Value p = m.loadAndPrefetch(param, c);
      Value step = m.mul(m.splat(op.getFactor().convertToDouble(), c),
                         m.loadAndPrefetch(direction, c));
      double decay = op.getWeightDecay().convertToDouble();
      if (decay != 0)
        step = m.fma(m.splat(decay, c), p, step);
      m.store(newParam, c, m.sub(p, m.mul(m.splat(rate, c), step)));
    });
  }

private:
  Value rate;
};

} // namespace

void attnres::rows::attachOptimizerFormulas(MLIRContext &context) {
  attachFormula<SumRowsOp, SumRows>(context);
  attachFormula<SumSquaresOp, SumSquares>(context);
  attachFormula<AdamWOp, AdamW>(context);
  attachFormula<LionOp, Lion>(context);
  attachFormula<MomentumOp, Momentum>(context);
  attachFormula<DescendOp, Descend>(context);
}
