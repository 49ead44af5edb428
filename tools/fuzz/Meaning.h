//===- Meaning.h - whether a pass keeps what a program computes -*- C++ -*-===//
#ifndef ATTNRES_TOOLS_FUZZ_MEANING_H
#define ATTNRES_TOOLS_FUZZ_MEANING_H

#include "dialect/interpreter/Interpreter.h"
#include "tools/fuzz/Random.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>
#include <string>

namespace attnres::fuzz {

/// What the functions of a module compute on inputs that follow from a seed.
class Meaning {
public:
  /// Interprets the functions of `module` that have small static shapes. Those
  /// that have no evaluation are left out.
  Meaning(mlir::ModuleOp module, uint64_t seed);

  /// Interprets the same functions of the module after a pass. A message when
  /// a result is another one, beyond what rounding explains. Functions whose
  /// arguments or results are others now are left out from here on.
  std::optional<std::string> compare(mlir::ModuleOp after);

  /// Before a pass that makes gradients: what it adds is not there yet.
  void beforeGradients(mlir::ModuleOp before);
  /// Compares the gradients of a differentiated function (results `grad.NAME`
  /// of the result `loss`) with differences of its loss.
  std::optional<std::string> compareGradients(mlir::ModuleOp after);

private:
  struct Program {
    mlir::SmallVector<mlir::Type> arguments, results;
    mlir::SmallVector<Tensor> inputs;
    /// In float64, and rounded at every step.
    mlir::SmallVector<Tensor> exact, rounded;
    /// Of each element of each result, whether it follows from the inputs.
    std::vector<std::vector<bool>> defined;
  };

  uint64_t seed;
  double tolerance;
  /// Of main, before it was differentiated.
  unsigned numArguments = 0;
  std::map<std::string, Program> programs;
};

} // namespace attnres::fuzz

#endif
