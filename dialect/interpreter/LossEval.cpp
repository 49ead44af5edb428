//===- LossEval.cpp - cross entropies -------------------------------------===//
#include "dialect/interpreter/MatrixEval.h"

#include <numeric>

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

/// Error unless every target is a class or ignored.
static LogicalResult expectTargets(Operation *op, const Tensor &targets,
                                   int64_t classes, int64_t ignored) {
  for (auto [row, target] : llvm::enumerate(targets.integers))
    if (target != ignored && (target < 0 || target >= classes))
      return op->emitOpError("expected targets in [0, ")
             << classes << ") or " << ignored << ", got " << target
             << " at position " << row;
  return success();
}

/// max(1, live rows).
static double liveCount(const Tensor &targets, int64_t ignored) {
  int64_t live = targets.size() - llvm::count(targets.integers, ignored);
  return std::max<int64_t>(1, live);
}

/// lse of each row of [..., V].
static Tensor rowLogSumExp(const Tensor &logits) {
  Tensor lse = Tensor::ofReals(ArrayRef(logits.shape).drop_back());
  for (int64_t row = 0; row < lse.size(); ++row)
    lse.reals[row] = logSumExp(
        ArrayRef(logits.reals).slice(row * logits.width(), logits.width()));
  return lse;
}

/// lse - (1 - smoothing) logits[target] - smoothing mean(logits) of each row, 0
/// on ignored rows.
static Tensor rowLosses(const Tensor &logits, const Tensor &lse,
                        const Tensor &targets, int64_t ignored,
                        double smoothing) {
  Tensor nll = Tensor::ofReals(lse.shape);
  int64_t width = logits.width();
  for (auto [row, target] : llvm::enumerate(targets.integers)) {
    if (target == ignored)
      continue;
    const double *x = logits.reals.data() + row * width;
    nll.reals[row] = lse.reals[row] - (1 - smoothing) * x[target];
    if (smoothing > 0)
      nll.reals[row] -= smoothing * std::accumulate(x, x + width, 0.0) /
                        static_cast<double>(width);
  }
  return nll;
}

/// (exp(logits - lse) - onehot(target)) scale on live rows, onehot smoothed,
/// plus exp(logits - lse) lse_grad on all.
static Tensor logitsGrad(const Tensor &logits, const Tensor &lse,
                         const Tensor &targets, double scale,
                         const Tensor *lseGrad, int64_t ignored,
                         double smoothing) {
  Tensor grad = Tensor::ofReals(logits.shape);
  int64_t width = logits.width();
  double others = smoothing / static_cast<double>(width);
  for (auto [row, target] : llvm::enumerate(targets.integers))
    for (int64_t c = 0; c < width; ++c) {
      double p = softmaxWeight(logits.reals[row * width + c], lse.reals[row]);
      double &g = grad.reals[row * width + c];
      if (target != ignored)
        g = (p - ((1 - smoothing) * (c == target) + others)) * scale;
      if (lseGrad)
        g += p * lseGrad->reals[row];
    }
  return grad;
}

static double total(const Tensor &x) {
  double sum = 0;
  for (double value : x.reals)
    sum += value;
  return sum;
}

/// loss = sum over live rows (lse - logits[target]) / max(1, live rows).
template <typename Op>
static LogicalResult setLoss(Op op, const Tensor &logits, Frame &frame) {
  const Tensor &targets = frame.tensor(op.getTargets());
  int64_t ignored = op.getIgnoreIndex();
  if (failed(expectTargets(op, targets, logits.width(), ignored)))
    return failure();
  Tensor lse = rowLogSumExp(logits);
  double loss = total(rowLosses(logits, lse, targets, ignored,
                                op.getLabelSmoothing().convertToDouble())) /
                liveCount(targets, ignored);
  frame.set(op.getLoss(), Tensor::ofReals({}, loss));
  frame.set(op.getLse(), std::move(lse));
  return success();
}

static LogicalResult evaluateCrossEntropy(CrossEntropyOp op, Frame &frame) {
  return setLoss(op, frame.tensor(op.getLogits()), frame);
}

