//===- Layouts.cpp - tensors as an operation takes them -------------------===//
#include "passes/import/Layouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace attnres;

Value attnres::reshaped(OpBuilder &builder, Value value,
                        ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  auto target = RankedTensorType::get(shape, type.getElementType());
  auto groups = getReassociationIndicesForReshape(type, target);
  if (!groups) // through one dimension
    return reshaped(builder, reshaped(builder, value, {type.getNumElements()}),
                    shape);
  if (type.getRank() > target.getRank())
    return tensor::CollapseShapeOp::create(builder, value.getLoc(), target,
                                           value, *groups);
  return tensor::ExpandShapeOp::create(builder, value.getLoc(), target, value,
                                       *groups);
}

Value attnres::reordered(OpBuilder &builder, Value value,
                         ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
  if (from == to)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> permutation, shape;
  for (unsigned dim : to) {
    permutation.push_back(llvm::find(from, dim) - from.begin());
    shape.push_back(type.getDimSize(permutation.back()));
  }
  Location loc = value.getLoc();
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, init, permutation)
      ->getResult(0);
}

Value attnres::converted(OpBuilder &builder, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  Type wanted = type.clone(element);
  if (element.isF32())
    return arith::ExtFOp::create(builder, value.getLoc(), wanted, value);
  return arith::TruncFOp::create(builder, value.getLoc(), wanted, value);
}

/// Elementwise operations that round their one input to `type` and do nothing
/// else with it.
static bool isRoundingTo(OpOperand &use, Type type) {
  auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!generic || !generic.isDpsInput(&use))
    return false;
  BlockArgument argument = generic.getMatchingBlockArgument(&use);
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    return isa<arith::TruncFOp>(user) && user->getResult(0).getType() == type;
  });
}

/// Whether `value` and its other shapes are used only rounded to `type`.
static bool isOnlyRounded(Value value, Type type) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<arith::TruncFOp>(user))
      return getElementTypeOrSelf(user->getResult(0).getType()) == type;
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      return isOnlyRounded(user->getResult(0), type);
    return isRoundingTo(use, type);
  });
}

/// Lets users that round `value` take `rounded`.
static void replaceRounded(Value value, Value rounded) {
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    Operation *user = use.getOwner();
    if (isa<arith::TruncFOp>(user)) {
      user->getResult(0).replaceAllUsesWith(rounded);
      user->erase();
    } else if (auto generic = dyn_cast<linalg::GenericOp>(user)) {
      BlockArgument argument = generic.getMatchingBlockArgument(&use);
      for (Operation *round : llvm::make_early_inc_range(argument.getUsers())) {
        round->getResult(0).replaceAllUsesWith(argument);
        round->erase();
      }
      argument.setType(getElementTypeOrSelf(rounded.getType()));
      use.set(rounded);
    } else {
      OpBuilder builder(user);
      IRMapping mapping;
      mapping.map(value, rounded);
      Operation *shape = builder.clone(*user, mapping);
      auto type = cast<RankedTensorType>(user->getResult(0).getType());
      shape->getResult(0).setType(
          type.clone(getElementTypeOrSelf(rounded.getType())));
      replaceRounded(user->getResult(0), shape->getResult(0));
      user->erase();
    }
  }
}

bool attnres::staysNarrow(Value value) {
  Type bf16 = BFloat16Type::get(value.getContext());
  return getElementTypeOrSelf(value.getType()) == bf16 ||
         isOnlyRounded(value, bf16);
}

void attnres::replaceInStorage(Value root, bool readsBf16,
                               function_ref<Value(OpBuilder &, Type)> build) {
  OpBuilder builder(root.getDefiningOp());
  Type element = getElementTypeOrSelf(root.getType());
  if (!readsBf16 || !staysNarrow(root)) {
    Value result = build(builder, builder.getF32Type());
    root.replaceAllUsesWith(converted(builder, result, element));
    return;
  }
  Value result = build(builder, builder.getBF16Type());
  if (element.isBF16())
    root.replaceAllUsesWith(result);
  else
    replaceRounded(root, result);
}
