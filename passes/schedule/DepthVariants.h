//===- DepthVariants.h - other mixtures over depth --------------*- C++ -*-===//
//
// The mixtures of `attnres.stack` that `attnres.depth_attention` is not: those
// with heads, raw keys, sigmoids or queries made from the input, as linalg.
// They are for comparisons, which ask for right values and gradients and not
// for speed: every query reads its sources on its own, and two-phase leaves
// them as they are.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_SCHEDULE_DEPTHVARIANTS_H
#define ATTNRES_PASSES_SCHEDULE_DEPTHVARIANTS_H

#include "dialect/DecompositionHelpers.h"

namespace attnres {

/// One mixture, by the formulas in dialect/StackOps.td.
class DepthVariant {
public:
  /// That of query `index` over `sources`, which are [..., D] and at least one.
  DepthVariant(mlir::OpBuilder &builder, StackOp stack, size_t index,
               mlir::ArrayRef<mlir::Value> sources);

  /// [..., D]
  mlir::Value mixture();
  /// [n, ...] in f32: the weights of the sources, means over the heads.
  mlir::Value stackedWeights();

private:
  void computeScores(mlir::Value query, mlir::Value gain);
  void computeWeights(bool sigmoid);
  mlir::Value newestKey();
  mlir::SmallVector<int64_t> loops(int64_t count) const;

  StackOp stack;
  mlir::RankedTensorType type; ///< of a source
  Rows rows;
  int64_t heads;
  mlir::SmallVector<int64_t> split; ///< [..., heads, D / heads]
  mlir::SmallVector<mlir::Value> sources, splitSources;
  mlir::SmallVector<mlir::Value> inverseRms;      ///< [...]; none with raw keys
  mlir::SmallVector<mlir::Value> scores, weights; ///< [..., heads]
};

} // namespace attnres

#endif
