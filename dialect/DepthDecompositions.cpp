//===- DepthDecompositions.cpp - attention over depth as plain linalg -----===//
//
// The sources stay separate tensors: a body has one operand for each of them.
//
//===----------------------------------------------------------------------===//
#include "dialect/DecompositionHelpers.h"

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

/// v.g of each row.
static Value rowDot(Rows &rows, Value v, Value g) {
  return rows.sumRow({rows.full(v), rows.full(g)},
                     [](Scalars &, Terms in) { return in[0] * in[1]; });
}

/// r (query * gain) . v of each row.
static Value scoreOf(Rows &rows, Value query, Value gain, Value v, Value r) {
  Value product =
      rows.sumRow({rows.column(query), rows.column(gain), rows.full(v)},
                  [](Scalars &, Terms in) { return in[0] * in[1] * in[2]; });
  return rows.mapRows({rows.row(r), rows.row(product)},
                      [](Scalars &, Terms in) { return in[0] * in[1]; });
}

static SmallVector<Value> inverseRmsOf(Rows &rows, ValueRange sources,
                                       double eps) {
  SmallVector<Value> all;
  for (Value source : sources)
    all.push_back(rows.inverseRms(source, eps));
  return all;
}

/// The scores of one query for all sources.
static SmallVector<Value> scoresOf(Rows &rows, Value query, Value gain,
                                   ValueRange sources, ArrayRef<Value> r) {
  SmallVector<Value> scores;
  for (auto [source, sourceR] : llvm::zip_equal(sources, r))
    scores.push_back(scoreOf(rows, query, gain, source, sourceR));
  return scores;
}

/// ln sum_i exp(s_i) of each row.
static Value lseOf(Rows &rows, ArrayRef<Value> scores) {
  SmallVector<Indexed> operands;
  for (Value score : scores)
    operands.push_back(rows.row(score));
  return rows.mapRows(operands,
                      [](Scalars &, Terms in) { return logSumExp(in); });
}

/// sum_i exp(s_i - lse) v_i.
static Value mixtureOf(Rows &rows, ArrayRef<Value> scores, Value lse,
                       ValueRange values) {
  SmallVector<Indexed> operands{rows.row(lse)};
  for (auto [score, value] : llvm::zip_equal(scores, values)) {
    operands.push_back(rows.row(score));
    operands.push_back(rows.full(value));
  }
  return rows.map(operands, [](Scalars &s, Terms in) {
    Term sum = s.constant(0);
    for (size_t i = 1; i < in.size(); i += 2)
      sum = sum + softmaxWeight(in[i], in[0]) * in[i + 1];
    return sum;
  });
}

/// exp(score - lse) of each row.
static Value weightOf(Rows &rows, Value score, Value lse) {
  return rows.mapRows(
      {rows.row(score), rows.row(lse)},
      [](Scalars &, Terms in) { return softmaxWeight(in[0], in[1]); });
}

Decomposed DepthAttentionOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getSources().front());
  SmallVector<Value> r =
      inverseRmsOf(rows, getSources(), getEps().convertToDouble());
  SmallVector<Value> outputs, lses;
  for (auto [query, gain] : llvm::zip_equal(getQueries(), getGains())) {
    SmallVector<Value> scores = scoresOf(rows, query, gain, getSources(), r);
    lses.push_back(lseOf(rows, scores));
    outputs.push_back(mixtureOf(rows, scores, lses.back(), getSources()));
  }
  llvm::append_range(outputs, lses);
  return outputs;
}

Decomposed DepthMergeOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getState());
  SmallVector<Value> r =
      inverseRmsOf(rows, getSources(), getEps().convertToDouble());
  SmallVector<Value> scores{getStateLse()}, values{getState()};
  llvm::append_range(scores,
                     scoresOf(rows, getQuery(), getGain(), getSources(), r));
  llvm::append_range(values, getSources());
  Value lse = lseOf(rows, scores);
  return SmallVector<Value>{mixtureOf(rows, scores, lse, values), lse};
}

