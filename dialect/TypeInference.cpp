//===- TypeInference.cpp - result types of the operations -----------------===//
//
// Result types follow from operand types alone. Checks that need a message
// live in the verifiers; here only what the inference itself relies on.
//
//===----------------------------------------------------------------------===//
#include "dialect/VerifierHelpers.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace attnres;

/// Opens the inference of `Op`, which appends to `types`. While an operation is
/// parsed, the attributes of its dictionary are not among its properties yet;
/// they are merged before.
#define INFER(Op)                                                              \
  static LogicalResult infer(MLIRContext *context,                             \
                             std::optional<Location> location, Op::Adaptor op, \
                             SmallVectorImpl<Type> &types);                    \
  LogicalResult Op::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location> location,                  \
      ValueRange operands, DictionaryAttr attributes,                          \
      OpaqueProperties properties, RegionRange regions,                        \
      SmallVectorImpl<Type> &types) {                                          \
    Op::Properties merged;                                                     \
    if (failed(mergeProperties<Op>(context, location, attributes, properties,  \
                                   merged)))                                   \
      return failure();                                                        \
    return infer(context, location,                                            \
                 Op::Adaptor(operands, attributes, merged, regions), types);   \
  }                                                                            \
  static LogicalResult infer(                                                  \
      [[maybe_unused]] MLIRContext *context,                                   \
      [[maybe_unused]] std::optional<Location> location,                       \
      [[maybe_unused]] Op::Adaptor op, SmallVectorImpl<Type> &types)

template <typename Op>
static LogicalResult
mergeProperties(MLIRContext *context, std::optional<Location> location,
                DictionaryAttr attributes, OpaqueProperties properties,
                typename Op::Properties &merged) {
  if (properties)
    merged = *properties.as<typename Op::Properties *>();
  if (!attributes)
    return success();
  return Op::setPropertiesFromAttr(merged, attributes, [&] {
    return mlir::emitError(location.value_or(UnknownLoc::get(context)));
  });
}

/// The tensor type of a value of rank at least `rank`, or null after an error.
static RankedTensorType ranked(std::optional<Location> location, Value value,
                               int64_t rank) {
  RankedTensorType type = value ? tensorOf(value.getType()) : nullptr;
  if (!type || type.getRank() < rank) {
    (void)emitOptionalError(location, "expected a tensor of rank at least ",
                            rank);
    return nullptr;
  }
  return type;
}

/// The type [..., D] of the first of `sources`, or null after an error.
static RankedTensorType firstSource(std::optional<Location> location,
                                    ValueRange sources) {
  if (!sources.empty())
    return ranked(location, sources.front(), 1);
  (void)emitOptionalError(location, "expected at least one source");
  return nullptr;
}

static RankedTensorType statType(MLIRContext *context,
                                 ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, Float32Type::get(context));
}

/// [D], or [P, D] when the operation produces P partial sums.
static RankedTensorType parameterGrad(MLIRContext *context, int64_t width,
                                      std::optional<int64_t> partials) {
  if (partials)
    return statType(context, {*partials, width});
  return statType(context, {width});
}

/// `type`, as a list when `like` is one.
static Type likeGroup(Type like, RankedTensorType type) {
  if (isa<ListType>(like))
    return ListType::get(type.getContext(), type);
  return type;
}

/// Results that have the types of operands.
static LogicalResult like(SmallVectorImpl<Type> &types, ValueRange operands) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

INFER(DepthAttentionOp) {
  auto source = firstSource(location, op.getSources());
  if (!source)
    return failure();
  for (Value query : op.getQueries())
    types.push_back(likeGroup(query.getType(), source));
  for (Value query : op.getQueries())
    types.push_back(likeGroup(query.getType(), rowStatType(source)));
  return success();
}

INFER(DepthAttentionBackwardOp) {
  for (Value source : op.getSources())
    types.push_back(source.getType());
  auto source = firstSource(location, op.getSources());
  if (!source)
    return failure();
  auto vector =
      parameterGrad(context, source.getShape().back(), op.getPartials());
  for (int copy = 0; copy < 2; ++copy)
    for (Value query : op.getQueries())
      types.push_back(likeGroup(query.getType(), vector));
  return success();
}

INFER(DepthMergeOp) { return like(types, {op.getState(), op.getStateLse()}); }

INFER(DepthMergeBackwardOp) {
  auto state = ranked(location, op.getState(), 1);
  if (!state)
    return failure();
  types.push_back(state);
  types.push_back(op.getStateLse().getType());
  for (Value source : op.getSources())
    types.push_back(source.getType());
  types.append(
      2, parameterGrad(context, state.getShape().back(), op.getPartials()));
  return success();
}

INFER(DepthWeightsOp) {
  auto source = firstSource(location, op.getSources());
  if (!source)
    return failure();
  SmallVector<int64_t> shape{static_cast<int64_t>(op.getSources().size())};
  llvm::append_range(shape, source.getShape().drop_back());
  types.push_back(statType(context, shape));
  return success();
}

