//===- RecurrentEval.cpp - Kimi delta attention, token by token -----------===//
#include "dialect/interpreter/Evaluation.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

/// Tokens of each text, `tokens` for all without `length`; an error outside
/// [0, tokens].
static FailureOr<std::vector<int64_t>> textLengths(Operation *op,
                                                   const Tensor *length,
                                                   int64_t batch,
                                                   int64_t tokens) {
  if (!length)
    return std::vector<int64_t>(batch, tokens);
  for (auto [row, count] : llvm::enumerate(length->integers))
    if (count < 0 || count > tokens)
      return op->emitOpError("expected lengths in [0, ")
             << tokens << "], got " << count << " for text " << row;
  return length->integers;
}

//===----------------------------------------------------------------------===//
// Short convolution
//===----------------------------------------------------------------------===//

namespace {

/// x [B, T, C] behind the tokens of `tail` [B, W - 1, C] or zeros.
struct Convolution {
  Convolution(const Tensor &x, const Tensor &weight, const Tensor *tail)
      : x(x), weight(weight), tail(tail), batch(x.shape[0]), tokens(x.shape[1]),
        channels(x.shape[2]), window(weight.shape[1]) {}

  int64_t place(int64_t b, int64_t t, int64_t c) const {
    return (b * tokens + t) * channels + c;
  }
  int64_t tailPlace(int64_t b, int64_t t, int64_t c) const {
    return (b * (window - 1) + t) * channels + c;
  }
  /// Token `t` of text `b`, which may lie up to W - 1 before the first.
  double input(int64_t b, int64_t t, int64_t c) const {
    if (t >= 0)
      return x.reals[place(b, t, c)];
    return tail ? tail->reals[tailPlace(b, t + window - 1, c)] : 0;
  }
  /// sum_j weight[c,j] x[b, t - (W - 1) + j, c].
  double sum(int64_t b, int64_t t, int64_t c) const {
    double sum = 0;
    for (int64_t j = 0; j < window; ++j)
      sum += weight.reals[c * window + j] * input(b, t - (window - 1) + j, c);
    return sum;
  }
  /// Calls `body` for every element of x.
  void forEach(function_ref<void(int64_t, int64_t, int64_t)> body) const {
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t t = 0; t < tokens; ++t)
        for (int64_t c = 0; c < channels; ++c)
          body(b, t, c);
  }

  const Tensor &x, &weight;
  const Tensor *tail;
  int64_t batch, tokens, channels, window;
};

} // namespace

/// y sigmoid(y) of the sum y.
static void evaluateShortConvolution(ShortConvolutionOp op, Frame &frame) {
  Convolution convolution(frame.tensor(op.getX()), frame.tensor(op.getWeight()),
                          frame.optional(op.getTail()));
  Tensor result = Tensor::ofReals(convolution.x.shape);
  convolution.forEach([&](int64_t b, int64_t t, int64_t c) {
    double y = convolution.sum(b, t, c);
    result.reals[convolution.place(b, t, c)] = y * sigmoid(y);
  });
  frame.set(op.getResult(), std::move(result));
}

/// dy = g s (1 + y (1 - s)) goes to every input and weight of the sum y.
static void evaluateShortConvolutionBackward(ShortConvolutionBackwardOp op,
                                             Frame &frame) {
  Convolution convolution(frame.tensor(op.getX()), frame.tensor(op.getWeight()),
                          frame.optional(op.getTail()));
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  int64_t window = convolution.window;
  Tensor xGrad = Tensor::ofReals(convolution.x.shape),
         weightGrad = Tensor::ofReals(convolution.weight.shape), tailGrad;
  if (convolution.tail)
    tailGrad = Tensor::ofReals(convolution.tail->shape);
  convolution.forEach([&](int64_t b, int64_t t, int64_t c) {
    double y = convolution.sum(b, t, c), s = sigmoid(y);
    double dy = grad.reals[convolution.place(b, t, c)] * s * (1 + y * (1 - s));
    for (int64_t j = 0; j < window; ++j) {
      int64_t from = t - (window - 1) + j;
      double weight = convolution.weight.reals[c * window + j];
      weightGrad.reals[c * window + j] += dy * convolution.input(b, from, c);
      if (from >= 0)
        xGrad.reals[convolution.place(b, from, c)] += dy * weight;
      else if (convolution.tail)
        tailGrad.reals[convolution.tailPlace(b, from + window - 1, c)] +=
            dy * weight;
    }
  });
  frame.set(op.getXGrad(), std::move(xGrad));
  frame.set(op.getWeightGrad(), std::move(weightGrad));
  if (op.getTailGrad())
    frame.set(op.getTailGrad(), std::move(tailGrad));
}

