//===- ExpertDecompositions.cpp - mixture of experts as plain linalg ------===//
//
// Choices by counting: the place of an element in descending order is the
// number of elements before it. In long rows, where one place is wanted, by
// search.
//
//===----------------------------------------------------------------------===//
#include "dialect/DecompositionHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Routing
//===----------------------------------------------------------------------===//

/// ln sigmoid(x).
static Term logSigmoid(Term x) {
  Term zero = x.constant(0), size = maximum(x, zero - x);
  return minimum(x, zero) - log(exp(zero - size) + 1.0);
}

namespace {

/// logits as the matrix [R, E], and choices as [R, J].
class RoutingEmitter : public LinalgEmitter {
public:
  RoutingEmitter(OpBuilder &b, Location loc, Value logits)
      : LinalgEmitter(b, loc), logits(matrix(logits)),
        rows(typeOf(this->logits).getDimSize(0)),
        width(typeOf(this->logits).getDimSize(1)) {}

  /// sigmoid(logits) + bias.
  Value biasedScores(Value bias) {
    return elementwise(
        f32({rows, width}), {{logits, {0, 1}}, {bias, {1}}},
        [](Scalars &, Terms in) { return sigmoid(in[0]) + in[1]; });
  }

  /// The place of each element in the descending order of its row, the lower
  /// position first among equals; f32.
  Value places(Value matrix) {
    // Loops (row, element, other).
    return reduce(Reduction::Sum, {{matrix, {0, 1}}, {matrix, {0, 2}}}, {0, 1},
                  [](Scalars &s, Terms in) {
                    Term one = s.constant(1), zero = s.constant(0);
                    Term isNotLess =
                        select(lessOrEqual(in[0], in[1]), one, zero);
                    Term isNotBefore =
                        select(lessOrEqual(s.index(1), s.index(2)), one, zero);
                    // Greater, or equal and before.
                    Term isEqual = select(equal(in[0], in[1]), one, zero);
                    return isNotLess - isEqual * isNotBefore;
                  });
  }

  /// Of each row the element of `values` whose place is `place`.
  Value atPlace(Value values, Value places, double place) {
    return reduce(Reduction::Sum, {{values, {0, 1}}, {places, {0, 1}}}, {0},
                  [&](Scalars &s, Terms in) {
                    return select(equal(in[1], s.constant(place)), in[0],
                                  s.constant(0));
                  });
  }

  /// Of each row of `values` [N, R] the element whose place in the descending
  /// order is `place`.
  Value atPlace(Value values, int64_t place) {
    constexpr int64_t mostCompared = 256; // each with each
    return typeOf(values).getDimSize(1) <= mostCompared
               ? atPlace(values, places(values), static_cast<double>(place))
               : searchPlace(values, static_cast<double>(place));
  }

  /// The positions of the first `count` places [R, J], i64.
  Value firstPositions(Value places, int64_t count) {
    // Loops (row, place, element). The zeros give the second its extent.
    Value positions =
        reduce(Reduction::Sum, {{places, {0, 2}}, {zeros({count}), {1}}},
               {0, 1}, [](Scalars &s, Terms in) {
                 return select(equal(in[0], s.index(1).toF32()),
                               s.index(2).toF32(), s.constant(0));
               });
    return arith::FPToSIOp::create(
        builder, loc,
        RankedTensorType::get({rows, count}, builder.getI64Type()), positions);
  }

  /// The logits of the choices [R, J], f32.
  Value chosenLogits(Value choices) {
    return elementwise(f32(typeOf(choices).getShape()), {{choices, {0, 1}}},
                       [&](Scalars &s, Terms in) {
                         Term last = in[0].constant(width - 1);
                         Term inside =
                             minimum(maximum(in[0], in[0].constant(0)), last);
                         return s.extract(logits, {s.index(0), inside});
                       });
  }

