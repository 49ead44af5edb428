//===- Reduce.cpp - smaller cases with the same finding -------------------===//
#include "tools/fuzz/Reduce.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::fuzz;

namespace {

class Reducer {
public:
  Reducer(Runner &runner, const Finding &finding, const Limits &limits)
      : runner(runner), limits(limits), best(finding),
        wanted(finding.signature()) {}

  Finding run() {
    // Each round is only worth another one when it changed something.
    for (bool changed = true; changed;) {
      changed = false;
      changed |= reducePipeline();
      changed |= reduceModule();
    }
    return best;
  }

private:
  /// Whether the case still gives the finding; then it is the best one.
  bool accept(const Case &candidate) {
    Finding finding = runCase(runner, candidate, limits);
    if (finding.kind == FindingKind::None || finding.signature() != wanted)
      return false;
    best = finding;
    return true;
  }

  bool reducePipeline() {
    bool changed = false;
    for (size_t i = best.theCase.pipeline.size(); i-- > 0;) {
      Case candidate = best.theCase;
      candidate.pipeline.erase(candidate.pipeline.begin() + i);
      changed |= accept(candidate);
    }
    for (size_t i = 0; i < best.theCase.pipeline.size(); ++i) {
      Case candidate = best.theCase;
      std::string &element = candidate.pipeline[i];
      size_t open = element.find('{'), close = element.rfind('}');
      if (open == std::string::npos)
        continue;
      element.erase(open, close - open + 1);
      changed |= accept(candidate);
    }
    return changed;
  }

  using Change = llvm::function_ref<bool(ModuleOp, size_t)>;

  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>(best.theCase.text, &runner.context());
  }

  /// Applies change 0, 1, 2, ... to the module, one at a time, until there is
  /// no such change; keeps those that keep the finding.
  bool apply(Change change) {
    bool changed = false;
    for (size_t index = 0;;) {
      OwningOpRef<ModuleOp> module = parse();
      if (!module || !change(*module, index))
        return changed;
      Case candidate = best.theCase;
      candidate.text.clear();
      llvm::raw_string_ostream stream(candidate.text);
      module->print(stream);
      if (candidate.text != best.theCase.text && succeeded(verify(*module)) &&
          accept(candidate))
        changed = true; // what was change index + 1 is index now
      else
        ++index;
    }
  }

  bool reduceModule() {
    ScopedDiagnosticHandler silence(&runner.context(),
                                    [](Diagnostic &) { return success(); });
    bool changed = false;
    changed |= apply(dropFunction);
    changed |= apply(dropOperation);
    changed |= apply(dropResult);
    changed |= apply(dropArgument);
    changed |= apply(dropAttribute);
    return changed;
  }

  static bool dropFunction(ModuleOp module, size_t index) {
    auto functions = llvm::to_vector(module.getOps<FunctionOpInterface>());
    if (index >= functions.size())
      return false;
    functions[index].erase();
    return true;
  }

  /// From the last to the first; results that are used become arguments of the
  /// function.
  static bool dropOperation(ModuleOp module, size_t index) {
    SmallVector<Operation *> operations;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<ModuleOp, FunctionOpInterface>(op) &&
          !op->hasTrait<OpTrait::IsTerminator>())
        operations.push_back(op);
    });
    if (index >= operations.size())
      return false;
    Operation *op = operations[operations.size() - 1 - index];
    auto function = op->getParentOfType<FunctionOpInterface>();
    for (Value result : op->getResults()) {
      if (result.use_empty())
        continue;
      if (!function ||
          failed(function.insertArgument(function.getNumArguments(),
                                         result.getType(), {}, op->getLoc())))
        return true;
      result.replaceAllUsesWith(function.getArguments().back());
    }
    op->erase();
    return true;
  }

  static bool dropResult(ModuleOp module, size_t index) {
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (index >= function.getNumResults()) {
        index -= function.getNumResults();
        continue;
      }
      if (!function.isDeclaration() &&
          llvm::hasSingleElement(function.getFunctionBody()))
        function.front().getTerminator()->eraseOperand(index);
      (void)function.eraseResult(index);
      return true;
    }
    return false;
  }

  static bool dropArgument(ModuleOp module, size_t index) {
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (index >= function.getNumArguments()) {
        index -= function.getNumArguments();
        continue;
      }
      if (function.isDeclaration() || function.getArgument(index).use_empty())
        (void)function.eraseArgument(index);
      return true;
    }
    return false;
  }

  /// Attributes of functions, arguments and results.
  static bool dropAttribute(ModuleOp module, size_t index) {
    for (auto function : module.getOps<FunctionOpInterface>()) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        for (NamedAttribute attribute :
             mlir::function_interface_impl::getArgAttrs(function, i))
          if (index-- == 0) {
            function.removeArgAttr(i, attribute.getName());
            return true;
          }
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        for (NamedAttribute attribute :
             mlir::function_interface_impl::getResultAttrs(function, i))
          if (index-- == 0) {
            function.removeResultAttr(i, attribute.getName());
            return true;
          }
      for (NamedAttribute attribute : function->getDiscardableAttrs())
        if (index-- == 0) {
          function->removeAttr(attribute.getName());
          return true;
        }
    }
    return false;
  }

  Runner &runner;
  const Limits &limits;
  Finding best;
  std::string wanted;
};

} // namespace

Finding fuzz::reduce(Runner &runner, const Finding &finding,
                     const Limits &limits) {
  return Reducer(runner, finding, limits).run();
}