/// The last tokens of the tail and the first length[b] of x.
static LogicalResult evaluateConvolutionTail(ConvolutionTailOp op,
                                             Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor *tail = frame.optional(op.getTail());
  int64_t tokens = x.shape[1], channels = x.shape[2], width = op.getWidth();
  auto lengths =
      textLengths(op, frame.optional(op.getLength()), x.shape[0], tokens);
  if (failed(lengths))
    return failure();
  Tensor result =
      Tensor::ofReals(tensorOf(op.getResult().getType()).getShape());
  for (int64_t b = 0; b < x.shape[0]; ++b)
    for (int64_t j = 0; j < width; ++j)
      for (int64_t c = 0; c < channels; ++c) {
        int64_t from = (*lengths)[b] - width + j;
        double &value = result.reals[(b * width + j) * channels + c];
        if (from >= 0)
          value = x.reals[(b * tokens + from) * channels + c];
        else if (tail)
          value = tail->reals[(b * width + from + width) * channels + c];
      }
  frame.set(op.getResult(), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Norm and gates
//===----------------------------------------------------------------------===//

static double inverseLength(const double *x, int64_t width, double eps) {
  return 1 / std::sqrt(dot(x, x, width) + eps);
}

/// y = x rsqrt(sum(x^2) + eps).
static void evaluateL2Norm(L2NormOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getX());
  int64_t width = result.width();
  double eps = op.getEps().convertToDouble();
  for (int64_t row = 0; row < result.rows(); ++row) {
    double *x = result.reals.data() + row * width;
    double r = inverseLength(x, width, eps);
    for (int64_t d = 0; d < width; ++d)
      x[d] *= r;
  }
  frame.set(op.getResult(), std::move(result));
}

/// With r = rsqrt(sum(x^2) + eps): r g - x r^3 sum(x g).
static void evaluateL2NormBackward(L2NormBackwardOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  Tensor result = frame.tensor(op.getOutputGrad());
  int64_t width = x.width();
  double eps = op.getEps().convertToDouble();
  for (int64_t row = 0; row < x.rows(); ++row) {
    const double *xRow = x.reals.data() + row * width;
    double *g = result.reals.data() + row * width;
    double r = inverseLength(xRow, width, eps), along = dot(xRow, g, width);
    for (int64_t d = 0; d < width; ++d)
      g[d] = r * g[d] - xRow[d] * r * r * r * along;
  }
  frame.set(op.getXGrad(), std::move(result));
}

static void evaluateSigmoid(SigmoidOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getX());
  for (double &x : result.reals)
    x = sigmoid(x);
  frame.set(op.getResult(), std::move(result));
}

/// g s (1 - s).
static void evaluateSigmoidBackward(SigmoidBackwardOp op, Frame &frame) {
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  Tensor result = frame.tensor(op.getX());
  for (auto [x, g] : llvm::zip_equal(result.reals, grad.reals))
    x = g * sigmoid(x) * sigmoid(-x);
  frame.set(op.getXGrad(), std::move(result));
}

/// ln(1 + exp(x)).
static double softplus(double x) {
  return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)));
}

