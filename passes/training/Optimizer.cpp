//===- Optimizer.cpp - gradients to a training step -----------------------===//
//
// Extends a differentiated function to a training step: moments and the step's
// scalars come in as arguments, updated parameters and moments go out as
// results that name the argument they replace.
//
// How a parameter is updated is decided for each by itself: biases of routers
// by balance, frozen parameters not at all, the others from their gradients by
// one of the functions update*(). An algorithm is such a function and its
// number of moments.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/analysis/NamePatterns.h"
#include "passes/training/RouterBias.h"
#include "support/BindingNames.h"
#include "support/FloatRange.h"
#include "support/StackName.h"

#include <cmath>

namespace attnres {
#define GEN_PASS_DEF_OPTIMIZER
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// A parameter that follows its gradient, and its optimizer state.
struct Parameter {
  std::string name;
  unsigned argument;
  Value grad;
  OptimizerAlgorithm algorithm;
  int64_t matrices; ///< of Muon: one above the other
  double decay;
  double rateFactor;
  SmallVector<unsigned, 2> moments; ///< argument indices
};

/// A bias of a router.
struct Balanced {
  std::string name;
  unsigned argument;
  RouterOp router;
};

/// What a step knows besides parameters.
struct Scalars {
  Value step, rate, gradScale;
};

/// A result to append, and the argument it replaces.
struct Result {
  std::string name;
  Value value;
  std::optional<unsigned> updates;
  RoleAttr role; ///< none when it replaces an argument
};

/// One moment behind the other: their names' beginnings and their roles.
constexpr std::pair<StringLiteral, Role> kMoments[] = {
    {names::firstMoment, Role::FirstMoment},
    {names::secondMoment, Role::SecondMoment}};

unsigned numMoments(OptimizerAlgorithm algorithm) {
  switch (algorithm) {
  case OptimizerAlgorithm::AdamW:
    return 2;
  case OptimizerAlgorithm::Muon:
  case OptimizerAlgorithm::Sgd:
  case OptimizerAlgorithm::Lion:
    return 1;
  }
  llvm_unreachable("unknown algorithm");
}

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
  //===--- Options --------------------------------------------------------===//

  LogicalResult checkOptions(func::FuncOp target) {
    for (auto [name, value] : {std::make_pair("beta1", double(beta1)),
                               std::make_pair("beta2", double(beta2)),
                               std::make_pair("momentum", double(momentum))})
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
    return readPatterns(target);
  }

  LogicalResult readPatterns(func::FuncOp target) {
    FailureOr<NamePatterns> parsed = NamePatterns::parse(
        target, "no-decay", std::vector<std::string>(noDecay));
    if (failed(parsed))
      return failure();
    undecayed = std::move(*parsed);
    std::vector<std::string> texts;
    factors.clear();
    for (const std::string &text : rates) {
      auto [pattern, number] = StringRef(text).rsplit('=');
      double factor;
      if (number.getAsDouble(factor) || !std::isfinite(factor) || factor < 0)
        return target.emitError("expected rates as PATTERN=FACTOR with a "
                                "finite factor of at least 0, got '")
               << text << "'";
      texts.push_back(pattern.str());
      factors.push_back(factor);
    }
    parsed = NamePatterns::parse(target, "rates", texts);
    if (failed(parsed))
      return failure();
    rated = std::move(*parsed);
    return success();
  }

  //===--- The step -------------------------------------------------------===//

  LogicalResult extend(func::FuncOp target) {
    if (failed(verifyOneBlock(target)))
      return failure();
    for (StringRef name : {names::step, names::learningRate})
      if (findArgument(target, name))
        return target.emitError("expected no argument named ")
               << name << ": the function is a training step already";
    SmallVector<Parameter> parameters;
    SmallVector<Balanced> balanced;
    if (failed(expectNoUsers(target)) ||
        failed(findParameters(target, parameters, balanced)))
      return failure();
    addArguments(target, parameters);
    unsigned count = target.getNumArguments();

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
    Scalars scalars{target.getArgument(count - 2),
                    target.getArgument(count - 1), clip.getScale()};
    moveUpdates(target);
    if (!keepGradients)
      eraseGradients(target);
    SmallVector<Result> results;
    for (auto [parameter, square] : llvm::zip_equal(parameters, squares)) {
      SmallVector<Value, 3> updated =
          update(builder, target, parameter, scalars);
      results.push_back(
          {parameter.name, updated.front(), parameter.argument, {}});
      for (auto [index, argument] : llvm::enumerate(parameter.moments))
        results.push_back({kMoments[index].first.str() + parameter.name,
                           updated[index + 1],
                           argument,
                           {}});
      if (returnSquares)
        results.push_back({names::gradientSquares + parameter.name, square,
                           std::nullopt,
                           RoleAttr::get(&getContext(), Role::GradientSquares,
                                         parameter.name)});
    }
    for (const Balanced &bias : balanced)
      results.push_back({bias.name,
                         attnres::balanced(builder, bias.router),
                         bias.argument,
                         {}});
    results.push_back({names::gradientNorm, clip.getNorm(), std::nullopt,
                       RoleAttr::get(&getContext(), Role::GradientNorm)});
    addResults(target, results);
    numParameters += parameters.size();
    numBalanced += balanced.size();
    return success();
  }

