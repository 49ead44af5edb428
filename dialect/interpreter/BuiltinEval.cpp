//===- BuiltinEval.cpp - func, scf, constants and tensor operations -------===//
#include "dialect/interpreter/Evaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

//===----------------------------------------------------------------------===//
// func and scf
//===----------------------------------------------------------------------===//

static LogicalResult evaluateCall(func::CallOp op, Frame &frame) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isDeclaration())
    return op.emitOpError("expected a function with a body named ")
           << op.getCalleeAttr();
  std::vector<Tensors> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(frame.list(operand));
  auto results = frame.call(op, callee, std::move(arguments));
  if (failed(results))
    return failure();
  for (auto [value, tensors] : llvm::zip_equal(op.getResults(), *results))
    frame.setList(value, std::move(tensors));
  return success();
}

static LogicalResult evaluateFor(scf::ForOp op, Frame &frame) {
  int64_t lower = frame.integer(op.getLowerBound());
  int64_t upper = frame.integer(op.getUpperBound());
  int64_t step = frame.integer(op.getStep());
  if (step <= 0)
    return op.emitOpError("expected a positive step, got ") << step;
  Tensors carried;
  for (Value init : op.getInitArgs())
    carried.push_back(frame.tensor(init));
  for (int64_t i = lower; i < upper;) {
    Tensors arguments{Tensor::ofIntegers({}, i)};
    for (Tensor &tensor : carried)
      arguments.push_back(std::move(tensor));
    auto next = frame.run(*op.getBody(), std::move(arguments));
    if (failed(next))
      return failure();
    carried = std::move(*next);
    if (llvm::AddOverflow(i, step, i))
      break;
  }
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), carried))
    frame.set(result, std::move(tensor));
  return success();
}

static LogicalResult evaluateIf(scf::IfOp op, Frame &frame) {
  Region &region = frame.integer(op.getCondition()) ? op.getThenRegion()
                                                    : op.getElseRegion();
  if (region.empty())
    return success();
  auto results = frame.run(region.front(), {});
  if (failed(results))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), *results))
    frame.set(result, std::move(tensor));
  return success();
}

