//===- Activity.cpp - values that depend on a parameter -------------------===//
#include "passes/training/Activity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;

bool attnres::hasZeroDerivative(Operation *op) {
  return isa<arith::CmpFOp, arith::CmpIOp, arith::FPToSIOp, arith::FPToUIOp,
             math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
             math::TruncOp, math::IsFiniteOp, math::IsInfOp, math::IsNaNOp,
             math::IsNormalOp, tensor::DimOp, tensor::RankOp, tensor::EmptyOp>(
      op);
}

Value Activity::activeUse(Operation *op) const {
  for (Value operand : op->getOperands())
    if (contains(operand))
      return operand;
  Value found;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (contains(operand) && operand.getParentRegion() != &region &&
            !region.isAncestor(operand.getParentRegion())) {
          found = operand;
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
  return found;
}

void Activity::propagate(Operation *op) {
  if (hasZeroDerivative(op))
    return;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return propagateBody(structured);
  // Integers that an operation with a derivative makes are choices, of experts
  // for example; its derivative takes them as they are.
  auto isChoice = [&](Value result) {
    return isa<DifferentiableOpInterface>(op) &&
           getElementTypeOrSelf(result.getType()).isIntOrIndex();
  };
  if (Value source = activeUse(op))
    for (Value result : op->getResults())
      if (!isChoice(result))
        mark(result, source);
}

void Activity::propagateBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  unsigned numInputs = op.getNumDpsInputs();
  // What one result carries from point to point may feed another result.
  size_t before;
  do {
    before = origins.size();
    for (BlockArgument argument : body->getArguments()) {
      unsigned index = argument.getArgNumber();
      Value operand = op->getOperand(index);
      if (contains(operand))
        mark(argument, operand);
      else if (index >= numInputs)
        if (Value next = body->getTerminator()->getOperand(index - numInputs);
            contains(next))
          mark(argument, next);
    }
    for (Operation &nested : body->without_terminator())
      propagate(&nested);
  } while (origins.size() != before);
  for (auto [result, value] :
       llvm::zip(op->getResults(), body->getTerminator()->getOperands()))
    if (contains(value))
      mark(result, value);
}
