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

static Location locationOr(MLIRContext *context,
                           std::optional<Location> location) {
  return location ? *location : UnknownLoc::get(context);
}

/// While an operation is parsed, the attributes of its dictionary are not among
/// its properties yet; they are merged here.
#define ATTNRES_INFER(Op)                                                      \
  LogicalResult Op::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location> location,                  \
      ValueRange operands, DictionaryAttr attributes,                          \
      OpaqueProperties properties, RegionRange regions,                        \
      SmallVectorImpl<Type> &types) {                                          \
    Op::Properties merged;                                                     \
    if (properties)                                                            \
      merged = *properties.as<Op::Properties *>();                             \
    auto error = [&] {                                                         \
      return mlir::emitError(locationOr(context, location));                   \
    };                                                                         \
    if (attributes &&                                                          \
        failed(Op::setPropertiesFromAttr(merged, attributes, error)))          \
      return failure();                                                        \
    Op::Adaptor adaptor(operands, attributes, merged, regions);                \
    return infer(context, location, adaptor, types);                           \
  }

namespace {

/// The tensor type of a value of rank at least `rank`, or null after an error.
RankedTensorType ranked(std::optional<Location> location, Value value,
                        int64_t rank) {
  RankedTensorType type = value ? tensorOf(value.getType()) : nullptr;
  if (!type || type.getRank() < rank) {
    (void)emitOptionalError(location, "expected a tensor of rank at least ",
                            rank);
    return nullptr;
  }
  return type;
}

RankedTensorType statType(MLIRContext *context, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, Float32Type::get(context));
}

/// [D], or [P, D] when the operation produces P partial sums.
RankedTensorType parameterGrad(MLIRContext *context, int64_t width,
                               std::optional<int64_t> partials) {
  if (partials)
    return statType(context, {*partials, width});
  return statType(context, {width});
}

/// `type`, as a list when `like` is one.
Type likeGroup(Type like, RankedTensorType type) {
  if (isa<ListType>(like))
    return ListType::get(type.getContext(), type);
  return type;
}

