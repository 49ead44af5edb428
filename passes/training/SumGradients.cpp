//===- SumGradients.cpp - gradients of a batch in parts -------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/training/RouterBias.h"
#include "support/BindingNames.h"

#include "llvm/ADT/StringMap.h"

namespace attnres {
#define GEN_PASS_DEF_SUMGRADIENTS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// A sum that comes in and goes out.
struct Sum {
  StringAttr parameter;
  unsigned argument;
  bool isChange; ///< of what is not learned by its gradient
};

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
    llvm::StringMap<unsigned> parameters;
    for (unsigned i = 0; i < target.getNumArguments(); ++i)
      if (hasRole(target, i, Role::Parameter))
        parameters[argumentName(target, i)] = i;
    SmallVector<Sum> sums;
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
      auto parameter = parameters.find(role.getParameter().getValue());
      sums.push_back(
          sum(target, i, role.getParameter(),
              parameter == parameters.end()
                  ? RouterOp()
                  : findRouter(target.getArgument(parameter->second))));
    }
    if (sums.empty()) {
      target.emitError("expected a result that is a gradient by its role");
      return signalPassFailure();
    }
    createUpdate(target, sums, parameters);
  }

private:
  /// Adds the gradient of `parameter`, result `index`, to a new argument; or of
  /// the bias of `router` what changes it.
  Sum sum(func::FuncOp target, unsigned index, StringAttr parameter,
          RouterOp router) {
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
    Value sofar = target.getArgument(argument);
    Value sum;
    if (!router)
      sum = arith::AddFOp::create(builder, loc, sofar, grad);
    else
      sum = canBalance(router) ? addChange(builder, target, router, sofar)
                               : sofar;
    exit->setOperand(index, sum);
    target.setResultAttr(index, kNameAttr, name);
    target.removeResultAttr(index, builder.getStringAttr(kRoleAttr));
    target.setResultAttr(index, kUpdatesAttr,
                         builder.getI64IntegerAttr(argument));
    ++numSums;
    return {parameter, argument, static_cast<bool>(router)};
  }

  /// sofar + loss_weight (balanced bias - bias): the weights of all parts add
  /// up to 1, or to 0 when nothing is learned.
  static Value addChange(OpBuilder &builder, func::FuncOp target,
                         RouterOp router, Value sofar) {
    Location loc = router.getLoc();
    Value against = arith::SubFOp::create(builder, loc, router.getBias(),
                                          balanced(builder, router));
    std::optional<unsigned> argument = findArgument(target, "loss_weight");
    Value weight;
    if (argument)
      weight = target.getArgument(*argument);
    else
      weight = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(
              RankedTensorType::get({}, builder.getF32Type()), 1.0f));
    return DescendOp::create(builder, loc, sofar, against, weight,
                             builder.getF64FloatAttr(1),
                             builder.getF64FloatAttr(0));
  }

  /// The function that takes parameters and sums and returns the sums as
  /// gradients, for `--attnres-optimizer`; what changes other parameters is
  /// added to them.
  void createUpdate(func::FuncOp target, ArrayRef<Sum> sums,
                    const llvm::StringMap<unsigned> &parameters) {
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfter(target);
    SmallVector<Type> arguments, results;
    SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
    SmallVector<const Sum *> taken;
    for (const Sum &sum : sums) {
      auto parameter = parameters.find(sum.parameter.getValue());
      if (parameter == parameters.end())
        continue;
      taken.push_back(&sum);
      for (unsigned i : {parameter->second, sum.argument}) {
        arguments.push_back(target.getArgument(i).getType());
        argumentAttributes.push_back(target.getArgAttrDict(i));
      }
      results.push_back(arguments.back());
      if (sum.isChange)
        resultAttributes.push_back(builder.getDictionaryAttr(
            {builder.getNamedAttr(kNameAttr, sum.parameter),
             builder.getNamedAttr(kUpdatesAttr, builder.getI64IntegerAttr(
                                                    arguments.size() - 2))}));
      else
        resultAttributes.push_back(
            namedRole("grad." + sum.parameter.getValue(),
                      RoleAttr::get(&getContext(), Role::Gradient,
                                    sum.parameter.getValue())));
    }
    if (taken.empty())
      return;
    auto update =
        func::FuncOp::create(builder, target.getLoc(), kUpdateFunction,
                             builder.getFunctionType(arguments, results));
    update.setAllArgAttrs(argumentAttributes);
    update.setAllResultAttrs(resultAttributes);
    builder.setInsertionPointToStart(update.addEntryBlock());
    SmallVector<Value> values;
    for (auto [index, sum] : llvm::enumerate(taken)) {
      Value parameter = update.getArgument(2 * index);
      Value value = update.getArgument(2 * index + 1);
      if (sum->isChange)
        value =
            arith::AddFOp::create(builder, target.getLoc(), parameter, value);
      values.push_back(value);
    }
    func::ReturnOp::create(builder, target.getLoc(), values);
  }
};

} // namespace