INFER(MergeStatesOp) { return like(types, {op.getLhs(), op.getLhsLse()}); }

INFER(MergeStatesBackwardOp) {
  return like(types,
              {op.getLhs(), op.getLhsLse(), op.getRhs(), op.getRhsLse()});
}

INFER(StaticMixOp) {
  auto source = firstSource(location, op.getSources());
  if (!source)
    return failure();
  types.push_back(source);
  return success();
}

INFER(StaticMixBackwardOp) {
  auto weights = ranked(location, op.getWeights(), 1);
  if (!weights)
    return failure();
  types.push_back(
      parameterGrad(context, weights.getShape().back(), op.getPartials()));
  for (Value source : op.getSources())
    types.push_back(source.getType());
  return success();
}

INFER(AttentionOp) {
  auto q = ranked(location, op.getQ(), 4), v = ranked(location, op.getV(), 4);
  if (!q || !v)
    return failure();
  SmallVector<int64_t> shape(q.getShape());
  shape.back() = v.getShape().back();
  types.push_back(RankedTensorType::get(shape, q.getElementType()));
  types.push_back(rowStatType(q));
  return success();
}

INFER(CacheWriteOp) { return like(types, op.getCache()); }

INFER(SelectTokenOp) {
  auto x = ranked(location, op.getX(), 2);
  if (!x)
    return failure();
  SmallVector<int64_t> shape(x.getShape());
  shape[1] = 1;
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

INFER(AttentionBackwardOp) {
  return like(types, {op.getQ(), op.getK(), op.getV()});
}

INFER(RMSNormOp) { return like(types, op.getX()); }

INFER(RopeOp) { return like(types, op.getX()); }

INFER(LayerNormOp) { return like(types, op.getX()); }

INFER(RMSNormBackwardOp) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(x);
  types.push_back(
      parameterGrad(context, x.getShape().back(), op.getPartials()));
  return success();
}

INFER(LayerNormBackwardOp) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(x);
  types.append(2,
               parameterGrad(context, x.getShape().back(), op.getPartials()));
  return success();
}

INFER(LinearOp) {
  auto x = ranked(location, op.getX(), 1);
  auto weight = ranked(location, op.getWeight(), 2);
  if (!x || !weight)
    return failure();
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = weight.getShape().front();
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

INFER(SumRowsOp) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(
      parameterGrad(context, x.getShape().back(), op.getPartials()));
  return success();
}

INFER(SwigluBackwardOp) { return like(types, {op.getGate(), op.getGate()}); }

INFER(EmbeddingOp) {
  auto tokens = ranked(location, op.getTokens(), 0);
  auto weight = ranked(location, op.getWeight(), 2);
  if (!tokens || !weight)
    return failure();
  SmallVector<int64_t> shape(tokens.getShape());
  shape.push_back(weight.getShape().back());
  types.push_back(RankedTensorType::get(shape, weight.getElementType()));
  return success();
}

INFER(EmbeddingBackwardOp) {
  auto grad = ranked(location, op.getOutputGrad(), 1);
  if (!grad)
    return failure();
  if (!op.getVocabSizeAttr())
    return emitOptionalError(location, "expected vocab_size");
  types.push_back(statType(context, {static_cast<int64_t>(op.getVocabSize()),
                                     grad.getShape().back()}));
  return success();
}

INFER(DropoutOp) { return like(types, op.getX()); }

INFER(CrossEntropyOp) {
  auto logits = ranked(location, op.getLogits(), 1);
  if (!logits)
    return failure();
  types.push_back(statType(context, {}));
  types.push_back(rowStatType(logits));
  return success();
}

INFER(LinearCrossEntropyOp) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(statType(context, {}));
  types.push_back(rowStatType(x));
  return success();
}

INFER(LinearCrossEntropyBackwardOp) {
  auto weight = ranked(location, op.getWeight(), 2);
  if (!weight)
    return failure();
  types.push_back(op.getX().getType());
  types.push_back(statType(context, weight.getShape()));
  return success();
}

INFER(CrossEntropyRowsOp) {
  auto logits = ranked(location, op.getLogits(), 1);
  if (!logits)
    return failure();
  types.append(2, rowStatType(logits));
  return success();
}

INFER(CrossEntropyRowsBackwardOp) { return like(types, op.getLogits()); }

INFER(LiveMeanOp) {
  types.push_back(statType(context, {}));
  return success();
}

INFER(LiveScaleOp) {
  types.push_back(statType(context, {}));
  return success();
}

INFER(SumSquaresOp) {
  SmallVector<int64_t> shape;
  if (op.getPartials())
    shape.push_back(*op.getPartials());
  types.push_back(statType(context, shape));
  return success();
}

INFER(ClipScaleOp) {
  types.append(2, statType(context, {}));
  return success();
}

INFER(AdamWOp) { return like(types, {op.getParam(), op.getM(), op.getV()}); }

INFER(LionOp) { return like(types, {op.getParam(), op.getM()}); }