/// -a softplus(z), or bound sigmoid(a z).
static void evaluateKdaGate(KdaGateOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getX());
  const Tensor &rates = frame.tensor(op.getALog());
  const Tensor &bias = frame.tensor(op.getBias());
  int64_t channels = result.width(), perHead = channels / rates.size();
  std::optional<APFloat> bound = op.getLowerBound();
  for (int64_t i = 0; i < result.size(); ++i) {
    double z = result.reals[i] + bias.reals[i % channels];
    double a = std::exp(rates.reals[i % channels / perHead]);
    result.reals[i] =
        bound ? bound->convertToDouble() * sigmoid(a * z) : -a * softplus(z);
  }
  frame.set(op.getResult(), std::move(result));
}

/// dz = -a sigmoid(z) g, or bound a s (1 - s) g with s = sigmoid(a z).
static void evaluateKdaGateBackward(KdaGateBackwardOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &rates = frame.tensor(op.getALog());
  const Tensor &bias = frame.tensor(op.getBias());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  int64_t channels = x.width(), rows = x.rows(),
          perHead = channels / rates.size();
  std::optional<uint64_t> partials = op.getPartials();
  std::optional<APFloat> bound = op.getLowerBound();
  Tensor xGrad = Tensor::ofReals(x.shape),
         rateGrad = parameterGrad(rates.size(), partials),
         biasGrad = parameterGrad(channels, partials);
  for (int64_t i = 0; i < x.size(); ++i) {
    int64_t channel = i % channels, head = channel / perHead;
    int64_t partial = partials ? partialOf(i / channels, rows, *partials) : 0;
    double z = x.reals[i] + bias.reals[channel], g = grad.reals[i];
    double a = std::exp(rates.reals[head]);
    double dz = -a * sigmoid(z) * g, dRate = -a * softplus(z) * g;
    if (bound) {
      dz = bound->convertToDouble() * a * sigmoid(a * z) * sigmoid(-a * z) * g;
      dRate = dz * z;
    }
    xGrad.reals[i] = dz;
    biasGrad.reals[partial * channels + channel] += dz;
    rateGrad.reals[partial * rates.size() + head] += dRate;
  }
  frame.set(op.getXGrad(), std::move(xGrad));
  frame.set(op.getALogGrad(), std::move(rateGrad));
  frame.set(op.getBiasGrad(), std::move(biasGrad));
}

//===----------------------------------------------------------------------===//
// Gated delta rule
//===----------------------------------------------------------------------===//

namespace {

/// The operands of one value head of one text, and its recurrence.
struct Head {
  template <typename Kda>
  Head(Kda op, Frame &frame)
      : q(frame.tensor(op.getQ())), k(frame.tensor(op.getK())),
        v(frame.tensor(op.getV())), decay(frame.tensor(op.getDecay())),
        beta(frame.tensor(op.getBeta())), scale(op.getScaleValue()),
        batch(q.shape[0]), tokens(q.shape[1]), heads(q.shape[2]),
        valueHeads(v.shape[2]), width(q.shape[3]), valueWidth(v.shape[3]) {}

  /// Where the row of token `t` begins in tensors of queries, values and
  /// decays, and where its step size is.
  int64_t qRow(int64_t t) const {
    int64_t head = valueHead / (valueHeads / heads);
    return ((text * tokens + t) * heads + head) * width;
  }
  int64_t row(int64_t t) const {
    return (text * tokens + t) * valueHeads + valueHead;
  }
  int64_t vRow(int64_t t) const { return row(t) * valueWidth; }
  int64_t decayRow(int64_t t) const { return row(t) * width; }
  /// Where this head's state begins.
  int64_t stateRow() const {
    return (text * valueHeads + valueHead) * width * valueWidth;
  }

