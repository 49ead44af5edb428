//===- RaiseLayers.cpp - layers in linalg to operations -------------------===//
#include "passes/import/LayerMatches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace attnres;

StringRef attnres::raiseLayer(Operation *op) {
  Value root = op->getResult(0);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured &&
      (!structured.hasPureTensorSemantics() || structured.hasDynamicShape()))
    return "";
  if (structured && structured.getNumReductionLoops() == 1)
    return raiseProduct(root) ? "RaisedProduct" : "";
  Operation *last = op;
  if (structured)
    last =
        structured.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(last))
    return "";
  return raiseRmsNorm(root) ? "RaisedNorm"
         : raiseGate(root)  ? "RaisedGate"
                            : "";
}
