//===- Optimizer.cpp - gradients to an AdamW step -------------------------===//
//
// Extends a differentiated function to a training step: moments and the step's
// scalars come in as arguments, updated parameters and moments go out as
// results that name the argument they replace.
//
//===----------------------------------------------------------------------===//
#include "passes/analysis/FunctionNames.h"
#include "support/FloatRange.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>

namespace attnres {
#define GEN_PASS_DEF_OPTIMIZER
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// One parameter of the model and its optimizer state.
struct Parameter {
  std::string name;
  unsigned argument;
  Value grad;
  unsigned m = 0, v = 0; // argument indices of the moments
};

/// A result to append, and the argument it replaces.
struct Result {
  std::string name;
  Value value;
  std::optional<unsigned> updates;
  RoleAttr role; ///< none when it replaces an argument
};

struct OptimizerPass : attnres::impl::OptimizerBase<OptimizerPass> {
  using OptimizerBase::OptimizerBase;

  void runOnOperation() override {
    auto target = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!target) {
      getOperation().emitError("expected a function named ") << function;
      return signalPassFailure();
    }
    if (failed(checkOptions(target)) || failed(extend(target)))
      signalPassFailure();
  }

private:
  LogicalResult checkOptions(func::FuncOp target) {
    for (auto [name, value] : {std::make_pair("beta1", double(beta1)),
                               std::make_pair("beta2", double(beta2))})
      // What follows divides by 1 - beta, in f32.
      if (!(value >= 0 && static_cast<float>(value) < 1))
        return target.emitError("expected ")
               << name << " in [0, 1), got " << value;
    if (!(eps > 0 && isNormalFloat(eps)))
      return target.emitError("expected eps from ")
             << normalFloatRange << ", got " << double(eps);
    for (auto [name, value] :
         {std::make_pair("weight-decay", double(weightDecay)),
          std::make_pair("clip-norm", double(clipNorm))})
      if (!(value >= 0 && std::isfinite(value)))
        return target.emitError("expected a finite ")
               << name << " of at least 0, got " << value;
    return success();
  }

  LogicalResult extend(func::FuncOp target) {
    if (failed(verifyOneBlock(target)))
      return failure();
    for (StringRef name : {"step", "learning_rate"})
      if (findArgument(target, name))
        return target.emitError("expected no argument named ")
               << name << ": the function is a training step already";
    SmallVector<Parameter> parameters;
    if (failed(expectNoUsers(target)) ||
        failed(findParameters(target, parameters)))
      return failure();
    addArguments(target, parameters);
    unsigned count = target.getNumArguments();
    Value step = target.getArgument(count - 2);
    Value rate = target.getArgument(count - 1);

    Operation *exit = target.front().getTerminator();
    OpBuilder builder(exit);
    Location loc = target.getLoc();
    SmallVector<Value> squares;
    for (const Parameter &parameter : parameters)
      squares.push_back(SumSquaresOp::create(builder, loc, parameter.grad,
                                             /*partials=*/IntegerAttr()));
    auto clip = ClipScaleOp::create(
        builder, loc, squares,
        clipNorm > 0 ? builder.getF64FloatAttr(clipNorm) : FloatAttr());
    if (!keepGradients)
      eraseGradients(target);
    SmallVector<Result> results;
    for (auto [parameter, square] : llvm::zip_equal(parameters, squares)) {
      auto update = AdamWOp::create(
          builder, loc, target.getArgument(parameter.argument), parameter.grad,
          target.getArgument(parameter.m), target.getArgument(parameter.v),
          step, rate, clip.getScale(), builder.getF64FloatAttr(beta1),
          builder.getF64FloatAttr(beta2), builder.getF64FloatAttr(eps),
          builder.getF64FloatAttr(
              decays(target, parameter.argument) ? double(weightDecay) : 0.0));
      results.push_back(
          {parameter.name, update.getNewParam(), parameter.argument, {}});
      results.push_back(
          {"m." + parameter.name, update.getNewM(), parameter.m, {}});
      results.push_back(
          {"v." + parameter.name, update.getNewV(), parameter.v, {}});
      if (returnSquares)
        results.push_back({"grad_squares." + parameter.name, square,
                           std::nullopt,
                           RoleAttr::get(&getContext(), Role::GradientSquares,
                                         parameter.name)});
    }
    results.push_back({"grad_norm", clip.getNorm(), std::nullopt,
                       RoleAttr::get(&getContext(), Role::GradientNorm)});
    addResults(target, results);
    numParameters += parameters.size();
    return success();
  }