  /// diag(exp(decay_t)) S.
  void decayState(int64_t t, std::vector<double> &state) const {
    for (int64_t i = 0; i < width; ++i) {
      double factor = std::exp(decay.reals[decayRow(t) + i]);
      for (int64_t j = 0; j < valueWidth; ++j)
        state[i * valueWidth + j] *= factor;
    }
  }
  /// v_t - S^T k_t.
  std::vector<double> error(int64_t t, const std::vector<double> &state) const {
    std::vector<double> error(valueWidth);
    for (int64_t j = 0; j < valueWidth; ++j) {
      error[j] = v.reals[vRow(t) + j];
      for (int64_t i = 0; i < width; ++i)
        error[j] -= state[i * valueWidth + j] * k.reals[qRow(t) + i];
    }
    return error;
  }
  /// S + beta_t k_t error^T.
  void write(int64_t t, ArrayRef<double> error,
             std::vector<double> &state) const {
    for (int64_t i = 0; i < width; ++i)
      for (int64_t j = 0; j < valueWidth; ++j)
        state[i * valueWidth + j] +=
            beta.reals[row(t)] * k.reals[qRow(t) + i] * error[j];
  }
  /// The state before the first token.
  std::vector<double> initialState(const Tensor *state) const {
    int64_t size = width * valueWidth;
    if (!state)
      return std::vector<double>(size, 0.0);
    auto begin = state->reals.begin() + stateRow();
    return std::vector<double>(begin, begin + size);
  }

  /// Calls `body` for every value head of every text.
  void forEach(function_ref<void()> body) {
    for (text = 0; text < batch; ++text)
      for (valueHead = 0; valueHead < valueHeads; ++valueHead)
        body();
  }

  const Tensor &q, &k, &v, &decay, &beta;
  double scale;
  int64_t batch, tokens, heads, valueHeads, width, valueWidth;
  int64_t text = 0, valueHead = 0;
};

} // namespace

static LogicalResult evaluateKda(KdaOp op, Frame &frame) {
  Head head(op, frame);
  auto lengths =
      textLengths(op, frame.optional(op.getLength()), head.batch, head.tokens);
  if (failed(lengths))
    return failure();
  const Tensor *initial = frame.optional(op.getState());
  Tensor output = Tensor::ofReals(head.v.shape);
  Tensor newState =
      Tensor::ofReals(tensorOf(op.getNewState().getType()).getShape());
  head.forEach([&] {
    std::vector<double> state = head.initialState(initial);
    for (int64_t t = 0; t < (*lengths)[head.text]; ++t) {
      head.decayState(t, state);
      head.write(t, head.error(t, state), state);
      for (int64_t i = 0; i < head.width; ++i)
        for (int64_t j = 0; j < head.valueWidth; ++j)
          output.reals[head.vRow(t) + j] += head.scale *
                                            state[i * head.valueWidth + j] *
                                            head.q.reals[head.qRow(t) + i];
    }
    llvm::copy(state, newState.reals.begin() + head.stateRow());
  });
  frame.set(op.getOutput(), std::move(output));
  frame.set(op.getNewState(), std::move(newState));
  return success();
}

namespace {

/// The gradients of one value head, from the last token to the first.
struct HeadGradients {
  HeadGradients(const Head &head)
      : head(head), q(Tensor::ofReals(head.q.shape)),
        k(Tensor::ofReals(head.k.shape)), v(Tensor::ofReals(head.v.shape)),
        decay(Tensor::ofReals(head.decay.shape)),
        beta(Tensor::ofReals(head.beta.shape)) {}