INFER(MomentumOp) { return like(types, {op.getM(), op.getM()}); }

INFER(DescendOp) { return like(types, op.getParam()); }

INFER(PackOp) {
  auto source = ranked(location, op.getSource(), 1);
  if (!source)
    return failure();
  if (!op.getTileAttr())
    return emitOptionalError(location, "expected tile");
  int64_t rows = rowCount(source), columns = source.getShape().back();
  int64_t tile = op.getTile();
  // PR-3.
  if (tile < 1)
    return emitOptionalError(location, "expected a positive tile, got ", tile);
  if (op.getTranspose())
    std::swap(rows, columns);
  types.push_back(statType(context, {panelCount(columns, tile), rows, tile}));
  return success();
}

INFER(ShortConvolutionOp) { return like(types, op.getX()); }

INFER(ShortConvolutionBackwardOp) {
  auto weight = ranked(location, op.getWeight(), 2);
  if (!weight)
    return failure();
  types.push_back(op.getX().getType());
  types.push_back(statType(context, weight.getShape()));
  if (op.getTail())
    types.push_back(op.getTail().getType());
  return success();
}

INFER(ConvolutionTailOp) {
  auto x = ranked(location, op.getX(), 3);
  if (!x)
    return failure();
  if (!op.getWidthAttr())
    return emitOptionalError(location, "expected width");
  SmallVector<int64_t> shape(x.getShape());
  // The verifier says what is wrong with a negative width.
  shape[1] = std::max<int64_t>(op.getWidth(), 0);
  types.push_back(x.clone(shape));
  return success();
}

INFER(KdaGateOp) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(statType(context, x.getShape()));
  return success();
}

INFER(KdaGateBackwardOp) {
  auto rates = ranked(location, op.getALog(), 1);
  auto bias = ranked(location, op.getBias(), 1);
  if (!rates || !bias)
    return failure();
  types.push_back(op.getX().getType());
  for (RankedTensorType type : {rates, bias})
    types.push_back(
        parameterGrad(context, type.getShape().back(), op.getPartials()));
  return success();
}

INFER(KdaOp) {
  auto q = ranked(location, op.getQ(), 4), v = ranked(location, op.getV(), 4);
  if (!q || !v)
    return failure();
  ArrayRef<int64_t> shape = v.getShape();
  types.push_back(v);
  types.push_back(statType(
      context, {shape[0], shape[2], q.getShape().back(), shape.back()}));
  return success();
}

INFER(KdaBackwardOp) {
  for (Value value :
       {op.getQ(), op.getK(), op.getV(), op.getDecay(), op.getBeta()})
    types.push_back(value.getType());
  if (op.getState())
    types.push_back(op.getState().getType());
  return success();
}

/// The last dimension of `type` replaced.
static RankedTensorType withWidth(RankedTensorType type, int64_t width,
                                  Type element) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = width;
  return RankedTensorType::get(shape, element);
}

INFER(RouterOp) {
  auto logits = ranked(location, op.getLogits(), 1);
  if (!logits)
    return failure();
  if (!op.getTopKAttr())
    return emitOptionalError(location, "expected top_k");
  int64_t chosen = std::max<int64_t>(op.getTopK(), 0);
  types.push_back(withWidth(logits, chosen, IntegerType::get(context, 64)));
  types.push_back(withWidth(logits, chosen, Float32Type::get(context)));
  return success();
}

INFER(RouterBackwardOp) { return like(types, op.getLogits()); }

INFER(BalanceBiasOp) { return like(types, op.getBias()); }

INFER(GroupedLinearOp) {
  auto x = ranked(location, op.getX(), 1);
  auto weight = ranked(location, op.getWeight(), 3);
  auto experts = ranked(location, op.getExperts(), 1);
  if (!x || !weight || !experts)
    return failure();
  SmallVector<int64_t> shape(experts.getShape());
  shape.push_back(weight.getShape()[op.getTranspose() ? 2 : 1]);
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

INFER(GroupedWeightGradOp) {
  auto lhs = ranked(location, op.getLhs(), 1);
  auto rhs = ranked(location, op.getRhs(), 1);
  if (!lhs || !rhs)
    return failure();
  if (!op.getMatricesAttr())
    return emitOptionalError(location, "expected matrices");
  types.push_back(
      statType(context, {std::max<int64_t>(op.getMatrices(), 0),
                         lhs.getShape().back(), rhs.getShape().back()}));
  return success();
}

INFER(CombineExpertsOp) {
  auto x = ranked(location, op.getX(), 2);
  if (!x)
    return failure();
  SmallVector<int64_t> shape(x.getShape().drop_back(2));
  shape.push_back(x.getShape().back());
  types.push_back(x.clone(shape));
  return success();
}

INFER(CombineExpertsBackwardOp) {
  return like(types, {op.getX(), op.getWeights()});
}

INFER(SituGluBackwardOp) { return like(types, {op.getGate(), op.getGate()}); }
