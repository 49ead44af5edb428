//===- LayerMatches.h - layers found in linalg ------------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_LAYERMATCHES_H
#define ATTNRES_PASSES_LAYERMATCHES_H

#include "mlir/IR/Operation.h"

namespace attnres {

/// Lets a layer take the place of the one result of `op`, a tensor, and says
/// what kind of layer; empty when `op` computes none.
llvm::StringRef raiseLayer(mlir::Operation *op);

/// Let an operation of the dialect take the place of `root`, if that computes
/// it; they return whether it does. Each says in its file what it accepts.

/// attnres.linear
bool raiseProduct(mlir::Value root);
/// attnres.rms_norm
bool raiseRmsNorm(mlir::Value root);
/// attnres.layer_norm
bool raiseLayerNorm(mlir::Value root);
/// attnres.swiglu
bool raiseGate(mlir::Value root);
/// attnres.gelu
bool raiseGelu(mlir::Value root);
/// attnres.rope
bool raiseRotation(mlir::Value root);
/// attnres.embedding
bool raiseEmbedding(mlir::Value root);
/// attnres.cross_entropy
bool raiseLoss(mlir::Value root);
/// tensor.concat
bool raiseConcatenation(mlir::Value root);

} // namespace attnres

#endif