Decomposed DepthWeightsOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getSources().front());
  SmallVector<Value> r =
      inverseRmsOf(rows, getSources(), getEps().convertToDouble());
  SmallVector<Value> scores =
      scoresOf(rows, getQuery(), getGain(), getSources(), r);
  Value lse = lseOf(rows, scores);
  // The weights of one source are one row of [n, rows].
  auto stat = cast<RankedTensorType>(lse.getType());
  int64_t count = scores.size(), rowCount = stat.getNumElements();
  Value weights = rows.zeros({rowCount, count});
  for (auto [i, score] : llvm::enumerate(scores))
    weights = rows.insertColumns(
        rows.reshape(weightOf(rows, score, lse), {rowCount, 1}), weights, i);
  Value transposed =
      rows.elementwise(rows.f32({count, rowCount}), {{weights, {1, 0}}},
                       [](Scalars &, Terms in) { return in[0]; });
  return SmallVector<Value>{rows.reshape(
      transposed, cast<RankedTensorType>(getWeights().getType()).getShape())};
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {

/// What one query contributes to the gradients of the sources.
struct QueryBackward {
  Value query, gain, outputGrad;
  /// For each source: score, weight and gradient of the score, each [...].
  SmallVector<Value> scores, weights, scoreGrads;
  /// sum over the items of weight v.g, [...].
  Value mean;
};

} // namespace

/// `lseGrad` may be null. An item of score `stateScore` with (state . g) =
/// `stateDot` takes part in the mean when given.
static QueryBackward queryBackward(Rows &rows, Value query, Value gain,
                                   ValueRange sources, ArrayRef<Value> r,
                                   Value lse, Value outputGrad, Value lseGrad,
                                   Value stateScore, Value stateDot) {
  QueryBackward q;
  q.query = query;
  q.gain = gain;
  q.outputGrad = outputGrad;
  q.scores = scoresOf(rows, query, gain, sources, r);
  SmallVector<Value> dots;
  SmallVector<Indexed> operands;
  if (stateScore) {
    operands.push_back(rows.row(weightOf(rows, stateScore, lse)));
    operands.push_back(rows.row(stateDot));
  }
  for (auto [score, source] : llvm::zip_equal(q.scores, sources)) {
    q.weights.push_back(weightOf(rows, score, lse));
    dots.push_back(rowDot(rows, source, outputGrad));
    operands.push_back(rows.row(q.weights.back()));
    operands.push_back(rows.row(dots.back()));
  }
  q.mean = rows.mapRows(operands, [](Scalars &s, Terms in) {
    Term sum = s.constant(0);
    for (size_t i = 0; i < in.size(); i += 2)
      sum = sum + in[i] * in[i + 1];
    return sum;
  });
  for (auto [weight, product] : llvm::zip_equal(q.weights, dots)) {
    SmallVector<Indexed> inputs{rows.row(weight), rows.row(product),
                                rows.row(q.mean)};
    if (lseGrad)
      inputs.push_back(rows.row(lseGrad));
    q.scoreGrads.push_back(rows.mapRows(inputs, [](Scalars &, Terms in) {
      Term centred = in[1] - in[2];
      return in[0] * (in.size() > 3 ? in[3] + centred : centred);
    }));
  }
  return q;
}

/// accumulator + sum over queries of alpha g + ds (r w - s r^2 v / D).
static Value sourceGrad(Rows &rows, ArrayRef<QueryBackward> queries, size_t i,
                        Value source, Value r, Value accumulator) {
  SmallVector<Indexed> operands{rows.full(source), rows.row(r)};
  for (const QueryBackward &q : queries) {
    operands.push_back(rows.full(q.outputGrad));
    operands.push_back(rows.row(q.weights[i]));
    operands.push_back(rows.row(q.scoreGrads[i]));
    operands.push_back(rows.row(q.scores[i]));
    operands.push_back(rows.column(q.query));
    operands.push_back(rows.column(q.gain));
  }
  if (accumulator)
    operands.push_back(rows.full(accumulator));
  double width = rows.width();
  return rows.map(operands, [&](Scalars &s, Terms in) {
    Term v = in[0], r = in[1];
    Term sum = accumulator ? in.back() : s.constant(0);
    for (size_t q = 0; q < queries.size(); ++q) {
      Terms query = in.slice(2 + 6 * q, 6);
      Term g = query[0], alpha = query[1], ds = query[2], score = query[3];
      Term w = query[4] * query[5];
      sum = sum + alpha * g + ds * (r * w - score * r * r * v / width);
    }
    return sum;
  });
}

