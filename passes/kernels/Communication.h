//===- Communication.h - attributes for several processes -------*- C++ -*-===//
//
// What `attnres-place-communication` says about launches in @main.
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

} // namespace attnres

#endif
