//===- CheckProgram.cpp - what a model in MLIR says about itself ----------===//
#include "tools/compile/CheckProgram.h"

#include "passes/analysis/FunctionNames.h"
#include "support/BindingNames.h"
#include "support/StackName.h"
#include "support/Status.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace attnres;

/// Why no tensor can have this name; empty if one can.
static std::string whyInvalid(StringRef name) {
  if (name == "__metadata__")
    return "is what safetensors files call their own description";
  if (!llvm::json::isUTF8(name))
    return "is not UTF-8";
  if (llvm::any_of(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
    return "has control characters";
  return "";
}

/// Why no parameter can have this name; empty if one can.
static std::string whyReserved(StringRef name) {
  for (StringRef taken :
       {names::tokens, names::targets, names::loss, names::step,
        names::learningRate, names::gradientNorm, names::lossWeight})
    if (name == taken)
      return "is that of a tensor of the training step";
  for (StringRef prefix :
       {names::firstMoment, names::secondMoment, names::gradient,
        names::gradientSum, names::gradientSquares})
    if (name.starts_with(prefix))
      return ("begins with '" + prefix +
              "', as tensors of the training step do")
          .str();
  return "";
}

/// Why no parameter can have this name beside the stacks, whose parts files
/// hold apart; empty if one can.
static std::string whyPartOf(const llvm::StringSet<> &stacks, StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  for (StringRef &part : parts) {
    if (part.empty() || !llvm::all_of(part, llvm::isDigit))
      continue;
    StringRef number = std::exchange(part, "*");
    std::string stack = llvm::join(parts, ".");
    part = number;
    if (stacks.contains(stack))
      return "is that of a part of " + inQuotes(stack);
  }
  return "";
}

namespace {

class Checker {
public:
  explicit Checker(func::FuncOp main) : main(main) {}

  /// Names and types of everything that comes in or goes out.
  LogicalResult checkBindings() {
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (failed(checkBinding("argument", i, main.getArgument(i).getLoc(),
                              argumentName(main, i), main.getArgumentTypes()[i],
                              hasRole(main, i, Role::Parameter))))
        return failure();
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      if (failed(checkBinding("result", i, main.getLoc(), resultName(main, i),
                              main.getResultTypes()[i],
                              /*isParameter=*/false)))
        return failure();
    return checkStacks();
  }

  LogicalResult checkTrained() {
    if (failed(checkTokens(names::tokens)) ||
        failed(checkTokens(names::targets)))
      return failure();
    Type tokens = main.getArgumentTypes()[*findArgument(main, names::tokens)];
    unsigned targets = *findArgument(main, names::targets);
    if (main.getArgumentTypes()[targets] != tokens)
      return errorAt(targets) << "of type " << tokens << ", as the tokens, got "
                              << main.getArgumentTypes()[targets];
    std::optional<unsigned> loss = findResult(main, names::loss);
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

  static InFlightDiagnostic errorAt(Location location, StringRef what,
                                    unsigned index, StringRef name) {
    InFlightDiagnostic error = emitError(location, "expected ")
                               << what << " " << index;
    if (!name.empty())
      error << " (" << inQuotes(name) << ")";
    error << " ";
    return error;
  }

  InFlightDiagnostic errorAt(unsigned argument) {
    return errorAt(main.getArgument(argument).getLoc(), "argument", argument,
                   argumentName(main, argument));
  }

  static LogicalResult checkBinding(StringRef what, unsigned index,
                                    Location location, StringRef name,
                                    Type type, bool isParameter) {
    if (name.empty())
      return errorAt(location, what, index, name)
             << "to have an attnres.name that is not empty";
    std::string why = whyInvalid(name);
    if (why.empty() && isParameter)
      why = whyReserved(name);
    if (!why.empty())
      return badName(location, what, index, name, why);
    if (!isBindingType(type))
      return errorAt(location, what, index, name)
             << "of f32, f64, bf16, i64 or i32 and static shape, got " << type;
    return success();
  }

  LogicalResult checkStacks() {
    llvm::StringSet<> stacks;
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (auto type = cast<RankedTensorType>(main.getArgumentTypes()[i]);
          isStack(argumentName(main, i), type.getRank()))
        stacks.insert(argumentName(main, i));
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (std::string why = whyPartOf(stacks, argumentName(main, i));
          !why.empty())
        return badName(main.getArgument(i).getLoc(), "argument", i,
                       argumentName(main, i), why);
    return success();
  }

  static InFlightDiagnostic badName(Location location, StringRef what,
                                    unsigned index, StringRef name,
                                    StringRef why) {
    return emitError(location, "the name of ")
           << what << " " << index << ", " << inQuotes(name) << ", " << why
           << "; choose another attnres.name";
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
      return errorAt(*index)
             << "to have " << kRoleAttr << " = " << role(Role::Input);
    return success();
  }

  LogicalResult checkParameters() {
    bool any = false;
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      StringRef name = argumentName(main, i);
      if (name == names::tokens || name == names::targets)
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
