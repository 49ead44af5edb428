//===- LayerDecompositions.cpp - the layers of a model as plain linalg ----===//
#include "dialect/DecompositionHelpers.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

Decomposed RMSNormOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  Value r = rows.inverseRms(getX(), getEps().convertToDouble());
  return SmallVector<Value>{
      rows.map({rows.full(getX()), rows.row(r), rows.column(getWeight())},
               [](Scalars &, Terms in) { return in[0] * in[1] * in[2]; })};
}

Decomposed RMSNormBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  Value r = rows.inverseRms(getX(), getEps().convertToDouble());
  // D mean(a x), a = weight g.
  Value sum = rows.sumRow(
      {rows.column(getWeight()), rows.full(getOutputGrad()), rows.full(getX())},
      [](Scalars &, Terms in) { return in[0] * in[1] * in[2]; });
  double width = rows.width();
  Value xGrad = rows.map({rows.full(getX()), rows.row(r), rows.row(sum),
                          rows.column(getWeight()), rows.full(getOutputGrad())},
                         [&](Scalars &, Terms in) {
                           Term x = in[0], r = in[1], mean = in[2] / width;
                           return r * (in[3] * in[4]) - x * (r * r * r) * mean;
                         });
  Value weightGrad = rows.sumRows(
      {rows.row(r), rows.full(getX()), rows.full(getOutputGrad())},
      getPartials(), [](Scalars &, Terms in) { return in[0] * in[1] * in[2]; });
  return SmallVector<Value>{xGrad, weightGrad};
}

namespace {
/// mean(x) and rsqrt(var(x) + eps) of each row.
struct RowMoments {
  RowMoments(Rows &rows, Value x, double eps) {
    double width = rows.width();
    Value sum =
        rows.sumRow({rows.full(x)}, [](Scalars &, Terms in) { return in[0]; });
    mean = rows.mapRows({rows.row(sum)},
                        [&](Scalars &, Terms in) { return in[0] / width; });
    Value squares =
        rows.sumRow({rows.full(x), rows.row(mean)}, [](Scalars &, Terms in) {
          Term centred = in[0] - in[1];
          return centred * centred;
        });
    r = rows.mapRows({rows.row(squares)}, [&](Scalars &, Terms in) {
      return rsqrt(in[0] / width + eps);
    });
  }
  Value mean, r;
};
} // namespace

Decomposed LayerNormOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  RowMoments moments(rows, getX(), getEps().convertToDouble());
  return SmallVector<Value>{
      rows.map({rows.full(getX()), rows.row(moments.mean), rows.row(moments.r),
                rows.column(getWeight()), rows.column(getBias())},
               [](Scalars &, Terms in) {
                 return (in[0] - in[1]) * in[2] * in[3] + in[4];
               })};
}

Decomposed LayerNormBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  RowMoments moments(rows, getX(), getEps().convertToDouble());
  Indexed weight = rows.column(getWeight()), grad = rows.full(getOutputGrad());
  Value n = rows.mapF32(
      {rows.full(getX()), rows.row(moments.mean), rows.row(moments.r)},
      [](Scalars &, Terms in) { return (in[0] - in[1]) * in[2]; });
  // D mean(a) and D mean(a n), a = weight g.
  Value sumA = rows.sumRow({weight, grad},
                           [](Scalars &, Terms in) { return in[0] * in[1]; });
  Value sumAn =
      rows.sumRow({weight, grad, rows.full(n)},
                  [](Scalars &, Terms in) { return in[0] * in[1] * in[2]; });
  double width = rows.width();
  Value xGrad = rows.map({weight, grad, rows.full(n), rows.row(moments.r),
                          rows.row(sumA), rows.row(sumAn)},
                         [&](Scalars &, Terms in) {
                           Term a = in[0] * in[1], n = in[2], r = in[3];
                           return r * (a - in[4] / width - n * in[5] / width);
                         });
  Value weightGrad =
      rows.sumRows({rows.full(n), grad}, getPartials(),
                   [](Scalars &, Terms in) { return in[0] * in[1]; });
  Value biasGrad = rows.sumRows({grad}, getPartials(),
                                [](Scalars &, Terms in) { return in[0]; });
  return SmallVector<Value>{xGrad, weightGrad, biasGrad};
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