static LogicalResult evaluateConstant(arith::ConstantOp op, Frame &frame) {
  FailureOr<Tensor> value = failure();
  if (auto elements = dyn_cast<ElementsAttr>(op.getValue()))
    value = Tensor::ofAttribute(elements);
  else if (auto real = dyn_cast<FloatAttr>(op.getValue()))
    value = Tensor::ofReals({}, real.getValueAsDouble());
  else if (auto integer = dyn_cast<IntegerAttr>(op.getValue());
           integer && integer.getValue().getBitWidth() <= 64)
    value = Tensor::ofIntegers({}, integer.getType().isInteger(1)
                                       ? integer.getValue().getZExtValue()
                                       : integer.getInt());
  if (failed(value))
    return op.emitOpError("expected a constant of floats or integers");
  frame.set(op, std::move(*value));
  return success();
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

/// The shape of `type` with the values `dynamic` for its dynamic extents.
static SmallVector<int64_t> shapeOf(RankedTensorType type, ValueRange dynamic,
                                    const Frame &frame) {
  SmallVector<int64_t> shape(type.getShape());
  auto next = dynamic.begin();
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = frame.integer(*next++);
  return shape;
}

/// NaN, or the smallest integer, so that a read of it shows.
static LogicalResult evaluateEmpty(tensor::EmptyOp op, Frame &frame) {
  SmallVector<int64_t> shape =
      shapeOf(op.getType(), op.getDynamicSizes(), frame);
  if (failed(expectCountable(op, shape)))
    return failure();
  frame.set(op, isa<FloatType>(op.getType().getElementType())
                    ? Tensor::ofReals(shape, std::nan(""))
                    : Tensor::ofIntegers(
                          shape, std::numeric_limits<int64_t>::min()));
  return success();
}

static LogicalResult evaluateDim(tensor::DimOp op, Frame &frame) {
  ArrayRef<int64_t> shape = frame.tensor(op.getSource()).shape;
  int64_t index = frame.integer(op.getIndex());
  if (index < 0 || index >= static_cast<int64_t>(shape.size()))
    return op.emitOpError("reads dimension ")
           << index << " of rank " << shape.size();
  frame.set(op, Tensor::ofIntegers({}, shape[index]));
  return success();
}

static LogicalResult evaluateCast(tensor::CastOp op, Frame &frame) {
  if (!isa<RankedTensorType>(op.getType()))
    return op.emitOpError("expected a ranked result");
  frame.set(op, frame.tensor(op.getSource()));
  return success();
}

static LogicalResult evaluateExpandShape(tensor::ExpandShapeOp op,
                                         Frame &frame) {
  SmallVector<int64_t> shape(op.getStaticOutputShape());
  auto next = op.getOutputShape().begin();
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = frame.integer(*next++);
  if (failed(expectCountable(op, shape)))
    return failure();
  const Tensor &source = frame.tensor(op.getSrc());
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (count != source.size())
    return op.emitOpError("expected a source of ")
           << count << " elements, got " << source.size();
  frame.set(op, source.reshaped(shape));
  return success();
}

static LogicalResult evaluateCollapseShape(tensor::CollapseShapeOp op,
                                           Frame &frame) {
  const Tensor &source = frame.tensor(op.getSrc());
  SmallVector<int64_t> shape;
  for (ReassociationIndices group : op.getReassociationIndices()) {
    int64_t extent = 1;
    for (int64_t dim : group)
      extent *= source.shape[dim];
    shape.push_back(extent);
  }
  // MLIR verifies no sizes where nothing is left.
  if (shape.empty() && source.size() != 1)
    return op.emitOpError("expected one element, got ") << source.size();
  frame.set(op, source.reshaped(shape));
  return success();
}

static SmallVector<int64_t> integers(ArrayRef<OpFoldResult> mixed,
                                     const Frame &frame) {
  SmallVector<int64_t> values;
  for (OpFoldResult value : mixed)
    values.push_back(isa<Attribute>(value) ? *getConstantIntValue(value)
                                           : frame.integer(cast<Value>(value)));
  return values;
}

namespace {
/// Linear indices of the elements of a slice, last dimension fastest.
struct Slice {
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> indices;
};
} // namespace

template <typename Op>
static FailureOr<Slice> sliceOf(Op op, ArrayRef<int64_t> shape,
                                const Frame &frame) {
  SmallVector<int64_t> offsets = integers(op.getMixedOffsets(), frame);
  SmallVector<int64_t> strides = integers(op.getMixedStrides(), frame);
  Slice slice;
  slice.sizes = integers(op.getMixedSizes(), frame);
  slice.indices.push_back(0);
  if (failed(expectCountable(op, slice.sizes)))
    return failure();
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t last;
    bool overflows =
        llvm::MulOverflow(slice.sizes[d] - 1, strides[d], last) ||
        llvm::AddOverflow(last, offsets[d], last);
    if (overflows)
      return op.emitOpError("takes elements out of the range of indices");
    if (slice.sizes[d] > 0 && (offsets[d] < 0 || offsets[d] >= shape[d] ||
                               last < 0 || last >= shape[d]))
      return op.emitOpError("takes elements ")
             << offsets[d] << " to " << last << " of dimension " << d
             << " of size " << shape[d];
    SmallVector<int64_t> next;
    for (int64_t prefix : slice.indices)
      for (int64_t i = 0; i < slice.sizes[d]; ++i)
        next.push_back(prefix * shape[d] + offsets[d] + i * strides[d]);
    slice.indices = std::move(next);
  }
  return slice;
}

