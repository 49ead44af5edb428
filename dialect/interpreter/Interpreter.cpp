//===- Interpreter.cpp - tensors, frames and function calls ---------------===//
#include "dialect/interpreter/Evaluation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

static int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Tensor Tensor::ofReals(ArrayRef<int64_t> shape, double fill) {
  return ofReals(shape, std::vector<double>(countElements(shape), fill));
}

Tensor Tensor::ofReals(ArrayRef<int64_t> shape, std::vector<double> elements) {
  assert(countElements(shape) == static_cast<int64_t>(elements.size()));
  Tensor tensor;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.reals = std::move(elements);
  return tensor;
}

Tensor Tensor::ofIntegers(ArrayRef<int64_t> shape, int64_t fill) {
  return ofIntegers(shape, std::vector<int64_t>(countElements(shape), fill));
}

Tensor Tensor::ofIntegers(ArrayRef<int64_t> shape,
                          std::vector<int64_t> elements) {
  assert(countElements(shape) == static_cast<int64_t>(elements.size()));
  Tensor tensor;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.isInteger = true;
  tensor.integers = std::move(elements);
  return tensor;
}

FailureOr<Tensor> Tensor::ofAttribute(ElementsAttr attribute) {
  ShapedType type = attribute.getShapedType();
  if (isa<FloatType>(type.getElementType())) {
    auto elements = attribute.tryGetValues<APFloat>();
    if (!elements)
      return failure();
    std::vector<double> reals;
    for (APFloat value : *elements) {
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      reals.push_back(value.convertToDouble());
    }
    return ofReals(type.getShape(), std::move(reals));
  }
  if (!type.getElementType().isIntOrIndex())
    return failure();
  if (type.getElementType().isInteger() && type.getElementTypeBitWidth() > 64)
    return failure();
  auto elements = attribute.tryGetValues<APInt>();
  if (!elements)
    return failure();
  std::vector<int64_t> integers;
  for (const APInt &value : *elements)
    integers.push_back(value.getBitWidth() == 1 ? value.getZExtValue()
                                                : value.getSExtValue());
  return ofIntegers(type.getShape(), std::move(integers));
}

int64_t Tensor::rows() const {
  return countElements(ArrayRef(shape).drop_back());
}

Tensor Tensor::gather(ArrayRef<int64_t> newShape,
                      ArrayRef<int64_t> indices) const {
  Tensor result;
  result.shape.assign(newShape.begin(), newShape.end());
  result.isInteger = isInteger;
  for (int64_t index : indices)
    if (isInteger)
      result.integers.push_back(integers[index]);
    else
      result.reals.push_back(reals[index]);
  return result;
}

Tensor Tensor::reshaped(ArrayRef<int64_t> newShape) const {
  assert(countElements(newShape) == size());
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

double attnres::roundToType(double value, Type type) {
  if (type.isF32()) // by far the most frequent
    return static_cast<float>(value);
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType || floatType.isF64())
    return value;
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.convertToDouble();
}

void Tensor::roundTo(Type elementType) {
  for (double &value : reals)
    value = roundToType(value, elementType);
}

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

static const EvaluationTable &evaluations() {
  static const EvaluationTable table = [] {
    EvaluationTable table;
    addDepthEvaluations(table);
    addStackEvaluations(table);
    addAttentionEvaluations(table);
    addLayerEvaluations(table);
    addLossEvaluations(table);
    addRecurrentEvaluations(table);
    addExpertEvaluations(table);
    addOptimizerEvaluations(table);
    addKernelEvaluations(table);
    addBuiltinEvaluations(table);
    return table;
  }();
  return table;
}

SmallVector<const Tensor *> Frame::tensors(ValueRange group) const {
  SmallVector<const Tensor *> all;
  for (Value value : group)
    for (const Tensor &tensor : list(value))
      all.push_back(&tensor);
  return all;
}

void Frame::set(Value value, Tensor tensor) {
  Tensors &slot = values[value];
  slot.clear();
  slot.push_back(std::move(tensor));
}

void Frame::setGroup(ValueRange results, Tensors tensors) {
  if (results.size() == 1 && isa<ListType>(results.front().getType()))
    return setList(results.front(), std::move(tensors));
  for (auto [result, tensor] : llvm::zip_equal(results, tensors))
    set(result, std::move(tensor));
}

LogicalResult attnres::interpreter::expectCountable(Operation *op,
                                                    ArrayRef<int64_t> shape) {
  constexpr int64_t kMostElements = int64_t(1) << 28;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0)
      return op->emitOpError("makes a dimension of size ") << extent;
    if (llvm::MulOverflow(count, std::max<int64_t>(extent, 1), count) ||
        count > kMostElements)
      return op->emitOpError("makes a tensor of more than ")
             << kMostElements << " elements, which the interpreter refuses";
  }
  return success();
}

