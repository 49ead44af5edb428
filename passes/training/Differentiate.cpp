//===- Differentiate.cpp - reverse-mode differentiation over tensors ------===//
//
// Walks the function backwards from its loss and asks every operation that a
// gradient reaches for its backward operation. Gradients of a value with
// several uses are added in reverse program order, which fixes their rounding.
// What depends on a parameter and is used by an operation on the way has a
// gradient there, or there is an error: no gradient is zero for want of a rule.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/analysis/NamePatterns.h"
#include "passes/training/DifferentiateLinalg.h"
#include "passes/training/PrepareDerivative.h"
#include "support/BindingNames.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace attnres {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

class Differentiator {
public:
  Differentiator(func::FuncOp function, bool lossWeight)
      : function(function), lossWeight(lossWeight),
        builder(function.getContext()) {}

  /// Marks the parameters whose names match as frozen.
  LogicalResult freeze(ArrayRef<std::string> patterns) {
    FailureOr<NamePatterns> frozen =
        NamePatterns::parse(function, "freeze", patterns);
    if (failed(frozen))
      return failure();
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (hasRole(function, i, Role::Parameter) &&
          frozen->matches(argumentName(function, i)))
        function.setArgAttr(i, kFrozenAttr, builder.getUnitAttr());
    return frozen->verifyUsed(function);
  }

  LogicalResult run() {
    if (failed(verifyOneBlock(function)))
      return failure();
    FailureOr<unsigned> loss = findLoss();
    if (failed(loss))
      return failure();
    exit = function.front().getTerminator();
    builder.setInsertionPoint(exit);
    if (failed(addParameters()) ||
        failed(prepareDerivative(function, activity)))
      return failure();

    FailureOr<Value> seed = lossGradient();
    if (failed(seed))
      return failure();
    grads[exit->getOperand(*loss)] = *seed;
    SmallVector<Operation *> forward;
    for (Operation &op : function.front().without_terminator())
      forward.push_back(&op);
    // Constants made for gradients come after the forward operations.
    for (Operation *op : llvm::reverse(forward))
      if (failed(backward(op)))
        return failure();
    return returnGradients();
  }

