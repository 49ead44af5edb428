//===- LayerEval.cpp - norms, projections, feed-forward, embedding --------===//
#include "dialect/interpreter/MatrixEval.h"
#include "support/Philox.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// y = x rsqrt(mean(x^2) + eps) weight.
static void evaluateRMSNorm(RMSNormOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weight = frame.tensor(op.getWeight());
  int64_t width = x.width();
  Tensor result = x;
  for (int64_t row = 0; row < x.rows(); ++row) {
    double r = inverseRms(x.reals.data() + row * width, width,
                          op.getEps().convertToDouble());
    for (int64_t d = 0; d < width; ++d)
      result.reals[row * width + d] *= r * weight.reals[d];
  }
  frame.set(op.getResult(), std::move(result));
}

/// With r = rsqrt(mean(x^2) + eps), a = weight g: x_grad = r a - x r^3 mean(a x),
/// weight_grad = sum_rows r x g.
static void evaluateRMSNormBackward(RMSNormBackwardOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weight = frame.tensor(op.getWeight());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  int64_t width = x.width(), rows = x.rows();
  Tensor xGrad = Tensor::ofReals(x.shape);
  Tensor weightGrad = parameterGrad(width, op.getPartials());
  for (int64_t row = 0; row < rows; ++row) {
    const double *v = x.reals.data() + row * width;
    const double *g = grad.reals.data() + row * width;
    double r = inverseRms(v, width, op.getEps().convertToDouble());
    double mean = 0; // of a x
    for (int64_t d = 0; d < width; ++d)
      mean += weight.reals[d] * g[d] * v[d] / width;
    int64_t partial =
        op.getPartials() ? partialOf(row, rows, *op.getPartials()) : 0;
    for (int64_t d = 0; d < width; ++d) {
      xGrad.reals[row * width + d] =
          r * weight.reals[d] * g[d] - v[d] * r * r * r * mean;
      weightGrad.reals[partial * width + d] += r * v[d] * g[d];
    }
  }
  frame.set(op.getXGrad(), std::move(xGrad));
  frame.set(op.getWeightGrad(), std::move(weightGrad));
}

/// n = (x - mean(x)) rsqrt(var(x) + eps) of one row, and the rsqrt.
static std::pair<std::vector<double>, double>
normalized(const double *x, int64_t width, double eps) {
  std::vector<double> n(x, x + width);
  double mean = 0;
  for (double value : n)
    mean += value / width;
  for (double &value : n)
    value -= mean;
  double r = inverseRms(n.data(), width, eps);
  for (double &value : n)
    value *= r;
  return {std::move(n), r};
}

/// y = (x - mean(x)) rsqrt(var(x) + eps) weight + bias.
static void evaluateLayerNorm(LayerNormOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weight = frame.tensor(op.getWeight());
  const Tensor &bias = frame.tensor(op.getBias());
  int64_t width = x.width();
  Tensor result = Tensor::ofReals(x.shape);
  for (int64_t row = 0; row < x.rows(); ++row) {
    auto [n, r] = normalized(x.reals.data() + row * width, width,
                             op.getEps().convertToDouble());
    for (int64_t d = 0; d < width; ++d)
      result.reals[row * width + d] = n[d] * weight.reals[d] + bias.reals[d];
  }
  frame.set(op.getResult(), std::move(result));
}