/// What `op` decomposes into, on the same operands: the meaning of operations
/// that other dialects bring.
static LogicalResult evaluateDecomposition(linalg::AggregatedOpInterface op,
                                           Frame &frame) {
  OpBuilder builder(op.getContext());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      builder, op.getLoc(), "decomposition",
      builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  Block *body = function->addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping arguments;
  arguments.map(op->getOperands(), body->getArguments());
  auto clone =
      cast<linalg::AggregatedOpInterface>(builder.clone(*op, arguments));
  builder.setInsertionPoint(clone);
  FailureOr<SmallVector<Value>> values = clone.decomposeOperation(builder);
  if (failed(values))
    return op.emitOpError("has no reference evaluation in this form");
  clone.erase();
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, op.getLoc(), *values);

  std::vector<Tensors> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(frame.list(operand));
  auto results = frame.call(op, *function, std::move(inputs));
  if (failed(results))
    return failure();
  for (auto [result, tensors] : llvm::zip_equal(op->getResults(), *results))
    frame.setList(result, std::move(tensors));
  return success();
}

LogicalResult Frame::runOperation(Operation &op) {
  for (Type result : op.getResultTypes())
    if (RankedTensorType type = tensorOf(result);
        type && type.hasStaticShape() &&
        failed(expectCountable(&op, type.getShape())))
      return failure();
  if (const EvaluationTable::Evaluation *known = evaluations().find(&op)) {
    if (failed((*known)(&op, *this)))
      return failure();
  } else if (isa<linalg::LinalgOp>(op)) {
    if (failed(evaluateLinalg(&op, *this)))
      return failure();
  } else if (ScalarFunction function =
                 scalarFunction(&op, options.roundToStorage)) {
    return evaluateElementwise(&op, function, *this);
  } else if (auto aggregated = dyn_cast<linalg::AggregatedOpInterface>(op)) {
    if (failed(evaluateDecomposition(aggregated, *this)))
      return failure();
  } else {
    return op.emitOpError("has no reference evaluation");
  }

  for (Value result : op.getResults()) {
    RankedTensorType type = tensorOf(result.getType());
    Type elementType = type ? type.getElementType() : result.getType();
    for (Tensor &tensor : values[result]) {
      if (type && type.hasStaticShape() &&
          type.getShape() != ArrayRef(tensor.shape))
        return op.emitOpError("evaluates to a shape other than its type ")
               << type;
      if (options.roundToStorage)
        tensor.roundTo(elementType);
    }
  }
  return success();
}

LogicalResult Frame::runOperations(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(runOperation(op)))
      return failure();
  return success();
}

FailureOr<Tensors> Frame::run(Block &block, Tensors arguments) {
  for (auto [argument, tensor] :
       llvm::zip_equal(block.getArguments(), arguments))
    set(argument, std::move(tensor));
  if (failed(runOperations(block)))
    return failure();
  Tensors results;
  for (Value operand : block.getTerminator()->getOperands())
    results.push_back(tensor(operand));
  return results;
}

FailureOr<std::vector<Tensors>>
Frame::call(Operation *caller, FunctionOpInterface function,
            std::vector<Tensors> arguments) const {
  constexpr unsigned kMaxDepth = 256;
  if (depth >= kMaxDepth)
    return caller->emitOpError("is nested in more than ")
           << kMaxDepth << " calls";
  auto kernel = dyn_cast<KernelOp>(*function);
  if (function.isExternal() || (kernel && kernel.isLowered()) ||
      arguments.size() != function.getNumArguments())
    return caller->emitOpError("has no reference evaluation: expected a body "
                               "on tensors of ")
           << function.getNameAttr();
  if (!llvm::hasSingleElement(function.getFunctionBody()))
    return function.emitError("expected a function of one block to evaluate, "
                              "got ")
           << function.getFunctionBody().getBlocks().size();
  Frame frame(options, depth + 1);
  for (auto [argument, tensors] :
       llvm::zip_equal(function.getArguments(), arguments))
    frame.setList(argument, std::move(tensors));
  if (failed(frame.runOperations(function.front())))
    return failure();
  std::vector<Tensors> results;
  for (Value operand : function.front().getTerminator()->getOperands())
    results.push_back(frame.list(operand));
  return results;
}

//===----------------------------------------------------------------------===//
// interpret
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Tensor>>
attnres::interpret(func::FuncOp function, ArrayRef<Tensor> inputs,
                   const InterpreterOptions &options) {
  if (inputs.size() != function.getNumArguments())
    return function.emitError("expected ")
           << function.getNumArguments() << " inputs, got " << inputs.size();
  std::vector<Tensors> arguments;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    Type argument = function.getArgumentTypes()[index];
    RankedTensorType type = tensorOf(argument);
    if (type && type.hasStaticShape() &&
        type.getShape() != ArrayRef(input.shape))
      return function.emitError("expected input ")
             << index << " of type " << type;
    arguments.push_back({input});
    if (options.roundToStorage)
      arguments.back().front().roundTo(type ? type.getElementType() : argument);
  }
  Frame outside(options, 0);
  auto results = outside.call(function, function, std::move(arguments));
  if (failed(results))
    return failure();
  SmallVector<Tensor> tensors;
  for (Tensors &result : *results)
    llvm::append_range(tensors, result);
  return tensors;
}
