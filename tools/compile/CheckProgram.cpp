//===- CheckProgram.cpp - what a model in MLIR says about itself ----------===//
#include "tools/compile/CheckProgram.h"

#include "passes/analysis/FunctionNames.h"

using namespace mlir;
using namespace attnres;

namespace {

class Checker {
public:
  explicit Checker(func::FuncOp main) : main(main) {}

  /// Names and types of everything that comes in or goes out.
  LogicalResult checkBindings() {
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      if (argumentName(main, i).empty())
        return errorAt(i) << "to have " << kNameAttr;
      if (!isBindingType(main.getArgumentTypes()[i]))
        return errorAt(i) << "of f32, f64, bf16, i64 or i32 and static shape, "
                          << "got " << main.getArgumentTypes()[i];
    }
    for (unsigned i = 0; i < main.getNumResults(); ++i) {
      if (resultName(main, i).empty())
        return main.emitError("expected result ")
               << i << " to have " << kNameAttr;
      if (!isBindingType(main.getResultTypes()[i]))
        return main.emitError("expected result ")
               << i << " of f32, f64, bf16, i64 or i32 and static shape, got "
               << main.getResultTypes()[i];
    }
    return success();
  }

  LogicalResult checkTrained() {
    if (failed(checkTokens("tokens")) || failed(checkTokens("targets")))
      return failure();
    Type tokens = main.getArgumentTypes()[*findArgument(main, "tokens")];
    unsigned targets = *findArgument(main, "targets");
    if (main.getArgumentTypes()[targets] != tokens)
      return errorAt(targets) << "of type " << tokens << ", as the tokens, got "
                              << main.getArgumentTypes()[targets];
    std::optional<unsigned> loss = findResult(main, "loss");
    auto scalar =
        RankedTensorType::get({}, Float32Type::get(main.getContext()));
    if (!loss || main.getResultTypes()[*loss] != scalar) {
      auto error = main.emitError("expected a result named 'loss' of type ")
                   << scalar;
      if (loss)
        error << ", got " << main.getResultTypes()[*loss];
      return error;
    }
    return checkParameters();
  }

private:
  RoleAttr role(Role kind) { return RoleAttr::get(main.getContext(), kind); }

  InFlightDiagnostic errorAt(unsigned index) {
    InFlightDiagnostic error =
        emitError(main.getArgument(index).getLoc(), "expected argument ")
        << index;
    if (StringRef name = argumentName(main, index); !name.empty())
      error << " ('" << name << "')";
    error << " ";
    return error;
  }

  static bool isBindingType(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return false;
    Type element = tensor.getElementType();
    return isa<Float32Type, Float64Type, BFloat16Type>(element) ||
           element.isSignlessInteger(64) || element.isSignlessInteger(32);
  }

  LogicalResult checkTokens(StringRef name) {
    std::optional<unsigned> index = findArgument(main, name);
    if (!index)
      return main.emitError("expected an argument named '") << name << "'";
    auto type = cast<RankedTensorType>(main.getArgumentTypes()[*index]);
    if (type.getRank() != 2 || !type.getElementType().isInteger(64))
      return errorAt(*index) << "of type tensor<BxTxi64>, got " << type;
    if (!hasRole(main, *index, Role::Input))
      return errorAt(*index) << "to have " << kRoleAttr << " = "
                             << role(Role::Input);
    return success();
  }

  LogicalResult checkParameters() {
    bool any = false;
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      StringRef name = argumentName(main, i);
      if (name == "tokens" || name == "targets")
        continue;
      if (!hasRole(main, i, Role::Parameter))
        return errorAt(i) << "to have " << kRoleAttr << " = "
                          << role(Role::Parameter) << ": a training step has "
                          << "no other inputs than tokens and targets";
      any = true;
      Type type = main.getArgumentTypes()[i];
      if (!getElementTypeOrSelf(type).isF32())
        return errorAt(i) << "of f32, as all parameters, got " << type;
    }
    if (!any)
      return main.emitError("expected an argument with ")
             << kRoleAttr << " = " << role(Role::Parameter);
    return success();
  }

  func::FuncOp main;
};

} // namespace

LogicalResult attnres::checkProgram(ModuleOp module, bool trained) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isDeclaration())
    return module.emitError("expected a function with a body named main");
  Checker checker(main);
  if (failed(checker.checkBindings()))
    return failure();
  return trained ? checker.checkTrained() : success();
}
