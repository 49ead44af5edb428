//===- KernelCosts.h - what attnres-annotate-costs writes -------*- C++ -*-===//
#ifndef ATTNRES_PASSES_KERNELCOSTS_H
#define ATTNRES_PASSES_KERNELCOSTS_H

#include "llvm/ADT/StringRef.h"

namespace attnres {

/// On kernels: floating-point operations of one launch (i64).
inline constexpr llvm::StringLiteral kFlopsAttr = "attnres.flops";

} // namespace attnres

#endif
