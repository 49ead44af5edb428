//===- Optimizer.cpp - gradients to an AdamW step -------------------------===//
//
// Extends a differentiated function to a training step: moments and the step's
// scalars come in as arguments, updated parameters and moments go out as
// results that name the argument they replace.
//
//===----------------------------------------------------------------------===//
#include "passes/FunctionNames.h"

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
      if (!(value >= 0 && value < 1))
        return target.emitError("expected ")
               << name << " in [0, 1), got " << value;
    if (!(eps > 0))
      return target.emitError("expected a positive eps, got ") << double(eps);
    for (auto [name, value] :
         {std::make_pair("weight-decay", double(weightDecay)),
          std::make_pair("clip-norm", double(clipNorm))})
      if (!(value >= 0))
        return target.emitError("expected ")
               << name << " of at least 0, got " << value;
    return success();
  }

  LogicalResult extend(func::FuncOp target) {
    if (!llvm::hasSingleElement(target.getBody()))
      return target.emitError("expected a function of one block, got ")
             << target.getBody().getBlocks().size();
    for (StringRef name : {"step", "learning_rate"})
      if (findArgument(target, name))
        return target.emitError("expected no argument named ")
               << name << ": the function is a training step already";
    SmallVector<Parameter> parameters;
    if (failed(findParameters(target, parameters)))
      return failure();
    auto scalar =
        RankedTensorType::get({}, Float32Type::get(target.getContext()));
    for (Parameter &parameter : parameters) {
      Type type = target.getArgument(parameter.argument).getType();
      parameter.m = append(target, "m." + parameter.name, "state", type);
      parameter.v = append(target, "v." + parameter.name, "state", type);
    }
    Value step = target.getArgument(append(target, "step", "input", scalar));
    Value rate =
        target.getArgument(append(target, "learning_rate", "input", scalar));

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
    for (const Parameter &parameter : parameters) {
      auto update = AdamWOp::create(
          builder, loc, target.getArgument(parameter.argument), parameter.grad,
          target.getArgument(parameter.m), target.getArgument(parameter.v),
          step, rate, clip.getScale(), builder.getF64FloatAttr(beta1),
          builder.getF64FloatAttr(beta2), builder.getF64FloatAttr(eps),
          builder.getF64FloatAttr(
              decays(target, parameter.argument) ? double(weightDecay) : 0.0));
      addResult(target, parameter.name, update.getNewParam(),
                parameter.argument);
      addResult(target, "m." + parameter.name, update.getNewM(), parameter.m);
      addResult(target, "v." + parameter.name, update.getNewV(), parameter.v);
    }
    addResult(target, "grad_norm", clip.getNorm(), std::nullopt);
    numParameters += parameters.size();
    return success();
  }

  LogicalResult findParameters(func::FuncOp target,
                               SmallVectorImpl<Parameter> &parameters) {
    Operation *exit = target.front().getTerminator();
    for (unsigned i = 0; i < target.getNumArguments(); ++i) {
      if (!hasRole(target, i, "parameter"))
        continue;
      std::string name = argumentName(target, i).str();
      std::optional<unsigned> grad = findResult(target, "grad." + name);
      if (!grad)
        return target.emitError("expected a result named grad.")
               << name << " for parameter " << i;
      Type type = target.getArgument(i).getType();
      if (!getElementTypeOrSelf(type).isF32() ||
          target.getResultTypes()[*grad] != type)
        return target.emitError("expected parameter ")
               << name << " and its gradient to have one f32 type, got " << type
               << " and " << target.getResultTypes()[*grad];
      parameters.push_back({name, i, exit->getOperand(*grad)});
    }
    if (parameters.empty())
      return target.emitError("expected an argument with attnres.role = "
                              "\"parameter\"");
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

  /// Appends an argument and returns its index.
  static unsigned append(func::FuncOp target, const Twine &name, StringRef role,
                         Type type) {
    Builder builder(target.getContext());
    unsigned index = target.getNumArguments();
    // Fails only for declarations.
    (void)target.insertArgument(
        index, type,
        builder.getDictionaryAttr(
            {builder.getNamedAttr(kNameAttr, builder.getStringAttr(name)),
             builder.getNamedAttr(kRoleAttr, builder.getStringAttr(role))}),
        target.getLoc());
    return index;
  }

  static void addResult(func::FuncOp target, const Twine &name, Value value,
                        std::optional<unsigned> updates) {
    Builder builder(target.getContext());
    SmallVector<NamedAttribute> attributes{
        builder.getNamedAttr(kNameAttr, builder.getStringAttr(name))};
    if (updates)
      attributes.push_back(builder.getNamedAttr(
          kUpdatesAttr, builder.getI64IntegerAttr(*updates)));
    Operation *exit = target.front().getTerminator();
    (void)target.insertResult(target.getNumResults(), value.getType(),
                              builder.getDictionaryAttr(attributes));
    exit->insertOperands(exit->getNumOperands(), value);
  }

  static void eraseGradients(func::FuncOp target) {
    Operation *exit = target.front().getTerminator();
    for (unsigned i = target.getNumResults(); i-- > 0;)
      if (resultName(target, i).starts_with("grad.")) {
        (void)target.eraseResult(i);
        exit->eraseOperand(i);
      }
  }
};

} // namespace
