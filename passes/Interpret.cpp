//===- Interpret.cpp - runs functions in the reference interpreter --------===//
#include "dialect/interpreter/Interpreter.h"
#include "passes/Passes.h"

#include "llvm/Support/Format.h"

namespace attnres {
#define GEN_PASS_DEF_INTERPRET
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

struct InterpretPass : attnres::impl::InterpretBase<InterpretPass> {
  using InterpretBase::InterpretBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> targets;
    if (function.empty()) {
      for (auto candidate : getOperation().getOps<func::FuncOp>())
        if (!candidate.isDeclaration() && candidate.getNumArguments() == 0)
          targets.push_back(candidate);
    } else {
      auto target = getOperation().lookupSymbol<func::FuncOp>(function);
      if (!target || target.isDeclaration()) {
        getOperation().emitError("expected a function with a body named ")
            << function;
        return signalPassFailure();
      }
      targets.push_back(target);
    }
    InterpreterOptions options;
    options.roundToStorage = roundToStorage;
    for (func::FuncOp target : targets) {
      auto results = interpret(target, {}, options);
      if (failed(results))
        return signalPassFailure();
      if (printResults)
        print(target, *results);
      ++numFunctions;
    }
    markAllAnalysesPreserved();
  }

  /// One line for each result: @name#i : type = [elements].
  void print(func::FuncOp target, ArrayRef<Tensor> results) {
    for (auto [index, result] : llvm::enumerate(results)) {
      llvm::outs() << "@" << target.getName() << "#" << index << " : "
                   << target.getResultTypes()[index] << " = [";
      if (result.isInteger)
        llvm::interleaveComma(result.integers, llvm::outs());
      else
        llvm::interleaveComma(result.reals, llvm::outs(), [](double value) {
          llvm::outs() << llvm::format("%.17g", value);
        });
      llvm::outs() << "]\n";
    }
  }
};

} // namespace