/// init + product + bias, `product` having the shape of `type` in f32; bias and
/// init may be null.
static Value finishProduct(OpBuilder &b, Location loc, RankedTensorType type,
                           Value product, Value bias, Value init) {
  Rows rows(b, loc, type);
  SmallVector<Indexed> operands{rows.full(product)};
  if (bias)
    operands.push_back(rows.column(bias));
  if (init)
    operands.push_back(rows.full(init));
  if (operands.size() == 1)
    return rows.storedAs(product, type);
  return rows.map(operands, [](Scalars &, Terms in) {
    Term sum = in[0];
    for (Term term : in.drop_front())
      sum = sum + term;
    return sum;
  });
}

/// lhs rhs of two matrices in f32, with the loops (row, column, inner).
static Value matrixProduct(LinalgEmitter &emitter, Indexed lhs, Indexed rhs) {
  return emitter.reduce(Reduction::Sum, {lhs, rhs}, {0, 1},
                        [](Scalars &, Terms in) { return in[0] * in[1]; });
}

Decomposed LinearOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getResult().getType());
  Value product = matrixProduct(emitter, {emitter.matrix(getX()), {0, 2}},
                                {getWeight(), {1, 2}});
  return SmallVector<Value>{finishProduct(
      b, getLoc(), type, emitter.reshape(product, type.getShape()), getBias(),
      Value())};
}

Decomposed MatmulOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  using Loops = SmallVector<int64_t>;
  auto type = cast<RankedTensorType>(getResult().getType());
  Value product = matrixProduct(
      emitter,
      {emitter.matrix(getLhs()), getTransposeLhs() ? Loops{2, 0} : Loops{0, 2}},
      {emitter.matrix(getRhs()),
       getTransposeRhs() ? Loops{1, 2} : Loops{2, 1}});
  return SmallVector<Value>{finishProduct(
      b, getLoc(), type, emitter.reshape(product, type.getShape()), Value(),
      getInit())};
}

Decomposed SumRowsOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  return SmallVector<Value>{
      emitter.sumMatrixRows(emitter.matrix(getX()), getPartials())};
}

//===----------------------------------------------------------------------===//
// Packed products
//===----------------------------------------------------------------------===//

Decomposed PackOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getPanels().getType());
  int64_t panels = type.getDimSize(0), depth = type.getDimSize(1),
          tile = type.getDimSize(2);
  Value source = emitter.matrix(getSource());
  auto identity = [](Scalars &, Terms in) { return in[0]; };
  auto split = [&](Value padded, ArrayRef<int64_t> shape,
                   ArrayRef<ReassociationIndices> groups) -> Value {
    return tensor::ExpandShapeOp::create(b, getLoc(), emitter.f32(shape),
                                         padded, groups);
  };
  if (getTranspose()) {
    Value columns = split(emitter.padMatrix(source, {panels * tile, depth}),
                          {panels, tile, depth}, {{0, 1}, {2}});
    return SmallVector<Value>{
        emitter.elementwise(type, {{columns, {0, 2, 1}}}, identity)};
  }
  Value columns = split(emitter.padMatrix(source, {depth, panels * tile}),
                        {depth, panels, tile}, {{0}, {1, 2}});
  return SmallVector<Value>{
      emitter.elementwise(type, {{columns, {1, 0, 2}}}, identity)};
}