/// With a = weight g: x_grad = r (a - mean(a) - n mean(a n)),
/// weight_grad = sum_rows n g, bias_grad = sum_rows g.
static void evaluateLayerNormBackward(LayerNormBackwardOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weight = frame.tensor(op.getWeight());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  int64_t width = x.width(), rows = x.rows();
  Tensor xGrad = Tensor::ofReals(x.shape);
  Tensor weightGrad = parameterGrad(width, op.getPartials());
  Tensor biasGrad = weightGrad;
  for (int64_t row = 0; row < rows; ++row) {
    const double *g = grad.reals.data() + row * width;
    auto [n, r] = normalized(x.reals.data() + row * width, width,
                             op.getEps().convertToDouble());
    double meanA = 0, meanAn = 0;
    for (int64_t d = 0; d < width; ++d) {
      meanA += weight.reals[d] * g[d] / width;
      meanAn += weight.reals[d] * g[d] * n[d] / width;
    }
    int64_t partial =
        op.getPartials() ? partialOf(row, rows, *op.getPartials()) : 0;
    for (int64_t d = 0; d < width; ++d) {
      xGrad.reals[row * width + d] =
          r * (weight.reals[d] * g[d] - meanA - n[d] * meanAn);
      weightGrad.reals[partial * width + d] += n[d] * g[d];
      biasGrad.reals[partial * width + d] += g[d];
    }
  }
  frame.set(op.getXGrad(), std::move(xGrad));
  frame.set(op.getWeightGrad(), std::move(weightGrad));
  frame.set(op.getBiasGrad(), std::move(biasGrad));
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

/// y = x W^T + bias.
static void evaluateLinear(LinearOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &weight = frame.tensor(op.getWeight());
  Tensor result = product(MatrixView(x), MatrixView(weight, true));
  addBias(result, frame.optional(op.getBias()));
  SmallVector<int64_t> shape(x.shape);
  shape.back() = weight.shape.front();
  frame.set(op.getResult(), result.reshaped(shape));
}

/// result = init + op(lhs) op(rhs).
static void evaluateMatmul(MatmulOp op, Frame &frame) {
  Tensor result = product(
      MatrixView(frame.tensor(op.getLhs()), op.getTransposeLhs()),
      MatrixView(frame.tensor(op.getRhs()), op.getTransposeRhs()));
  addInit(result, frame.optional(op.getInit()));
  frame.set(op.getResult(),
            result.reshaped(tensorOf(op.getType()).getShape()));
}

/// Column sums over all rows, or over each of P ranges of rows.
static void evaluateSumRows(SumRowsOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  int64_t width = x.width(), rows = x.rows();
  Tensor result = parameterGrad(width, op.getPartials());
  for (int64_t row = 0; row < rows; ++row) {
    int64_t partial =
        op.getPartials() ? partialOf(row, rows, *op.getPartials()) : 0;
    for (int64_t d = 0; d < width; ++d)
      result.reals[partial * width + d] += x.reals[row * width + d];
  }
  frame.set(op.getResult(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Feed-forward
//===----------------------------------------------------------------------===//

/// gate sigmoid(gate) up.
static void evaluateSwiglu(SwigluOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getGate());
  const Tensor &up = frame.tensor(op.getUp());
  for (int64_t i = 0; i < result.size(); ++i)
    result.reals[i] *= sigmoid(result.reals[i]) * up.reals[i];
  frame.set(op.getResult(), std::move(result));
}

/// With s = sigmoid(gate): gate_grad = g up s (1 + gate (1 - s)),
/// up_grad = g gate s.
static void evaluateSwigluBackward(SwigluBackwardOp op, Frame &frame) {
  const Tensor &gate = frame.tensor(op.getGate());
  const Tensor &up = frame.tensor(op.getUp());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  Tensor gateGrad = Tensor::ofReals(gate.shape), upGrad = gateGrad;
  for (int64_t i = 0; i < gate.size(); ++i) {
    double s = sigmoid(gate.reals[i]);
    gateGrad.reals[i] =
        grad.reals[i] * up.reals[i] * s * (1 + gate.reals[i] * (1 - s));
    upGrad.reals[i] = grad.reals[i] * gate.reals[i] * s;
  }
  frame.set(op.getGateGrad(), std::move(gateGrad));
  frame.set(op.getUpGrad(), std::move(upGrad));
}

/// Phi(x) = (1 + erf(x / sqrt(2))) / 2.
static double normalCdf(double x) { return (1 + std::erf(x / M_SQRT2)) / 2; }

/// x Phi(x).
static void evaluateGelu(GeluOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getX());
  for (double &x : result.reals)
    x *= normalCdf(x);
  frame.set(op.getResult(), std::move(result));
}

/// g (Phi(x) + x phi(x)), phi(x) = exp(-x^2 / 2) / sqrt(2 pi).
static void evaluateGeluBackward(GeluBackwardOp op, Frame &frame) {
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  Tensor result = frame.tensor(op.getX());
  for (auto [x, g] : llvm::zip_equal(result.reals, grad.reals))
    x = g * (normalCdf(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI));
  frame.set(op.getXGrad(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

/// Error unless every token is a row of a table of `count` rows.
static LogicalResult expectTokens(Operation *op, const Tensor &tokens,
                                  int64_t count) {
  for (auto [position, token] : llvm::enumerate(tokens.integers))
    if (token < 0 || token >= count)
      return op->emitOpError("expected tokens in [0, ")
             << count << "), got " << token << " at position " << position;
  return success();
}

/// result[..., :] = weight[tokens[...], :].
static LogicalResult evaluateEmbedding(EmbeddingOp op, Frame &frame) {
  const Tensor &tokens = frame.tensor(op.getTokens());
  const Tensor &weight = frame.tensor(op.getWeight());
  if (failed(expectTokens(op, tokens, weight.shape.front())))
    return failure();
  SmallVector<int64_t> shape(tokens.shape), indices;
  shape.push_back(weight.width());
  for (int64_t token : tokens.integers)
    for (int64_t d = 0; d < weight.width(); ++d)
      indices.push_back(token * weight.width() + d);
  frame.set(op.getResult(), weight.gather(shape, indices));
  return success();
}

/// weight_grad[v, :] = sum over rows with token v of output_grad.
static LogicalResult evaluateEmbeddingBackward(EmbeddingBackwardOp op,
                                               Frame &frame) {
  const Tensor &tokens = frame.tensor(op.getTokens());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  int64_t count = op.getVocabSize(), width = grad.width();
  if (failed(expectTokens(op, tokens, count)))
    return failure();
  Tensor result = Tensor::ofReals({count, width});
  for (auto [row, token] : llvm::enumerate(tokens.integers))
    for (int64_t d = 0; d < width; ++d)
      result.reals[token * width + d] += grad.reals[row * width + d];
  frame.set(op.getWeightGrad(), std::move(result));
  return success();
}

/// x / (1 - rate) where the element's word is at least rate 2^32, otherwise 0.
static void evaluateDropout(DropoutOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getX());
  ArrayRef<int64_t> random = frame.tensor(op.getRandom()).integers;
  double rate = op.getRate().convertToDouble();
  int64_t width = result.width(), quarter = width / 4;
  for (int64_t i = 0; i < result.size(); ++i) {
    int64_t column = i % width, counter = column - 3 * quarter, word = 0;
    if (column < 4 * quarter) {
      counter = column % quarter;
      word = column / quarter;
    }
    PhiloxBlock words = philox(
        {static_cast<uint32_t>(counter), static_cast<uint32_t>(i / width),
         static_cast<uint32_t>(random[1]), static_cast<uint32_t>(op.getSite())},
        static_cast<uint64_t>(random[0]));
    bool isKept = words[word] >= static_cast<uint32_t>(rate * 0x1p32);
    result.reals[i] = isKept ? result.reals[i] / (1 - rate) : 0;
  }
  frame.set(op.getResult(), std::move(result));
}

void attnres::interpreter::addLayerEvaluations(EvaluationTable &table) {
  table.add(evaluateRMSNorm);
  table.add(evaluateRMSNormBackward);
  table.add(evaluateLayerNorm);
  table.add(evaluateLayerNormBackward);
  table.add(evaluateLinear);
  table.add(evaluateMatmul);
  table.add(evaluateSumRows);
  table.add(evaluateSwiglu);
  table.add(evaluateSwigluBackward);
  table.add(evaluateGelu);
  table.add(evaluateGeluBackward);
  table.add(evaluateDropout);
  table.add(evaluateEmbedding);
  table.add(evaluateEmbeddingBackward);
}
