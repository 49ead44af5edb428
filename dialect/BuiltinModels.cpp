//===- BuiltinModels.cpp - arith and tensor answer the interfaces ---------===//
//
// External models of the interfaces of rows, recomputation and tokens for the
// operations of other dialects that models use. BuiltinDerivatives.cpp has the
// derivatives.
//
//===----------------------------------------------------------------------===//
#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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
}