static LogicalResult evaluateExtractSlice(tensor::ExtractSliceOp op,
                                          Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  FailureOr<Slice> slice = sliceOf(op, source.shape, frame);
  if (failed(slice))
    return failure();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(slice->sizes))
    if (!dropped.test(d))
      shape.push_back(size);
  frame.set(op, source.gather(shape, slice->indices));
  return success();
}

static LogicalResult evaluateInsertSlice(tensor::InsertSliceOp op,
                                         Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  Tensor result = frame.tensor(op.getDest());
  FailureOr<Slice> slice = sliceOf(op, result.shape, frame);
  if (failed(slice))
    return failure();
  if (static_cast<int64_t>(slice->indices.size()) != source.size())
    return op.emitOpError("expected a source of ")
           << slice->indices.size() << " elements, got " << source.size();
  for (auto [i, index] : llvm::enumerate(slice->indices))
    if (source.isInteger)
      result.integers[index] = source.integers[i];
    else
      result.reals[index] = source.reals[i];
  frame.set(op, std::move(result));
  return success();
}

static void evaluateConcat(tensor::ConcatOp op, Frame &frame) {
  SmallVector<const Tensor *> inputs = frame.tensors(op.getInputs());
  size_t dim = op.getDim();
  SmallVector<int64_t> shape = inputs.front()->shape;
  shape[dim] = 0;
  for (const Tensor *input : inputs)
    shape[dim] += input->shape[dim];
  Tensor result = inputs.front()->isInteger ? Tensor::ofIntegers(shape)
                                            : Tensor::ofReals(shape);
  // Consecutive elements below one index of the dimensions before `dim`.
  auto run = [&](ArrayRef<int64_t> of) {
    int64_t count = 1;
    for (int64_t extent : of.drop_front(dim))
      count *= extent;
    return count;
  };
  int64_t stride = run(shape), offset = 0;
  for (const Tensor *input : inputs) {
    int64_t length = run(input->shape);
    for (int64_t i = 0; i < input->size(); ++i) {
      int64_t at = i / length * stride + offset + i % length;
      if (input->isInteger)
        result.integers[at] = input->integers[i];
      else
        result.reals[at] = input->reals[i];
    }
    offset += length;
  }
  frame.set(op, std::move(result));
}

/// The linear index of an element.
static FailureOr<int64_t> elementIndex(Operation *op, ValueRange indices,
                                       ArrayRef<int64_t> shape,
                                       const Frame &frame) {
  int64_t linear = 0;
  for (auto [value, extent] : llvm::zip_equal(indices, shape)) {
    int64_t index = frame.integer(value);
    if (index < 0 || index >= extent)
      return op->emitOpError("accesses index ")
             << index << " of a dimension of size " << extent;
    linear = linear * extent + index;
  }
  return linear;
}

static LogicalResult evaluateExtract(tensor::ExtractOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getTensor());
  FailureOr<int64_t> index =
      elementIndex(op, op.getIndices(), source.shape, frame);
  if (failed(index))
    return failure();
  frame.set(op, source.gather({}, *index));
  return success();
}

static LogicalResult evaluateInsert(tensor::InsertOp op, Frame &frame) {
  Tensor result = frame.tensor(op.getDest());
  FailureOr<int64_t> index =
      elementIndex(op, op.getIndices(), result.shape, frame);
  if (failed(index))
    return failure();
  const Tensor &scalar = frame.tensor(op.getScalar());
  if (result.isInteger)
    result.integers[*index] = scalar.integers.front();
  else
    result.reals[*index] = scalar.reals.front();
  frame.set(op, std::move(result));
  return success();
}

static LogicalResult evaluateSplat(tensor::SplatOp op, Frame &frame) {
  SmallVector<int64_t> shape =
      shapeOf(op.getType(), op.getDynamicSizes(), frame);
  if (failed(expectCountable(op, shape)))
    return failure();
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  frame.set(op, frame.tensor(op.getInput())
                    .gather(shape, SmallVector<int64_t>(count, 0)));
  return success();
}

