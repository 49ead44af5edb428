//===- OptimizerEval.cpp - the optimizer step -----------------------------===//
#include "dialect/interpreter/MatrixEval.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

/// sum of x^2, or of each of P ranges of elements.
static void evaluateSumSquares(SumSquaresOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  Tensor result = op.getPartials()
                      ? Tensor::ofReals({int64_t(*op.getPartials())})
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
    double update =
        m.reals[i] / correction1 / (std::sqrt(v.reals[i] / correction2) + eps);
    param.reals[i] -= lr * (update + decay * param.reals[i]);
  }
  frame.set(op.getNewParam(), std::move(param));
  frame.set(op.getNewM(), std::move(m));
  frame.set(op.getNewV(), std::move(v));
}

static void evaluateLion(LionOp op, Frame &frame) {
  double beta1 = op.getBeta1().convertToDouble();
  double beta2 = op.getBeta2().convertToDouble();
  double decay = op.getWeightDecay().convertToDouble();
  double lr = frame.tensor(op.getLr()).reals.front();
  double gradScale = frame.tensor(op.getGradScale()).reals.front();
  const Tensor &grad = frame.tensor(op.getGrad());
  Tensor param = frame.tensor(op.getParam()), m = frame.tensor(op.getM());
  for (int64_t i = 0; i < param.size(); ++i) {
    double g = gradScale * grad.reals[i];
    double direction = beta1 * m.reals[i] + (1 - beta1) * g;
    double sign =
        std::isnan(direction) ? direction : (direction > 0) - (direction < 0);
    param.reals[i] -= lr * (sign + decay * param.reals[i]);
    m.reals[i] = beta2 * m.reals[i] + (1 - beta2) * g;
  }
  frame.set(op.getNewParam(), std::move(param));
  frame.set(op.getNewM(), std::move(m));
}

/// With g = grad_scale grad: m' = beta m + g, and the direction m' or, of
/// Nesterov, g + beta m'.
static void evaluateMomentum(MomentumOp op, Frame &frame) {
  double beta = op.getBeta().convertToDouble();
  double gradScale = frame.tensor(op.getGradScale()).reals.front();
  Tensor direction = frame.tensor(op.getGrad()), m = frame.tensor(op.getM());
  for (int64_t i = 0; i < m.size(); ++i) {
    double g = gradScale * direction.reals[i];
    m.reals[i] = beta * m.reals[i] + g;
    direction.reals[i] = op.getNesterov() ? g + beta * m.reals[i] : m.reals[i];
  }
  frame.set(op.getDirection(), std::move(direction));
  frame.set(op.getNewM(), std::move(m));
}

/// X <- 3.4445 X + (-4.7750 A + 2.0315 A^2) X with A = X X^T, from M / |M|.
static void evaluateOrthogonalize(OrthogonalizeOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getX());
  int64_t matrices = op.getMatrices(), columns = result.width();
  int64_t rows = result.rows() / matrices;
  for (int64_t p = 0; p < matrices; ++p) {
    auto begin = result.reals.begin() + p * rows * columns;
    Tensor x = Tensor::ofReals({rows, columns});
    std::copy(begin, begin + x.size(), x.reals.begin());
    double norm = std::sqrt(dot(x.reals.data(), x.reals.data(), x.size()));
    for (double &element : x.reals)
      element /= norm + 1e-7;
    for (uint64_t step = 0; step < op.getSteps(); ++step) {
      Tensor a = product(MatrixView(x), MatrixView(x, /*transposed=*/true));
      Tensor b = product(MatrixView(a), MatrixView(a));
      for (int64_t i = 0; i < b.size(); ++i)
        b.reals[i] = 2.0315 * b.reals[i] - 4.7750 * a.reals[i];
      Tensor change = product(MatrixView(b), MatrixView(x));
      for (int64_t i = 0; i < x.size(); ++i)
        x.reals[i] = 3.4445 * x.reals[i] + change.reals[i];
    }
    std::copy(x.reals.begin(), x.reals.end(), begin);
  }
  frame.set(op.getResult(), std::move(result));
}

/// param' = param - lr (factor direction + weight_decay param).
static void evaluateDescend(DescendOp op, Frame &frame) {
  double factor = op.getFactor().convertToDouble();
  double decay = op.getWeightDecay().convertToDouble();
  double lr = frame.tensor(op.getLr()).reals.front();
  const Tensor &direction = frame.tensor(op.getDirection());
  Tensor param = frame.tensor(op.getParam());
  for (int64_t i = 0; i < param.size(); ++i)
    param.reals[i] -=
        lr * (factor * direction.reals[i] + decay * param.reals[i]);
  frame.set(op.getNewParam(), std::move(param));
}

void attnres::interpreter::addOptimizerEvaluations(EvaluationTable &table) {
  table.add(evaluateSumSquares);
  table.add(evaluateClipScale);
  table.add(evaluateAdamW);
  table.add(evaluateLion);
  table.add(evaluateMomentum);
  table.add(evaluateOrthogonalize);
  table.add(evaluateDescend);
}