  /// What updates an argument already belongs to the update: it goes behind
  /// the norms.
  static void moveUpdates(func::FuncOp target) {
    Operation *exit = target.front().getTerminator();
    for (unsigned i = 0; i < target.getNumResults(); ++i) {
      Operation *op = exit->getOperand(i).getDefiningOp();
      RoleAttr role = resultRole(target, i);
      if (op && op->hasOneUse() && role && role.getKind() == Role::Parameter &&
          target.getResultAttr(i, kUpdatesAttr))
        op->moveBefore(exit);
    }
  }

  //===--- Parameters -----------------------------------------------------===//

  LogicalResult findParameters(func::FuncOp target,
                               SmallVectorImpl<Parameter> &parameters,
                               SmallVectorImpl<Balanced> &balanced) {
    Operation *exit = target.front().getTerminator();
    DenseMap<RoleAttr, unsigned> results;
    DenseSet<int64_t> updated;
    for (unsigned i = 0; i < target.getNumResults(); ++i) {
      if (RoleAttr role = resultRole(target, i))
        results[role] = i;
      if (auto argument =
              target.getResultAttrOfType<IntegerAttr>(i, kUpdatesAttr))
        updated.insert(argument.getInt());
    }
    bool any = false;
    for (unsigned i = 0; i < target.getNumArguments(); ++i) {
      if (!hasRole(target, i, Role::Parameter))
        continue;
      any = true;
      std::string name = argumentName(target, i).str();
      if (name.empty())
        return target.emitError("expected parameter ")
               << i << " to have attnres.name";
      if (updated.contains(i) || target.getArgAttr(i, kFrozenAttr))
        continue;
      if (RouterOp router = findRouter(target.getArgument(i))) {
        if (canBalance(router))
          balanced.push_back({name, i, router});
        continue;
      }
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
      FailureOr<Parameter> parameter = describe(target, i, name);
      if (failed(parameter))
        return failure();
      parameter->grad = exit->getOperand(grad->second);
      parameters.push_back(std::move(*parameter));
    }
    if (!any)
      return target.emitError("expected an argument with attnres.role = ")
             << RoleAttr::get(&getContext(), Role::Parameter);
    if (parameters.empty())
      return target.emitError("expected a parameter that is not frozen");
    return verifyChoices(target, parameters);
  }

  /// Everything about a parameter but its gradient and moments.
  FailureOr<Parameter> describe(func::FuncOp target, unsigned argument,
                                const std::string &name) {
    auto type = cast<RankedTensorType>(target.getArgument(argument).getType());
    auto count = target.getArgAttrOfType<IntegerAttr>(argument, kMatricesAttr);
    int64_t matrices = count ? count.getInt() : 0;
    if (matrices < 0 || (matrices > 0 && (type.getRank() < 2 ||
                                          rowCount(type) % matrices != 0)))
      return target.emitError("expected ")
             << kMatricesAttr << " of parameter " << name
             << " to divide the rows of " << type << ", got " << matrices;
    OptimizerAlgorithm chosen = algorithm;
    if (chosen == OptimizerAlgorithm::Muon && matrices == 0)
      chosen = OptimizerAlgorithm::AdamW;
    double decay = decays(target, argument) ? double(weightDecay) : 0.0;
    if (undecayed.matches(name))
      decay = 0;
    std::optional<size_t> rate = rated.find(name);
    return Parameter{name,
                     argument,
                     Value(),
                     chosen,
                     matrices,
                     decay,
                     rate ? factors[*rate] : 1.0,
                     {}};
  }

  /// Whether every option is about a parameter.
  LogicalResult verifyChoices(func::FuncOp target,
                              ArrayRef<Parameter> parameters) {
    if (failed(undecayed.verifyUsed(target)) ||
        failed(rated.verifyUsed(target)))
      return failure();
    if (algorithm != OptimizerAlgorithm::Muon ||
        llvm::any_of(parameters,
                     [](const Parameter &p) { return p.matrices > 0; }))
      return success();
    return target.emitError("expected a parameter with ")
           << kMatricesAttr << " for Muon";
  }

  /// The attribute decides where it stands; otherwise matrices decay, and norm
  /// gains, biases and queries do not.
  static bool decays(func::FuncOp target, unsigned argument) {
    if (auto decay = target.getArgAttrOfType<BoolAttr>(argument, kDecayAttr))
      return decay.getValue();
    auto type = cast<RankedTensorType>(target.getArgument(argument).getType());
    int64_t rank = type.getRank();
    return rank - isStack(argumentName(target, argument), rank) >= 2;
  }

  //===--- Updates --------------------------------------------------------===//

