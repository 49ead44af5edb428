//===- Passes.h - passes on models, training steps and kernels --*- C++ -*-===//
#ifndef ATTNRES_PASSES_PASSES_H
#define ATTNRES_PASSES_PASSES_H

#include "dialect/Mlir.h"
#include "passes/PassStatistic.h"
#include "passes/training/OptimizerAlgorithm.h"

namespace attnres {
/// Unit attribute on copies that `--attnres-recompute` makes.
inline constexpr llvm::StringLiteral kRecomputedAttr = "attnres.recomputed";

/// Boolean attribute on parameters: whether weight decay applies.
inline constexpr llvm::StringLiteral kDecayAttr = "attnres.decay";

/// Unit attribute on parameters that stay as they are.
inline constexpr llvm::StringLiteral kFrozenAttr = "attnres.frozen";

/// Name of the function beside @main that updates parameters by the sums of
/// `--attnres-sum-gradients`.
inline constexpr llvm::StringLiteral kUpdateFunction = "attnres.update";

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"
} // namespace attnres

#endif
