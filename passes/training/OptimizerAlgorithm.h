//===- OptimizerAlgorithm.h - how parameters follow gradients ---*- C++ -*-===//
#ifndef ATTNRES_PASSES_TRAINING_OPTIMIZERALGORITHM_H
#define ATTNRES_PASSES_TRAINING_OPTIMIZERALGORITHM_H

namespace attnres {

enum class OptimizerAlgorithm {
  AdamW, ///< by both moments of the gradient
  Muon,  ///< matrices by their orthogonalized momentum, the rest as AdamW
  Sgd,   ///< by the momentum itself
  Lion,  ///< by the sign of what the momentum and the gradient agree on
};

} // namespace attnres

#endif
