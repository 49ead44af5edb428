//===- Differentiate.cpp - reverse-mode differentiation over tensors ------===//
//
// Walks the function backwards from its loss and asks every operation that a
// gradient reaches for its backward operation. Gradients of a value with
// several uses are added in reverse program order, which fixes their rounding.
//
//===----------------------------------------------------------------------===//
#include "passes/FunctionNames.h"

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

  LogicalResult run() {
    if (failed(verifyOneBlock(function)))
      return failure();
    FailureOr<unsigned> loss = findLoss();
    if (failed(loss))
      return failure();
    exit = function.front().getTerminator();
    builder.setInsertionPoint(exit);
    findActive();

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

private:
  /// Index of the result named "loss".
  FailureOr<unsigned> findLoss() {
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      auto name = function.getResultAttrOfType<StringAttr>(i, kNameAttr);
      if (!name || name.getValue() != "loss")
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
    if (findArgument(function, kLossWeight))
      return function.emitError("expected no argument named ") << kLossWeight;
    unsigned index = function.getNumArguments();
    auto attributes = builder.getDictionaryAttr(
        {builder.getNamedAttr(kNameAttr, builder.getStringAttr(kLossWeight)),
         builder.getNamedAttr(kRoleAttr, builder.getStringAttr("input"))});
    // Fails only for declarations.
    (void)function.insertArgument(index, type, attributes, function.getLoc());
    return Value(function.getArgument(index));
  }

  /// Marks the values that depend on a parameter.
  void findActive() {
    for (BlockArgument argument : function.getArguments()) {
      auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        kRoleAttr);
      if (role && role.getValue() == "parameter")
        active.insert(argument);
    }
    for (Operation &op : function.front().without_terminator())
      if (llvm::any_of(op.getOperands(),
                       [&](Value v) { return active.contains(v); }))
        active.insert_range(op.getResults());
  }

  LogicalResult backward(Operation *op) {
    SmallVector<Value> resultGrads;
    for (Value result : op->getResults())
      resultGrads.push_back(active.contains(result) ? grads.lookup(result)
                                                    : Value());
    if (llvm::all_of(resultGrads, [](Value grad) { return !grad; }))
      return success();
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return op->emitOpError(
          "is not differentiable, but a gradient reaches it");
    SmallVector<Value> operandGrads;
    if (failed(
            differentiable.buildBackward(builder, resultGrads, operandGrads)))
      return failure();
    for (auto [operand, grad] :
         llvm::zip_equal(op->getOperands(), operandGrads))
      if (grad && active.contains(operand))
        accumulate(operand, grad);
    return success();
  }

  void accumulate(Value value, Value grad) {
    Value &sum = grads[value];
    sum = sum ? arith::AddFOp::create(builder, grad.getLoc(), sum, grad)
                    .getResult()
              : grad;
  }

  LogicalResult returnGradients() {
    for (BlockArgument argument : function.getArguments()) {
      unsigned index = argument.getArgNumber();
      auto role = function.getArgAttrOfType<StringAttr>(index, kRoleAttr);
      if (!role || role.getValue() != "parameter")
        continue;
      auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttr);
      if (!name)
        return function.emitError("expected parameter ")
               << index << " to have attnres.name";
      Value grad = grads.lookup(argument);
      if (!grad)
        grad =
            arith::ConstantOp::create(builder, argument.getLoc(),
                                      builder.getZeroAttr(argument.getType()));
      unsigned position = function.getNumResults();
      auto gradName = builder.getStringAttr("grad." + name.getValue());
      if (failed(function.insertResult(
              position, grad.getType(),
              builder.getDictionaryAttr(
                  builder.getNamedAttr(kNameAttr, gradName)))))
        return failure();
      exit->insertOperands(exit->getNumOperands(), grad);
    }
    return success();
  }

  static constexpr StringLiteral kLossWeight = "loss_weight";

  func::FuncOp function;
  bool lossWeight;
  OpBuilder builder;
  Operation *exit = nullptr;
  DenseSet<Value> active;
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
    if (failed(Differentiator(target, lossWeight).run()))
      signalPassFailure();
  }
};

} // namespace
