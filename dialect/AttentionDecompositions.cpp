//===- AttentionDecompositions.cpp - sequence attention as plain linalg ---===//
//
// The heads H of the queries are split into [Hkv, G], G queries sharing one
// key head, so that every operand is indexed by plain loops. The score matrix
// [B, T, Hkv, G, S] is materialized: this is the naive form.
//
//===----------------------------------------------------------------------===//
#include "dialect/DecompositionHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

namespace {

/// The nearest start in [0, last].
Term clampedStart(Term start, int64_t last) {
  Term zero = start.constant(0), end = start.constant(last);
  start = select(lessOrEqual(zero, start), start, zero);
  return select(lessOrEqual(start, end), start, end);
}

/// Loops of the products.
enum Loop : int64_t { B, T, Kv, G, S, D };

/// The parts that forward and backward share.
class AttentionEmitter {
public:
  AttentionEmitter(OpBuilder &b, Location loc, Value q, Value k, Value start,
                   Value documents, bool causal, double scale)
      : qShape(cast<RankedTensorType>(q.getType()).getShape()),
        kShape(cast<RankedTensorType>(k.getType()).getShape()),
        scores(b, loc,
               RankedTensorType::get({qShape[0], qShape[1], kShape[2],
                                      qShape[2] / kShape[2], kShape[1]},
                                     b.getF32Type())),
        start(start), documents(documents), causal(causal), scale(scale) {}

  /// [B, T, H, X] as [B, T, Hkv, G, X].
  Value grouped(Value value) {
    int64_t width = cast<RankedTensorType>(value.getType()).getShape().back();
    return scores.reshape(value, groupedShape(width));
  }
  SmallVector<int64_t> groupedShape(int64_t width) const {
    return {qShape[0], qShape[1], kShape[2], qShape[2] / kShape[2], width};
  }

  /// a.b over the last dimension: a [B, T, Hkv, G, X], b [B, S, Hkv, X].
  Value scoreProduct(Value a, Value b) {
    return scores.reduce(
        Reduction::Sum, {{a, {B, T, Kv, G, D}}, {b, {B, S, Kv, D}}},
        {B, T, Kv, G, S}, [](Scalars &, Terms in) { return in[0] * in[1]; });
  }

  /// scale q.k, and -inf where the key is not visible.
  Value maskedScores(Value q, Value k) {
    int64_t shift = kShape[1] - qShape[1];
    SmallVector<Indexed> operands{scores.full(scoreProduct(q, k))};
    if (start)
      operands.push_back({start, {B}});
    if (documents)
      operands.push_back({documents, {B, T}});
    return scores.map(operands, [&](Scalars &s, Terms in) {
      Term score = scale * in[0];
      if (!causal)
        return score;
      Term last =
          start ? s.index(T) + clampedStart(in[1], shift) : s.index(T) + shift;
      Term isVisible = lessOrEqual(s.index(S), last);
      if (documents)
        isVisible = both(isVisible, lessOrEqual(in.back(), s.index(S)));
      return select(isVisible, score,
                    s.constant(-std::numeric_limits<double>::infinity()));
    });
  }

  /// exp(score - lse), lse [B, T, Hkv, G].
  Value weights(Value masked, Value lse) {
    return scores.map(
        {scores.full(masked), scores.row(lse)},
        [](Scalars &, Terms in) { return softmaxWeight(in[0], in[1]); });
  }

  ArrayRef<int64_t> qShape, kShape;
  Rows scores; // [B, T, Hkv, G, S]
  Value start; // [B] or null
  Value documents; // [B, T] or null
  bool causal;
  double scale;
};

} // namespace

Decomposed AttentionOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  AttentionEmitter emitter(b, getLoc(), getQ(), getK(), getStart(),
                           getDocuments(), getCausal(), getScaleValue());
  Rows &scores = emitter.scores;
  Value masked = emitter.maskedScores(emitter.grouped(getQ()), getK());
  Value lse = scores.logSumExpRow(masked);
  Value output = scores.reduce(
      Reduction::Sum,
      {{emitter.weights(masked, lse), {B, T, Kv, G, S}},
       {getV(), {B, S, Kv, D}}},
      {B, T, Kv, G, D}, [](Scalars &, Terms in) { return in[0] * in[1]; });
  auto outputType = cast<RankedTensorType>(getOutput().getType());
  auto lseType = cast<RankedTensorType>(getLse().getType());
  return SmallVector<Value>{
      scores.storedAs(scores.reshape(output, outputType.getShape()),
                      outputType),
      scores.reshape(lse, lseType.getShape())};
}