  /// The new parameter and its new moments.
  SmallVector<Value, 3> update(OpBuilder &builder, func::FuncOp target,
                               const Parameter &parameter, Scalars scalars) {
    scalars.rate = scaled(builder, scalars.rate, parameter.rateFactor);
    Value param = target.getArgument(parameter.argument);
    SmallVector<Value, 2> moments;
    for (unsigned argument : parameter.moments)
      moments.push_back(target.getArgument(argument));
    switch (parameter.algorithm) {
    case OptimizerAlgorithm::AdamW:
      return updateByAdamW(builder, param, moments, parameter, scalars);
    case OptimizerAlgorithm::Muon:
      return updateByMuon(builder, param, moments, parameter, scalars);
    case OptimizerAlgorithm::Sgd:
      return updateBySgd(builder, param, moments, parameter, scalars);
    case OptimizerAlgorithm::Lion:
      return updateByLion(builder, param, moments, parameter, scalars);
    }
    llvm_unreachable("unknown algorithm");
  }

  SmallVector<Value, 3> updateByAdamW(OpBuilder &builder, Value param,
                                      ValueRange moments,
                                      const Parameter &parameter,
                                      const Scalars &scalars) {
    return llvm::to_vector_of<Value, 3>(
        AdamWOp::create(builder, param.getLoc(), param, parameter.grad,
                        moments[0], moments[1], scalars.step, scalars.rate,
                        scalars.gradScale, builder.getF64FloatAttr(beta1),
                        builder.getF64FloatAttr(beta2),
                        builder.getF64FloatAttr(eps),
                        builder.getF64FloatAttr(parameter.decay))
            ->getResults());
  }

  /// With the factor 0.2 sqrt(max(rows, columns)), an element of the update is
  /// on average as large as one of AdamW's, so that both take one learning rate
  /// and one weight decay (Liu and others, arXiv 2502.16982, section 2.2).
  SmallVector<Value, 3> updateByMuon(OpBuilder &builder, Value param,
                                     ValueRange moments,
                                     const Parameter &parameter,
                                     const Scalars &scalars) {
    auto type = cast<RankedTensorType>(param.getType());
    int64_t larger =
        std::max(rowCount(type) / parameter.matrices, type.getShape().back());
    auto moved = MomentumOp::create(
        builder, param.getLoc(), parameter.grad, moments[0], scalars.gradScale,
        builder.getF64FloatAttr(momentum), builder.getUnitAttr());
    Value direction = OrthogonalizeOp::create(
        builder, param.getLoc(), type, moved.getDirection(),
        builder.getI64IntegerAttr(parameter.matrices),
        builder.getI64IntegerAttr(5));
    return {descend(builder, param, direction, parameter, scalars,
                    0.2 * std::sqrt(static_cast<double>(larger))),
            moved.getNewM()};
  }

  SmallVector<Value, 3> updateBySgd(OpBuilder &builder, Value param,
                                    ValueRange moments,
                                    const Parameter &parameter,
                                    const Scalars &scalars) {
    auto moved = MomentumOp::create(
        builder, param.getLoc(), parameter.grad, moments[0], scalars.gradScale,
        builder.getF64FloatAttr(momentum), /*nesterov=*/UnitAttr());
    return {descend(builder, param, moved.getDirection(), parameter, scalars,
                    /*factor=*/1),
            moved.getNewM()};
  }

  SmallVector<Value, 3> updateByLion(OpBuilder &builder, Value param,
                                     ValueRange moments,
                                     const Parameter &parameter,
                                     const Scalars &scalars) {
    return llvm::to_vector_of<Value, 3>(
        LionOp::create(builder, param.getLoc(), param, parameter.grad,
                       moments[0], scalars.rate, scalars.gradScale,
                       builder.getF64FloatAttr(beta1),
                       builder.getF64FloatAttr(beta2),
                       builder.getF64FloatAttr(parameter.decay))
            ->getResults());
  }

  static Value descend(OpBuilder &builder, Value param, Value direction,
                       const Parameter &parameter, const Scalars &scalars,
                       double factor) {
    return DescendOp::create(builder, param.getLoc(), param, direction,
                             scalars.rate, builder.getF64FloatAttr(factor),
                             builder.getF64FloatAttr(parameter.decay));
  }

  /// The learning rate times `factor`.
  Value scaled(OpBuilder &builder, Value rate, double factor) {
    if (factor == 1)
      return rate;
    auto type = cast<RankedTensorType>(rate.getType());
    Value number = arith::ConstantOp::create(
        builder, rate.getLoc(),
        DenseElementsAttr::get(type, static_cast<float>(factor)));
    return arith::MulFOp::create(builder, rate.getLoc(), rate, number);
  }

  //===--- Arguments and results ------------------------------------------===//

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
      for (auto &[prefix, role] :
           ArrayRef(kMoments).take_front(numMoments(parameter.algorithm)))
        parameter.moments.push_back(
            append(prefix + parameter.name,
                   RoleAttr::get(context, role, parameter.name), type));
    }
    auto scalar = RankedTensorType::get({}, Float32Type::get(context));
    auto input = RoleAttr::get(context, Role::Input);
    append(names::step, input, scalar);
    append(names::learningRate, input, scalar);
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

  NamePatterns undecayed, rated;
  SmallVector<double> factors; ///< of the patterns of `rated`
};

} // namespace
