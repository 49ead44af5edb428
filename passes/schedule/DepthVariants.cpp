//===- DepthVariants.cpp - other mixtures over depth ----------------------===//
#include "passes/schedule/DepthVariants.h"

using namespace mlir;
using namespace attnres;

DepthVariant::DepthVariant(OpBuilder &builder, StackOp stack, size_t index,
                           ArrayRef<Value> sources)
    : stack(stack), type(cast<RankedTensorType>(sources.front().getType())),
      rows(builder, stack.getLoc(), type), heads(stack.getHeads().value_or(1)),
      split(type.getShape()), sources(sources) {
  split.back() = heads;
  split.push_back(rows.width() / heads);
  for (Value source : sources)
    splitSources.push_back(rows.reshape(source, split));
  if (!stack.getRawKeys())
    for (Value source : sources)
      inverseRms.push_back(
          rows.inverseRms(source, stack.getEps()->convertToDouble()));
  computeScores(stack.getQueries()[index], stack.getGains()[index]);
  computeWeights(stack.getSigmoid());
}

/// The first `count` loops; those of [..., heads] are as many as `type` has
/// dimensions.
SmallVector<int64_t> DepthVariant::loops(int64_t count) const {
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
}

Value DepthVariant::newestKey() {
  if (inverseRms.empty())
    return sources.back();
  return rows.map({rows.full(sources.back()), rows.row(inverseRms.back())},
                  [](Scalars &, Terms in) { return in[0] * in[1]; });
}

void DepthVariant::computeScores(Value query, Value gain) {
  int64_t rank = type.getRank();
  SmallVector<int64_t> perHead(ArrayRef<int64_t>(split).take_back(2));
  auto vector = [&](Value value) {
    return Indexed{rows.reshape(value, perHead), {rank - 1, rank}};
  };
  Indexed factor;
  if (cast<RankedTensorType>(query.getType()).getRank() == 1) {
    factor = vector(query);
  } else {
    auto square = cast<RankedTensorType>(query.getType());
    Value matrix = rows.storedAs(query, square.clone(type.getElementType()));
    Value projected = LinearOp::create(rows.builder, rows.loc, newestKey(),
                                       matrix, /*bias=*/Value());
    factor = {rows.reshape(projected, split), loops(rank + 1)};
  }
  RankedTensorType scoreType = rows.f32(ArrayRef<int64_t>(split).drop_back());
  for (size_t i = 0; i < sources.size(); ++i) {
    Value score = rows.reduce(
        Reduction::Sum,
        {factor, vector(gain), {splitSources[i], loops(rank + 1)}}, loops(rank),
        [](Scalars &, Terms in) { return in[0] * in[1] * in[2]; });
    if (!inverseRms.empty())
      score = rows.elementwise(
          scoreType, {{score, loops(rank)}, {inverseRms[i], loops(rank - 1)}},
          [](Scalars &, Terms in) { return in[0] * in[1]; });
    scores.push_back(score);
  }
}

/// The derivative of 1 / (1 + exp(-x)) is 0 / 0 where exp(-x) is infinite.
static Term boundedSigmoid(Term x) {
  return attnres::sigmoid(maximum(x, x.constant(-80)));
}

void DepthVariant::computeWeights(bool sigmoid) {
  auto scoreType = cast<RankedTensorType>(scores.front().getType());
  SmallVector<int64_t> all = loops(type.getRank());
  SmallVector<Indexed> operands;
  for (Value score : scores)
    operands.push_back({score, all});
  Value lse;
  if (!sigmoid)
    lse = rows.elementwise(scoreType, operands,
                           [](Scalars &, Terms in) { return logSumExp(in); });
  for (Value score : scores)
    weights.push_back(
        sigmoid ? rows.elementwise(scoreType, {{score, all}},
                                   [](Scalars &, Terms in) {
                                     return boundedSigmoid(in[0]);
                                   })
                : rows.elementwise(
                      scoreType, {{score, all}, {lse, all}},
                      [](Scalars &, Terms in) { return exp(in[0] - in[1]); }));
}

Value DepthVariant::mixture() {
  int64_t rank = type.getRank();
  SmallVector<Indexed> operands;
  for (auto [weight, source] : llvm::zip_equal(weights, splitSources)) {
    operands.push_back({weight, loops(rank)});
    operands.push_back({source, loops(rank + 1)});
  }
  Value mixed =
      rows.elementwise(RankedTensorType::get(split, type.getElementType()),
                       operands, [](Scalars &, Terms in) {
                         Term sum = in[0] * in[1];
                         for (size_t i = 2; i < in.size(); i += 2)
                           sum = sum + in[i] * in[i + 1];
                         return sum;
                       });
  return rows.reshape(mixed, type.getShape());
}

Value DepthVariant::stackedWeights() {
  int64_t rank = type.getRank(), count = weights.size();
  ArrayRef<int64_t> rowShape = type.getShape().drop_back();
  int64_t rowCount = ShapedType::getNumElements(rowShape);
  Value columns = rows.zeros({rowCount, count});
  for (auto [i, weight] : llvm::enumerate(weights)) {
    Value mean =
        rows.reduce(Reduction::Sum, {{weight, loops(rank)}}, loops(rank - 1),
                    [&](Scalars &, Terms in) { return in[0] / double(heads); });
    columns = rows.insertColumns(rows.reshape(mean, {rowCount, 1}), columns, i);
  }
  Value transposed =
      rows.elementwise(rows.f32({count, rowCount}), {{columns, {1, 0}}},
                       [](Scalars &, Terms in) { return in[0]; });
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, rowShape);
  return rows.reshape(transposed, shape);
}