static void evaluateFromElements(tensor::FromElementsOp op, Frame &frame) {
  RankedTensorType type = op.getType();
  Tensor result = isa<FloatType>(type.getElementType())
                      ? Tensor::ofReals(type.getShape())
                      : Tensor::ofIntegers(type.getShape());
  for (auto [i, element] : llvm::enumerate(frame.tensors(op.getElements())))
    if (result.isInteger)
      result.integers[i] = element->integers.front();
    else
      result.reals[i] = element->reals.front();
  frame.set(op, std::move(result));
}

static LogicalResult evaluateGenerateOp(tensor::GenerateOp op, Frame &frame) {
  return evaluateGenerate(op, frame);
}

static LogicalResult evaluatePadOp(tensor::PadOp op, Frame &frame) {
  return evaluatePad(op, frame);
}

static LogicalResult evaluateSoftmaxOp(linalg::SoftmaxOp op, Frame &frame) {
  if (frame.tensor(op.getInput()).isInteger)
    return op.emitOpError("expected a tensor of floats, got ")
           << op.getInputOperandType();
  evaluateSoftmax(op, frame);
  return success();
}

static LogicalResult evaluateReshape(tensor::ReshapeOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  const Tensor &shape = frame.tensor(op.getShape());
  int64_t count = 1;
  for (int64_t extent : shape.integers)
    if (extent < 0 || llvm::MulOverflow(count, extent, count))
      return op.emitOpError("expected a shape of ")
             << source.size() << " elements, got an extent of " << extent;
  if (count != source.size())
    return op.emitOpError("expected a shape of ")
           << source.size() << " elements, got one of " << count;
  frame.set(op, source.reshaped(shape.integers));
  return success();
}

static LogicalResult evaluateGather(tensor::GatherOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  const Tensor &indices = frame.tensor(op.getIndices());
  ArrayRef<int64_t> dims = op.getGatherDims();
  // The slice at each coordinate, row-major over the dimensions that stay.
  auto numDims = static_cast<int64_t>(dims.size());
  SmallVector<int64_t> from;
  for (int64_t i = 0; i < indices.size(); i += numDims) {
    SmallVector<int64_t> partial{0};
    for (auto [d, extent] : llvm::enumerate(source.shape)) {
      const int64_t *found = llvm::find(dims, static_cast<int64_t>(d));
      SmallVector<int64_t> next;
      for (int64_t prefix : partial) {
        if (found == dims.end()) {
          for (int64_t k = 0; k < extent; ++k)
            next.push_back(prefix * extent + k);
          continue;
        }
        int64_t index = indices.integers[i + (found - dims.begin())];
        if (index < 0 || index >= extent)
          return op.emitOpError("reads index ")
                 << index << " of a dimension of size " << extent;
        next.push_back(prefix * extent + index);
      }
      partial = std::move(next);
    }
    llvm::append_range(from, partial);
  }
  frame.set(op, source.gather(op.getResultType().getShape(), from));
  return success();
}

void attnres::interpreter::addBuiltinEvaluations(EvaluationTable &table) {
  table.add(evaluateCall);
  table.add(evaluateFor);
  table.add(evaluateIf);
  table.add(evaluateConstant);
  table.add(evaluateEmpty);
  table.add(evaluateDim);
  table.add(evaluateCast);
  table.add(evaluateExpandShape);
  table.add(evaluateCollapseShape);
  table.add(evaluateExtractSlice);
  table.add(evaluateInsertSlice);
  table.add(evaluateConcat);
  table.add(evaluateExtract);
  table.add(evaluateInsert);
  table.add(evaluateSplat);
  table.add(evaluateFromElements);
  table.add(evaluateGenerateOp);
  table.add(evaluatePadOp);
  table.add(evaluateSoftmaxOp);
  table.add(evaluateReshape);
  table.add(evaluateGather);
}