  /// s_j / sum of s over the choices of a row.
  Value shares(Value chosen) {
    Rows choices(builder, loc, typeOf(chosen));
    Value logs = choices.map({choices.full(chosen)}, [](Scalars &, Terms in) {
      return logSigmoid(in[0]);
    });
    Value total = choices.logSumExpRow(logs);
    return choices.map(
        {choices.full(logs), choices.row(total)},
        [](Scalars &, Terms in) { return softmaxWeight(in[0], in[1]); });
  }

  Value logits;
  int64_t rows, width;

private:
  /// The same in a time that grows with N R, not N R^2. More than `place`
  /// elements are above `low` [N] and no more above `low` + `range` [N], which
  /// is cut to a 16th ten times, from the range of a row to 1e-12 of it; the
  /// result is the least element above `low`.
  Value searchPlace(Value values, double place) {
    constexpr int64_t parts = 16, times = 10;
    int64_t count = typeOf(values).getDimSize(0);
    auto extreme = [&](double sign) {
      return reduce(Reduction::Max, {{values, {0, 1}}}, {0},
                    [&](Scalars &, Terms in) { return sign * in[0]; });
    };
    Value largest = extreme(1), smallest = extreme(-1);
    Value low = elementwise(f32({count}), {{smallest, {0}}},
                            [](Scalars &, Terms in) { return -1.0 - in[0]; });
    Value range =
        elementwise(f32({count}), {{largest, {0}}, {low, {0}}},
                    [](Scalars &, Terms in) { return in[0] - in[1]; });
    for (int64_t i = 0; i < times; ++i) {
      range = elementwise(f32({count}), {{range, {0}}},
                          [](Scalars &, Terms in) { return in[0] / parts; });
      // [N, 15]: how many are above each cut. The zeros give the cuts their
      // extent. Loops (row, cut, element).
      Value above = reduce(Reduction::Sum,
                           {{values, {0, 2}},
                            {low, {0}},
                            {range, {0}},
                            {zeros({parts - 1}), {1}}},
                           {0, 1}, [](Scalars &s, Terms in) {
                             Term cut =
                                 in[1] + (s.index(1).toF32() + 1.0) * in[2];
                             return select(lessOrEqual(in[0], cut),
                                           s.constant(0), s.constant(1));
                           });
      Value passed = reduce(
          Reduction::Sum, {{above, {0, 1}}}, {0}, [&](Scalars &s, Terms in) {
            return select(lessOrEqual(in[0], s.constant(place)), s.constant(0),
                          s.constant(1));
          });
      low = elementwise(
          f32({count}), {{low, {0}}, {range, {0}}, {passed, {0}}},
          [](Scalars &, Terms in) { return in[0] + in[2] * in[1]; });
    }
    Value least = reduce(
        Reduction::Max, {{values, {0, 1}}, {low, {0}}}, {0},
        [](Scalars &s, Terms in) {
          return select(lessOrEqual(in[0], in[1]),
                        s.constant(-std::numeric_limits<double>::infinity()),
                        0.0 - in[0]);
        });
    return elementwise(f32({count}), {{least, {0}}},
                       [](Scalars &, Terms in) { return 0.0 - in[0]; });
  }
};

} // namespace

Decomposed RouterOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  RoutingEmitter routing(b, getLoc(), getLogits());
  Value places = routing.places(routing.biasedScores(getBias()));
  Value choices = routing.firstPositions(places, getTopK());
  Value weights = routing.shares(routing.chosenLogits(choices));
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(getExperts().getType()).getShape();
  return SmallVector<Value>{routing.reshape(choices, shape),
                            routing.reshape(weights, shape)};
}

