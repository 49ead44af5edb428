//===- SumGradients.cpp - gradients of a batch in parts -------------------===//
#include "passes/analysis/FunctionNames.h"

namespace attnres {
#define GEN_PASS_DEF_SUMGRADIENTS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

struct SumGradientsPass : attnres::impl::SumGradientsBase<SumGradientsPass> {
  using SumGradientsBase::SumGradientsBase;

  void runOnOperation() override {
    auto target = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!target || target.isDeclaration() ||
        !llvm::hasSingleElement(target.getBody())) {
      getOperation().emitError("expected a function of one block named ")
          << function;
      return signalPassFailure();
    }
    if (failed(verifyOneBlock(target)) || failed(expectNoUsers(target)))
      return signalPassFailure();
    bool any = false;
    for (unsigned i = 0; i < target.getNumResults(); ++i)
      if (resultName(target, i).starts_with("grad.")) {
        Type type = target.getResultTypes()[i];
        if (!isa<RankedTensorType>(type) ||
            !isa<FloatType>(getElementTypeOrSelf(type))) {
          target.emitError("expected ")
              << resultName(target, i) << " to be a tensor of floats, got "
              << type;
          return signalPassFailure();
        }
        sum(target, i);
        any = true;
      }
    if (!any) {
      target.emitError("expected a result named grad.NAME");
      return signalPassFailure();
    }
  }

private:
  /// Adds the gradient that is result `index` to a new argument.
  void sum(func::FuncOp target, unsigned index) {
    Operation *exit = target.front().getTerminator();
    OpBuilder builder(exit);
    Location loc = target.getLoc();
    Value grad = exit->getOperand(index);
    auto name = builder.getStringAttr(
        "sum." + resultName(target, index).drop_front(strlen("grad.")));
    unsigned argument = target.getNumArguments();
    // Fails only for declarations.
    (void)target.insertArgument(
        argument, grad.getType(),
        builder.getDictionaryAttr(
            {builder.getNamedAttr(kNameAttr, name),
             builder.getNamedAttr(kRoleAttr, builder.getStringAttr("state"))}),
        loc);
    exit->setOperand(index,
                     arith::AddFOp::create(builder, loc,
                                           target.getArgument(argument), grad));
    target.setResultAttr(index, kNameAttr, name);
    target.setResultAttr(index, kUpdatesAttr,
                         builder.getI64IntegerAttr(argument));
    ++numSums;
  }
};

} // namespace
