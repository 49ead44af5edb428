//===- OptimizerDecompositions.cpp - updates as plain linalg and products -===//
#include "dialect/DecompositionHelpers.h"

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

Decomposed SumSquaresOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto square = [](Scalars &, Terms in) { return in[0] * in[0]; };
  if (!getPartials())
    return SmallVector<Value>{emitter.sumAll(getX(), square)};
  // One column of squares, summed over ranges of its rows.
  int64_t count = cast<RankedTensorType>(getX().getType()).getNumElements();
  Rows column(b, getLoc(), emitter.f32({count, 1}));
  Value sums =
      column.sumRows({column.full(emitter.reshape(getX(), {count, 1}))},
                     getPartials(), square);
  return SmallVector<Value>{
      emitter.reshape(sums, {static_cast<int64_t>(*getPartials())})};
}

Decomposed ClipScaleOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  SmallVector<Indexed> totals;
  for (Value sums : getSums())
    totals.push_back(
        {emitter.sumAll(sums, [](Scalars &, Terms in) { return in[0]; }), {}});
  Value norm =
      emitter.elementwise(emitter.f32({}), totals, [](Scalars &s, Terms in) {
        Term sum = s.constant(0);
        for (Term term : in)
          sum = sum + term;
        return sqrt(sum);
      });
  Value scale = emitter.elementwise(
      emitter.f32({}), {{norm, {}}}, [&](Scalars &s, Terms in) {
        if (!getMaxNorm())
          return s.constant(1);
        return minimum(s.constant(1),
                       getMaxNorm()->convertToDouble() / (in[0] + 1e-6));
      });
  return SmallVector<Value>{norm, scale};
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Every element of a tensor, and the only one of a scalar.
static Indexed full(Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return {value, llvm::to_vector(llvm::seq<int64_t>(0, rank))};
}
static Indexed scalar(Value value) { return {value, {}}; }

Decomposed AdamWOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getParam().getType());
  double beta1 = getBeta1().convertToDouble();
  double beta2 = getBeta2().convertToDouble();
  double eps = getEps().convertToDouble();
  double decay = getWeightDecay().convertToDouble();
  auto correction = [&](double beta) {
    return emitter.elementwise(emitter.f32({}), {scalar(getStep())},
                               [&](Scalars &s, Terms in) {
                                 return 1.0 - pow(s.constant(beta), in[0]);
                               });
  };
  SmallVector<Indexed> moment{full(getM()), full(getGrad()),
                              scalar(getGradScale())};
  Value newM = emitter.elementwise(type, moment, [&](Scalars &, Terms in) {
    Term g = in[2] * in[1];
    return beta1 * in[0] + (1 - beta1) * g;
  });
  moment[0] = full(getV());
  Value newV = emitter.elementwise(type, moment, [&](Scalars &, Terms in) {
    Term g = in[2] * in[1];
    return beta2 * in[0] + (1 - beta2) * (g * g);
  });
  Value newParam = emitter.elementwise(
      type,
      {full(getParam()), full(newM), full(newV), scalar(correction(beta1)),
       scalar(correction(beta2)), scalar(getLr())},
      [&](Scalars &, Terms in) {
        Term param = in[0], lr = in[5];
        Term update = in[1] / in[3] / (sqrt(in[2] / in[4]) + eps);
        return param - lr * (update + decay * param);
      });
  return SmallVector<Value>{newParam, newM, newV};
}

Decomposed LionOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getParam().getType());
  double decay = getWeightDecay().convertToDouble();
  auto mixed = [&](double beta) {
    return emitter.elementwise(
        type, {full(getM()), full(getGrad()), scalar(getGradScale())},
        [&](Scalars &, Terms in) {
          return beta * in[0] + (1 - beta) * (in[2] * in[1]);
        });
  };
  Value newParam = emitter.elementwise(
      type,
      {full(getParam()), full(mixed(getBeta1().convertToDouble())),
       scalar(getLr())},
      [&](Scalars &s, Terms in) {
        Term zero = s.constant(0);
        Term isAtMost = lessOrEqual(in[1], zero);
        Term isAtLeast = lessOrEqual(zero, in[1]);
        // 0 and NaN stay.
        Term sign = select(isAtMost, select(isAtLeast, in[1], s.constant(-1)),
                           select(isAtLeast, s.constant(1), in[1]));
        return in[0] - in[2] * (sign + decay * in[0]);
      });
  return SmallVector<Value>{newParam, mixed(getBeta2().convertToDouble())};
}

Decomposed MomentumOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  auto type = cast<RankedTensorType>(getM().getType());
  double beta = getBeta().convertToDouble();
  Value newM = emitter.elementwise(
      type, {full(getM()), full(getGrad()), scalar(getGradScale())},
      [&](Scalars &, Terms in) { return beta * in[0] + in[2] * in[1]; });
  if (!getNesterov())
    return SmallVector<Value>{newM, newM};
  Value direction = emitter.elementwise(
      type, {full(newM), full(getGrad()), scalar(getGradScale())},
      [&](Scalars &, Terms in) { return in[2] * in[1] + beta * in[0]; });
  return SmallVector<Value>{direction, newM};
}

Decomposed DescendOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  LinalgEmitter emitter(b, getLoc());
  double factor = getFactor().convertToDouble();
  double decay = getWeightDecay().convertToDouble();
  return SmallVector<Value>{emitter.elementwise(
      cast<RankedTensorType>(getParam().getType()),
      {full(getParam()), full(getDirection()), scalar(getLr())},
      [&](Scalars &, Terms in) {
        return in[0] - in[2] * (factor * in[1] + decay * in[0]);
      })};
}