/// factor * sum over rows and sources of ds r v.
static Value vectorGrad(Rows &rows, const QueryBackward &q, ValueRange sources,
                        ArrayRef<Value> r, Value factor,
                        std::optional<int64_t> partials) {
  SmallVector<Indexed> operands{rows.column(factor)};
  for (auto [i, source] : llvm::enumerate(sources)) {
    operands.push_back(rows.row(q.scoreGrads[i]));
    operands.push_back(rows.row(r[i]));
    operands.push_back(rows.full(source));
  }
  return rows.sumRows(operands, partials, [](Scalars &s, Terms in) {
    Term sum = s.constant(0);
    for (size_t i = 1; i < in.size(); i += 3)
      sum = sum + in[i] * in[i + 1] * in[i + 2];
    return in[0] * sum;
  });
}

Decomposed DepthAttentionBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getSources().front());
  SmallVector<Value> r =
      inverseRmsOf(rows, getSources(), getEps().convertToDouble());
  SmallVector<QueryBackward> queries;
  for (size_t l = 0; l < getQueries().size(); ++l)
    queries.push_back(queryBackward(
        rows, getQueries()[l], getGains()[l], getSources(), r, getLses()[l],
        getOutputGrads()[l], getLseGrads().empty() ? Value() : getLseGrads()[l],
        Value(), Value()));
  SmallVector<Value> results;
  for (auto [i, source] : llvm::enumerate(getSources()))
    results.push_back(
        sourceGrad(rows, queries, i, source, r[i],
                   getAccumulators().empty() ? Value() : getAccumulators()[i]));
  for (const QueryBackward &q : queries)
    results.push_back(
        vectorGrad(rows, q, getSources(), r, q.gain, getPartials()));
  for (const QueryBackward &q : queries)
    results.push_back(
        vectorGrad(rows, q, getSources(), r, q.query, getPartials()));
  return results;
}

/// weight * g.
static Value weighted(Rows &rows, Value weight, Value g) {
  return rows.map({rows.row(weight), rows.full(g)},
                  [](Scalars &, Terms in) { return in[0] * in[1]; });
}

/// weight (lse_grad + dot - mean) of each row; `lseGrad` may be null.
static Value lseGradOf(Rows &rows, Value weight, Value dot, Value mean,
                       Value lseGrad) {
  SmallVector<Indexed> operands{rows.row(weight), rows.row(dot),
                                rows.row(mean)};
  if (lseGrad)
    operands.push_back(rows.row(lseGrad));
  return rows.mapRows(operands, [](Scalars &, Terms in) {
    Term centred = in[1] - in[2];
    return in[0] * (in.size() > 3 ? in[3] + centred : centred);
  });
}

Decomposed DepthMergeBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getState());
  SmallVector<Value> r =
      inverseRmsOf(rows, getSources(), getEps().convertToDouble());
  Value stateDot = rowDot(rows, getState(), getOutputGrad());
  QueryBackward q =
      queryBackward(rows, getQuery(), getGain(), getSources(), r, getLse(),
                    getOutputGrad(), getLseGrad(), getStateLse(), stateDot);
  Value stateWeight = weightOf(rows, getStateLse(), getLse());
  SmallVector<Value> results{
      weighted(rows, stateWeight, getOutputGrad()),
      lseGradOf(rows, stateWeight, stateDot, q.mean, getLseGrad())};
  for (auto [i, source] : llvm::enumerate(getSources()))
    results.push_back(
        sourceGrad(rows, q, i, source, r[i],
                   getAccumulators().empty() ? Value() : getAccumulators()[i]));
  results.push_back(
      vectorGrad(rows, q, getSources(), r, getGain(), getPartials()));
  results.push_back(
      vectorGrad(rows, q, getSources(), r, getQuery(), getPartials()));
  return results;
}

//===----------------------------------------------------------------------===//
// Merging states
//===----------------------------------------------------------------------===//

