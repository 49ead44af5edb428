//===- PipelineParts.h - where a model can be cut ---------------*- C++ -*-===//
//
// Which part of the stack a launch of @main belongs to follows from what it
// reads:
//
//   * a launch that reads parameters alone, or inputs alone, prepares them. It
//     has no place of its own and is done wherever it is needed; so is what the
//     backward pass computes of forward values without a gradient;
//   * any other launch of the forward pass belongs to the last part among what
//     it reads. Values of the forward pass so go to later parts only;
//   * a launch of the backward pass that reads gradients belongs to the last
//     part of the forward values that it reads, or to the first part among the
//     gradients, if that comes before. Gradients so go to earlier parts only.
//
// A cut maps parts to stages in their order, which keeps both directions.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_KERNELS_PIPELINEPARTS_H
#define ATTNRES_PASSES_KERNELS_PIPELINEPARTS_H

#include "passes/Passes.h"

#include <optional>
#include <vector>

namespace attnres {

struct PipelineParts {
  /// An error unless every parameter has attnres.part.
  static mlir::FailureOr<PipelineParts> of(mlir::func::FuncOp main);

  int64_t count = 1;
  /// Of launches that have a place.
  llvm::DenseMap<mlir::Operation *, int64_t> partOf;
  /// Floating-point operations of each part.
  std::vector<double> costs;
  /// The parts that a stage may begin with, 0 the first: no launch of the
  /// forward pass reads parameters before and behind such a border.
  std::vector<int64_t> borders;
};

/// The parts that `stages` stages begin with, which are among the borders: the
/// most expensive stage is as cheap as possible, and earlier ones rather small.
/// Empty when there are not enough borders.
std::vector<int64_t> chooseStages(const std::vector<int64_t> &borders,
                                  const std::vector<double> &costs,
                                  int64_t stages);

/// The launch that makes the value, behind views of it; null for none.
mlir::Operation *launchOf(mlir::Value value);

/// Whether a launch belongs to the backward pass.
bool isBackward(mlir::Operation *launch);

} // namespace attnres

#endif