  /// Token `t`: `decayed` is the state that it reads, `state` the one that it
  /// leaves, whose gradient `d` becomes that of the state before.
  void step(int64_t t, const std::vector<double> &decayed,
            const std::vector<double> &state, const Tensor &outputGrad,
            std::vector<double> &d) {
    int64_t width = head.width, valueWidth = head.valueWidth;
    const double *outGrad = outputGrad.reals.data() + head.vRow(t);
    const double *qt = head.q.reals.data() + head.qRow(t);
    const double *kt = head.k.reals.data() + head.qRow(t);
    double stepSize = head.beta.reals[head.row(t)];
    std::vector<double> error = head.error(t, decayed);
    for (int64_t i = 0; i < width; ++i) {
      q.reals[head.qRow(t) + i] +=
          head.scale * dot(&state[i * valueWidth], outGrad, valueWidth);
      for (int64_t j = 0; j < valueWidth; ++j)
        d[i * valueWidth + j] += head.scale * qt[i] * outGrad[j];
    }
    std::vector<double> errorGrad(valueWidth);
    for (int64_t j = 0; j < valueWidth; ++j) {
      double du = 0;
      for (int64_t i = 0; i < width; ++i)
        du += d[i * valueWidth + j] * kt[i];
      beta.reals[head.row(t)] += du * error[j];
      errorGrad[j] = stepSize * du;
      v.reals[head.vRow(t) + j] = errorGrad[j];
    }
    for (int64_t i = 0; i < width; ++i) {
      double *dRow = &d[i * valueWidth];
      const double *decayedRow = &decayed[i * valueWidth];
      k.reals[head.qRow(t) + i] +=
          stepSize * dot(dRow, error.data(), valueWidth) -
          dot(decayedRow, errorGrad.data(), valueWidth);
      for (int64_t j = 0; j < valueWidth; ++j)
        dRow[j] -= kt[i] * errorGrad[j];
      decay.reals[head.decayRow(t) + i] = dot(dRow, decayedRow, valueWidth);
    }
    head.decayState(t, d);
  }

  const Head &head;
  Tensor q, k, v, decay, beta;
};

} // namespace

static LogicalResult evaluateKdaBackward(KdaBackwardOp op, Frame &frame) {
  Head head(op, frame);
  auto lengths =
      textLengths(op, frame.optional(op.getLength()), head.batch, head.tokens);
  if (failed(lengths))
    return failure();
  const Tensor *initial = frame.optional(op.getState());
  const Tensor *stateGrad = frame.optional(op.getStateGrad());
  const Tensor &outputGrad = frame.tensor(op.getOutputGrad());
  HeadGradients grads(head);
  Tensor initialGrad = initial ? Tensor::ofReals(initial->shape) : Tensor();
  head.forEach([&] {
    std::vector<double> state = head.initialState(initial);
    std::vector<std::vector<double>> decayed, after;
    for (int64_t t = 0; t < (*lengths)[head.text]; ++t) {
      head.decayState(t, state);
      decayed.push_back(state);
      head.write(t, head.error(t, state), state);
      after.push_back(state);
    }
    std::vector<double> d = head.initialState(stateGrad);
    for (int64_t t = (*lengths)[head.text] - 1; t >= 0; --t)
      grads.step(t, decayed[t], after[t], outputGrad, d);
    if (initial)
      llvm::copy(d, initialGrad.reals.begin() + head.stateRow());
  });
  frame.set(op.getQGrad(), std::move(grads.q));
  frame.set(op.getKGrad(), std::move(grads.k));
  frame.set(op.getVGrad(), std::move(grads.v));
  frame.set(op.getDecayGrad(), std::move(grads.decay));
  frame.set(op.getBetaGrad(), std::move(grads.beta));
  if (initial)
    frame.set(op.getInitialStateGrad(), std::move(initialGrad));
  return success();
}

void attnres::interpreter::addRecurrentEvaluations(EvaluationTable &table) {
  table.add(evaluateShortConvolution);
  table.add(evaluateShortConvolutionBackward);
  table.add(evaluateConvolutionTail);
  table.add(evaluateL2Norm);
  table.add(evaluateL2NormBackward);
  table.add(evaluateSigmoid);
  table.add(evaluateSigmoidBackward);
  table.add(evaluateKdaGate);
  table.add(evaluateKdaGateBackward);
  table.add(evaluateKda);
  table.add(evaluateKdaBackward);
}
