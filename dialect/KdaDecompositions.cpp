//===- KdaDecompositions.cpp - the gated delta rule as plain linalg -------===//
//
// Token by token, as the operation is defined: the state of every head passes
// through a few operations for each token. The value heads HV are split into
// [H, G], G of them reading the queries and keys of one head, so that every
// operand is indexed by plain loops.
//
//===----------------------------------------------------------------------===//
#include "dialect/DecompositionHelpers.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;

using Decomposed = FailureOr<SmallVector<Value>>;

namespace {

/// Loops of operations on states [B, H, G, K, V], whole rows of them, and
/// values [B, H, G, V].
enum Loop : int64_t { B, H, G, K, V };
const int64_t kState[] = {B, H, G, K, V}, kKey[] = {B, H, K},
              kDecay[] = {B, H, G, K}, kHead[] = {B, H, G},
              kValue[] = {B, H, G, V};

/// One token: its operands, and what the recurrence makes of them.
struct Step {
  Value q, k, v, decay, beta;
  Value decayed; ///< the state that the token reads
  Value error;   ///< v - decayed^T k
  Value state;   ///< the state behind the token
};

class RecurrenceEmitter : public LinalgEmitter {
public:
  template <typename Kda>
  RecurrenceEmitter(OpBuilder &b, Kda op)
      : LinalgEmitter(b, op.getLoc()), q(op.getQ()), k(op.getK()), v(op.getV()),
        decay(op.getDecay()), beta(op.getBeta()), length(op.getLength()),
        scale(op.getScaleValue()) {
    ArrayRef<int64_t> qShape = typeOf(q).getShape(),
                      vShape = typeOf(v).getShape();
    batch = qShape[0];
    tokens = qShape[1];
    heads = qShape[2];
    group = vShape[2] / heads;
    width = qShape[3];
    valueWidth = vShape[3];
  }

  RankedTensorType stateType() const {
    return f32({batch, heads, group, width, valueWidth});
  }
  RankedTensorType valueType() const {
    return f32({batch, heads, group, valueWidth});
  }
  /// Shape of the state outside.
  SmallVector<int64_t> stateShape() const {
    return {batch, heads * group, width, valueWidth};
  }
  Value splitState(Value state) {
    return state ? reshape(state, stateType().getShape())
                 : zeros(stateType().getShape());
  }

  /// Token `t` of [B, T, ...] as `shape`.
  Value token(Value value, int64_t t, ArrayRef<int64_t> shape) {
    auto type = typeOf(value);
    SmallVector<int64_t> sizes(type.getShape());
    sizes[1] = 1;
    if (type.getNumElements() == 0)
      return tensor::EmptyOp::create(builder, loc, shape,
                                     type.getElementType());
    return reshape(slice(value, t, type.clone(sizes)), shape);
  }

  /// `result` [B, T, ...] with `value` at token `t`.
  Value withToken(Value result, int64_t t, Value value) {
    auto type = typeOf(result);
    if (type.getNumElements() == 0)
      return result;
    SmallVector<int64_t> sizes(type.getShape());
    sizes[1] = 1;
    SmallVector<OpFoldResult> offsets, extents, strides;
    addSlice(t, sizes, offsets, extents, strides);
    return tensor::InsertSliceOp::create(builder, loc, reshape(value, sizes),
                                         result, offsets, extents, strides);
  }

  Value emptyLike(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                   tensor.getElementType());
  }

  /// body(operands) where token `t` is one of the text's; elsewhere the first
  /// operand when it is kept, or else 0.
  Value live(RankedTensorType type, int64_t t, ArrayRef<Indexed> operands,
             Body body, bool keepFirst = false) {
    if (!length)
      return elementwise(type, operands, body);
    SmallVector<Indexed> all(operands);
    all.push_back({length, {B}});
    return elementwise(type, all, [&](Scalars &s, Terms in) {
      Term count = in.back(), value = body(s, in.drop_back());
      Term other = keepFirst ? in[0] : value.constant(0);
      return select(lessOrEqual(count.constant(t + 1), count), value, other);
    });
  }
  /// `value`, in f32, as token `t` of a result like `like`.
  Value liveToken(Value value, int64_t t, Value like) {
    auto type = RankedTensorType::get(typeOf(value).getShape(),
                                      typeOf(like).getElementType());
    auto loops = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    return live(type, t, {{value, loops}},
                [](Scalars &, Terms in) { return in[0]; });
  }

  /// sum over the loops that are not kept.
  Value sum(ArrayRef<Indexed> operands, ArrayRef<int64_t> kept, Body body) {
    return reduce(Reduction::Sum, operands, kept, body);
  }

  static Indexed at(Value value, ArrayRef<int64_t> loops) {
    return {value, SmallVector<int64_t>(loops)};
  }
  /// A value in an elementwise operation on values: V is its fourth loop.
  static Indexed value(Value value) { return {value, {0, 1, 2, 3}}; }

  /// diag(exp(decay)) state.
  Value decayState(int64_t t, Value state, Value decay) {
    return live(
        stateType(), t, {at(state, kState), at(decay, kDecay)},
        [](Scalars &, Terms in) { return in[0] * exp(in[1]); },
        /*keepFirst=*/true);
  }

