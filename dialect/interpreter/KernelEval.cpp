//===- KernelEval.cpp - packed products, launches, expectations -----------===//
#include "dialect/interpreter/MatrixEval.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

/// panels[p, k, j] = B[k, p tile + j], zero past the last column.
static void evaluatePack(PackOp op, Frame &frame) {
  MatrixView source(frame.tensor(op.getSource()), op.getTranspose());
  int64_t tile = op.getTile();
  int64_t panels = (source.columns + tile - 1) / tile;
  Tensor result = Tensor::ofReals({panels, source.rows, tile});
  for (int64_t k = 0; k < source.rows; ++k)
    for (int64_t n = 0; n < source.columns; ++n)
      result.reals[(n / tile * source.rows + k) * tile + n % tile] =
          source.at(k, n);
  frame.set(op.getPanels(), std::move(result));
}

/// result = init + op(lhs) B + bias, B[k, n] = panels[n / tile, k, n % tile].
static void evaluateMatmulPacked(MatmulPackedOp op, Frame &frame) {
  const Tensor &panels = frame.tensor(op.getPanels());
  ArrayRef<int64_t> shape = tensorOf(op.getType()).getShape();
  int64_t depth = panels.shape[1], tile = panels.shape[2];
  Tensor unpacked = Tensor::ofReals({depth, shape.back()});
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t n = 0; n < shape.back(); ++n)
      unpacked.reals[k * shape.back() + n] =
          panels.reals[(n / tile * depth + k) * tile + n % tile];
  Tensor result =
      product(MatrixView(frame.tensor(op.getLhs()), op.getTransposeLhs()),
              MatrixView(unpacked));
  addBias(result, frame.optional(op.getBias()));
  addInit(result, frame.optional(op.getInit()));
  frame.set(op.getResult(), result.reshaped(shape));
}

/// Calls the kernel. A group of operands becomes one list argument, and one
/// list result is spread over its group.
static LogicalResult evaluateLaunch(LaunchOp op, Frame &frame) {
  KernelOp kernel = op.lookupKernel();
  if (!kernel || kernel.isExternal())
    return op.emitOpError("expected a kernel with a body named ")
           << op.getKernelAttr();
  std::vector<Tensors> arguments;
  OperandRange inputs = op.getInputs();
  for (int64_t group : op.getOperandGroups()) {
    int64_t size = group < 0 ? 1 : group;
    Tensors &argument = arguments.emplace_back();
    for (Value input : inputs.take_front(size))
      argument.push_back(frame.tensor(input));
    inputs = inputs.drop_front(size);
  }
  auto results = frame.call(op, kernel, std::move(arguments));
  if (failed(results))
    return failure();
  ResultRange outputs = op.getResults();
  for (auto [index, group] : llvm::enumerate(op.getResultGroups())) {
    int64_t size = group < 0 ? 1 : group;
    Tensors &result = (*results)[index];
    if (size != static_cast<int64_t>(result.size()))
      return op.emitOpError("expected ") << size << " tensors in result group "
                                         << index << ", got " << result.size();
    for (auto [output, tensor] :
         llvm::zip_equal(outputs.take_front(size), result))
      frame.set(output, std::move(tensor));
    outputs = outputs.drop_front(size);
  }
  return success();
}

/// Whether `actual` agrees with `expected`; NaN and infinities only in kind.
static bool agrees(double actual, double expected, double atol, double rtol) {
  if (std::isnan(expected))
    return std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual))
    return actual == expected;
  return std::fabs(actual - expected) <= atol + rtol * std::fabs(expected);
}

/// |actual - expected| <= atol + rtol |expected| element by element.
static LogicalResult evaluateExpectClose(ExpectCloseOp op, Frame &frame) {
  const Tensor &actual = frame.tensor(op.getActual());
  const Tensor &expected = frame.tensor(op.getExpected());
  double atol = op.getAtol().convertToDouble();
  double rtol = op.getRtol().convertToDouble();
  auto element = [](const Tensor &tensor, int64_t i) {
    return tensor.isInteger ? static_cast<double>(tensor.integers[i])
                            : tensor.reals[i];
  };
  int64_t count = expected.size(), wrong = 0, first = 0;
  for (int64_t i = count - 1; i >= 0; --i)
    if (!agrees(element(actual, i), element(expected, i), atol, rtol)) {
      ++wrong;
      first = i;
    }
  if (!wrong)
    return success();
  std::string want, got;
  llvm::raw_string_ostream(want)
      << llvm::format("%.17g", element(expected, first));
  llvm::raw_string_ostream(got)
      << llvm::format("%.17g", element(actual, first));
  return op.emitOpError("expected element ")
         << first << " to be " << want << ", got " << got << "; " << wrong
         << " of " << count << " elements differ";
}

void attnres::interpreter::addKernelEvaluations(EvaluationTable &table) {
  table.add(evaluatePack);
  table.add(evaluateMatmulPacked);
  table.add(evaluateLaunch);
  table.add(evaluateExpectClose);
}
