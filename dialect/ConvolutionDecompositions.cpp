//===- ConvolutionDecompositions.cpp - convolutions, gates as linalg ------===//
//
// Short convolutions, norms of heads and decay gates: what surrounds the delta
// rule in a layer.
//
//===----------------------------------------------------------------------===//
#include "dialect/DecompositionHelpers.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Short convolution
//===----------------------------------------------------------------------===//

namespace {

/// x [B, T, C] behind the tokens of a tail [B, W - 1, C] or zeros.
class ConvolutionEmitter {
public:
  ConvolutionEmitter(OpBuilder &b, Location loc, Value x, Value weight,
                     Value tail)
      : emitter(b, loc), x(x), weight(weight),
        window(typeOf(weight).getDimSize(1)), tail(window > 1 ? tail : Value()),
        tokens(typeOf(x).getDimSize(1)) {}

  /// x at a token of the text `b`, which may lie before the first.
  Term input(Scalars &s, Term b, Term t, Term c) {
    Term zero = t.constant(0);
    Term value = s.extract(x, {b, maximum(t, zero), c});
    Term before = s.constant(0);
    if (tail)
      before = s.extract(tail, {b,
                                minimum(maximum(t + double(window - 1), zero),
                                        t.constant(window - 2)),
                                c});
    return select(lessOrEqual(zero, t), value, before);
  }

  /// sum_j weight[c,j] x[b, t - (W - 1) + j, c], f32.
  Value sum() {
    // Loops (b, t, c, j).
    return emitter.reduce(
        Reduction::Sum, {{x, {0, 1, 2}}, {weight, {2, 3}}}, {0, 1, 2},
        [&](Scalars &s, Terms in) {
          Term from = s.index(1) + s.index(3) - double(window - 1);
          return in[1] * input(s, s.index(0), from, s.index(2));
        });
  }

  /// The gradient of the sums of inputs `first`, `first` + 1, ... of every
  /// text, of which `inputs` [B, N, C] has the type.
  Value inputGrad(Value sumGrad, Value inputs, int64_t first) {
    // Loops (b, n, c, j).
    Value grad = emitter.reduce(
        Reduction::Sum, {{inputs, {0, 1, 2}}, {weight, {2, 3}}}, {0, 1, 2},
        [&](Scalars &s, Terms in) {
          Term reader = s.index(1) - s.index(3) + double(window - 1 + first);
          Term zero = reader.constant(0), last = reader.constant(tokens - 1);
          Term value = s.extract(
              sumGrad,
              {s.index(0), minimum(maximum(reader, zero), last), s.index(2)});
          Term isThere =
              both(lessOrEqual(zero, reader), lessOrEqual(reader, last));
          return select(isThere, in[1] * value, s.constant(0));
        });
    return emitter.storedAs(grad, inputs.getType());
  }

  /// sum_{b,t} dy[b,t,c] x[b, t - (W - 1) + j, c], f32.
  Value weightGrad(Value sumGrad) {
    // Loops (c, j, b, t).
    return emitter.reduce(
        Reduction::Sum, {{sumGrad, {2, 3, 0}}, {weight, {0, 1}}}, {0, 1},
        [&](Scalars &s, Terms in) {
          Term from = s.index(3) + s.index(1) - double(window - 1);
          return in[0] * input(s, s.index(2), from, s.index(0));
        });
  }

  LinalgEmitter emitter;
  Value x, weight;
  int64_t window;
  Value tail;
  int64_t tokens;
};

} // namespace

Decomposed ShortConvolutionOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  ConvolutionEmitter convolution(b, getLoc(), getX(), getWeight(), getTail());
  Rows rows = rowsOf(b, getLoc(), getX());
  return SmallVector<Value>{
      rows.map({rows.full(convolution.sum())},
               [](Scalars &, Terms in) { return in[0] * sigmoid(in[0]); })};
}

Decomposed ShortConvolutionBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  ConvolutionEmitter convolution(b, getLoc(), getX(), getWeight(), getTail());
  Rows rows = rowsOf(b, getLoc(), getX());
  Value sumGrad =
      rows.mapF32({rows.full(convolution.sum()), rows.full(getOutputGrad())},
                  [](Scalars &, Terms in) {
                    Term s = sigmoid(in[0]);
                    return in[1] * s * (in[0] * (1.0 - s) + 1.0);
                  });
  SmallVector<Value> grads;
  bool isEmpty = convolution.tokens == 0;
  grads.push_back(isEmpty ? getX() : convolution.inputGrad(sumGrad, getX(), 0));
  grads.push_back(isEmpty ? rows.zeros(typeOf(getWeight()).getShape())
                          : convolution.weightGrad(sumGrad));
  if (getTail())
    grads.push_back(
        isEmpty ? rows.storedAs(rows.zeros(typeOf(getTail()).getShape()),
                                getTail().getType())
                : convolution.inputGrad(sumGrad, getTail(),
                                        1 - convolution.window));
  return grads;
}

Decomposed ConvolutionTailOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getResult().getType());
  int64_t tokens = typeOf(getX()).getDimSize(1), width = type.getDimSize(1);
  SmallVector<Indexed> operands;
  if (getLength())
    operands.push_back({getLength(), {0}});
  return SmallVector<Value>{
      emitter.elementwise(type, operands, [&](Scalars &s, Terms in) {
        Term zero = s.index(1).constant(0);
        Term length = zero.constant(tokens);
        if (getLength())
          length = minimum(maximum(in[0], zero), length);
        Term from = length + s.index(1) - double(width);
        Term before = s.constant(0);
        if (getTail())
          before = s.extract(getTail(), {s.index(0),
                                         minimum(from + double(width),
                                                 zero.constant(width - 1)),
                                         s.index(2)});
        if (tokens == 0)
          return before;
        Term value =
            s.extract(getX(), {s.index(0), maximum(from, zero), s.index(2)});
        return select(lessOrEqual(zero, from), value, before);
      })};
}