template <typename Adaptor>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    Adaptor op, SmallVectorImpl<Type> &types);

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    DepthAttentionOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  if (op.getSources().empty())
    return emitOptionalError(location, "expected at least one source");
  auto source = ranked(location, op.getSources().front(), 1);
  if (!source)
    return failure();
  for (Value query : op.getQueries())
    types.push_back(likeGroup(query.getType(), source));
  for (Value query : op.getQueries())
    types.push_back(likeGroup(query.getType(), rowStatType(source)));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    DepthAttentionBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  for (Value source : op.getSources())
    types.push_back(source.getType());
  if (op.getSources().empty())
    return emitOptionalError(location, "expected at least one source");
  auto source = ranked(location, op.getSources().front(), 1);
  if (!source)
    return failure();
  auto vector =
      parameterGrad(context, source.getShape().back(), op.getPartials());
  for (int copy = 0; copy < 2; ++copy)
    for (Value query : op.getQueries())
      types.push_back(likeGroup(query.getType(), vector));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    DepthMergeOp::Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(op.getState().getType());
  types.push_back(op.getStateLse().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    DepthMergeBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
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

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    DepthWeightsOp::Adaptor op, SmallVectorImpl<Type> &types) {
  if (op.getSources().empty())
    return emitOptionalError(location, "expected at least one source");
  auto source = ranked(location, op.getSources().front(), 1);
  if (!source)
    return failure();
  SmallVector<int64_t> shape{static_cast<int64_t>(op.getSources().size())};
  llvm::append_range(shape, source.getShape().drop_back());
  types.push_back(statType(context, shape));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    MergeStatesOp::Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(op.getLhs().getType());
  types.push_back(op.getLhsLse().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    MergeStatesBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  for (Value value : {op.getLhs(), op.getLhsLse(), op.getRhs(), op.getRhsLse()})
    types.push_back(value.getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    StaticMixOp::Adaptor op, SmallVectorImpl<Type> &types) {
  if (op.getSources().empty())
    return emitOptionalError(location, "expected at least one source");
  auto source = ranked(location, op.getSources().front(), 1);
  if (!source)
    return failure();
  types.push_back(source);
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    StaticMixBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto weights = ranked(location, op.getWeights(), 1);
  if (!weights)
    return failure();
  types.push_back(
      parameterGrad(context, weights.getShape().back(), op.getPartials()));
  for (Value source : op.getSources())
    types.push_back(source.getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    AttentionOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto q = ranked(location, op.getQ(), 4), v = ranked(location, op.getV(), 4);
  if (!q || !v)
    return failure();
  SmallVector<int64_t> shape(q.getShape());
  shape.back() = v.getShape().back();
  types.push_back(RankedTensorType::get(shape, q.getElementType()));
  types.push_back(rowStatType(q));
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    CacheWriteOp::Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(op.getCache().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location> location,
                    SelectTokenOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 2);
  if (!x)
    return failure();
  SmallVector<int64_t> shape(x.getShape());
  shape[1] = 1;
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    AttentionBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  for (Value value : {op.getQ(), op.getK(), op.getV()})
    types.push_back(value.getType());
  return success();
}

/// The type of x.
template <typename Op>
LogicalResult inferLikeX(Op op, SmallVectorImpl<Type> &types) {
  types.push_back(op.getX().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    RMSNormOp::Adaptor op, SmallVectorImpl<Type> &types) {
  return inferLikeX(op, types);
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>, RopeOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  return inferLikeX(op, types);
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    LayerNormOp::Adaptor op, SmallVectorImpl<Type> &types) {
  return inferLikeX(op, types);
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    RMSNormBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(x);
  types.push_back(
      parameterGrad(context, x.getShape().back(), op.getPartials()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    LayerNormBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(x);
  types.append(2,
               parameterGrad(context, x.getShape().back(), op.getPartials()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    LinearOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 1);
  auto weight = ranked(location, op.getWeight(), 2);
  if (!x || !weight)
    return failure();
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = weight.getShape().front();
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    SumRowsOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(
      parameterGrad(context, x.getShape().back(), op.getPartials()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    SwigluBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  types.append(2, op.getGate().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    EmbeddingOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto tokens = ranked(location, op.getTokens(), 0);
  auto weight = ranked(location, op.getWeight(), 2);
  if (!tokens || !weight)
    return failure();
  SmallVector<int64_t> shape(tokens.getShape());
  shape.push_back(weight.getShape().back());
  types.push_back(RankedTensorType::get(shape, weight.getElementType()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    EmbeddingBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto grad = ranked(location, op.getOutputGrad(), 1);
  if (!grad)
    return failure();
  if (!op.getVocabSizeAttr())
    return emitOptionalError(location, "expected vocab_size");
  types.push_back(statType(context, {static_cast<int64_t>(op.getVocabSize()),
                                     grad.getShape().back()}));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    CrossEntropyOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto logits = ranked(location, op.getLogits(), 1);
  if (!logits)
    return failure();
  types.push_back(statType(context, {}));
  types.push_back(rowStatType(logits));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    LinearCrossEntropyOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(statType(context, {}));
  types.push_back(rowStatType(x));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    LinearCrossEntropyBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto weight = ranked(location, op.getWeight(), 2);
  if (!weight)
    return failure();
  types.push_back(op.getX().getType());
  types.push_back(statType(context, weight.getShape()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    CrossEntropyRowsOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto logits = ranked(location, op.getLogits(), 1);
  if (!logits)
    return failure();
  types.append(2, rowStatType(logits));
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    CrossEntropyRowsBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  types.push_back(op.getLogits().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location>,
                    LiveMeanOp::Adaptor, SmallVectorImpl<Type> &types) {
  types.push_back(statType(context, {}));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location>,
                    LiveScaleOp::Adaptor, SmallVectorImpl<Type> &types) {
  types.push_back(statType(context, {}));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location>,
                    SumSquaresOp::Adaptor op, SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  if (op.getPartials())
    shape.push_back(*op.getPartials());
  types.push_back(statType(context, shape));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location>,
                    ClipScaleOp::Adaptor, SmallVectorImpl<Type> &types) {
  types.append(2, statType(context, {}));
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>, AdamWOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  for (Value value : {op.getParam(), op.getM(), op.getV()})
    types.push_back(value.getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    MomentumOp::Adaptor op, SmallVectorImpl<Type> &types) {
  types.append(2, op.getM().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    DescendOp::Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(op.getParam().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    PackOp::Adaptor op, SmallVectorImpl<Type> &types) {
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

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    ShortConvolutionOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  return inferLikeX(op, types);
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    ShortConvolutionBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto weight = ranked(location, op.getWeight(), 2);
  if (!weight)
    return failure();
  types.push_back(op.getX().getType());
  types.push_back(statType(context, weight.getShape()));
  if (op.getTail())
    types.push_back(op.getTail().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location> location,
                    ConvolutionTailOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
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

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    KdaGateOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 1);
  if (!x)
    return failure();
  types.push_back(statType(context, x.getShape()));
  return success();
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    KdaGateBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
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

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    KdaOp::Adaptor op, SmallVectorImpl<Type> &types) {
  auto q = ranked(location, op.getQ(), 4), v = ranked(location, op.getV(), 4);
  if (!q || !v)
    return failure();
  ArrayRef<int64_t> shape = v.getShape();
  types.push_back(v);
  types.push_back(statType(
      context, {shape[0], shape[2], q.getShape().back(), shape.back()}));
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    KdaBackwardOp::Adaptor op, SmallVectorImpl<Type> &types) {
  for (Value value :
       {op.getQ(), op.getK(), op.getV(), op.getDecay(), op.getBeta()})
    types.push_back(value.getType());
  if (op.getState())
    types.push_back(op.getState().getType());
  return success();
}

/// The last dimension of `type` replaced.
RankedTensorType withWidth(RankedTensorType type, int64_t width, Type element) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = width;
  return RankedTensorType::get(shape, element);
}

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    RouterOp::Adaptor op, SmallVectorImpl<Type> &types) {
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

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    RouterBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  types.push_back(op.getLogits().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    BalanceBiasOp::Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(op.getBias().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location> location,
                    GroupedLinearOp::Adaptor op, SmallVectorImpl<Type> &types) {
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

template <>
LogicalResult infer(MLIRContext *context, std::optional<Location> location,
                    GroupedWeightGradOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
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

template <>
LogicalResult infer(MLIRContext *, std::optional<Location> location,
                    CombineExpertsOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  auto x = ranked(location, op.getX(), 2);
  if (!x)
    return failure();
  SmallVector<int64_t> shape(x.getShape().drop_back(2));
  shape.push_back(x.getShape().back());
  types.push_back(x.clone(shape));
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    CombineExpertsBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  types.push_back(op.getX().getType());
  types.push_back(op.getWeights().getType());
  return success();
}

template <>
LogicalResult infer(MLIRContext *, std::optional<Location>,
                    SituGluBackwardOp::Adaptor op,
                    SmallVectorImpl<Type> &types) {
  types.append(2, op.getGate().getType());
  return success();
}

} // namespace

ATTNRES_INFER(DepthAttentionOp)
ATTNRES_INFER(DepthAttentionBackwardOp)
ATTNRES_INFER(DepthMergeOp)
ATTNRES_INFER(DepthMergeBackwardOp)
ATTNRES_INFER(DepthWeightsOp)
ATTNRES_INFER(MergeStatesOp)
ATTNRES_INFER(MergeStatesBackwardOp)
ATTNRES_INFER(StaticMixOp)
ATTNRES_INFER(StaticMixBackwardOp)
ATTNRES_INFER(AttentionOp)
ATTNRES_INFER(AttentionBackwardOp)
ATTNRES_INFER(CacheWriteOp)
ATTNRES_INFER(SelectTokenOp)
ATTNRES_INFER(RopeOp)
ATTNRES_INFER(RMSNormOp)
ATTNRES_INFER(RMSNormBackwardOp)
ATTNRES_INFER(LayerNormOp)
ATTNRES_INFER(LayerNormBackwardOp)
ATTNRES_INFER(LinearOp)
ATTNRES_INFER(SumRowsOp)
ATTNRES_INFER(SwigluBackwardOp)
ATTNRES_INFER(EmbeddingOp)
ATTNRES_INFER(EmbeddingBackwardOp)
ATTNRES_INFER(CrossEntropyOp)
ATTNRES_INFER(LinearCrossEntropyOp)
ATTNRES_INFER(LinearCrossEntropyBackwardOp)
ATTNRES_INFER(CrossEntropyRowsOp)
ATTNRES_INFER(CrossEntropyRowsBackwardOp)
ATTNRES_INFER(LiveMeanOp)
ATTNRES_INFER(LiveScaleOp)
ATTNRES_INFER(SumSquaresOp)
ATTNRES_INFER(ClipScaleOp)
ATTNRES_INFER(AdamWOp)
ATTNRES_INFER(MomentumOp)
ATTNRES_INFER(DescendOp)
ATTNRES_INFER(PackOp)
ATTNRES_INFER(ShortConvolutionOp)
ATTNRES_INFER(ShortConvolutionBackwardOp)
ATTNRES_INFER(ConvolutionTailOp)
ATTNRES_INFER(KdaGateOp)
ATTNRES_INFER(KdaGateBackwardOp)
ATTNRES_INFER(KdaOp)
ATTNRES_INFER(KdaBackwardOp)
ATTNRES_INFER(RouterOp)
ATTNRES_INFER(RouterBackwardOp)
ATTNRES_INFER(BalanceBiasOp)
ATTNRES_INFER(GroupedLinearOp)
ATTNRES_INFER(GroupedWeightGradOp)
ATTNRES_INFER(CombineExpertsOp)
ATTNRES_INFER(CombineExpertsBackwardOp)
ATTNRES_INFER(SituGluBackwardOp)