Decomposed MergeStatesOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getLhs());
  SmallVector<Value> lses{getLhsLse(), getRhsLse()};
  Value lse = lseOf(rows, lses);
  return SmallVector<Value>{mixtureOf(rows, lses, lse, {getLhs(), getRhs()}),
                            lse};
}

Decomposed MergeStatesBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getLhs());
  Value lhsWeight = weightOf(rows, getLhsLse(), getLse());
  Value rhsWeight = weightOf(rows, getRhsLse(), getLse());
  Value lhsDot = rowDot(rows, getLhs(), getOutputGrad());
  Value rhsDot = rowDot(rows, getRhs(), getOutputGrad());
  Value mean = rows.mapRows(
      {rows.row(lhsWeight), rows.row(lhsDot), rows.row(rhsWeight),
       rows.row(rhsDot)},
      [](Scalars &, Terms in) { return in[0] * in[1] + in[2] * in[3]; });
  return SmallVector<Value>{
      weighted(rows, lhsWeight, getOutputGrad()),
      lseGradOf(rows, lhsWeight, lhsDot, mean, getLseGrad()),
      weighted(rows, rhsWeight, getOutputGrad()),
      lseGradOf(rows, rhsWeight, rhsDot, mean, getLseGrad())};
}

//===----------------------------------------------------------------------===//
// Static mixtures
//===----------------------------------------------------------------------===//

/// softmax of a vector [n].
static Value softmaxOf(OpBuilder &b, Location loc, Value logits) {
  Rows vector = rowsOf(b, loc, logits);
  Value lse = vector.logSumExpRow(logits);
  return vector.map(
      {vector.full(logits), vector.scalar(lse)},
      [](Scalars &, Terms in) { return softmaxWeight(in[0], in[1]); });
}

Decomposed StaticWeightsOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  auto type = cast<RankedTensorType>(getLogits().getType());
  if (type.getRank() != 1)
    return failure();
  return SmallVector<Value>{softmaxOf(b, getLoc(), getLogits())};
}

Decomposed StaticMixOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getSources().front());
  Value alpha = softmaxOf(b, getLoc(), getWeights());
  SmallVector<Indexed> operands;
  for (auto [i, source] : llvm::enumerate(getSources())) {
    operands.push_back(rows.scalar(rows.element(alpha, i)));
    operands.push_back(rows.full(source));
  }
  return SmallVector<Value>{rows.map(operands, [](Scalars &s, Terms in) {
    Term sum = s.constant(0);
    for (size_t i = 0; i < in.size(); i += 2)
      sum = sum + in[i] * in[i + 1];
    return sum;
  })};
}

Decomposed StaticMixBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  Rows rows = rowsOf(b, getLoc(), getOutputGrad());
  Value alpha = softmaxOf(b, getLoc(), getWeights());
  int64_t count = getSources().size();
  // c[row, i] = v_i.g, summed over rows to [n] or [P, n].
  int64_t rowCount =
      attnres::rowCount(cast<RankedTensorType>(getOutputGrad().getType()));
  Value dots = rows.zeros({rowCount, count});
  for (auto [i, source] : llvm::enumerate(getSources()))
    dots = rows.insertColumns(
        rows.reshape(rowDot(rows, source, getOutputGrad()), {rowCount, 1}),
        dots, i);
  Value sums = rows.sumMatrixRows(dots, getPartials());
  Rows weightRows = rowsOf(b, getLoc(), sums);
  Value mean =
      weightRows.sumRow({weightRows.column(alpha), weightRows.full(sums)},
                        [](Scalars &, Terms in) { return in[0] * in[1]; });
  SmallVector<Value> results{weightRows.map(
      {weightRows.column(alpha), weightRows.full(sums), weightRows.row(mean)},
      [](Scalars &, Terms in) { return in[0] * (in[1] - in[2]); })};
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<Indexed> operands{rows.scalar(rows.element(alpha, i)),
                                  rows.full(getOutputGrad())};
    if (!getAccumulators().empty())
      operands.push_back(rows.full(getAccumulators()[i]));
    results.push_back(rows.map(operands, [](Scalars &, Terms in) {
      Term part = in[0] * in[1];
      return in.size() > 2 ? in[2] + part : part;
    }));
  }
  return results;
}