Decomposed AttentionBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  double scale = getScaleValue();
  AttentionEmitter emitter(b, getLoc(), getQ(), getK(), /*start=*/Value(),
                           getDocuments(), getCausal(), scale);
  Rows &scores = emitter.scores;
  Value q = emitter.grouped(getQ());
  Value grad = emitter.grouped(getOutputGrad());
  SmallVector<int64_t> statShape = emitter.groupedShape(1);
  statShape.pop_back();
  Value weights = emitter.weights(emitter.maskedScores(q, getK()),
                                  scores.reshape(getLse(), statShape));

  // delta = dO.O - dlse.
  Rows outputs(b, getLoc(), cast<RankedTensorType>(grad.getType()));
  Value delta = outputs.sumRow(
      {outputs.full(grad), outputs.full(emitter.grouped(getOutput()))},
      [](Scalars &, Terms in) { return in[0] * in[1]; });
  if (getLseGrad())
    delta =
        outputs.mapRows({outputs.row(delta),
                         outputs.row(scores.reshape(getLseGrad(), statShape))},
                        [](Scalars &, Terms in) { return in[0] - in[1]; });

  // dS = P (dO V^T - delta).
  Value scoreGrad = scores.map(
      {scores.full(weights), scores.full(emitter.scoreProduct(grad, getV())),
       scores.row(delta)},
      [](Scalars &, Terms in) { return in[0] * (in[1] - in[2]); });

  auto scaledProduct = [&](Scalars &, Terms in) {
    return scale * in[0] * in[1];
  };
  Indexed scoreGradOperand{scoreGrad, {B, T, Kv, G, S}};
  Value qGrad =
      scores.reduce(Reduction::Sum, {scoreGradOperand, {getK(), {B, S, Kv, D}}},
                    {B, T, Kv, G, D}, scaledProduct);
  Value kGrad =
      scores.reduce(Reduction::Sum, {scoreGradOperand, {q, {B, T, Kv, G, D}}},
                    {B, S, Kv, D}, scaledProduct);
  Value vGrad = scores.reduce(
      Reduction::Sum, {{weights, {B, T, Kv, G, S}}, {grad, {B, T, Kv, G, D}}},
      {B, S, Kv, D}, [](Scalars &, Terms in) { return in[0] * in[1]; });
  return SmallVector<Value>{
      scores.storedAs(scores.reshape(qGrad, emitter.qShape),
                      getQGrad().getType()),
      scores.storedAs(kGrad, getKGrad().getType()),
      scores.storedAs(vGrad, getVGrad().getType())};
}

Decomposed CacheWriteOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  auto type = cast<RankedTensorType>(getCache().getType());
  int64_t tokens = cast<RankedTensorType>(getX().getType()).getDimSize(1);
  Rows rows(b, getLoc(), type);
  SmallVector<Indexed> inputs{rows.full(getCache()), {getStart(), {0}}};
  if (getLength())
    inputs.push_back({getLength(), {0}});
  return SmallVector<Value>{rows.map(inputs, [&](Scalars &s, Terms in) {
    Term start = clampedStart(in[1], type.getDimSize(1) - tokens);
    Term token = s.index(1) - start;
    Term zero = token.constant(0), last = token.constant(tokens - 1);
    Term isNew = both(lessOrEqual(zero, token), lessOrEqual(token, last));
    if (getLength())
      isNew = both(isNew, lessOrEqual(token + 1, clampedStart(in[2], tokens)));
    SmallVector<Term> position{s.index(0), select(isNew, token, zero)};
    for (int64_t i = 2; i < type.getRank(); ++i)
      position.push_back(s.index(i));
    return select(isNew, s.extract(getX(), position), in[0]);
  })};
}

Decomposed SelectTokenOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  auto type = cast<RankedTensorType>(getType());
  int64_t last = cast<RankedTensorType>(getX().getType()).getDimSize(1) - 1;
  Rows rows(b, getLoc(), type);
  return SmallVector<Value>{
      rows.map({{getAt(), {0}}}, [&](Scalars &s, Terms in) {
        SmallVector<Term> position{s.index(0), clampedStart(in[0], last)};
        for (int64_t i = 2; i < type.getRank(); ++i)
          position.push_back(s.index(i));
        return s.extract(getX(), position);
      })};
}

