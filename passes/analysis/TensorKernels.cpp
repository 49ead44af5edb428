//===- TensorKernels.cpp - kernels on tensors and their memory ------------===//
#include "passes/analysis/TensorKernels.h"

#include "passes/analysis/TensorTypes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace attnres;

bool attnres::isTensorKernel(KernelOp kernel) {
  if (kernel.isLowered() || kernel.isExternal())
    return false;
  auto isKnown = [](Type type) {
    RankedTensorType tensor = tensorOf(type);
    return !tensor.getEncoding() && isKernelElement(tensor.getElementType());
  };
  return llvm::all_of(kernel.getArgumentTypes(), isKnown) &&
         llvm::all_of(kernel.getResultTypes(), isKnown);
}

Operation *attnres::getSoleOperation(KernelOp kernel) {
  if (!isTensorKernel(kernel))
    return nullptr;
  auto ops = kernel.front().without_terminator();
  if (!llvm::hasSingleElement(ops))
    return nullptr;
  Operation *op = &*ops.begin();
  DenseSet<Value> returned;
  for (Value value : kernel.getReturned())
    if (value.getDefiningOp() != op || !returned.insert(value).second)
      return nullptr;
  return llvm::all_of(op->getOperands(), llvm::IsaPred<BlockArgument>)
             ? op
             : nullptr;
}

Value KernelMemory::of(Value operand) const {
  if (!operand)
    return nullptr;
  return inputs[cast<BlockArgument>(operand).getArgNumber()];
}

Value KernelMemory::of(OpResult result) const {
  for (auto [value, output] : llvm::zip_equal(returned, outputs))
    if (value == result)
      return output;
  return nullptr;
}

LogicalResult attnres::expectCodeTypes(KernelOp kernel, TypeRange expected) {
  TypeRange types = kernel.getBody().getArgumentTypes();
  if (types == expected)
    return success();
  return kernel.emitOpError("expected code that takes ")
         << expected << ", got " << types;
}
