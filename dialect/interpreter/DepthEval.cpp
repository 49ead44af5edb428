//===- DepthEval.cpp - attention over depth and its gradients -------------===//
#include "dialect/interpreter/DepthEval.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

using Sources = ArrayRef<const Tensor *>;

/// w = query * gain.
static std::vector<double> weightVector(const Tensor &query,
                                        const Tensor &gain) {
  std::vector<double> w(query.reals);
  for (size_t d = 0; d < w.size(); ++d)
    w[d] *= gain.reals[d];
  return w;
}

/// The shape [...] of statistics of [..., D].
static SmallVector<int64_t> statShape(const Tensor &tensor) {
  return llvm::to_vector(ArrayRef(tensor.shape).drop_back());
}

/// s_i = w . v_i rsqrt(mean(v_i^2) + eps) of one row for all sources.
static SmallVector<double> rowScores(ArrayRef<double> w, Sources sources,
                                     int64_t row, double eps) {
  int64_t width = w.size();
  SmallVector<double> scores;
  for (const Tensor *source : sources) {
    const double *v = source->reals.data() + row * width;
    scores.push_back(dot(w.data(), v, width) * inverseRms(v, width, eps));
  }
  return scores;
}

SoftmaxState attnres::interpreter::depthMixture(const Tensor &query,
                                                const Tensor &gain,
                                                Sources sources, double eps,
                                                const Tensor *beforeOutput,
                                                const Tensor *beforeLse) {
  const Tensor &like = *sources.front();
  int64_t width = like.width(), rows = like.rows();
  std::vector<double> w = weightVector(query, gain);
  SoftmaxState state{Tensor::ofReals(like.shape),
                     Tensor::ofReals(statShape(like))};
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<double> scores = rowScores(w, sources, row, eps);
    SmallVector<const Tensor *> values(sources);
    if (beforeOutput) {
      scores.push_back(beforeLse->reals[row]);
      values.push_back(beforeOutput);
    }
    double lse = logSumExp(scores);
    state.lse.reals[row] = lse;
    for (auto [score, value] : llvm::zip_equal(scores, values)) {
      double alpha = softmaxWeight(score, lse);
      for (int64_t d = 0; d < width; ++d)
        state.output.reals[row * width + d] +=
            alpha * value->reals[row * width + d];
    }
  }
  return state;
}

/// Each output and lse is the mixture of one query.
static void evaluateDepthAttention(DepthAttentionOp op, Frame &frame) {
  SmallVector<const Tensor *> sources = frame.tensors(op.getSources());
  Tensors outputs, lses;
  for (auto [query, gain] : llvm::zip_equal(frame.tensors(op.getQueries()),
                                            frame.tensors(op.getGains()))) {
    SoftmaxState state =
        depthMixture(*query, *gain, sources, op.getEps().convertToDouble());
    outputs.push_back(std::move(state.output));
    lses.push_back(std::move(state.lse));
  }
  frame.setGroup(op.getOutputs(), std::move(outputs));
  frame.setGroup(op.getLses(), std::move(lses));
}