  Step step(int64_t t, Value state) {
    Step s;
    s.q = token(q, t, {batch, heads, width});
    s.k = token(k, t, {batch, heads, width});
    s.v = token(v, t, {batch, heads, group, valueWidth});
    s.decay = token(decay, t, {batch, heads, group, width});
    s.beta = token(beta, t, {batch, heads, group});
    s.decayed = decayState(t, state, s.decay);
    Value predicted = sum({at(s.decayed, kState), at(s.k, kKey)}, kValue,
                          [](Scalars &, Terms in) { return in[0] * in[1]; });
    s.error = elementwise(valueType(), {value(s.v), value(predicted)},
                          [](Scalars &, Terms in) { return in[0] - in[1]; });
    s.state = live(
        stateType(), t,
        {at(s.decayed, kState), at(s.k, kKey), at(s.error, kValue),
         at(s.beta, kHead)},
        [](Scalars &, Terms in) { return in[0] + in[3] * (in[1] * in[2]); },
        /*keepFirst=*/true);
    return s;
  }

  Value q, k, v, decay, beta, length;
  double scale;
  int64_t batch, tokens, heads, group, width, valueWidth;

private:
  void addSlice(int64_t t, ArrayRef<int64_t> sizes,
                SmallVectorImpl<OpFoldResult> &offsets,
                SmallVectorImpl<OpFoldResult> &extents,
                SmallVectorImpl<OpFoldResult> &strides) {
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      offsets.push_back(builder.getIndexAttr(dim == 1 ? t : 0));
      extents.push_back(builder.getIndexAttr(size));
      strides.push_back(builder.getIndexAttr(1));
    }
  }
  Value slice(Value value, int64_t t, RankedTensorType type) {
    SmallVector<OpFoldResult> offsets, extents, strides;
    addSlice(t, type.getShape(), offsets, extents, strides);
    return tensor::ExtractSliceOp::create(builder, loc, type, value, offsets,
                                          extents, strides);
  }
};

} // namespace

Decomposed KdaOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  RecurrenceEmitter emitter(b, *this);
  using E = RecurrenceEmitter;
  Value state = emitter.splitState(getState());
  Value output = emitter.emptyLike(getOutput().getType());
  for (int64_t t = 0; t < emitter.tokens; ++t) {
    Step step = emitter.step(t, state);
    state = step.state;
    Value read = emitter.sum(
        {E::at(state, kState), E::at(step.q, kKey)}, kValue,
        [&](Scalars &, Terms in) { return emitter.scale * (in[0] * in[1]); });
    output =
        emitter.withToken(output, t, emitter.liveToken(read, t, getOutput()));
  }
  return SmallVector<Value>{output,
                            emitter.reshape(state, emitter.stateShape())};
}

namespace {

/// The walk from the last token to the first.
class BackwardEmitter : public RecurrenceEmitter {
public:
  BackwardEmitter(OpBuilder &b, KdaBackwardOp op)
      : RecurrenceEmitter(b, op), op(op), d(splitState(op.getStateGrad())) {
    for (Value result : op.getResults().take_front(5))
      grads.push_back(emptyLike(result.getType()));
  }

  void step(int64_t t, const Step &step) {
    Value outputGrad =
        token(op.getOutputGrad(), t, {batch, heads, group, valueWidth});
    d = live(
        stateType(), t,
        {at(d, kState), at(step.q, kKey), at(outputGrad, kValue)},
        [&](Scalars &, Terms in) { return in[0] + scale * (in[1] * in[2]); },
        /*keepFirst=*/true);
    Value qGrad =
        sum({at(step.state, kState), at(outputGrad, kValue)}, kKey,
            [&](Scalars &, Terms in) { return scale * (in[0] * in[1]); });
    Value writeGrad = sum({at(d, kState), at(step.k, kKey)}, kValue,
                          [](Scalars &, Terms in) { return in[0] * in[1]; });
    Value betaGrad =
        sum({{writeGrad, {0, 1, 2, 3}}, {step.error, {0, 1, 2, 3}}}, {0, 1, 2},
            [](Scalars &, Terms in) { return in[0] * in[1]; });
    Value errorGrad =
        live(valueType(), t, {value(writeGrad), {step.beta, {0, 1, 2}}},
             [](Scalars &, Terms in) { return in[0] * in[1]; });
    Value kGrad =
        sum({at(d, kState), at(step.error, kValue), at(step.beta, kHead),
             at(step.decayed, kState), at(errorGrad, kValue)},
            kKey, [](Scalars &, Terms in) {
              return in[2] * (in[0] * in[1]) - in[3] * in[4];
            });
    d = elementwise(stateType(),
                    {at(d, kState), at(step.k, kKey), at(errorGrad, kValue)},
                    [](Scalars &, Terms in) { return in[0] - in[1] * in[2]; });
    Value decayGrad = sum({at(d, kState), at(step.decayed, kState)}, kDecay,
                          [](Scalars &, Terms in) { return in[0] * in[1]; });
    d = decayState(t, d, step.decay);
    Value all[] = {qGrad, kGrad, errorGrad, decayGrad, betaGrad};
    for (auto [grad, part] : llvm::zip_equal(grads, all))
      grad = withToken(grad, t, liveToken(part, t, grad));
  }

  KdaBackwardOp op;
  Value d; ///< gradient of the state
  SmallVector<Value> grads;
};

} // namespace

Decomposed KdaBackwardOp::decomposeOperation(OpBuilder &b) {
  if (failed(expectDecomposable(*this, b)))
    return failure();
  BackwardEmitter emitter(b, *this);
  Value state = emitter.splitState(getState());
  SmallVector<Step> steps;
  for (int64_t t = 0; t < emitter.tokens; ++t) {
    steps.push_back(emitter.RecurrenceEmitter::step(t, state));
    state = steps.back().state;
  }
  for (int64_t t = emitter.tokens - 1; t >= 0; --t)
    emitter.step(t, steps[t]);
  SmallVector<Value> results = emitter.grads;
  if (getState())
    results.push_back(emitter.reshape(emitter.d, emitter.stateShape()));
  return results;
}
