//===- ExpertEval.cpp - mixture of experts --------------------------------===//
#include "dialect/interpreter/Evaluation.h"

#include <numeric>

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

//===----------------------------------------------------------------------===//
// Routing
//===----------------------------------------------------------------------===//

/// Positions of the `count` largest values in descending order, the lower
/// position first among equals.
static std::vector<int64_t> largest(ArrayRef<double> values, int64_t count) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return values[a] > values[b]; });
  order.resize(count);
  return order;
}

/// sigmoid(logits) + bias of a row.
static std::vector<double> biasedScores(const Tensor &logits,
                                        const Tensor &bias, int64_t row) {
  std::vector<double> scores(logits.width());
  for (int64_t e = 0; e < logits.width(); ++e)
    scores[e] = sigmoid(logits.reals[row * logits.width() + e]) + bias.reals[e];
  return scores;
}

/// ln sigmoid(x).
static double logSigmoid(double x) {
  return std::fmin(x, 0) - std::log1p(std::exp(-std::fabs(x)));
}

/// s_j / sum of s over the chosen, s = sigmoid(logits of the row).
static std::vector<double> shares(const Tensor &logits, int64_t row,
                                  ArrayRef<int64_t> chosen) {
  std::vector<double> logs;
  for (int64_t e : chosen)
    logs.push_back(logSigmoid(logits.reals[row * logits.width() + e]));
  double total = logSumExp(logs);
  for (double &share : logs)
    share = softmaxWeight(share, total);
  return logs;
}

static void evaluateRouter(RouterOp op, Frame &frame) {
  const Tensor &logits = frame.tensor(op.getLogits());
  const Tensor &bias = frame.tensor(op.getBias());
  ArrayRef<int64_t> shape = tensorOf(op.getExperts().getType()).getShape();
  int64_t count = op.getTopK();
  Tensor experts = Tensor::ofIntegers(shape), weights = Tensor::ofReals(shape);
  for (int64_t row = 0; row < logits.rows(); ++row) {
    auto chosen = largest(biasedScores(logits, bias, row), count);
    llvm::copy(chosen, experts.integers.begin() + row * count);
    llvm::copy(shares(logits, row, chosen),
               weights.reals.begin() + row * count);
  }
  frame.set(op.getExperts(), std::move(experts));
  frame.set(op.getWeights(), std::move(weights));
}

/// Error unless every choice is one of `count`.
static LogicalResult expectChoices(Operation *op, const Tensor &choices,
                                   int64_t count) {
  for (auto [position, choice] : llvm::enumerate(choices.integers))
    if (choice < 0 || choice >= count)
      return op->emitOpError("expected experts in [0, ")
             << count << "), got " << choice << " at position " << position;
  return success();
}

/// w_j (g_j - sum_i w_i g_i) (1 - s_j) at the chosen experts.
static LogicalResult evaluateRouterBackward(RouterBackwardOp op, Frame &frame) {
  const Tensor &logits = frame.tensor(op.getLogits());
  const Tensor &experts = frame.tensor(op.getExperts());
  const Tensor &grad = frame.tensor(op.getWeightsGrad());
  int64_t count = experts.width(), width = logits.width();
  if (failed(expectChoices(op, experts, width)))
    return failure();
  Tensor result = Tensor::ofReals(logits.shape);
  for (int64_t row = 0; row < logits.rows(); ++row) {
    ArrayRef<int64_t> chosen(&experts.integers[row * count], count);
    std::vector<double> weights = shares(logits, row, chosen);
    const double *g = &grad.reals[row * count];
    double mean = dot(weights.data(), g, count);
    for (int64_t j = 0; j < count; ++j) {
      int64_t place = row * width + chosen[j];
      result.reals[place] +=
          weights[j] * (g[j] - mean) * sigmoid(-logits.reals[place]);
    }
  }
  frame.set(op.getLogitsGrad(), std::move(result));
  return success();
}

