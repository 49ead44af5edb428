//===- OptimizerEval.cpp - the optimizer step -----------------------------===//
#include "dialect/interpreter/Evaluation.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

/// sum of x^2, or of each of P ranges of elements.
static void evaluateSumSquares(SumSquaresOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  Tensor result = op.getPartials() ? Tensor::ofReals({int64_t(*op.getPartials())})
                                   : Tensor::ofReals({});
  for (int64_t i = 0; i < x.size(); ++i) {
    int64_t partial =
        op.getPartials() ? partialOf(i, x.size(), *op.getPartials()) : 0;
    result.reals[partial] += x.reals[i] * x.reals[i];
  }
  frame.set(op.getResult(), std::move(result));
}

/// norm = sqrt(sum of everything); scale = min(1, max_norm / (norm + 1e-6)),
/// NaN where the norm is.
static void evaluateClipScale(ClipScaleOp op, Frame &frame) {
  double sum = 0;
  for (const Tensor *sums : frame.tensors(op.getSums()))
    for (double value : sums->reals)
      sum += value;
  double norm = std::sqrt(sum), scale = 1;
  if (std::optional<APFloat> maxNorm = op.getMaxNorm())
    scale = std::isnan(norm)
                ? norm
                : std::min(1.0, maxNorm->convertToDouble() / (norm + 1e-6));
  frame.set(op.getNorm(), Tensor::ofReals({}, norm));
  frame.set(op.getScale(), Tensor::ofReals({}, scale));
}

/// With g = grad_scale grad: m' = beta1 m + (1 - beta1) g,
/// v' = beta2 v + (1 - beta2) g^2, param' = param - lr (m' / (1 - beta1^t) /
/// (sqrt(v' / (1 - beta2^t)) + eps) + weight_decay param).
static void evaluateAdamW(AdamWOp op, Frame &frame) {
  double beta1 = op.getBeta1().convertToDouble();
  double beta2 = op.getBeta2().convertToDouble();
  double eps = op.getEps().convertToDouble();
  double decay = op.getWeightDecay().convertToDouble();
  double step = frame.tensor(op.getStep()).reals.front();
  double lr = frame.tensor(op.getLr()).reals.front();
  double gradScale = frame.tensor(op.getGradScale()).reals.front();
  double correction1 = 1 - std::pow(beta1, step);
  double correction2 = 1 - std::pow(beta2, step);
  const Tensor &grad = frame.tensor(op.getGrad());
  Tensor param = frame.tensor(op.getParam()), m = frame.tensor(op.getM()),
         v = frame.tensor(op.getV());
  for (int64_t i = 0; i < param.size(); ++i) {
    double g = gradScale * grad.reals[i];
    m.reals[i] = beta1 * m.reals[i] + (1 - beta1) * g;
    v.reals[i] = beta2 * v.reals[i] + (1 - beta2) * g * g;
    double update = m.reals[i] / correction1 /
                    (std::sqrt(v.reals[i] / correction2) + eps);
    param.reals[i] -= lr * (update + decay * param.reals[i]);
  }
  frame.set(op.getNewParam(), std::move(param));
  frame.set(op.getNewM(), std::move(m));
  frame.set(op.getNewV(), std::move(v));
}

void attnres::interpreter::addOptimizerEvaluations(EvaluationTable &table) {
  table.add(evaluateSumSquares);
  table.add(evaluateClipScale);
  table.add(evaluateAdamW);
}