static void evaluateDepthMerge(DepthMergeOp op, Frame &frame) {
  SoftmaxState state = depthMixture(
      frame.tensor(op.getQuery()), frame.tensor(op.getGain()),
      frame.tensors(op.getSources()), op.getEps().convertToDouble(),
      &frame.tensor(op.getState()), &frame.tensor(op.getStateLse()));
  frame.set(op.getOutput(), std::move(state.output));
  frame.set(op.getLse(), std::move(state.lse));
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {

/// What flows back into one query of a depth attention.
struct QueryGradient {
  const Tensor *query, *gain, *lse, *outputGrad, *lseGrad;
  /// The state merged with, or null.
  const Tensor *state = nullptr, *stateLse = nullptr;
};

/// Gradients of the sources, accumulated over queries.
struct DepthBackward {
  DepthBackward(Sources sources, Sources accumulators, double eps,
                std::optional<int64_t> partials)
      : sources(sources), eps(eps), partials(partials) {
    for (size_t i = 0; i < sources.size(); ++i)
      sourceGrads.push_back(accumulators.empty()
                                ? Tensor::ofReals(sources[i]->shape)
                                : *accumulators[i]);
  }

  /// Adds one query's part; the formulas stand in DepthOps.td.
  void addQuery(const QueryGradient &q) {
    int64_t width = sources.front()->width(), rows = sources.front()->rows();
    std::vector<double> w = weightVector(*q.query, *q.gain);
    Tensor dw = parameterGrad(width, partials);
    if (q.state) {
      stateGrad = Tensor::ofReals(q.state->shape);
      stateLseGrad = Tensor::ofReals(q.stateLse->shape);
    }
    for (int64_t row = 0; row < rows; ++row) {
      const double *g = q.outputGrad->reals.data() + row * width;
      double lse = q.lse->reals[row];
      double lseGrad = q.lseGrad ? q.lseGrad->reals[row] : 0;
      SmallVector<double> scores = rowScores(w, sources, row, eps);
      SmallVector<double> alpha, vg;
      double mean = 0; // sum_j alpha_j v_j.g
      for (auto [score, source] : llvm::zip_equal(scores, sources)) {
        alpha.push_back(softmaxWeight(score, lse));
        vg.push_back(dot(source->reals.data() + row * width, g, width));
        mean += alpha.back() * vg.back();
      }
      if (q.state) {
        const double *state = q.state->reals.data() + row * width;
        double alpha0 = softmaxWeight(q.stateLse->reals[row], lse);
        double sg = dot(state, g, width);
        mean += alpha0 * sg;
        for (int64_t d = 0; d < width; ++d)
          stateGrad.reals[row * width + d] = alpha0 * g[d];
        stateLseGrad.reals[row] = alpha0 * (lseGrad + sg - mean);
      }
      double *rowDw = dw.reals.data();
      if (partials)
        rowDw += partialOf(row, rows, *partials) * width;
      for (size_t i = 0; i < sources.size(); ++i) {
        const double *v = sources[i]->reals.data() + row * width;
        double *dv = sourceGrads[i].reals.data() + row * width;
        double r = inverseRms(v, width, eps);
        double ds = alpha[i] * (lseGrad + vg[i] - mean);
        for (int64_t d = 0; d < width; ++d) {
          dv[d] += alpha[i] * g[d] +
                   ds * (r * w[d] - scores[i] * r * r * v[d] / width);
          rowDw[d] += ds * r * v[d];
        }
      }
    }
    queryGrads.push_back(times(dw, *q.gain));
    gainGrads.push_back(times(dw, *q.query));
  }

  /// dw * vector, dw being [D] or [P, D].
  static Tensor times(const Tensor &dw, const Tensor &vector) {
    Tensor result = dw;
    for (int64_t i = 0; i < dw.size(); ++i)
      result.reals[i] *= vector.reals[i % vector.size()];
    return result;
  }

  Sources sources;
  double eps;
  std::optional<int64_t> partials;
  Tensors sourceGrads, queryGrads, gainGrads;
  Tensor stateGrad, stateLseGrad;
};

} // namespace

static void evaluateDepthAttentionBackward(DepthAttentionBackwardOp op,
                                           Frame &frame) {
  SmallVector<const Tensor *> sources = frame.tensors(op.getSources());
  SmallVector<const Tensor *> accumulators = frame.tensors(op.getAccumulators());
  DepthBackward backward(sources, accumulators, op.getEps().convertToDouble(),
                         op.getPartials());
  SmallVector<const Tensor *> queries = frame.tensors(op.getQueries()),
                              gains = frame.tensors(op.getGains()),
                              lses = frame.tensors(op.getLses()),
                              outputGrads = frame.tensors(op.getOutputGrads()),
                              lseGrads = frame.tensors(op.getLseGrads());
  for (size_t l = 0; l < queries.size(); ++l)
    backward.addQuery({queries[l], gains[l], lses[l], outputGrads[l],
                       lseGrads.empty() ? nullptr : lseGrads[l]});
  frame.setGroup(op.getSourceGrads(), std::move(backward.sourceGrads));
  frame.setGroup(op.getQueryGrads(), std::move(backward.queryGrads));
  frame.setGroup(op.getGainGrads(), std::move(backward.gainGrads));
}

static void evaluateDepthMergeBackward(DepthMergeBackwardOp op, Frame &frame) {
  SmallVector<const Tensor *> sources = frame.tensors(op.getSources());
  SmallVector<const Tensor *> accumulators = frame.tensors(op.getAccumulators());
  DepthBackward backward(sources, accumulators, op.getEps().convertToDouble(),
                         op.getPartials());
  backward.addQuery(
      {&frame.tensor(op.getQuery()), &frame.tensor(op.getGain()),
       &frame.tensor(op.getLse()), &frame.tensor(op.getOutputGrad()),
       frame.optional(op.getLseGrad()), &frame.tensor(op.getState()),
       &frame.tensor(op.getStateLse())});
  frame.set(op.getStateGrad(), std::move(backward.stateGrad));
  frame.set(op.getStateLseGrad(), std::move(backward.stateLseGrad));
  frame.setGroup(op.getSourceGrads(), std::move(backward.sourceGrads));
  frame.set(op.getQueryGrad(), std::move(backward.queryGrads.front()));
  frame.set(op.getGainGrad(), std::move(backward.gainGrads.front()));
}

/// weights[i, row] = exp(s_i - lse) of that row.
static void evaluateDepthWeights(DepthWeightsOp op, Frame &frame) {
  SmallVector<const Tensor *> sources = frame.tensors(op.getSources());
  std::vector<double> w = weightVector(frame.tensor(op.getQuery()),
                                       frame.tensor(op.getGain()));
  int64_t rows = sources.front()->rows();
  SmallVector<int64_t> shape{static_cast<int64_t>(sources.size())};
  llvm::append_range(shape, statShape(*sources.front()));
  Tensor weights = Tensor::ofReals(shape);
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<double> scores =
        rowScores(w, sources, row, op.getEps().convertToDouble());
    double lse = logSumExp(scores);
    for (auto [i, score] : llvm::enumerate(scores))
      weights.reals[i * rows + row] = softmaxWeight(score, lse);
  }
  frame.set(op.getWeights(), std::move(weights));
}

