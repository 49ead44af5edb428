//===- IndexLimits.h - values that integer inputs may have ------*- C++ -*-===//
#ifndef ATTNRES_PASSES_INDEXLIMITS_H
#define ATTNRES_PASSES_INDEXLIMITS_H

#include "llvm/ADT/StringRef.h"

namespace attnres {

/// On integer arguments of a function: the values that are inside every table
/// that they choose from, as an array of closed intervals in ascending order.
inline constexpr llvm::StringLiteral kLimitsAttr = "attnres.limits";

} // namespace attnres

#endif
