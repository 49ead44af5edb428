//===- RowMatcher.cpp - layers that compute rows from rows ----------------===//
#include "passes/import/RowMatcher.h"
#include "passes/import/Layouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace attnres;
using Kind = PointExpr::Kind;

bool RowOperand::isBF16() const { return getElementTypeOrSelf(value).isBF16(); }

Value RowMatcher::inLayout(OpBuilder &builder, const RowOperand &operand,
                           Type storage) const {
  SmallVector<int64_t> shape;
  SmallVector<unsigned> present = operand.dims(), order = rootDims();
  llvm::erase_if(
      order, [&](unsigned dim) { return !llvm::is_contained(present, dim); });
  for (unsigned dim : present)
    shape.push_back(extents[dim]);
  Value value = reshaped(builder, operand.value, shape);
  value = reordered(builder, value, present, order);
  value = reshaped(builder, value,
                   cast<RankedTensorType>(root.getType()).getShape());
  return converted(builder, value, storage);
}

SmallVector<unsigned> RowMatcher::rootDims() const {
  SmallVector<unsigned> dims;
  for (ArrayRef<unsigned> group : groups)
    llvm::append_range(dims, group);
  return dims;
}

bool RowMatcher::asRows(const PointExpr *expr, RowOperand &operand,
                        bool behindRounding) {
  if (expr->kind != Kind::Access ||
      !lastOperand(expr, operand, behindRounding) || !isStorage(operand.value))
    return false;
  SmallVector<unsigned> dims = operand.dims();
  auto isRootDim = [&](unsigned dim) { return dim < n; };
  return llvm::all_of(dims, isRootDim) &&
         llvm::all_of(rootDims(), [&](unsigned dim) {
           return extents[dim] == 1 || llvm::is_contained(dims, dim);
         });
}

bool RowMatcher::asRows(const PointExpr *expr, RowOperand &operand) {
  if (staysNarrow(root) && asRows(expr, operand, /*behindRounding=*/true) &&
      operand.isBF16())
    return true;
  return asRows(expr, operand, /*behindRounding=*/false);
}

bool RowMatcher::asVector(const PointExpr *expr, Value &vector) {
  PointOperand operand;
  if (expr->kind != Kind::Access || !lastOperand(expr, operand, false) ||
      operand.dims() != SmallVector<unsigned>{d} || !isStorage(operand.value))
    return false;
  vector = operand.value;
  return true;
}

Value attnres::vectorOrConstant(OpBuilder &builder, Location loc, Value vector,
                                int64_t columns, float otherwise) {
  Type f32 = builder.getF32Type();
  if (vector)
    return converted(builder, reshaped(builder, vector, {columns}), f32);
  auto type = RankedTensorType::get({columns}, f32);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, otherwise));
}
