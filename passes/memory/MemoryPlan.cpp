//===- MemoryPlan.cpp - facts about tensors in memory ---------------------===//
#include "passes/memory/MemoryPlan.h"

#include "passes/analysis/TensorTypes.h"

using namespace mlir;
using namespace attnres;

int64_t attnres::tensorBytes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getNumElements() * elementBytes(type.getElementType());
}

std::optional<int64_t> attnres::sliceOffset(tensor::ExtractSliceOp slice) {
  RankedTensorType type = slice.getSourceType();
  ArrayRef<int64_t> sizes = slice.getStaticSizes();
  ArrayRef<int64_t> offsets = slice.getStaticOffsets();
  if (ShapedType::isDynamicShape(sizes) || ShapedType::isDynamicShape(offsets))
    return std::nullopt;
  // Contiguous: from the first dimension that is cut with more than one
  // element on, every later dimension is whole. Strides matter only where
  // there is more than one element.
  int64_t offset = 0;
  bool cut = false;
  for (auto [size, start, stride, extent] : llvm::zip_equal(
           sizes, offsets, slice.getStaticStrides(), type.getShape())) {
    if (size > 1 && stride != 1)
      return std::nullopt;
    if (cut && size != extent)
      return std::nullopt;
    cut = cut || size > 1;
    offset = offset * extent + start;
  }
  return offset * elementBytes(type.getElementType());
}

bool attnres::isView(Operation *op, Value &source, int64_t &offset) {
  offset = 0;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    source = op->getOperand(0);
    return true;
  }
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice)
    return false;
  std::optional<int64_t> start = sliceOffset(slice);
  if (!start)
    return false;
  source = slice.getSource();
  offset = *start;
  return true;
}

SmallVector<KernelSlot> attnres::kernelSlots(ArrayRef<int64_t> groups) {
  SmallVector<KernelSlot> slots;
  for (auto [index, size] : llvm::enumerate(groups)) {
    if (size < 0)
      slots.push_back({static_cast<int64_t>(index), -1});
    for (int64_t element = 0; element < size; ++element)
      slots.push_back({static_cast<int64_t>(index), element});
  }
  return slots;
}

bool attnres::mayReuse(KernelOp kernel, KernelSlot result, KernelSlot operand) {
  return kernel.getReusedArgument(result.index) == operand.index &&
         result.element == operand.element;
}