//===----------------------------------------------------------------------===//
// Orthogonalization
//===----------------------------------------------------------------------===//

namespace {

/// The Newton-Schulz iteration on P matrices [R, C] one above the other. Sums
/// over a matrix are those of its rows, then of the sums; all products are
/// those of projections. Works on the smaller of X X^T and X^T X: both give
/// the same X, because (X X^T)^n X = X (X^T X)^n.
class NewtonSchulz : public LinalgEmitter {
public:
  NewtonSchulz(OpBuilder &b, Location loc, RankedTensorType type,
               int64_t matrices)
      : LinalgEmitter(b, loc), matrices(matrices),
        rows(rowCount(type) / matrices), columns(type.getShape().back()),
        size(std::min(rows, columns)) {
    if (matrices > 1)
      numbers = elementwise(
          RankedTensorType::get({matrices * rows, 1}, b.getI64Type()), {},
          [&](Scalars &s, Terms) {
            return s.index(0) / s.index(0).constant(rows);
          });
    if (matrices > 1 && size != rows)
      smallNumbers = elementwise(
          RankedTensorType::get({matrices * size, 1}, b.getI64Type()), {},
          [&](Scalars &s, Terms) {
            return s.index(0) / s.index(0).constant(size);
          });
    else
      smallNumbers = numbers;
  }

  /// M / (|M| + 1e-7).
  Value normalized(Value m) {
    Value parts = reshape(m, {matrices, rows, columns});
    Value sums = reduce(Reduction::Sum, {{parts, {0, 1, 2}}}, {0, 1},
                        [](Scalars &, Terms in) { return in[0] * in[0]; });
    Value norms = reduce(Reduction::Sum, {{sums, {0, 1}}}, {0},
                         [](Scalars &, Terms in) { return in[0]; });
    Value x = elementwise(
        f32({matrices, rows, columns}), {{parts, {0, 1, 2}}, {norms, {0}}},
        [](Scalars &, Terms in) { return in[0] / (sqrt(in[1]) + 1e-7); });
    return reshape(x, {matrices * rows, columns});
  }

  Value step(Value x) {
    Value a = gram(x);
    Value squared = timesTransposed(a, a, smallNumbers);
    Value b = elementwise(
        f32({matrices * size, size}), {{a, {0, 1}}, {squared, {0, 1}}},
        [](Scalars &, Terms in) { return 2.0315 * in[1] - 4.7750 * in[0]; });
    Value change = applied(b, x);
    return elementwise(
        f32({matrices * rows, columns}), {{x, {0, 1}}, {change, {0, 1}}},
        [](Scalars &, Terms in) { return 3.4445 * in[0] + in[1]; });
  }

private:
  bool isWide() const { return rows <= columns; }

  /// The matrices of `value` as a stack.
  Value stacked(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return reshape(
        value, {matrices, type.getDimSize(0) / matrices, type.getDimSize(1)});
  }

  /// [P size, size]: X X^T or X^T X of each.
  Value gram(Value x) {
    if (isWide())
      return timesTransposed(x, x, numbers);
    if (matrices == 1)
      return MatmulOp::create(builder, loc, f32({size, size}), x, x,
                              /*init=*/Value(), builder.getUnitAttr(),
                              /*transpose_rhs=*/UnitAttr());
    Value grams = GroupedWeightGradOp::create(
        builder, loc, x, x, numbers, builder.getI64IntegerAttr(matrices));
    return reshape(grams, {matrices * size, size});
  }

  /// x w^T of each pair of matrices, `ofRows` saying which matrix a row of x
  /// belongs to.
  Value timesTransposed(Value x, Value w, Value ofRows) {
    if (matrices == 1)
      return LinearOp::create(builder, loc, x, w, /*bias=*/Value());
    return flat(GroupedLinearOp::create(builder, loc, x, stacked(w), ofRows,
                                        /*transpose=*/UnitAttr()));
  }

  /// b X of each, or X b, where b is symmetric.
  Value applied(Value b, Value x) {
    if (!isWide())
      return timesTransposed(x, b, numbers);
    if (matrices == 1)
      return MatmulOp::create(builder, loc, f32({rows, columns}), b, x,
                              /*init=*/Value(), /*transpose_lhs=*/UnitAttr(),
                              /*transpose_rhs=*/UnitAttr());
    return flat(GroupedLinearOp::create(builder, loc, b, stacked(x), numbers,
                                        /*transpose=*/builder.getUnitAttr()));
  }

  /// [R, 1, N] as [R, N].
  Value flat(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return reshape(value, {type.getDimSize(0), type.getDimSize(2)});
  }

  int64_t matrices, rows, columns, size;
  /// Of several matrices: which of them a row of X, or of a product [size,
  /// size], belongs to, i64.
  Value numbers, smallNumbers;
};

} // namespace

Decomposed OrthogonalizeOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  auto type = cast<RankedTensorType>(getX().getType());
  auto count = static_cast<int64_t>(getMatrices());
  NewtonSchulz iteration(b, getLoc(), type, count);
  Value x = iteration.normalized(iteration.matrix(getX()));
  for (uint64_t i = 0; i < getSteps(); ++i)
    x = iteration.step(x);
  return SmallVector<Value>{iteration.reshape(x, type.getShape())};
}