//===----------------------------------------------------------------------===//
// Merging states
//===----------------------------------------------------------------------===//

/// lse = logaddexp(lse_a, lse_b); o = exp(lse_a - lse) o_a + exp(lse_b - lse) o_b.
static void evaluateMergeStates(MergeStatesOp op, Frame &frame) {
  const Tensor &lhs = frame.tensor(op.getLhs());
  const Tensor &rhs = frame.tensor(op.getRhs());
  const Tensor &lhsLse = frame.tensor(op.getLhsLse());
  const Tensor &rhsLse = frame.tensor(op.getRhsLse());
  Tensor output = Tensor::ofReals(lhs.shape);
  Tensor lse = Tensor::ofReals(lhsLse.shape);
  int64_t width = lhs.width();
  for (int64_t row = 0; row < lse.size(); ++row) {
    lse.reals[row] = logSumExp({lhsLse.reals[row], rhsLse.reals[row]});
    double a = softmaxWeight(lhsLse.reals[row], lse.reals[row]);
    double b = softmaxWeight(rhsLse.reals[row], lse.reals[row]);
    for (int64_t i = row * width; i < (row + 1) * width; ++i)
      output.reals[i] = a * lhs.reals[i] + b * rhs.reals[i];
  }
  frame.set(op.getOutput(), std::move(output));
  frame.set(op.getLse(), std::move(lse));
}

/// With a = exp(lhs_lse - lse), b likewise, m = (a lhs + b rhs).g:
/// lhs_grad = a g, lhs_lse_grad = a (lse_grad + lhs.g - m), rhs likewise.
static void evaluateMergeStatesBackward(MergeStatesBackwardOp op,
                                        Frame &frame) {
  const Tensor &lhs = frame.tensor(op.getLhs());
  const Tensor &rhs = frame.tensor(op.getRhs());
  const Tensor &lse = frame.tensor(op.getLse());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  const Tensor *lseGrad = frame.optional(op.getLseGrad());
  Tensor lhsGrad = Tensor::ofReals(lhs.shape), rhsGrad = lhsGrad;
  Tensor lhsLseGrad = Tensor::ofReals(lse.shape), rhsLseGrad = lhsLseGrad;
  int64_t width = lhs.width();
  for (int64_t row = 0; row < lse.size(); ++row) {
    const double *g = grad.reals.data() + row * width;
    double a = softmaxWeight(frame.tensor(op.getLhsLse()).reals[row],
                             lse.reals[row]);
    double b = softmaxWeight(frame.tensor(op.getRhsLse()).reals[row],
                             lse.reals[row]);
    double lg = dot(lhs.reals.data() + row * width, g, width);
    double rg = dot(rhs.reals.data() + row * width, g, width);
    double mean = a * lg + b * rg;
    double dlse = lseGrad ? lseGrad->reals[row] : 0;
    lhsLseGrad.reals[row] = a * (dlse + lg - mean);
    rhsLseGrad.reals[row] = b * (dlse + rg - mean);
    for (int64_t d = 0; d < width; ++d) {
      lhsGrad.reals[row * width + d] = a * g[d];
      rhsGrad.reals[row * width + d] = b * g[d];
    }
  }
  frame.set(op.getLhsGrad(), std::move(lhsGrad));
  frame.set(op.getLhsLseGrad(), std::move(lhsLseGrad));
  frame.set(op.getRhsGrad(), std::move(rhsGrad));
  frame.set(op.getRhsLseGrad(), std::move(rhsLseGrad));
}