//===----------------------------------------------------------------------===//
// Norm and gates
//===----------------------------------------------------------------------===//

/// rsqrt(sum(x^2) + eps) of each row.
static Value inverseLength(Rows &rows, Value x, double eps) {
  Value squares = rows.sumRow(
      {rows.full(x)}, [](Scalars &, Terms in) { return in[0] * in[0]; });
  return rows.mapRows({rows.row(squares)},
                      [&](Scalars &, Terms in) { return rsqrt(in[0] + eps); });
}

Decomposed L2NormOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  Value r = inverseLength(rows, getX(), getEps().convertToDouble());
  return SmallVector<Value>{
      rows.map({rows.full(getX()), rows.row(r)},
               [](Scalars &, Terms in) { return in[0] * in[1]; })};
}

Decomposed L2NormBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  Value r = inverseLength(rows, getX(), getEps().convertToDouble());
  Value along = rows.sumRow({rows.full(getX()), rows.full(getOutputGrad())},
                            [](Scalars &, Terms in) { return in[0] * in[1]; });
  return SmallVector<Value>{
      rows.map({rows.full(getX()), rows.full(getOutputGrad()), rows.row(r),
                rows.row(along)},
               [](Scalars &, Terms in) {
                 Term r = in[2];
                 return r * in[1] - in[0] * r * r * r * in[3];
               })};
}

Decomposed SigmoidOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  return SmallVector<Value>{rows.map(
      {rows.full(getX())}, [](Scalars &, Terms in) { return sigmoid(in[0]); })};
}

Decomposed SigmoidBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  return SmallVector<Value>{rows.map(
      {rows.full(getX()), rows.full(getOutputGrad())}, [](Scalars &, Terms in) {
        Term s = sigmoid(in[0]);
        return in[1] * s * (1.0 - s);
      })};
}

namespace {

/// x [..., C] as [rows, H, C / H]: rates by head, biases by channel.
class GateEmitter : public Rows {
public:
  GateEmitter(OpBuilder &b, Location loc, Value x, Value rates, Value bias)
      : Rows(b, loc, headsType(x, rates)), x(x), rates(rates), bias(bias) {}

  static RankedTensorType headsType(Value x, Value rates) {
    auto type = typeOf(x);
    int64_t heads = typeOf(rates).getDimSize(0);
    return type.clone({rowCount(type), heads, type.getShape().back() / heads});
  }
  Value asHeads(Value value) {
    return reshape(value, headsType(x, rates).getShape());
  }
  /// x, bias and rate of each channel.
  SmallVector<Indexed> operands() {
    ArrayRef<int64_t> shape = headsType(x, rates).getShape();
    Value split = reshape(bias, shape.drop_front());
    return {full(asHeads(x)), {split, {1, 2}}, {rates, {1}}};
  }

  Value x, rates, bias;
};

/// ln(1 + exp(x)).
Term softplus(Term x) {
  Term zero = x.constant(0), size = maximum(x, zero - x);
  return maximum(x, zero) + log(exp(zero - size) + 1.0);
}

} // namespace

Decomposed KdaGateOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  GateEmitter gate(b, getLoc(), getX(), getALog(), getBias());
  Value result = gate.mapF32(gate.operands(), [&](Scalars &, Terms in) {
    Term z = in[0] + in[1], rate = exp(in[2]);
    if (getLowerBound())
      return getLowerBound()->convertToDouble() * sigmoid(rate * z);
    return -1.0 * (rate * softplus(z));
  });
  return SmallVector<Value>{gate.reshape(
      result, cast<RankedTensorType>(getResult().getType()).getShape())};
}

Decomposed KdaGateBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  GateEmitter gate(b, getLoc(), getX(), getALog(), getBias());
  SmallVector<Indexed> operands = gate.operands();
  operands.push_back(gate.full(gate.asHeads(getOutputGrad())));
  auto inputGrad = [&](Scalars &, Terms in) {
    Term z = in[0] + in[1], rate = exp(in[2]);
    if (!getLowerBound())
      return -1.0 * (rate * sigmoid(z) * in[3]);
    Term s = sigmoid(rate * z);
    return getLowerBound()->convertToDouble() * (rate * s * (1.0 - s) * in[3]);
  };
  auto rateGrad = [&](Scalars &s, Terms in) {
    Term z = in[0] + in[1];
    if (getLowerBound())
      return inputGrad(s, in) * z;
    return -1.0 * (exp(in[2]) * softplus(z) * in[3]);
  };
  auto type = cast<RankedTensorType>(getX().getType());
  SmallVector<int64_t> matrix{rowCount(type), type.getShape().back()};
  auto overRows = [&](Body body) {
    Value all = gate.mapF32(operands, body);
    return gate.sumMatrixRows(gate.reshape(all, matrix), getPartials());
  };
  Value xGrad = gate.reshape(gate.map(operands, inputGrad), type.getShape());
  Value biasGrad = overRows(inputGrad);
  auto ratesType = cast<RankedTensorType>(getALogGrad().getType());
  int64_t heads = ratesType.getShape().back();
  Value byChannel = gate.reshape(
      overRows(rateGrad), {ratesType.getNumElements(), matrix[1] / heads});
  Value ratesGrad = gate.reduce(Reduction::Sum, {{byChannel, {0, 1}}}, {0},
                                [](Scalars &, Terms in) { return in[0]; });
  return SmallVector<Value>{
      xGrad, gate.reshape(ratesGrad, ratesType.getShape()), biasGrad};
}
