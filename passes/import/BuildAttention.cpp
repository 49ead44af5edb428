//===- BuildAttention.cpp - attnres.attention in place of linalg ----------===//
#include "dialect/Attnres.h"
#include "passes/import/AttentionMatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace attnres;

namespace {

/// Builds the attention of a match in the layout [B, T, H, D] and brings the
/// result back into the layout of the root.
class AttentionBuilder {
public:
  AttentionBuilder(linalg::LinalgOp root, const AttentionMatch &match)
      : builder(root), loc(root.getLoc()), root(root), match(match) {}

  /// Replaces the result of the root.
  void replace() {
    Value result = root->getResult(0);
    Type type = getElementTypeOrSelf(match.q.value);
    if (getElementTypeOrSelf(result.getType()) == type) {
      result.replaceAllUsesWith(build());
    } else if (onlyRounded(result, type)) {
      replaceRounded(result, build());
    } else {
      widen = builder.getF32Type();
      result.replaceAllUsesWith(build());
    }
  }

private:
  Value build() {
    Value q = canonical(match.q, match.m, match.headDim);
    Value k = canonical(match.k, match.n, match.headDim);
    Value v = canonical(match.v, match.n, match.valueDim);
    auto attention =
        AttentionOp::create(builder, loc, q, k, v, /*start=*/Value(),
                            /*documents=*/Value(),
                            match.causal ? builder.getUnitAttr() : UnitAttr(),
                            builder.getF64FloatAttr(match.scale));
    Value output = attention.getOutput();
    SmallVector<unsigned> order = canonicalOrder(match.m, match.valueDim);
    if (order.size() < 4) {
      auto full = cast<RankedTensorType>(output.getType());
      SmallVector<int64_t> shape(full.getShape());
      // The batch of no batch dimension goes first, then the heads of fewer
      // than two.
      shape.erase(shape.begin() + 2);
      if (match.batch.empty())
        shape.erase(shape.begin());
      output = tensor::CollapseShapeOp::create(
          builder, loc, RankedTensorType::get(shape, full.getElementType()),
          output, reassociation());
    }
    output = transpose(output, order, match.output.dims);
    auto type = cast<RankedTensorType>(output.getType());
    if (type.getRank() == static_cast<int64_t>(match.outputGroups.size()))
      return output;
    SmallVector<ReassociationIndices> groups;
    int64_t next = 0;
    for (unsigned size : match.outputGroups) {
      groups.push_back(
          llvm::to_vector<2>(llvm::seq<int64_t>(next, next + size)));
      next += size;
    }
    return tensor::CollapseShapeOp::create(builder, loc, output, groups);
  }

  //===--- Results that are rounded at once -------------------------------===//

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
  static bool onlyRounded(Value value, Type type) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<arith::TruncFOp>(user))
        return getElementTypeOrSelf(user->getResult(0).getType()) == type;
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
        return onlyRounded(user->getResult(0), type);
      return isRoundingTo(use, type);
    });
  }

  /// Lets users that round `value` take `rounded`.
  void replaceRounded(Value value, Value rounded) {
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *user = use.getOwner();
      if (isa<arith::TruncFOp>(user)) {
        user->getResult(0).replaceAllUsesWith(rounded);
        user->erase();
      } else if (auto generic = dyn_cast<linalg::GenericOp>(user)) {
        BlockArgument argument = generic.getMatchingBlockArgument(&use);
        for (Operation *round :
             llvm::make_early_inc_range(argument.getUsers())) {
          round->getResult(0).replaceAllUsesWith(argument);
          round->erase();
        }
        argument.setType(getElementTypeOrSelf(rounded.getType()));
        use.set(rounded);
      } else {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(user);
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

  /// The position dimensions in the order [B, row, H, column].
  SmallVector<unsigned> canonicalOrder(unsigned row, unsigned column) {
    SmallVector<unsigned> order;
    if (!match.batch.empty())
      order.push_back(match.batch[0]);
    order.push_back(row);
    if (match.batch.size() == 2)
      order.push_back(match.batch[1]);
    order.push_back(column);
    return order;
  }

  /// How dimensions of [B, T, H, D] group into those that exist.
  SmallVector<ReassociationIndices> reassociation() {
    if (match.batch.empty())
      return {{0, 1, 2}, {3}};
    return {{0}, {1, 2}, {3}};
  }

  Value canonical(const PointOperand &operand, unsigned row, unsigned column) {
    SmallVector<unsigned> order = canonicalOrder(row, column);
    Value value = operand.value;
    if (widen) {
      auto type = cast<RankedTensorType>(value.getType());
      value = arith::ExtFOp::create(builder, loc, type.clone(widen), value);
    }
    value = transpose(value, operand.dims, order);
    if (order.size() == 4)
      return value;
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.end() - 1, 1);
    if (match.batch.empty())
      shape.insert(shape.begin(), 1);
    return tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value, reassociation());
  }

  /// Reorders the dimensions `from` of `value` to `to`.
  Value transpose(Value value, ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
    if (from == to)
      return value;
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> permutation, shape;
    for (unsigned dim : to) {
      permutation.push_back(llvm::find(from, dim) - from.begin());
      shape.push_back(type.getDimSize(permutation.back()));
    }
    Value init =
        tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
    return linalg::TransposeOp::create(builder, loc, value, init, permutation)
        ->getResult(0);
  }

  OpBuilder builder;
  Location loc;
  linalg::LinalgOp root;
  const AttentionMatch &match;
  /// The type that operands are extended to; null when they stay.
  Type widen;
};

} // namespace

void attnres::replaceByAttention(linalg::LinalgOp root,
                                 const AttentionMatch &match) {
  AttentionBuilder(root, match).replace();
}