Value RopeOp::buildTable(OpBuilder &b) {
  RankedTensorType type = getTableType();
  int64_t rank = type.getRank(), width = type.getShape().back();
  int64_t half = width / 2;
  SmallVector<double> frequencies;
  for (int64_t i = 0; i < width; ++i)
    frequencies.push_back(
        std::pow(getTheta().convertToDouble(), -2.0 * (i % half) / width));
  Type f64 = b.getF64Type();
  Value frequency = arith::ConstantOp::create(
      b, getLoc(),
      DenseElementsAttr::get(RankedTensorType::get({width}, f64),
                             ArrayRef(frequencies)));
  SmallVector<Value> inputs{frequency};
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(rank, 0, results, getContext());
  };
  SmallVector<AffineMap> maps{map(b.getAffineDimExpr(rank - 1))};
  if (Value start = getStart()) {
    inputs.push_back(start);
    maps.push_back(map(b.getAffineDimExpr(0)));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  Value empty = tensor::EmptyOp::create(b, getLoc(), type.getShape(),
                                        type.getElementType());
  int64_t lastStart = getNumPositions() - type.getDimSize(rank - 2);
  return linalg::GenericOp::create(
             b, getLoc(), type, inputs, empty, maps,
             SmallVector(rank, utils::IteratorType::parallel),
             [&](OpBuilder &inner, Location loc, ValueRange arguments) {
               Scalars s(inner, loc);
               Term position =
                   s.index(rank - 2) + static_cast<double>(
                                           static_cast<int64_t>(getOffset()));
               if (getStart())
                 position =
                     position +
                     clampedStart(Term(inner, loc, arguments[1]), lastStart);
               Term angle = position.with(arith::SIToFPOp::create(
                                inner, loc, f64, position.getValue())) *
                            position.with(arguments[0]);
               Term isCosine = lessOrEqual(s.index(rank - 1) + 1,
                                           s.index(rank - 1).constant(half));
               Term cosine = cos(angle), sine = sin(angle);
               Term value = select(isCosine, cosine, sine);
               linalg::YieldOp::create(
                   inner, loc,
                   arith::TruncFOp::create(inner, loc, type.getElementType(),
                                           value.getValue())
                       .getResult());
             })
      .getResult(0);
}

/// Row t - documents[b, t], the nearest in [0, t], of table [T, W] for each
/// token t of batch row b: [B, T, W].
static Value atPositions(Rows &rows, Value table, Value documents) {
  auto tableType = cast<RankedTensorType>(table.getType());
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(documents.getType()).getShape());
  shape.push_back(tableType.getShape().back());
  return rows.elementwise(
      rows.f32(shape), {{documents, {0, 1}}}, [&](Scalars &s, Terms in) {
        Term token = s.index(1), zero = token.constant(0);
        Term first = select(lessOrEqual(zero, in[0]), in[0], zero);
        first = select(lessOrEqual(first, token), first, token);
        return s.extract(table, {token - first, s.index(2)});
      });
}

Decomposed RopeOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  auto type = cast<RankedTensorType>(getX().getType());
  int64_t width = type.getShape().back(), half = width / 2;
  SmallVector<int64_t> halfShape(type.getShape());
  halfShape.back() = half;
  Rows rows(b, getLoc(),
            RankedTensorType::get(halfShape, type.getElementType()));
  Value table = getTable() ? getTable() : buildTable(b);
  Value cosine = rows.columns(table, 0, half);
  Value sine = rows.columns(table, half, half);
  if (Value documents = getDocuments()) {
    cosine = atPositions(rows, cosine, documents);
    sine = atPositions(rows, sine, documents);
  }
  // Dimension 1 is the token.
  SmallVector<int64_t> loops = getStart() || getDocuments()
                                   ? SmallVector<int64_t>{0, 1, 3}
                                   : SmallVector<int64_t>{1, 3};
  Indexed operands[] = {rows.full(rows.columns(getX(), 0, half)),
                        rows.full(rows.columns(getX(), half, half)),
                        {cosine, loops},
                        {sine, loops}};
  double sign = getInverse() ? -1 : 1;
  Value first = rows.map(operands, [&](Scalars &, Terms in) {
    return in[0] * in[2] - sign * (in[1] * in[3]);
  });
  Value second = rows.map(operands, [&](Scalars &, Terms in) {
    return in[1] * in[2] + sign * (in[0] * in[3]);
  });
  Value result = tensor::EmptyOp::create(b, getLoc(), type.getShape(),
                                         type.getElementType());
  result = rows.insertColumns(first, result, 0);
  return SmallVector<Value>{rows.insertColumns(second, result, half)};
}