Decomposed RouterBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  RoutingEmitter routing(b, getLoc(), getLogits());
  Value choices = routing.matrix(getExperts());
  Value grad = routing.matrix(getWeightsGrad());
  Value chosen = routing.chosenLogits(choices);
  Value weights = routing.shares(chosen);
  Rows rows(b, getLoc(), typeOf(weights));
  Value mean = rows.sumRow({rows.full(weights), rows.full(grad)},
                           [](Scalars &, Terms in) { return in[0] * in[1]; });
  Value chosenGrad = rows.map(
      {rows.full(weights), rows.full(grad), rows.row(mean), rows.full(chosen)},
      [](Scalars &, Terms in) {
        return in[0] * (in[1] - in[2]) * sigmoid(0.0 - in[3]);
      });
  // Loops (row, expert, choice).
  Value spread = routing.reduce(
      Reduction::Sum,
      {{routing.logits, {0, 1}}, {chosenGrad, {0, 2}}, {choices, {0, 2}}},
      {0, 1}, [](Scalars &s, Terms in) {
        return select(equal(in[2], s.index(1)), in[1], s.constant(0));
      });
  auto type = cast<RankedTensorType>(getLogitsGrad().getType());
  return SmallVector<Value>{
      routing.storedAs(routing.reshape(spread, type.getShape()), type)};
}

Decomposed BalanceBiasOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  RoutingEmitter routing(b, getLoc(), getLogits());
  int64_t rows = routing.rows, width = routing.width;
  if (rows == 0)
    return SmallVector<Value>{getBias()};
  int64_t chosen = getTopK(), share = rows * chosen / width;
  Value scores = routing.biasedScores(getBias());
  Value cutoffs = routing.atPlace(scores, chosen);
  // [E, R], so that the rows of an expert are one row.
  Value margins = routing.elementwise(
      routing.f32({width, rows}), {{routing.logits, {1, 0}}, {cutoffs, {1}}},
      [](Scalars &, Terms in) { return sigmoid(in[0]) - in[1]; });
  Value quantiles = routing.atPlace(margins, share);
  Value mean = routing.sumAll(quantiles, [&](Scalars &, Terms in) {
    return in[0] / static_cast<double>(width);
  });
  return SmallVector<Value>{
      routing.elementwise(routing.f32({width}), {{mean, {}}, {quantiles, {0}}},
                          [](Scalars &, Terms in) { return in[0] - in[1]; })};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// Choices [..., J] as the matrix [R, J].
class ChoiceEmitter : public LinalgEmitter {
public:
  ChoiceEmitter(OpBuilder &b, Location loc, Value experts)
      : LinalgEmitter(b, loc), original(typeOf(experts).getShape()),
        choices(matrix(experts)) {}

  /// [..., J, D] or [..., D], for the loops of row, choice and element.
  Indexed rows(Value value, int64_t row, int64_t choice, int64_t element) {
    ArrayRef<int64_t> shape = typeOf(choices).getShape();
    int64_t width = typeOf(value).getShape().back();
    if (typeOf(value).getRank() == static_cast<int64_t>(original.size()))
      return {reshape(value, {shape[0], width}), {row, element}};
    return {reshape(value, {shape[0], shape[1], width}),
            {row, choice, element}};
  }

  SmallVector<int64_t> original;
  Value choices;
};

} // namespace

Decomposed GroupedLinearOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  ChoiceEmitter emitter(b, getLoc(), getExperts());
  auto type = cast<RankedTensorType>(getResult().getType());
  int64_t matrices = typeOf(getWeight()).getDimSize(0);
  // Loops (row, choice, n, k). The zeros give n its extent.
  Value product = emitter.reduce(
      Reduction::Sum,
      {emitter.rows(getX(), 0, 1, 3),
       {emitter.choices, {0, 1}},
       {emitter.zeros({type.getShape().back()}), {2}}},
      {0, 1, 2}, [&](Scalars &s, Terms in) {
        Term matrix = minimum(maximum(in[1], in[1].constant(0)),
                              in[1].constant(matrices - 1));
        Term n = s.index(2), k = s.index(3);
        Term element = getTranspose() ? s.extract(getWeight(), {matrix, k, n})
                                      : s.extract(getWeight(), {matrix, n, k});
        return in[0] * element;
      });
  return SmallVector<Value>{
      emitter.storedAs(emitter.reshape(product, type.getShape()), type)};
}

