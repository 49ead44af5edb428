//===- Communication.h - attributes for several processes -------*- C++ -*-===//
//
// What `attnres-place-communication` says about launches in @main, and what
// `attnres-cut-pipeline` is told about its parameters.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_KERNELS_COMMUNICATION_H
#define ATTNRES_PASSES_KERNELS_COMMUNICATION_H

#include "llvm/ADT/StringRef.h"

namespace attnres {

/// Names of the parameters whose gradient sums are complete behind the launch.
inline constexpr llvm::StringLiteral kCompletesAttr = "attnres.completes";
/// Name of the parameter that the launch works for alone.
inline constexpr llvm::StringLiteral kOwnerAttr = "attnres.owner";
/// On parameters of a model that can be cut: the number, from 0, of the part of
/// its stack that reads the parameter first. Parts are computed one after the
/// other; a cut is between two of them.
inline constexpr llvm::StringLiteral kPartAttr = "attnres.part";

} // namespace attnres

#endif
