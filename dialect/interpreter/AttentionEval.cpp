//===- AttentionEval.cpp - sequence attention and rotation ----------------===//
#include "dialect/interpreter/Evaluation.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

namespace {

/// Extents of q [B, T, H, Dk], k [B, S, Hkv, Dk], v [B, S, Hkv, Dv] and where
/// their heads start.
struct AttentionShape {
  AttentionShape(const Tensor &q, const Tensor &k, const Tensor &v)
      : B(q.shape[0]), T(q.shape[1]), H(q.shape[2]), Dk(q.shape[3]),
        S(k.shape[1]), Hkv(k.shape[2]), Dv(v.shape[3]) {}

  /// Row of [B, T, H] that query t of head h is.
  int64_t queryRow(int64_t b, int64_t t, int64_t h) const {
    return (b * T + t) * H + h;
  }
  /// Row of [B, S, Hkv] that key j is for query head h.
  int64_t keyRow(int64_t b, int64_t j, int64_t h) const {
    return (b * S + j) * Hkv + h / (H / Hkv);
  }
  /// How many keys query t sees: key j is visible iff j <= t + S - T.
  int64_t visible(int64_t t, bool causal) const {
    return causal ? std::clamp<int64_t>(t + S - T + 1, 0, S) : S;
  }
  /// The same of a cache: iff j <= start + t.
  int64_t visibleFrom(int64_t start, int64_t t) const { return start + t + 1; }
  /// The first visible key, or `end` if there is none before it: where the text
  /// of query t begins.
  int64_t firstVisible(const Tensor *documents, int64_t b, int64_t t,
                       int64_t end) const {
    return documents
               ? std::clamp<int64_t>(documents->integers[b * T + t], 0, end)
               : 0;
  }

  int64_t B, T, H, Dk, S, Hkv, Dv;
};

} // namespace

/// Error unless every start leaves room for `tokens` of `positions`.
static LogicalResult expectStarts(Operation *op, const Tensor &start,
                                  int64_t tokens, int64_t positions) {
  for (auto [row, first] : llvm::enumerate(start.integers))
    if (first < 0 || first > positions - tokens)
      return op->emitOpError("expected a start from 0 to ")
             << positions - tokens << ", got " << first << " in row " << row;
  return success();
}

/// s_j = scale q.k_j over the visible keys; o = sum_j softmax(s)_j v_j;
/// lse = ln sum_j exp(s_j).
static LogicalResult evaluateAttention(AttentionOp op, Frame &frame) {
  const Tensor &q = frame.tensor(op.getQ()), &k = frame.tensor(op.getK()),
               &v = frame.tensor(op.getV());
  const Tensor *start = frame.optional(op.getStart());
  const Tensor *documents = frame.optional(op.getDocuments());
  AttentionShape shape(q, k, v);
  if (start && failed(expectStarts(op, *start, shape.T, shape.S)))
    return failure();
  double scale = op.getScaleValue();
  Tensor output = Tensor::ofReals({shape.B, shape.T, shape.H, shape.Dv});
  Tensor lse = Tensor::ofReals({shape.B, shape.T, shape.H});
  for (int64_t b = 0; b < shape.B; ++b)
    for (int64_t t = 0; t < shape.T; ++t)
      for (int64_t h = 0; h < shape.H; ++h) {
        int64_t row = shape.queryRow(b, t, h);
        int64_t visible = start ? shape.visibleFrom(start->integers[b], t)
                                : shape.visible(t, op.getCausal());
        int64_t first = shape.firstVisible(documents, b, t, visible);
        SmallVector<double> scores;
        for (int64_t j = first; j < visible; ++j)
          scores.push_back(
              scale * dot(q.reals.data() + row * shape.Dk,
                          k.reals.data() + shape.keyRow(b, j, h) * shape.Dk,
                          shape.Dk));
        lse.reals[row] = logSumExp(scores);
        for (auto [j, score] : llvm::enumerate(scores)) {
          double weight = softmaxWeight(score, lse.reals[row]);
          const double *value =
              v.reals.data() + shape.keyRow(b, first + j, h) * shape.Dv;
          for (int64_t d = 0; d < shape.Dv; ++d)
            output.reals[row * shape.Dv + d] += weight * value[d];
        }
      }
  frame.set(op.getOutput(), std::move(output));
  frame.set(op.getLse(), std::move(lse));
  return success();
}