  unsigned numDifferentiated = 0, numGradients = 0;

private:
  /// Index of the result named "loss".
  FailureOr<unsigned> findLoss() {
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      auto name = function.getResultAttrOfType<StringAttr>(i, kNameAttr);
      if (!name || name.getValue() != names::loss)
        continue;
      auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[i]);
      if (!type || type.getRank() != 0 || !type.getElementType().isF32())
        return function.emitError("expected the loss of type tensor<f32>, got ")
               << function.getResultTypes()[i];
      return i;
    }
    return function.emitError("expected a result with attnres.name = \"loss\"");
  }

  /// The gradient of what is differentiated with respect to the loss.
  FailureOr<Value> lossGradient() {
    auto type = RankedTensorType::get({}, builder.getF32Type());
    if (!lossWeight)
      return arith::ConstantOp::create(builder, function.getLoc(),
                                       DenseElementsAttr::get(type, 1.0f))
          .getResult();
    if (findArgument(function, names::lossWeight))
      return function.emitError("expected no argument named ")
             << names::lossWeight;
    unsigned index = function.getNumArguments();
    // Fails only for declarations.
    (void)function.insertArgument(
        index, type,
        namedRole(names::lossWeight,
                  RoleAttr::get(builder.getContext(), Role::Input)),
        function.getLoc());
    return Value(function.getArgument(index));
  }

  bool isLearned(unsigned argument) {
    return hasRole(function, argument, Role::Parameter) &&
           !function.getArgAttr(argument, kFrozenAttr);
  }

  LogicalResult addParameters() {
    for (BlockArgument argument : function.getArguments()) {
      if (!isLearned(argument.getArgNumber()))
        continue;
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || !isa<FloatType>(type.getElementType()) ||
          !type.hasStaticShape())
        return emitError(argument.getLoc())
               << "expected parameter " << nameOfParameter(argument)
               << " to be a floating-point tensor of static shape, got "
               << argument.getType();
      activity.add(argument);
    }
    return success();
  }

  LogicalResult backward(Operation *op) {
    SmallVector<Value> resultGrads;
    for (Value result : op->getResults())
      resultGrads.push_back(activity.contains(result) ? grads.lookup(result)
                                                      : Value());
    if (llvm::all_of(resultGrads, [](Value grad) { return !grad; }))
      return success();
    ++numDifferentiated;
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      return differentiateLinalg(
          structured, builder, activity, resultGrads,
          [&](Value value, Value grad) { accumulate(value, grad); });
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
      // The destination is overwritten.
      if (!activity.contains(softmax.getInput()))
        return success();
      accumulate(softmax.getInput(),
                 differentiateSoftmax(softmax, builder, resultGrads[0]));
      return success();
    }
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return refuse(op, activity.activeUse(op));
    if (llvm::any_of(op->getOperandTypes(), hasDynamicShape) ||
        llvm::any_of(op->getResultTypes(), hasDynamicShape))
      return op->emitOpError("expected static shapes to differentiate");
    SmallVector<Value> operandGrads;
    if (failed(
            differentiable.buildBackward(builder, resultGrads, operandGrads)))
      return failure();
    operandGrads.resize(op->getNumOperands());
    for (auto [operand, grad] :
         llvm::zip_equal(op->getOperands(), operandGrads)) {
      if (!activity.contains(operand))
        continue;
      if (!grad)
        return refuse(op, operand);
      accumulate(operand, grad);
    }
    for (Region &region : op->getRegions()) {
      SetVector<Value> captured;
      getUsedValuesDefinedAbove(region, captured);
      for (Value value : captured)
        if (activity.contains(value))
          return refuse(op, value);
    }
    return success();
  }

  static bool hasDynamicShape(Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  }

  LogicalResult refuse(Operation *op, Value value) {
    auto diagnostic =
        op->emitOpError("has no derivative, but the gradient of parameter ")
        << nameOfParameter(activity.parameterOf(value)) << " passes through it";
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == value && isa<DifferentiableOpInterface>(op)) {
        diagnostic << ", as operand " << operand.getOperandNumber();
        break;
      }
    return diagnostic;
  }

  void accumulate(Value value, Value grad) {
    Value &sum = grads[value];
    sum = sum ? arith::AddFOp::create(builder, grad.getLoc(), sum, grad)
                    .getResult()
              : grad;
  }

  /// All at once: each change of the results makes a new function type.
  LogicalResult returnGradients() {
    SmallVector<Value> gradients;
    SmallVector<Type> types;
    SmallVector<DictionaryAttr> attributes;
    for (BlockArgument argument : function.getArguments()) {
      unsigned index = argument.getArgNumber();
      if (!isLearned(index))
        continue;
      StringRef name = argumentName(function, index);
      if (name.empty())
        return function.emitError("expected parameter ")
               << index << " to have attnres.name";
      Value grad = grads.lookup(argument);
      if (!grad)
        grad =
            arith::ConstantOp::create(builder, argument.getLoc(),
                                      builder.getZeroAttr(argument.getType()));
      types.push_back(grad.getType());
      attributes.push_back(
          namedRole(Twine(names::gradient) + name,
                    RoleAttr::get(builder.getContext(), Role::Gradient, name)));
      gradients.push_back(grad);
    }
    numGradients = gradients.size();
    exit->insertOperands(exit->getNumOperands(), gradients);
    return function.insertResults(
        SmallVector<unsigned>(types.size(), function.getNumResults()), types,
        attributes);
  }

  func::FuncOp function;
  bool lossWeight;
  OpBuilder builder;
  Operation *exit = nullptr;
  Activity activity;
  DenseMap<Value, Value> grads;
};

struct DifferentiatePass : attnres::impl::DifferentiateBase<DifferentiatePass> {
  using DifferentiateBase::DifferentiateBase;

  void runOnOperation() override {
    auto target = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!target) {
      getOperation().emitError("expected a function named ") << function;
      return signalPassFailure();
    }
    for (unsigned i = 0; i < target.getNumResults(); ++i)
      if (RoleAttr role = resultRole(target, i);
          role && role.getKind() == Role::Gradient) {
        target.emitError("expected a function without gradients, got the "
                         "gradient of ")
            << role.getParameter();
        return signalPassFailure();
      }
    Differentiator differentiator(target, lossWeight);
    if (failed(differentiator.freeze(std::vector<std::string>(frozen))) ||
        failed(differentiator.run()))
      return signalPassFailure();
    numDifferentiated += differentiator.numDifferentiated;
    numGradients += differentiator.numGradients;
  }
};

} // namespace