/// b_j = -(the (q + 1)-th largest of s_ij - c_i), less the mean.
static void evaluateBalanceBias(BalanceBiasOp op, Frame &frame) {
  const Tensor &logits = frame.tensor(op.getLogits());
  const Tensor &bias = frame.tensor(op.getBias());
  int64_t rows = logits.rows(), width = logits.width(), count = op.getTopK();
  if (rows == 0)
    return frame.set(op.getResult(), bias);
  std::vector<double> cutoffs;
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<double> scores = biasedScores(logits, bias, row);
    cutoffs.push_back(scores[largest(scores, count + 1).back()]);
  }
  Tensor result = Tensor::ofReals({width});
  int64_t share = rows * count / width;
  double sum = 0;
  for (int64_t e = 0; e < width; ++e) {
    std::vector<double> margins;
    for (int64_t row = 0; row < rows; ++row)
      margins.push_back(sigmoid(logits.reals[row * width + e]) - cutoffs[row]);
    result.reals[e] = -margins[largest(margins, share + 1).back()];
    sum += result.reals[e];
  }
  for (double &value : result.reals)
    value -= sum / width;
  frame.set(op.getResult(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The row of [..., J, D] or [..., D] that choice `i` of [..., J] reads.
static const double *rowOf(const Tensor &tensor, const Tensor &choices,
                           int64_t i) {
  bool isShared = tensor.shape.size() == choices.shape.size();
  int64_t row = isShared ? i / choices.width() : i;
  return tensor.reals.data() + row * tensor.width();
}

/// W[e] x or W[e]^T x for each choice.
static LogicalResult evaluateGroupedLinear(GroupedLinearOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weight = frame.tensor(op.getWeight());
  const Tensor &experts = frame.tensor(op.getExperts());
  if (failed(expectChoices(op, experts, weight.shape[0])))
    return failure();
  Tensor result =
      Tensor::ofReals(tensorOf(op.getResult().getType()).getShape());
  int64_t rows = weight.shape[1], columns = weight.shape[2];
  for (auto [i, expert] : llvm::enumerate(experts.integers)) {
    const double *in = rowOf(x, experts, i);
    double *out = result.reals.data() + i * result.width();
    const double *matrix = weight.reals.data() + expert * rows * columns;
    for (int64_t n = 0; n < rows; ++n)
      for (int64_t k = 0; k < columns; ++k) {
        double element = matrix[n * columns + k];
        if (op.getTranspose())
          out[k] += element * in[n];
        else
          out[n] += element * in[k];
      }
  }
  frame.set(op.getResult(), std::move(result));
  return success();
}

/// result[e] = sum of lhs rhs^T over the rows that chose e.
static LogicalResult evaluateGroupedWeightGrad(GroupedWeightGradOp op,
                                               Frame &frame) {
  const Tensor &lhs = frame.tensor(op.getLhs());
  const Tensor &rhs = frame.tensor(op.getRhs());
  const Tensor &experts = frame.tensor(op.getExperts());
  int64_t matrices = op.getMatrices(), rows = lhs.width(),
          columns = rhs.width();
  if (failed(expectChoices(op, experts, matrices)))
    return failure();
  Tensor result = Tensor::ofReals({matrices, rows, columns});
  for (auto [i, expert] : llvm::enumerate(experts.integers)) {
    const double *left = rowOf(lhs, experts, i),
                 *right = rowOf(rhs, experts, i);
    for (int64_t n = 0; n < rows; ++n)
      for (int64_t k = 0; k < columns; ++k)
        result.reals[(expert * rows + n) * columns + k] += left[n] * right[k];
  }
  frame.set(op.getResult(), std::move(result));
  return success();
}

/// sum_j weights_j x[..., j, :].
static void evaluateCombineExperts(CombineExpertsOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor *weights = frame.optional(op.getWeights());
  int64_t choices = x.shape[x.shape.size() - 2], width = x.width();
  Tensor result =
      Tensor::ofReals(tensorOf(op.getResult().getType()).getShape());
  for (int64_t i = 0; i < x.rows(); ++i)
    for (int64_t d = 0; d < width; ++d)
      result.reals[i / choices * width + d] +=
          (weights ? weights->reals[i] : 1) * x.reals[i * width + d];
  frame.set(op.getResult(), std::move(result));
}

/// weights_j g and x_j . g.
static void evaluateCombineExpertsBackward(CombineExpertsBackwardOp op,
                                           Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weights = frame.tensor(op.getWeights());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  int64_t choices = x.shape[x.shape.size() - 2], width = x.width();
  Tensor xGrad = Tensor::ofReals(x.shape),
         weightsGrad = Tensor::ofReals(weights.shape);
  for (int64_t i = 0; i < x.rows(); ++i) {
    const double *g = grad.reals.data() + i / choices * width;
    weightsGrad.reals[i] = dot(x.reals.data() + i * width, g, width);
    for (int64_t d = 0; d < width; ++d)
      xGrad.reals[i * width + d] = weights.reals[i] * g[d];
  }
  frame.set(op.getXGrad(), std::move(xGrad));
  frame.set(op.getWeightsGrad(), std::move(weightsGrad));
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

/// a tanh(gate / a) sigmoid(gate) b tanh(up / b).
static void evaluateSituGlu(SituGluOp op, Frame &frame) {
  double a = op.getGateBound().convertToDouble(),
         b = op.getUpBound().convertToDouble();
  Tensor result = frame.tensor(op.getGate());
  const Tensor &up = frame.tensor(op.getUp());
  for (auto [gate, u] : llvm::zip_equal(result.reals, up.reals))
    gate = a * std::tanh(gate / a) * sigmoid(gate) * b * std::tanh(u / b);
  frame.set(op.getResult(), std::move(result));
}

/// g b w s ((1 - t^2) + a t (1 - s)) and g a t s (1 - w^2).
static void evaluateSituGluBackward(SituGluBackwardOp op, Frame &frame) {
  double a = op.getGateBound().convertToDouble(),
         b = op.getUpBound().convertToDouble();
  const Tensor &gate = frame.tensor(op.getGate());
  const Tensor &up = frame.tensor(op.getUp());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  Tensor gateGrad = Tensor::ofReals(gate.shape), upGrad = gateGrad;
  for (int64_t i = 0; i < gate.size(); ++i) {
    double t = std::tanh(gate.reals[i] / a), s = sigmoid(gate.reals[i]),
           w = std::tanh(up.reals[i] / b), g = grad.reals[i];
    gateGrad.reals[i] = g * b * w * s * ((1 - t * t) + a * t * (1 - s));
    upGrad.reals[i] = g * a * t * s * (1 - w * w);
  }
  frame.set(op.getGateGrad(), std::move(gateGrad));
  frame.set(op.getUpGrad(), std::move(upGrad));
}

void attnres::interpreter::addExpertEvaluations(EvaluationTable &table) {
  table.add(evaluateRouter);
  table.add(evaluateRouterBackward);
  table.add(evaluateBalanceBias);
  table.add(evaluateGroupedLinear);
  table.add(evaluateGroupedWeightGrad);
  table.add(evaluateCombineExperts);
  table.add(evaluateCombineExpertsBackward);
  table.add(evaluateSituGlu);
  table.add(evaluateSituGluBackward);
}
