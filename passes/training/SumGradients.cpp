//===- SumGradients.cpp - gradients of a batch in parts -------------------===//
#include "passes/analysis/FunctionNames.h"
#include "support/BindingNames.h"

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
    for (unsigned i = 0; i < target.getNumResults(); ++i) {
      RoleAttr role = resultRole(target, i);
      if (!role || role.getKind() != Role::Gradient)
        continue;
      Type type = target.getResultTypes()[i];
      if (!isa<RankedTensorType>(type) ||
          !isa<FloatType>(getElementTypeOrSelf(type))) {
        target.emitError("expected the gradient of ")
            << role.getParameter() << " to be a tensor of floats, got " << type;
        return signalPassFailure();
      }
      sum(target, i, role.getParameter());
      any = true;
    }
    if (!any) {
      target.emitError("expected a result that is a gradient by its role");
      return signalPassFailure();
    }
  }

private:
  /// Adds the gradient of `parameter`, result `index`, to a new argument.
  void sum(func::FuncOp target, unsigned index, StringAttr parameter) {
    Operation *exit = target.front().getTerminator();
    OpBuilder builder(exit);
    Location loc = target.getLoc();
    Value grad = exit->getOperand(index);
    auto name =
        builder.getStringAttr(names::gradientSum + parameter.getValue());
    unsigned argument = target.getNumArguments();
    // Fails only for declarations.
    (void)target.insertArgument(
        argument, grad.getType(),
        namedRole(name.getValue(),
                  RoleAttr::get(&getContext(), Role::GradientSum,
                                parameter.getValue())),
        loc);
    exit->setOperand(index,
                     arith::AddFOp::create(builder, loc,
                                           target.getArgument(argument), grad));
    target.setResultAttr(index, kNameAttr, name);
    target.removeResultAttr(index, builder.getStringAttr(kRoleAttr));
    target.setResultAttr(index, kUpdatesAttr,
                         builder.getI64IntegerAttr(argument));
    ++numSums;
  }
};

} // namespace
