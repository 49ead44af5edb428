//===- BuiltinModels.cpp - arith and tensor answer the interfaces ---------===//
//
// External models of the interfaces of rows, recomputation, tokens and integers
// for the operations of other dialects that models use. BuiltinDerivatives.cpp
// has the derivatives.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace attnres;

namespace {

/// Row kernels compute in f32. Operations on other types, or that round in
/// another way, go the way of linalg.
bool isForRows(Operation *op) {
  auto isStorage = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && (tensor.getElementType().isF32() ||
                      tensor.getElementType().isBF16());
  };
  auto truncation = dyn_cast<arith::TruncFOp>(op);
  constexpr auto nearest = arith::RoundingMode::to_nearest_even;
  if (truncation && truncation.getRoundingmode().value_or(nearest) != nearest)
    return false;
  return llvm::all_of(op->getOperandTypes(), isStorage) &&
         llvm::all_of(op->getResultTypes(), isStorage);
}

/// Elementwise operations of tensors, as far as row kernels have them.
template <typename Op>
struct ElementwiseRows
    : RowOpInterface::ExternalModel<ElementwiseRows<Op>, Op> {
  RowForm getRowForm(Operation *op) const {
    RowForm form;
    form.addOperands(RowKind::Row, op->getNumOperands());
    form.addResults(RowKind::Row, 1);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      form.overwrites.push_back({0, i});
    form.joins = isForRows(op);
    if (form.joins)
      form.countRows(op);
    return form;
  }
};

template <typename Op>
struct ElementwiseRecompute
    : RecomputableOpInterface::ExternalModel<ElementwiseRecompute<Op>, Op> {
  int64_t getRecomputeFlops(Operation *op) const {
    return elementCount(op->getResult(0));
  }
};

/// Reshapes that leave the first two dimensions as they are.
template <typename Op>
struct ReshapeTokens : TokenOpInterface::ExternalModel<ReshapeTokens<Op>, Op> {
  std::optional<SmallVector<unsigned>> getTokenOperands(Operation *op) const {
    auto groups = cast<Op>(op).getReassociationIndices();
    if (groups.size() > 1 && groups[0].size() == 1 && groups[1].size() == 1)
      return SmallVector<unsigned>{0};
    return std::nullopt;
  }

  void setTokenPlaces(Operation *op, OpBuilder &builder, Operation *whole,
                      Value at) const {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      expand.setStaticOutputShape(expand.getResultType().getShape());
  }
};

std::string dimensionName(int64_t dimension, StringRef what = "dimension ") {
  return (what + Twine(dimension)).str();
}

/// An element of `type` at `indices`.
SmallVector<IndexChoice> chooseElement(ValueRange indices,
                                       RankedTensorType type) {
  SmallVector<IndexChoice> choices;
  for (auto [d, index] : llvm::enumerate(indices))
    addIndexChoice(choices, index, type.getDimSize(d), dimensionName(d));
  return choices;
}

/// A slice of `type`.
template <typename Op>
SmallVector<IndexChoice> chooseSlice(Op op, RankedTensorType type) {
  SmallVector<IndexChoice> choices;
  for (auto [d, offset] : llvm::enumerate(op.getMixedOffsets())) {
    auto value = dyn_cast<Value>(offset);
    std::optional<int64_t> size = getConstantIntValue(op.getMixedSizes()[d]),
                           step = getConstantIntValue(op.getMixedStrides()[d]);
    // Constants are checked by the verifier, dynamic shapes elsewhere.
    if (value && size && step && *size != 0 && *step >= 1 &&
        !type.isDynamicDim(d))
      addIndexChoice(choices, value, type.getDimSize(d) - (*size - 1) * *step,
                     dimensionName(d, "the offsets of dimension "));
  }
  return choices;
}

SmallVector<IndexChoice> choicesOf(tensor::ExtractOp op) {
  return chooseElement(op.getIndices(), op.getTensor().getType());
}

SmallVector<IndexChoice> choicesOf(tensor::InsertOp op) {
  return chooseElement(op.getIndices(), op.getDest().getType());
}

SmallVector<IndexChoice> choicesOf(tensor::ExtractSliceOp op) {
  return chooseSlice(op, op.getSourceType());
}

SmallVector<IndexChoice> choicesOf(tensor::InsertSliceOp op) {
  return chooseSlice(op, op.getDestType());
}

SmallVector<IndexChoice> choicesOf(tensor::GatherOp op) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  SmallVector<IndexChoice> choices;
  for (int64_t d : op.getGatherDims())
    addIndexChoice(choices, op.getIndices(), source.getDimSize(d),
                   dimensionName(d));
  return choices;
}

template <typename Op>
struct TensorChoices
    : ChoosingOpInterface::ExternalModel<TensorChoices<Op>, Op> {
  SmallVector<IndexChoice> getIndexChoices(Operation *op) const {
    return choicesOf(cast<Op>(op));
  }
};

/// Results made of elements of the first `numSources` operands.
template <typename Op, unsigned numSources>
struct TensorIntegers
    : IntegerResultOpInterface::ExternalModel<TensorIntegers<Op, numSources>,
                                              Op> {
  IntegerOrigin getIntegerOrigin(Operation *op) const {
    IntegerOrigin origin;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.getOperandNumber() < numSources)
        origin.values.push_back(operand.get());
    return origin;
  }
};

struct PaddedIntegers
    : IntegerResultOpInterface::ExternalModel<PaddedIntegers, tensor::PadOp> {
  IntegerOrigin getIntegerOrigin(Operation *op) const {
    auto pad = cast<tensor::PadOp>(op);
    if (Value padding = pad.getConstantPaddingValue())
      return {{pad.getSource(), padding}, {}};
    return {};
  }
};

template <typename... Ops>
void attachChoices(MLIRContext &context) {
  (Ops::template attachInterface<TensorChoices<Ops>>(context), ...);
}

template <unsigned numSources, typename... Ops>
void attachIntegers(MLIRContext &context) {
  (Ops::template attachInterface<TensorIntegers<Ops, numSources>>(context),
   ...);
}

template <typename... Ops>
void attachElementwise(MLIRContext &context) {
  (Ops::template attachInterface<ElementwiseRows<Ops>,
                                 ElementwiseRecompute<Ops>>(context),
   ...);
}

} // namespace

void attnres::attachBuiltinModels(MLIRContext &context) {
  attachElementwise<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
                    arith::ExtFOp, arith::TruncFOp>(context);
  tensor::ExpandShapeOp::attachInterface<ReshapeTokens<tensor::ExpandShapeOp>>(
      context);
  tensor::CollapseShapeOp::attachInterface<
      ReshapeTokens<tensor::CollapseShapeOp>>(context);

  attachChoices<tensor::ExtractOp, tensor::InsertOp, tensor::ExtractSliceOp,
                tensor::InsertSliceOp, tensor::GatherOp>(context);
  attachIntegers<1, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                 tensor::CastOp, tensor::ExtractSliceOp, tensor::ExtractOp,
                 tensor::SplatOp, tensor::GatherOp>(context);
  attachIntegers<2, tensor::InsertSliceOp, tensor::InsertOp>(context);
  constexpr unsigned all = std::numeric_limits<unsigned>::max();
  attachIntegers<all, tensor::ConcatOp, tensor::FromElementsOp>(context);
  tensor::PadOp::attachInterface<PaddedIntegers>(context);
}
