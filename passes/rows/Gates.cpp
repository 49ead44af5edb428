//===- Gates.cpp - rows of gates and activations --------------------------===//
//
// The formulas stand in dialect/LayerOps.td and dialect/RecurrentOps.td.
//
//===----------------------------------------------------------------------===//
#include "passes/rows/ElementwiseFormula.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::rows;

using Elements = SmallVector<Value, 2>;

//===----------------------------------------------------------------------===//
// SwiGLU and sigmoid
//===----------------------------------------------------------------------===//

static Elements swiglu(RowMachine &m, Chunk, SwigluOp, ArrayRef<Value> x) {
  Value gate = x[0], up = x[1];
  return {m.mul(m.mul(gate, m.sigmoid(gate)), up)};
}

static Elements swigluBackward(RowMachine &m, Chunk c, SwigluBackwardOp,
                               ArrayRef<Value> x) {
  Value gate = x[0], up = x[1], grad = x[2];
  Value s = m.sigmoid(gate), one = m.splat(1.0, c);
  Value slope = m.mul(s, m.fma(gate, m.sub(one, s), one));
  return {m.mul(m.mul(grad, up), slope), m.mul(grad, m.mul(gate, s))};
}

static Elements sigmoid(RowMachine &m, Chunk, SigmoidOp, ArrayRef<Value> x) {
  return {m.sigmoid(x[0])};
}

static Elements sigmoidBackward(RowMachine &m, Chunk c, SigmoidBackwardOp,
                                ArrayRef<Value> x) {
  Value s = m.sigmoid(x[0]), grad = x[1];
  return {m.mul(grad, m.mul(s, m.sub(m.splat(1.0, c), s)))};
}

//===----------------------------------------------------------------------===//
// GELU
//===----------------------------------------------------------------------===//

/// Phi(x), the normal distribution function.
static Value normalCdf(RowMachine &m, Value x, Chunk c) {
  Value half = m.splat(0.5, c);
  return m.fma(half, m.erf(m.mul(x, m.splat(M_SQRT1_2, c))), half);
}

static Elements gelu(RowMachine &m, Chunk c, GeluOp, ArrayRef<Value> x) {
  return {m.mul(x[0], normalCdf(m, x[0], c))};
}

static Elements geluBackward(RowMachine &m, Chunk c, GeluBackwardOp,
                             ArrayRef<Value> operands) {
  Value x = operands[0], grad = operands[1];
  Value density = m.mul(m.splat(0.5 * M_2_SQRTPI * M_SQRT1_2, c),
                        m.exp(m.mul(m.mul(x, x), m.splat(-0.5, c))));
  return {m.mul(grad, m.fma(x, density, normalCdf(m, x, c)))};
}

void attnres::rows::attachGateFormulas(MLIRContext &context) {
  attachElementwise<SwigluOp, swiglu>(context);
  attachElementwise<SwigluBackwardOp, swigluBackward>(context);
  attachElementwise<SigmoidOp, sigmoid>(context);
  attachElementwise<SigmoidBackwardOp, sigmoidBackward>(context);
  attachElementwise<GeluOp, gelu>(context);
  attachElementwise<GeluBackwardOp, geluBackward>(context);
}
