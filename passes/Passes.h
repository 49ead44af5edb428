//===- Passes.h - passes on models, training steps and kernels --*- C++ -*-===//
#ifndef ATTNRES_PASSES_PASSES_H
#define ATTNRES_PASSES_PASSES_H

#include "dialect/Attnres.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace attnres {
/// Unit attribute on copies that `--attnres-recompute` makes.
inline constexpr llvm::StringLiteral kRecomputedAttr = "attnres.recomputed";

/// Boolean attribute on parameters: whether weight decay applies.
inline constexpr llvm::StringLiteral kDecayAttr = "attnres.decay";

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"
} // namespace attnres

#endif