/// P = exp(scale q.k - lse), delta = dO.O - dlse, dS = P (dO.v - delta);
/// dq = scale sum_j dS k_j, dk_j += scale dS q, dv_j += P dO.
static void evaluateAttentionBackward(AttentionBackwardOp op, Frame &frame) {
  const Tensor &q = frame.tensor(op.getQ()), &k = frame.tensor(op.getK()),
               &v = frame.tensor(op.getV());
  const Tensor &output = frame.tensor(op.getOutput());
  const Tensor &lse = frame.tensor(op.getLse());
  const Tensor &grad = frame.tensor(op.getOutputGrad());
  const Tensor *lseGrad = frame.optional(op.getLseGrad());
  const Tensor *documents = frame.optional(op.getDocuments());
  AttentionShape shape(q, k, v);
  double scale = op.getScaleValue();
  Tensor qGrad = Tensor::ofReals(q.shape), kGrad = Tensor::ofReals(k.shape),
         vGrad = Tensor::ofReals(v.shape);
  for (int64_t b = 0; b < shape.B; ++b)
    for (int64_t t = 0; t < shape.T; ++t)
      for (int64_t h = 0; h < shape.H; ++h) {
        int64_t row = shape.queryRow(b, t, h);
        const double *g = grad.reals.data() + row * shape.Dv;
        const double *query = q.reals.data() + row * shape.Dk;
        double delta = dot(g, output.reals.data() + row * shape.Dv, shape.Dv) -
                       (lseGrad ? lseGrad->reals[row] : 0);
        int64_t end = shape.visible(t, op.getCausal());
        for (int64_t j = shape.firstVisible(documents, b, t, end); j < end;
             ++j) {
          int64_t at = shape.keyRow(b, j, h);
          const double *key = k.reals.data() + at * shape.Dk;
          double p =
              softmaxWeight(scale * dot(query, key, shape.Dk), lse.reals[row]);
          double ds =
              p * (dot(g, v.reals.data() + at * shape.Dv, shape.Dv) - delta);
          for (int64_t d = 0; d < shape.Dk; ++d) {
            qGrad.reals[row * shape.Dk + d] += scale * ds * key[d];
            kGrad.reals[at * shape.Dk + d] += scale * ds * query[d];
          }
          for (int64_t d = 0; d < shape.Dv; ++d)
            vGrad.reals[at * shape.Dv + d] += p * g[d];
        }
      }
  frame.set(op.getQGrad(), std::move(qGrad));
  frame.set(op.getKGrad(), std::move(kGrad));
  frame.set(op.getVGrad(), std::move(vGrad));
}

/// result[b, start[b] + t] = x[b, t] for t < length[b], the cache everywhere
/// else.
static LogicalResult evaluateCacheWrite(CacheWriteOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getCache());
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &start = frame.tensor(op.getStart());
  const Tensor *length = frame.optional(op.getLength());
  int64_t positions = result.shape[1], tokens = x.shape[1];
  if (failed(expectStarts(op, start, tokens, positions)))
    return failure();
  int64_t batch = result.shape[0];
  int64_t width = batch == 0 ? 0 : x.size() / (batch * tokens);
  for (int64_t b = 0; b < batch; ++b) {
    int64_t count = length ? length->integers[b] : tokens;
    if (count < 0 || count > tokens)
      return op->emitOpError("expected a length from 0 to ")
             << tokens << ", got " << count << " in row " << b;
    std::copy_n(x.reals.begin() + b * tokens * width, count * width,
                result.reals.begin() +
                    (b * positions + start.integers[b]) * width);
  }
  frame.set(op.getResult(), std::move(result));
  return success();
}

/// result[b, 0] = x[b, at[b]].
static LogicalResult evaluateSelectToken(SelectTokenOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor &at = frame.tensor(op.getAt());
  int64_t batch = x.shape[0], tokens = x.shape[1];
  SmallVector<int64_t> shape(x.shape);
  shape[1] = 1;
  Tensor result = Tensor::ofReals(shape);
  int64_t width = batch == 0 ? 0 : result.size() / batch;
  for (int64_t b = 0; b < batch; ++b) {
    int64_t token = at.integers[b];
    if (token < 0 || token >= tokens)
      return op->emitOpError("expected a token from 0 to ")
             << tokens - 1 << ", got " << token << " in row " << b;
    std::copy_n(x.reals.begin() + (b * tokens + token) * width, width,
                result.reals.begin() + b * width);
  }
  frame.set(op.getResult(), std::move(result));
  return success();
}

/// Rotates (x_i, x_{i + Dh/2}) by (position + offset) theta^(-2i/Dh), or by the
/// angle whose cosine and sine stand in the table; token t of batch row b has
/// the position t, start[b] + t, or t - documents[b, t].
static LogicalResult evaluateRope(RopeOp op, Frame &frame) {
  const Tensor &x = frame.tensor(op.getX());
  const Tensor *table = frame.optional(op.getTable());
  const Tensor *start = frame.optional(op.getStart());
  const Tensor *documents = frame.optional(op.getDocuments());
  int64_t tokens = x.shape[1], heads = x.shape[2], width = x.shape[3];
  if (start && failed(expectStarts(op, *start, tokens, *op.getPositions())))
    return failure();
  int64_t half = width / 2, offset = static_cast<int64_t>(op.getOffset());
  double theta = op.getTheta().convertToDouble();
  Tensor result = x;
  for (int64_t row = 0; row < x.rows(); ++row) {
    int64_t position = row / heads % tokens;
    if (start)
      position += start->integers[row / heads / tokens];
    if (documents)
      position -=
          std::clamp<int64_t>(documents->integers[row / heads], 0, position);
    for (int64_t i = 0; i < half; ++i) {
      double angle = static_cast<double>(position + offset) *
                     std::pow(theta, -2.0 * i / width);
      double cosine = std::cos(angle), sine = std::sin(angle);
      if (table) {
        int64_t line = start ? row / heads : position;
        cosine = table->reals[line * width + i];
        sine = table->reals[line * width + half + i];
      }
      if (op.getInverse())
        sine = -sine;
      int64_t first = row * width + i, second = first + half;
      double a = x.reals[first], b = x.reals[second];
      result.reals[first] = a * cosine - b * sine;
      result.reals[second] = b * cosine + a * sine;
    }
  }
  frame.set(op.getResult(), std::move(result));
  return success();
}

void attnres::interpreter::addAttentionEvaluations(EvaluationTable &table) {
  table.add(evaluateAttention);
  table.add(evaluateAttentionBackward);
  table.add(evaluateCacheWrite);
  table.add(evaluateSelectToken);
  table.add(evaluateRope);
}