Decomposed GroupedWeightGradOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  ChoiceEmitter emitter(b, getLoc(), getExperts());
  // Loops (matrix, n, k, row, choice).
  return SmallVector<Value>{emitter.reduce(
      Reduction::Sum,
      {emitter.rows(getLhs(), 3, 4, 1),
       emitter.rows(getRhs(), 3, 4, 2),
       {emitter.choices, {3, 4}},
       {emitter.zeros({static_cast<int64_t>(getMatrices())}), {0}}},
      {0, 1, 2}, [](Scalars &s, Terms in) {
        return select(equal(in[2], s.index(0)), in[0] * in[1], in[3]);
      })};
}

Decomposed CombineExpertsOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getResult().getType());
  ArrayRef<int64_t> shape = typeOf(getX()).getShape();
  int64_t choices = shape[shape.size() - 2], rows = rowCount(type);
  // Loops (row, n, choice).
  SmallVector<Indexed> operands{
      {emitter.reshape(getX(), {rows, choices, shape.back()}), {0, 2, 1}}};
  if (getWeights())
    operands.push_back(
        {emitter.reshape(getWeights(), {rows, choices}), {0, 2}});
  Value sum =
      emitter.reduce(Reduction::Sum, operands, {0, 1}, [](Scalars &, Terms in) {
        return in.size() == 1 ? in[0] : in[0] * in[1];
      });
  return SmallVector<Value>{
      emitter.storedAs(emitter.reshape(sum, type.getShape()), type)};
}

Decomposed CombineExpertsBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getX().getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t choices = shape[shape.size() - 2], width = shape.back(),
          rows = rowCount(typeOf(getOutputGrad()));
  Value grad = emitter.matrix(getOutputGrad());
  Value weights = emitter.reshape(getWeights(), {rows, choices});
  Value x = emitter.reshape(getX(), {rows, choices, width});
  Value xGrad = emitter.elementwise(
      type.clone({rows, choices, width}), {{weights, {0, 1}}, {grad, {0, 2}}},
      [](Scalars &, Terms in) { return in[0] * in[1]; });
  Value weightsGrad =
      emitter.reduce(Reduction::Sum, {{x, {0, 1, 2}}, {grad, {0, 2}}}, {0, 1},
                     [](Scalars &, Terms in) { return in[0] * in[1]; });
  return SmallVector<Value>{emitter.reshape(xGrad, shape),
                            emitter.reshape(weightsGrad, shape.drop_back())};
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

static Term tanh(Term x) {
  return x.with(math::TanhOp::create(x.getBuilder(), x.getLoc(), x.getValue()));
}

Decomposed SituGluOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  double gateBound = getGateBound().convertToDouble(),
         upBound = getUpBound().convertToDouble();
  Rows rows(b, getLoc(), typeOf(getGate()));
  return SmallVector<Value>{rows.map(
      {rows.full(getGate()), rows.full(getUp())}, [&](Scalars &, Terms in) {
        Term gate = gateBound * tanh(in[0] / gateBound) * sigmoid(in[0]);
        return gate * (upBound * tanh(in[1] / upBound));
      })};
}

Decomposed SituGluBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  double gateBound = getGateBound().convertToDouble(),
         upBound = getUpBound().convertToDouble();
  Rows rows(b, getLoc(), typeOf(getGate()));
  SmallVector<Indexed> operands{rows.full(getGate()), rows.full(getUp()),
                                rows.full(getOutputGrad())};
  Value gateGrad = rows.map(operands, [&](Scalars &, Terms in) {
    Term t = tanh(in[0] / gateBound), s = sigmoid(in[0]);
    Term slope = (1.0 - t * t) + gateBound * (t * (1.0 - s));
    return in[2] * (upBound * tanh(in[1] / upBound)) * (s * slope);
  });
  Value upGrad = rows.map(operands, [&](Scalars &, Terms in) {
    Term t = tanh(in[0] / gateBound), s = sigmoid(in[0]);
    Term w = tanh(in[1] / upBound);
    return in[2] * (gateBound * t) * (s * (1.0 - w * w));
  });
  return SmallVector<Value>{gateGrad, upGrad};
}