  LogicalResult findParameters(func::FuncOp target,
                               SmallVectorImpl<Parameter> &parameters) {
    Operation *exit = target.front().getTerminator();
    DenseMap<RoleAttr, unsigned> results;
    for (unsigned i = 0; i < target.getNumResults(); ++i)
      if (RoleAttr role = resultRole(target, i))
        results[role] = i;
    for (unsigned i = 0; i < target.getNumArguments(); ++i) {
      if (!hasRole(target, i, Role::Parameter))
        continue;
      std::string name = argumentName(target, i).str();
      if (name.empty())
        return target.emitError("expected parameter ")
               << i << " to have attnres.name";
      auto role = RoleAttr::get(&getContext(), Role::Gradient, name);
      auto grad = results.find(role);
      if (grad == results.end())
        return target.emitError("expected a result with attnres.role = ")
               << role << " for parameter " << i;
      Type type = target.getArgument(i).getType();
      if (!isa<RankedTensorType>(type) || !getElementTypeOrSelf(type).isF32() ||
          target.getResultTypes()[grad->second] != type)
        return target.emitError("expected parameter ")
               << name
               << " and its gradient to be f32 tensors of one type, got "
               << type << " and " << target.getResultTypes()[grad->second];
      parameters.push_back({name, i, exit->getOperand(grad->second)});
    }
    if (parameters.empty())
      return target.emitError("expected an argument with attnres.role = ")
             << RoleAttr::get(&getContext(), Role::Parameter);
    return success();
  }

  /// The attribute decides where it stands; otherwise matrices decay, and norm
  /// gains, biases and queries do not.
  static bool decays(func::FuncOp target, unsigned argument) {
    if (auto decay = target.getArgAttrOfType<BoolAttr>(argument, kDecayAttr))
      return decay.getValue();
    auto type = cast<RankedTensorType>(target.getArgument(argument).getType());
    return type.getRank() >= 2;
  }

  /// Appends the moments of every parameter, the step and the learning rate.
  static void addArguments(func::FuncOp target,
                           MutableArrayRef<Parameter> parameters) {
    MLIRContext *context = target.getContext();
    unsigned count = target.getNumArguments();
    SmallVector<Type> types;
    SmallVector<DictionaryAttr> attributes;
    auto append = [&](const Twine &name, RoleAttr role, Type type) {
      types.push_back(type);
      attributes.push_back(namedRole(name, role));
      return count + static_cast<unsigned>(types.size()) - 1;
    };
    for (Parameter &parameter : parameters) {
      Type type = target.getArgument(parameter.argument).getType();
      parameter.m = append(
          "m." + parameter.name,
          RoleAttr::get(context, Role::FirstMoment, parameter.name), type);
      parameter.v = append(
          "v." + parameter.name,
          RoleAttr::get(context, Role::SecondMoment, parameter.name), type);
    }
    auto scalar = RankedTensorType::get({}, Float32Type::get(context));
    auto input = RoleAttr::get(context, Role::Input);
    append("step", input, scalar);
    append("learning_rate", input, scalar);
    // Fails only for declarations.
    (void)target.insertArguments(
        SmallVector<unsigned>(types.size(), count), types, attributes,
        SmallVector<Location>(types.size(), target.getLoc()));
  }

  static void addResults(func::FuncOp target, ArrayRef<Result> results) {
    Builder builder(target.getContext());
    SmallVector<Type> types;
    SmallVector<Value> values;
    SmallVector<DictionaryAttr> attributes;
    for (const Result &result : results) {
      NamedAttrList list;
      list.append(kNameAttr, builder.getStringAttr(result.name));
      if (result.updates)
        list.append(kUpdatesAttr, builder.getI64IntegerAttr(*result.updates));
      if (result.role)
        list.append(kRoleAttr, result.role);
      types.push_back(result.value.getType());
      values.push_back(result.value);
      attributes.push_back(list.getDictionary(target.getContext()));
    }
    Operation *exit = target.front().getTerminator();
    (void)target.insertResults(
        SmallVector<unsigned>(types.size(), target.getNumResults()), types,
        attributes);
    exit->insertOperands(exit->getNumOperands(), values);
  }

  static void eraseGradients(func::FuncOp target) {
    llvm::BitVector gradients(target.getNumResults());
    for (unsigned i = 0; i < target.getNumResults(); ++i)
      if (RoleAttr role = resultRole(target, i))
        gradients[i] = role.getKind() == Role::Gradient;
    (void)target.eraseResults(gradients);
    target.front().getTerminator()->eraseOperands(gradients);
  }
};

} // namespace
