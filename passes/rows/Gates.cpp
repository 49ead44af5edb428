//===- Gates.cpp - rows of gates and activations --------------------------===//
//
// The formulas stand in dialect/LayerOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/RowFormula.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

namespace {

class Swiglu : public FormulaOf<SwigluOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef gate = k.row(op.getGate()), up = k.row(op.getUp());
    RowRef output = k.destination(op.getResult());
    m.mapColumns(rowWidth(op.getResult()), [&](Chunk c) {
      Value g = m.loadAndPrefetch(gate, c);
      m.store(output, c,
              m.mul(m.mul(g, m.sigmoid(g)), m.loadAndPrefetch(up, c)));
    });
  }
};

class SwigluBackward : public FormulaOf<SwigluBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef gate = k.row(op.getGate()), up = k.row(op.getUp());
    RowRef grad = k.row(op.getOutputGrad());
    RowRef gateGrad = k.destination(op.getGateGrad());
    RowRef upGrad = k.destination(op.getUpGrad());
    m.mapColumns(rowWidth(op.getGate()), [&](Chunk c) {
      Value g = m.loadAndPrefetch(gate, c), u = m.loadAndPrefetch(up, c),
            dy = m.loadAndPrefetch(grad, c);
      Value s = m.sigmoid(g), one = m.splat(1.0, c);
      Value slope = m.mul(s, m.fma(g, m.sub(one, s), one));
      m.store(gateGrad, c, m.mul(m.mul(dy, u), slope));
      m.store(upGrad, c, m.mul(dy, m.mul(g, s)));
    });
  }
};

/// Phi(x), the normal distribution function.
Value normalCdf(RowMachine &m, Value x, Chunk c) {
  Value half = m.splat(0.5, c);
  return m.fma(half, m.erf(m.mul(x, m.splat(M_SQRT1_2, c))), half);
}

class Gelu : public FormulaOf<GeluOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef input = k.row(op.getX()), output = k.destination(op.getResult());
    m.mapColumns(rowWidth(op.getX()), [&](Chunk c) {
      Value x = m.loadAndPrefetch(input, c);
      m.store(output, c, m.mul(x, normalCdf(m, x, c)));
    });
  }
};

class GeluBackward : public FormulaOf<GeluBackwardOp> {
public:
  using FormulaOf::FormulaOf;
  void row() override {
    RowRef input = k.row(op.getX()), grad = k.row(op.getOutputGrad());
    RowRef output = k.destination(op.getXGrad());
    m.mapColumns(rowWidth(op.getX()), [&](Chunk c) {
      Value x = m.loadAndPrefetch(input, c), dy = m.loadAndPrefetch(grad, c);
      Value density = m.mul(m.splat(0.5 * M_2_SQRTPI * M_SQRT1_2, c),
                            m.exp(m.mul(m.mul(x, x), m.splat(-0.5, c))));
      m.store(output, c, m.mul(dy, m.fma(x, density, normalCdf(m, x, c))));
    });
  }
};

} // namespace

void attnres::rows::attachGateFormulas(MLIRContext &context) {
  attachFormula<SwigluOp, Swiglu>(context);
  attachFormula<SwigluBackwardOp, SwigluBackward>(context);
  attachFormula<GeluOp, Gelu>(context);
  attachFormula<GeluBackwardOp, GeluBackward>(context);
}