Decomposed MatmulPackedOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  using Loops = SmallVector<int64_t>;
  auto type = cast<RankedTensorType>(getResult().getType());
  auto panels = cast<RankedTensorType>(getPanels().getType());
  int64_t columns = type.getShape().back();
  // Loops (row, panel, column of the panel, inner).
  Value product = emitter.reduce(
      Reduction::Sum,
      {{emitter.matrix(getLhs()),
        getTransposeLhs() ? Loops{3, 0} : Loops{0, 3}},
       {getPanels(), {1, 3, 2}}},
      {0, 1, 2}, [](Scalars &, Terms in) { return in[0] * in[1]; });
  int64_t rows = cast<RankedTensorType>(product.getType()).getDimSize(0);
  Value padded = tensor::CollapseShapeOp::create(
      b, getLoc(),
      emitter.f32({rows, panels.getDimSize(0) * panels.getDimSize(2)}), product,
      ArrayRef<ReassociationIndices>{{0}, {1, 2}});
  Value exact =
      emitter.reshape(emitter.columns(padded, 0, columns), type.getShape());
  return SmallVector<Value>{
      finishProduct(b, getLoc(), type, exact, getBias(), getInit())};
}

//===----------------------------------------------------------------------===//
// Feed-forward
//===----------------------------------------------------------------------===//

Decomposed SwigluOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getGate());
  return SmallVector<Value>{rows.map(
      {rows.full(getGate()), rows.full(getUp())},
      [](Scalars &, Terms in) { return in[0] * sigmoid(in[0]) * in[1]; })};
}

Decomposed SwigluBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getGate());
  SmallVector<Indexed> operands{rows.full(getGate()), rows.full(getUp()),
                                rows.full(getOutputGrad())};
  Value gateGrad = rows.map(operands, [](Scalars &, Terms in) {
    Term gate = in[0], s = sigmoid(gate);
    return in[2] * in[1] * s * (gate * (1.0 - s) + 1.0);
  });
  Value upGrad = rows.map(operands, [](Scalars &, Terms in) {
    return in[2] * in[0] * sigmoid(in[0]);
  });
  return SmallVector<Value>{gateGrad, upGrad};
}

/// Phi(x) = (1 + erf(x / sqrt(2))) / 2.
static Term normalCdf(Term x) { return 0.5 * (erf(M_SQRT1_2 * x) + 1.0); }

Decomposed GeluOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  return SmallVector<Value>{
      rows.map({rows.full(getX())},
               [](Scalars &, Terms in) { return in[0] * normalCdf(in[0]); })};
}

Decomposed GeluBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getX());
  double density = 1 / std::sqrt(2 * M_PI); // phi(0)
  return SmallVector<Value>{
      rows.map({rows.full(getX()), rows.full(getOutputGrad())}, [&](Scalars &,
                                                                    Terms in) {
        Term x = in[0];
        return in[1] * (normalCdf(x) + x * (density * exp(-0.5 * (x * x))));
      })};
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

Decomposed EmbeddingOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getResult());
  auto table = cast<RankedTensorType>(getWeight().getType());
  int64_t width = cast<RankedTensorType>(getResult().getType()).getRank() - 1;
  return SmallVector<Value>{
      rows.map({rows.row(getTokens())}, [&](Scalars &s, Terms in) {
        // A token outside the table reads row 0, not other memory.
        Term token = in[0], zero = token.constant(0);
        Term last = token.constant(table.getDimSize(0) - 1);
        Term inside = both(lessOrEqual(zero, token), lessOrEqual(token, last));
        return s.extract(getWeight(),
                         {select(inside, token, zero), s.index(width)});
      })};
}

Decomposed EmbeddingBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  Value grad = emitter.matrix(getOutputGrad());
  int64_t rows = cast<RankedTensorType>(grad.getType()).getDimSize(0);
  int64_t vocabulary = getVocabSize();
  Value tokens = emitter.reshape(getTokens(), {rows});
  // Loops (word, column, row). The zeros are there to give the first its
  // extent.
  Value result = emitter.reduce(
      Reduction::Sum,
      {{grad, {2, 1}}, {tokens, {2}}, {emitter.zeros({vocabulary}), {0}}},
      {0, 1}, [](Scalars &s, Terms in) {
        return select(equal(in[1], s.index(0)), in[0], in[2]);
      });
  return SmallVector<Value>{result};
}
