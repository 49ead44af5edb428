//===- Generator.h - random modules -----------------------------*- C++ -*-===//
//
// A module follows from a seed. Every operation is built with operands that
// suit it, then sometimes damaged (another operand, another attribute), and
// verified: what the verifier refuses is erased again. So modules are
// verifiable, but at the edge of it, and a verifier that accepts what no pass
// can handle is found like a pass that cannot handle it.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_FUZZ_GENERATOR_H
#define ATTNRES_TOOLS_FUZZ_GENERATOR_H

#include "tools/fuzz/Random.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace attnres::fuzz {

struct GeneratorOptions {
  /// Small static shapes, common element types and operations that are defined
  /// for all operands: what the interpreter can compare before and after a
  /// pass.
  bool computable = false;
  /// Most operations at the top of a function, besides those that make
  /// operands.
  int64_t maxSteps = 10;
  /// Called with the name of every operation built, and whether its verifier
  /// accepted it.
  std::function<void(llvm::StringRef name, bool accepted)> count;
};

/// A verified module. `context` has every dialect loaded.
mlir::OwningOpRef<mlir::ModuleOp> generate(mlir::MLIRContext *context,
                                           uint64_t seed,
                                           const GeneratorOptions &options);

/// Changes `module` here and there and verifies each change: element types and
/// sizes everywhere at once, operands, attributes, names and roles, results,
/// the order of operations. The module stays verifiable.
void mutate(mlir::OwningOpRef<mlir::ModuleOp> &module, Random &random);

/// Whether everything in `op` can be printed and read again. Verifiers of
/// MLIR's own operations accept, or do not survive, some that cannot, which no
/// user can write either. To be asked before they are.
bool isWritable(mlir::Operation *op);

} // namespace attnres::fuzz

#endif
