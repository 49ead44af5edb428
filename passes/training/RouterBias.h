//===- RouterBias.h - what a router's bias is learned by --------*- C++ -*-===//
//
// The bias of a router decides who is chosen and weighs nothing, so the loss
// says nothing about it: it is set to what would give every expert its share
// of the rows, see attnres.balance_bias.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_TRAINING_ROUTERBIAS_H
#define ATTNRES_PASSES_TRAINING_ROUTERBIAS_H

#include "dialect/Mlir.h"

namespace attnres {

/// The router that alone reads `parameter`, as its bias; null for parameters
/// that are something else.
inline RouterOp findRouter(mlir::Value parameter) {
  if (!parameter.hasOneUse())
    return nullptr;
  auto router = mlir::dyn_cast<RouterOp>(*parameter.getUsers().begin());
  return router && router.getBias() == parameter ? router : nullptr;
}

/// Whether the router leaves any expert out: otherwise its bias has no effect.
inline bool canBalance(RouterOp router) {
  auto bias = mlir::cast<mlir::RankedTensorType>(router.getBias().getType());
  return static_cast<int64_t>(router.getTopK()) < bias.getDimSize(0);
}

/// The bias that balances the router on the rows that it has just routed.
inline mlir::Value balanced(mlir::OpBuilder &builder, RouterOp router) {
  return BalanceBiasOp::create(builder, router.getLoc(), router.getLogits(),
                               router.getBias(), router.getTopKAttr());
}

} // namespace attnres

#endif
