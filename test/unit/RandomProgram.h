//===- RandomProgram.h - random programs and their meaning ------*- C++ -*-===//
//
// Programs for testing passes: a pass is right when what it makes of a random
// program computes the same in the reference interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TEST_UNIT_RANDOMPROGRAM_H
#define ATTNRES_TEST_UNIT_RANDOMPROGRAM_H

#include "dialect/interpreter/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

#include <random>

namespace attnres::testing {

/// A context with every dialect, and every pass registered by name. It lives as
/// long as the process.
mlir::MLIRContext &testContext();

/// Parses a module; a test failure and null when it does not parse or verify.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef text);

/// Runs a textual pass pipeline, for example
/// "attnres-expand-stack,func.func(cse)"; a test failure when it fails.
bool runPipeline(mlir::ModuleOp module, llvm::StringRef pipeline);

/// Elements from a normal distribution; integers in [0, 3).
Tensor randomTensor(mlir::Type type, std::mt19937_64 &random);

/// One random tensor for each argument of `function`.
mlir::SmallVector<Tensor> randomInputs(mlir::func::FuncOp function,
                                       std::mt19937_64 &random);

/// The results of the function `name`; a test failure and nothing on an error.
mlir::SmallVector<Tensor> evaluate(mlir::ModuleOp module,
                                   mlir::ArrayRef<Tensor> inputs,
                                   const InterpreterOptions &options = {},
                                   llvm::StringRef name = "main");

/// Whether all elements agree within tolerance (1 + |expected|), infinities and
/// NaN in kind; a message for the first that does not.
::testing::AssertionResult isClose(const Tensor &actual, const Tensor &expected,
                                   double tolerance);

struct RandomProgramOptions {
  /// Stacks whose mixtures have heads, windows, raw keys, sigmoids, matrices or
  /// logits, too.
  bool variants = false;
  /// Residual stacks of all modes besides hand-written depth attentions.
  bool stacks = true;
  /// Hand-written depth attentions over shared subsets of earlier values.
  bool depthGraphs = true;
  /// Uses of log-sum-exps, merges and static mixtures in those.
  bool merges = true;
  /// Make the first result a scalar named "loss" that the others feed.
  bool loss = false;
  /// Return one token of the first result, and of some others.
  bool selections = false;
  /// Most sources of one depth attention.
  int maxSources = 9;
};

/// A module with one function @main, built through the builders of the
/// operations: odd shapes, 1 to `maxSources` sources, sublayers of norms,
/// projections, rotations, attention and gated activations. Parameters carry
/// attnres.role and attnres.name. The same seed gives the same program.
mlir::OwningOpRef<mlir::ModuleOp>
randomProgram(uint64_t seed, const RandomProgramOptions &options = {});

/// Runs @main of `module` and of a copy after `pipeline` on the same random
/// inputs; a test failure that names the seed and prints both when a result
/// differs by more than tolerance (1 + |expected|). The pipeline may append
/// results. `module` is not changed.
void expectSameMeaning(mlir::ModuleOp module, llvm::StringRef pipeline,
                       double tolerance, uint64_t seed = 0);

} // namespace attnres::testing

#endif
