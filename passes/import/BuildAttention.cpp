//===- BuildAttention.cpp - attnres.attention in place of linalg ----------===//
#include "dialect/Attnres.h"
#include "passes/import/AttentionMatch.h"
#include "passes/import/Layouts.h"

using namespace mlir;
using namespace attnres;

namespace {

/// Builds the attention of a match in the layout [B, T, H, D] and brings the
/// result back into the layout of the root.
class AttentionBuilder {
public:
  AttentionBuilder(OpBuilder &builder, Type storage,
                   const AttentionMatch &match)
      : builder(builder), storage(storage), loc(match.output.value.getLoc()),
        match(match) {}

  Value build() {
    Value q = canonical(match.q, match.m, match.sharing, match.headDim);
    Value k = canonical(match.k, match.n, {}, match.headDim);
    Value v = canonical(match.v, match.n, {}, match.valueDim);
    auto attention =
        AttentionOp::create(builder, loc, q, k, v, /*start=*/Value(),
                            /*documents=*/Value(),
                            match.causal ? builder.getUnitAttr() : UnitAttr(),
                            builder.getF64FloatAttr(match.scale));
    SmallVector<unsigned> order =
        order4(match.m, match.sharing, match.valueDim);
    SmallVector<unsigned> wanted = match.output.dims();
    // What has an extent of 1 is not in the order and has no influence on it.
    llvm::erase_if(
        wanted, [&](unsigned dim) { return !llvm::is_contained(order, dim); });
    Value output = reshaped(builder, attention.getOutput(), shapeOf(order));
    output = reordered(builder, output, order, wanted);
    return reshaped(
        builder, output,
        cast<RankedTensorType>(match.output.value.getType()).getShape());
  }

private:
  using Dims = ArrayRef<unsigned>;

  /// The position dimensions in the order [B, row, H, column].
  SmallVector<unsigned> order4(unsigned row, Dims sharing, unsigned column) {
    SmallVector<unsigned> order(match.batch);
    order.push_back(row);
    llvm::append_range(order, match.keyHeads);
    llvm::append_range(order, sharing);
    order.push_back(column);
    return order;
  }

  SmallVector<int64_t> shapeOf(Dims dims) {
    return llvm::map_to_vector(
        dims, [&](unsigned dim) { return match.extents[dim]; });
  }

  int64_t product(Dims dims) {
    int64_t extent = 1;
    for (unsigned dim : dims)
      extent *= match.extents[dim];
    return extent;
  }

  /// The operand as [B, row, H, column].
  Value canonical(const PointOperand &operand, unsigned row, Dims sharing,
                  unsigned column) {
    Value value = converted(builder, operand.value, storage);
    SmallVector<unsigned> order = order4(row, sharing, column);
    SmallVector<unsigned> present = operand.dims();
    llvm::erase_if(
        present, [&](unsigned dim) { return !llvm::is_contained(order, dim); });
    llvm::erase_if(
        order, [&](unsigned dim) { return !llvm::is_contained(present, dim); });
    value = reshaped(builder, value, shapeOf(present));
    value = reordered(builder, value, present, order);
    return reshaped(builder, value,
                    {product(match.batch), match.extents[row],
                     product(match.keyHeads) * product(sharing),
                     match.extents[column]});
  }

  OpBuilder &builder;
  Type storage;
  Location loc;
  const AttentionMatch &match;
};

} // namespace

void attnres::replaceByAttention(const AttentionMatch &match) {
  bool readsBf16 = getElementTypeOrSelf(match.q.value).isBF16();
  replaceInStorage(match.output.value, readsBf16,
                   [&](OpBuilder &builder, Type storage) {
                     return AttentionBuilder(builder, storage, match).build();
                   });
}