//===----------------------------------------------------------------------===//
// Static mixtures
//===----------------------------------------------------------------------===//

/// softmax(logits) of a vector.
static Tensor softmax(const Tensor &logits) {
  Tensor weights = logits;
  double lse = logSumExp(logits.reals);
  for (double &weight : weights.reals)
    weight = softmaxWeight(weight, lse);
  return weights;
}

Tensor attnres::interpreter::staticMixture(const Tensor &logits,
                                           Sources sources) {
  Tensor alpha = softmax(logits);
  Tensor output = Tensor::ofReals(sources.front()->shape);
  for (auto [weight, source] : llvm::zip_equal(alpha.reals, sources))
    for (int64_t i = 0; i < output.size(); ++i)
      output.reals[i] += weight * source->reals[i];
  return output;
}

static LogicalResult expectWeights(Operation *op, const Tensor &weights,
                                   Sources sources) {
  if (weights.size() == static_cast<int64_t>(sources.size()))
    return success();
  return op->emitOpError("expected one weight for each of ")
         << sources.size() << " sources, got " << weights.size();
}

static LogicalResult evaluateStaticMix(StaticMixOp op, Frame &frame) {
  SmallVector<const Tensor *> sources = frame.tensors(op.getSources());
  const Tensor &weights = frame.tensor(op.getWeights());
  if (failed(expectWeights(op, weights, sources)))
    return failure();
  frame.set(op.getOutput(), staticMixture(weights, sources));
  return success();
}

static void evaluateStaticWeights(StaticWeightsOp op, Frame &frame) {
  frame.set(op.getWeights(), softmax(frame.tensor(op.getLogits())));
}

/// With c_i = sum_rows v_i.g: weights_grad_i = alpha_i (c_i - sum_j alpha_j c_j)
/// and source_grad_i = accumulator_i + alpha_i g. A partial sum takes its rows.
static LogicalResult evaluateStaticMixBackward(StaticMixBackwardOp op,
                                               Frame &frame) {
  SmallVector<const Tensor *> sources = frame.tensors(op.getSources());
  SmallVector<const Tensor *> accumulators = frame.tensors(op.getAccumulators());
  const Tensor &weights = frame.tensor(op.getWeights());
  if (failed(expectWeights(op, weights, sources)))
    return failure();
  Tensor alpha = softmax(weights);
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  int64_t count = sources.size(), width = grad.width(), rows = grad.rows();
  Tensor weightsGrad = parameterGrad(count, op.getPartials());
  Tensors sourceGrads;
  for (int64_t i = 0; i < count; ++i) {
    sourceGrads.push_back(accumulators.empty() ? Tensor::ofReals(grad.shape)
                                               : *accumulators[i]);
    for (int64_t j = 0; j < grad.size(); ++j)
      sourceGrads.back().reals[j] += alpha.reals[i] * grad.reals[j];
  }
  for (int64_t row = 0; row < rows; ++row) {
    const double *g = grad.reals.data() + row * width;
    SmallVector<double> c;
    for (const Tensor *source : sources)
      c.push_back(dot(source->reals.data() + row * width, g, width));
    double mean = dot(alpha.reals.data(), c.data(), count);
    int64_t partial =
        op.getPartials() ? partialOf(row, rows, *op.getPartials()) : 0;
    for (int64_t i = 0; i < count; ++i)
      weightsGrad.reals[partial * count + i] += alpha.reals[i] * (c[i] - mean);
  }
  frame.set(op.getWeightsGrad(), std::move(weightsGrad));
  frame.setGroup(op.getSourceGrads(), std::move(sourceGrads));
  return success();
}

void attnres::interpreter::addDepthEvaluations(EvaluationTable &table) {
  table.add(evaluateDepthAttention);
  table.add(evaluateDepthAttentionBackward);
  table.add(evaluateDepthMerge);
  table.add(evaluateDepthMergeBackward);
  table.add(evaluateDepthWeights);
  table.add(evaluateMergeStates);
  table.add(evaluateMergeStatesBackward);
  table.add(evaluateStaticMix);
  table.add(evaluateStaticWeights);
  table.add(evaluateStaticMixBackward);
}
