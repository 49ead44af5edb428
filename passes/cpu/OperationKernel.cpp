//===- OperationKernel.cpp - Kernels of a single operation ----------------===//
#include "passes/cpu/OperationKernel.h"

#include "dialect/Attnres.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

Operation *attnres::cpu::getSoleOperation(KernelOp function) {
  if (!isTensorKernel(function))
    return nullptr;
  auto ops = function.front().without_terminator();
  if (!llvm::hasSingleElement(ops))
    return nullptr;
  Operation *op = &*ops.begin();
  DenseSet<Value> returned;
  for (Value value : function.front().getTerminator()->getOperands())
    if (value.getDefiningOp() != op || !returned.insert(value).second)
      return nullptr;
  return llvm::all_of(op->getOperands(), llvm::IsaPred<BlockArgument>)
             ? op
             : nullptr;
}

KernelMemory::KernelMemory(KernelOp function, const KernelFunction &kernel)
    : returned(function.front().getTerminator()), kernel(kernel) {}

Value KernelMemory::of(Value operand) const {
  if (!operand)
    return nullptr;
  return kernel.inputs[cast<BlockArgument>(operand).getArgNumber()];
}

Value KernelMemory::of(OpResult result) const {
  for (auto [value, output] :
       llvm::zip_equal(returned->getOperands(), kernel.outputs))
    if (value == result)
      return output;
  return nullptr;
}
