//===- LossDecompositions.cpp - losses as plain linalg --------------------===//
#include "dialect/DecompositionHelpers.h"

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Cross entropies
//===----------------------------------------------------------------------===//

/// i1: the row counts.
static Term ifLive(Term target, int64_t ignored, Term live, Term otherwise) {
  return select(equal(target, target.constant(ignored)), otherwise, live);
}

/// max(1, live rows), tensor<f32>.
static Value liveCount(LinalgEmitter &emitter, Value targets, int64_t ignored) {
  Value count = emitter.sumAll(targets, [&](Scalars &s, Terms in) {
    return ifLive(in[0], ignored, s.constant(1), s.constant(0));
  });
  return emitter.elementwise(
      emitter.f32({}), {{count, {}}},
      [](Scalars &s, Terms in) { return maximum(in[0], s.constant(1)); });
}

/// The share of a row's target in the class of loop `classLoop`.
static Term shareOf(Scalars &s, Term target, int64_t classLoop, int64_t classes,
                    double smoothing) {
  double others = smoothing / static_cast<double>(classes);
  return select(equal(target, s.index(classLoop)),
                s.constant(1 - smoothing + others), s.constant(others));
}

/// lse - shares . logits of each row, 0 on ignored rows.
static Value rowLosses(Rows &rows, Value logits, Value targets, Value lse,
                       int64_t ignored, double smoothing) {
  int64_t classLoop = rows.full(logits).loops.back();
  // An infinite logit of another class is no loss without smoothing.
  Value picked = rows.sumRow(
      {rows.full(logits), rows.row(targets)}, [&](Scalars &s, Terms in) {
        if (smoothing > 0)
          return shareOf(s, in[1], classLoop, rows.width(), smoothing) * in[0];
        return select(equal(in[1], s.index(classLoop)), in[0], s.constant(0));
      });
  return rows.mapRows({rows.row(lse), rows.row(picked), rows.row(targets)},
                      [&](Scalars &s, Terms in) {
                        return ifLive(in[2], ignored, in[0] - in[1],
                                      s.constant(0));
                      });
}

/// sum(x) / count, tensor<f32>.
static Value dividedSum(LinalgEmitter &emitter, Value x, Value count) {
  Value sum = emitter.sumAll(x, [](Scalars &, Terms in) { return in[0]; });
  return emitter.elementwise(emitter.f32({}), {{sum, {}}, {count, {}}},
                             [](Scalars &, Terms in) { return in[0] / in[1]; });
}

static Value divided(LinalgEmitter &emitter, Value x, Value count) {
  return emitter.elementwise(emitter.f32({}), {{x, {}}, {count, {}}},
                             [](Scalars &, Terms in) { return in[0] / in[1]; });
}

/// (exp(logits - lse) - shares of the target) scale on live rows, plus
/// exp(logits - lse) lse_grad on all; `lseGrad` may be null. In f32.
static Value logitsGrad(Rows &rows, Value logits, Value targets, Value lse,
                        Value scale, Value lseGrad, int64_t ignored,
                        double smoothing) {
  int64_t classLoop = rows.full(logits).loops.back();
  SmallVector<Indexed> operands{rows.full(logits), rows.row(targets),
                                rows.row(lse), rows.scalar(scale)};
  if (lseGrad)
    operands.push_back(rows.row(lseGrad));
  return rows.mapF32(operands, [&](Scalars &s, Terms in) {
    Term target = in[1], p = softmaxWeight(in[0], in[2]);
    Term share = shareOf(s, target, classLoop, rows.width(), smoothing);
    Term grad = ifLive(target, ignored, (p - share) * in[3], s.constant(0));
    return in.size() > 4 ? grad + p * in[4] : grad;
  });
}

/// The loss and lse of logits [..., V].
static SmallVector<Value> lossOf(Rows &rows, Value logits, Value targets,
                                 int64_t ignored, double smoothing) {
  Value lse = rows.logSumExpRow(logits);
  Value nll = rowLosses(rows, logits, targets, lse, ignored, smoothing);
  Value loss = dividedSum(rows, nll, liveCount(rows, targets, ignored));
  return {loss, lse};
}

Decomposed CrossEntropyOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getLogits());
  return lossOf(rows, getLogits(), getTargets(), getIgnoreIndex(),
                getLabelSmoothing().convertToDouble());
}

/// x W^T in f32, with the leading dimensions of x.
static Value projection(LinalgEmitter &emitter, Value x, Value weight) {
  Value product = emitter.reduce(
      Reduction::Sum, {{emitter.matrix(x), {0, 2}}, {weight, {1, 2}}}, {0, 1},
      [](Scalars &, Terms in) { return in[0] * in[1]; });
  SmallVector<int64_t> shape(cast<RankedTensorType>(x.getType()).getShape());
  shape.back() = cast<RankedTensorType>(weight.getType()).getDimSize(0);
  return emitter.reshape(product, shape);
}

Decomposed LinearCrossEntropyOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  Value logits = projection(emitter, getX(), getWeight());
  Rows rows = rowsOf(b, getLoc(), logits);
  return lossOf(rows, logits, getTargets(), getIgnoreIndex(),
                getLabelSmoothing().convertToDouble());
}

Decomposed LinearCrossEntropyBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  Value logits = projection(emitter, getX(), getWeight());
  Rows rows = rowsOf(b, getLoc(), logits);
  Value scale = divided(emitter, getLossGrad(),
                        liveCount(emitter, getTargets(), getIgnoreIndex()));
  Value grad = emitter.matrix(
      logitsGrad(rows, logits, getTargets(), getLse(), scale, Value(),
                 getIgnoreIndex(), getLabelSmoothing().convertToDouble()));
  auto product = [](Scalars &, Terms in) { return in[0] * in[1]; };
  auto xType = cast<RankedTensorType>(getX().getType());
  Value xGrad = emitter.reduce(
      Reduction::Sum, {{grad, {0, 2}}, {getWeight(), {2, 1}}}, {0, 1}, product);
  Value weightGrad = emitter.reduce(
      Reduction::Sum, {{grad, {2, 0}}, {emitter.matrix(getX()), {2, 1}}},
      {0, 1}, product);
  return SmallVector<Value>{
      emitter.storedAs(emitter.reshape(xGrad, xType.getShape()), xType),
      weightGrad};
}

Decomposed CrossEntropyRowsOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getLogits());
  Value lse = rows.logSumExpRow(getLogits());
  return SmallVector<Value>{rowLosses(rows, getLogits(), getTargets(), lse,
                                      getIgnoreIndex(),
                                      getLabelSmoothing().convertToDouble()),
                            lse};
}

Decomposed CrossEntropyRowsBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getLogits());
  Value grad = logitsGrad(rows, getLogits(), getTargets(), getLse(), getScale(),
                          getLseGrad(), getIgnoreIndex(),
                          getLabelSmoothing().convertToDouble());
  return SmallVector<Value>{rows.storedAs(grad, getLogits().getType())};
}

Decomposed LiveMeanOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  return SmallVector<Value>{dividedSum(
      emitter, getX(), liveCount(emitter, getTargets(), getIgnoreIndex()))};
}

Decomposed LiveScaleOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  return SmallVector<Value>{divided(
      emitter, getX(), liveCount(emitter, getTargets(), getIgnoreIndex()))};
}
