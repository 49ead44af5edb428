//===- RaiseLayers.cpp - layers in linalg to operations -------------------===//
#include "passes/import/LayerMatches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace attnres;

StringRef attnres::raiseLayer(Operation *op) {
  Value root = op->getResult(0);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured &&
      (!structured.hasPureTensorSemantics() || structured.hasDynamicShape()))
    return "";
  if (cast<RankedTensorType>(root.getType()).getRank() == 0)
    return raiseLoss(root) ? "RaisedLoss" : "";
  if (structured && structured.getNumReductionLoops() == 1)
    return raiseProduct(root) ? "RaisedProduct" : "";
  Operation *last = op;
  if (structured)
    last =
        structured.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  // Joined halves, or the sum of one product with joined halves.
  bool mayRotate =
      isa_and_nonnull<scf::IfOp, arith::AddFOp>(last) ||
      isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::CollapseShapeOp>(op);
  if (mayRotate && raiseRotation(root))
    return "RaisedRotation";
  if (isa_and_nonnull<scf::IfOp>(last))
    return raiseConcatenation(root) ? "RaisedConcatenation" : "";
  if (isa_and_nonnull<tensor::ExtractOp>(last))
    return raiseEmbedding(root) ? "RaisedEmbedding" : "";
  if (!isa_and_nonnull<arith::AddFOp, arith::MulFOp, arith::DivFOp>(last))
    return "";
  return raiseLayerNorm(root) ? "RaisedNorm"
         : raiseRmsNorm(root) ? "RaisedNorm"
         : raiseGate(root)    ? "RaisedGate"
         : raiseGelu(root)    ? "RaisedActivation"
                              : "";
}