/// x W^T with the leading dimensions of x.
static Tensor projection(const Tensor &x, const Tensor &weight) {
  SmallVector<int64_t> shape(x.shape);
  shape.back() = weight.shape.front();
  return product(MatrixView(x), MatrixView(weight, true)).reshaped(shape);
}

/// cross_entropy(x W^T, targets).
static LogicalResult evaluateLinearCrossEntropy(LinearCrossEntropyOp op,
                                                Frame &frame) {
  return setLoss(
      op, projection(frame.tensor(op.getX()), frame.tensor(op.getWeight())),
      frame);
}

/// dlogits = (exp(logits - lse) - onehot) loss_grad / live on live rows;
/// x_grad = dlogits W, weight_grad = dlogits^T x.
static LogicalResult
evaluateLinearCrossEntropyBackward(LinearCrossEntropyBackwardOp op,
                                   Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weight = frame.tensor(op.getWeight());
  const Tensor &targets = frame.tensor(op.getTargets());
  int64_t ignored = op.getIgnoreIndex();
  if (failed(expectTargets(op, targets, weight.shape.front(), ignored)))
    return failure();
  double scale = frame.tensor(op.getLossGrad()).reals.front() /
                 liveCount(targets, ignored);
  Tensor grad = logitsGrad(projection(x, weight), frame.tensor(op.getLse()),
                           targets, scale, /*lseGrad=*/nullptr, ignored,
                           op.getLabelSmoothing().convertToDouble());
  frame.set(op.getXGrad(),
            product(MatrixView(grad), MatrixView(weight)).reshaped(x.shape));
  frame.set(op.getWeightGrad(),
            product(MatrixView(grad, true), MatrixView(x)));
  return success();
}

static LogicalResult evaluateCrossEntropyRows(CrossEntropyRowsOp op,
                                              Frame &frame) {
  const Tensor &logits = frame.tensor(op.getLogits());
  const Tensor &targets = frame.tensor(op.getTargets());
  int64_t ignored = op.getIgnoreIndex();
  if (failed(expectTargets(op, targets, logits.width(), ignored)))
    return failure();
  Tensor lse = rowLogSumExp(logits);
  frame.set(op.getNll(), rowLosses(logits, lse, targets, ignored,
                                   op.getLabelSmoothing().convertToDouble()));
  frame.set(op.getLse(), std::move(lse));
  return success();
}

static LogicalResult
evaluateCrossEntropyRowsBackward(CrossEntropyRowsBackwardOp op, Frame &frame) {
  const Tensor &logits = frame.tensor(op.getLogits());
  const Tensor &targets = frame.tensor(op.getTargets());
  int64_t ignored = op.getIgnoreIndex();
  if (failed(expectTargets(op, targets, logits.width(), ignored)))
    return failure();
  frame.set(op.getLogitsGrad(),
            logitsGrad(logits, frame.tensor(op.getLse()), targets,
                       frame.tensor(op.getScale()).reals.front(),
                       frame.optional(op.getLseGrad()), ignored,
                       op.getLabelSmoothing().convertToDouble()));
  return success();
}

/// sum(x) / max(1, live rows).
static void evaluateLiveMean(LiveMeanOp op, Frame &frame) {
  double mean = total(frame.tensor(op.getX())) /
                liveCount(frame.tensor(op.getTargets()), op.getIgnoreIndex());
  frame.set(op.getResult(), Tensor::ofReals({}, mean));
}

/// x / max(1, live rows).
static void evaluateLiveScale(LiveScaleOp op, Frame &frame) {
  double scaled = frame.tensor(op.getX()).reals.front() /
                  liveCount(frame.tensor(op.getTargets()), op.getIgnoreIndex());
  frame.set(op.getResult(), Tensor::ofReals({}, scaled));
}

void attnres::interpreter::addLossEvaluations(EvaluationTable &table) {
  table.add(evaluateCrossEntropy);
  table.add(evaluateLinearCrossEntropy);
  table.add(evaluateLinearCrossEntropyBackward);
  table.add(evaluateCrossEntropyRows);
  table.add(evaluateCrossEntropyRowsBackward);
  table.add(evaluateLiveMean);
  table.add(evaluateLiveScale);
}
