//===- LinalgEval.cpp - linalg operations and tensor.generate -------------===//
//
// Every structured linalg operation is evaluated from its indexing maps and
// its scalar body, the named ones included. The body is translated once into
// a list of steps over numbered scalar slots and then run for every iteration.
//
//===----------------------------------------------------------------------===//
#include "dialect/interpreter/Evaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace attnres;
using namespace attnres::interpreter;

namespace {

Scalar elementOf(const Tensor &tensor, int64_t index) {
  if (tensor.isInteger)
    return Scalar{0, tensor.integers[index]};
  return Scalar{tensor.reals[index], 0};
}

void setElement(Tensor &tensor, int64_t index, Scalar value) {
  if (tensor.isInteger)
    tensor.integers[index] = value.integer;
  else
    tensor.reals[index] = value.real;
}

/// A block of scalar operations, ready to run many times.
class ScalarProgram {
public:
  /// Translates `block`. Values from outside are read from `frame` now.
  LogicalResult build(Block &block, const Frame &frame) {
    for (BlockArgument argument : block.getArguments())
      slotOf(argument);
    if (failed(translateAll(block, frame)))
      return failure();
    for (Value operand : block.getTerminator()->getOperands())
      results.push_back(slotFor(operand, frame));
    return success();
  }

  /// Runs the steps. Slot i of `arguments` is block argument i; `loops` are
  /// the values of `linalg.index`. Fails at an element out of bounds.
  LogicalResult run(ArrayRef<int64_t> loops) {
    SmallVector<Scalar, 4> operands;
    for (size_t next = 0; next < steps.size();) {
      const Step &step = steps[next++];
      operands.clear();
      for (unsigned slot : step.operands)
        operands.push_back(slots[slot]);
      switch (step.kind) {
      case Step::Apply:
        slots[step.result] = step.function(operands.data());
        break;
      case Step::Read: {
        FailureOr<int64_t> index = linearIndex(step, operands);
        if (failed(index))
          return failure();
        slots[step.result] = elementOf(*step.table, *index);
        break;
      }
      case Step::Loop:
        slots[step.result] = Scalar{0, loops[step.loop]};
        break;
      case Step::Copy:
        slots[step.result] = operands[0];
        break;
      case Step::Skip:
        if (operands.empty() || operands[0].integer == 0)
          next = step.target;
        break;
      }
    }
    return success();
  }

  void setArgument(unsigned index, Scalar value) { slots[index] = value; }
  Scalar result(unsigned index) const { return slots[results[index]]; }

private:
  struct Step {
    enum Kind {
      Apply, ///< a function of the operands
      Read,  ///< an element of a table
      Loop,  ///< the index of a loop
      Copy,  ///< the operand
      Skip,  ///< goes on at `target`, if there is an operand only when it is 0
    };
    Kind kind = Apply;
    Operation *op = nullptr;
    SmallVector<unsigned, 3> operands;
    unsigned result = 0;
    ScalarFunction function = nullptr;
    const Tensor *table = nullptr;
    int64_t loop = 0;
    size_t target = 0;
  };

  unsigned slotOf(Value value) {
    auto [entry, isNew] = numbers.try_emplace(value, slots.size());
    if (isNew)
      slots.push_back(Scalar());
    return entry->second;
  }

  /// The slot of an operand; a value from outside brings its element along.
  unsigned slotFor(Value value, const Frame &frame) {
    if (auto known = numbers.find(value); known != numbers.end())
      return known->second;
    unsigned slot = slotOf(value);
    slots[slot] = elementOf(frame.tensor(value), 0);
    return slot;
  }

  LogicalResult translateAll(Block &block, const Frame &frame) {
    for (Operation &op : block.without_terminator())
      if (failed(translate(op, frame)))
        return failure();
    return success();
  }

  /// The steps of a branch, if there is one, and copies of what it yields.
  LogicalResult translateBranch(scf::IfOp branch, Region &region,
                                const Frame &frame) {
    if (region.empty())
      return success();
    if (failed(translateAll(region.front(), frame)))
      return failure();
    for (auto [result, yielded] :
         llvm::zip_equal(branch.getResults(),
                         region.front().getTerminator()->getOperands())) {
      Step copy;
      copy.kind = Step::Copy;
      copy.operands.push_back(slotFor(yielded, frame));
      copy.result = slotOf(result);
      steps.push_back(std::move(copy));
    }
    return success();
  }

  LogicalResult translateIf(scf::IfOp branch, const Frame &frame) {
    Step unless;
    unless.kind = Step::Skip;
    unless.operands.push_back(slotFor(branch.getCondition(), frame));
    size_t condition = steps.size();
    steps.push_back(std::move(unless));
    if (failed(translateBranch(branch, branch.getThenRegion(), frame)))
      return failure();
    Step over;
    over.kind = Step::Skip;
    size_t end = steps.size();
    steps.push_back(std::move(over));
    steps[condition].target = steps.size();
    if (failed(translateBranch(branch, branch.getElseRegion(), frame)))
      return failure();
    steps[end].target = steps.size();
    return success();
  }

  LogicalResult translate(Operation &op, const Frame &frame) {
    for (Value operand : op.getOperands())
      if (!numbers.contains(operand) && !frame.knows(operand))
        return op.emitOpError("has no reference evaluation in a scalar body");
    if (llvm::any_of(op.getResultTypes(),
                     [](Type type) { return isa<ShapedType>(type); }))
      return op.emitOpError("has no reference evaluation in a scalar body");
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Scalar value;
      if (auto real = dyn_cast<FloatAttr>(constant.getValue()))
        value.real = real.getValueAsDouble();
      else if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
        value.integer = integer.getType().isInteger(1)
                            ? integer.getValue().getZExtValue()
                            : integer.getInt();
      else
        return op.emitOpError("expected a scalar constant in a scalar body");
      slots[slotOf(constant)] = value;
      return success();
    }
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return translateIf(branch, frame);
    Step step;
    step.op = &op;
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      step.kind = Step::Loop;
      step.loop = index.getDim();
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      if (!frame.knows(extract.getTensor()))
        return op.emitOpError("has no reference evaluation in a scalar body");
      step.kind = Step::Read;
      step.table = &frame.tensor(extract.getTensor());
      for (Value operand : extract.getIndices())
        step.operands.push_back(slotFor(operand, frame));
    } else {
      step.function = scalarFunction(&op, frame.options.roundToStorage);
      if (!step.function)
        return op.emitOpError("has no reference evaluation in a scalar body");
      for (Value operand : op.getOperands())
        step.operands.push_back(slotFor(operand, frame));
    }
    step.result = slotOf(op.getResult(0));
    steps.push_back(std::move(step));
    return success();
  }

  static FailureOr<int64_t> linearIndex(const Step &step,
                                        ArrayRef<Scalar> operands) {
    int64_t linear = 0;
    for (auto [operand, extent] :
         llvm::zip_equal(operands, step.table->shape)) {
      if (operand.integer < 0 || operand.integer >= extent) {
        step.op->emitOpError("reads index ")
            << operand.integer << " of a dimension of size " << extent;
        return failure();
      }
      linear = linear * extent + operand.integer;
    }
    return linear;
  }

  DenseMap<Value, unsigned> numbers;
  SmallVector<Scalar> slots;
  SmallVector<Step> steps;
  SmallVector<unsigned> results;
};

/// Where an operand of a linalg operation is read or written: element
/// start + sum_d coefficients[d] loops[d].
struct Access {
  int64_t start = 0;
  SmallVector<int64_t> coefficients;

  int64_t at(ArrayRef<int64_t> loops) const {
    int64_t index = start;
    for (auto [coefficient, loop] : llvm::zip_equal(coefficients, loops))
      index += coefficient * loop;
    return index;
  }
};

bool isLinear(AffineMap map) {
  bool linear = true;
  for (AffineExpr result : map.getResults())
    result.walk([&](AffineExpr part) {
      linear &= part.getKind() != AffineExprKind::Mod &&
                part.getKind() != AffineExprKind::FloorDiv &&
                part.getKind() != AffineExprKind::CeilDiv;
    });
  return linear;
}

/// Whether a linear map stays inside `shape` for all loops below `extents`.
bool isInside(AffineMap map, ArrayRef<int64_t> extents,
              ArrayRef<int64_t> shape) {
  if (llvm::is_contained(extents, 0))
    return true;
  SmallVector<int64_t> first(extents.size(), 0);
  SmallVector<int64_t> origin = map.compose(first), lowest = origin,
                       highest = origin;
  for (size_t loop = 0; loop < extents.size(); ++loop) {
    SmallVector<int64_t> last = first;
    last[loop] = extents[loop] - 1;
    for (auto [position, start, low, high] :
         llvm::zip_equal(map.compose(last), origin, lowest, highest)) {
      low += std::min<int64_t>(position - start, 0);
      high += std::max<int64_t>(position - start, 0);
    }
  }
  for (auto [low, high, extent] : llvm::zip_equal(lowest, highest, shape))
    if (low < 0 || high >= extent)
      return false;
  return true;
}

/// The access of a linear map to a row-major tensor of shape `shape`.
Access linearAccess(AffineMap map, ArrayRef<int64_t> shape) {
  auto element = [&](ArrayRef<int64_t> loops) {
    int64_t index = 0;
    for (auto [position, extent] : llvm::zip_equal(map.compose(loops), shape))
      index = index * extent + position;
    return index;
  };
  SmallVector<int64_t> loops(map.getNumDims(), 0);
  Access access;
  access.start = element(loops);
  for (int64_t &loop : loops) {
    loop = 1;
    access.coefficients.push_back(element(loops) - access.start);
    loop = 0;
  }
  return access;
}

/// Calls `body` for every point of the box `extents`, last loop fastest.
LogicalResult
forEachPoint(ArrayRef<int64_t> extents,
             function_ref<LogicalResult(ArrayRef<int64_t>)> body) {
  if (llvm::is_contained(extents, 0))
    return success();
  SmallVector<int64_t> loops(extents.size(), 0);
  while (true) {
    if (failed(body(loops)))
      return failure();
    size_t d = extents.size();
    while (d > 0 && ++loops[d - 1] == extents[d - 1])
      loops[--d] = 0;
    if (d == 0)
      return success();
  }
}

} // namespace

LogicalResult attnres::interpreter::evaluateLinalg(Operation *op,
                                                   Frame &frame) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  SmallVector<const Tensor *> operands;
  SmallVector<Access> accesses;
  SmallVector<int64_t> extents(linalgOp.getNumLoops(), -1);
  for (auto [value, map] : llvm::zip_equal(op->getOperands(), maps)) {
    const Tensor &tensor = frame.tensor(value);
    if (!isLinear(map))
      return op->emitOpError("has no reference evaluation: expected linear "
                             "indexing maps");
    for (auto [result, extent] :
         llvm::zip_equal(map.getResults(), tensor.shape))
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        extents[dim.getPosition()] = extent;
    operands.push_back(&tensor);
    accesses.push_back(linearAccess(map, tensor.shape));
  }
  if (llvm::is_contained(extents, -1))
    return op->emitOpError("has no reference evaluation: expected every loop "
                           "to index an operand alone");

  for (auto [tensor, map] : llvm::zip_equal(operands, maps))
    if (!isInside(map, extents, tensor->shape))
      return op->emitOpError("accesses an element outside of an operand");

  ScalarProgram body;
  if (failed(body.build(*linalgOp.getBlock(), frame)))
    return failure();
  // linalg.map passes its inputs alone; all others the initial values too.
  size_t inputs = linalgOp.getNumDpsInputs();
  size_t arguments = linalgOp.getBlock()->getNumArguments();
  Tensors outputs;
  for (const Tensor *init : ArrayRef(operands).drop_front(inputs))
    outputs.push_back(*init);
  LogicalResult done = forEachPoint(extents, [&](ArrayRef<int64_t> loops) {
    for (size_t i = 0; i < arguments; ++i)
      body.setArgument(
          i, elementOf(i < inputs ? *operands[i] : outputs[i - inputs],
                       accesses[i].at(loops)));
    if (failed(body.run(loops)))
      return failure();
    for (size_t i = 0; i < outputs.size(); ++i)
      setElement(outputs[i], accesses[inputs + i].at(loops), body.result(i));
    return success();
  });
  if (failed(done))
    return failure();
  frame.setGroup(op->getResults(), std::move(outputs));
  return success();
}

LogicalResult attnres::interpreter::evaluateGenerate(Operation *op,
                                                     Frame &frame) {
  auto generate = cast<tensor::GenerateOp>(op);
  auto type = cast<RankedTensorType>(generate.getType());
  SmallVector<int64_t> shape(type.getShape());
  auto dynamic = generate.getDynamicExtents().begin();
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = frame.integer(*dynamic++);
  if (failed(expectCountable(op, shape)))
    return failure();
  ScalarProgram body;
  if (failed(body.build(generate.getBody().front(), frame)))
    return failure();
  Tensor result = isa<FloatType>(type.getElementType())
                      ? Tensor::ofReals(shape)
                      : Tensor::ofIntegers(shape);
  int64_t next = 0;
  LogicalResult done = forEachPoint(shape, [&](ArrayRef<int64_t> indices) {
    for (auto [position, index] : llvm::enumerate(indices))
      body.setArgument(position, Scalar{0, index});
    if (failed(body.run(indices)))
      return failure();
    setElement(result, next++, body.result(0));
    return success();
  });
  if (failed(done))
    return failure();
  frame.set(generate.getResult(), std::move(result));
  return success();
}

/// The source with the values of the body around it; a negative padding cuts.
LogicalResult attnres::interpreter::evaluatePad(Operation *op, Frame &frame) {
  auto pad = cast<tensor::PadOp>(op);
  const Tensor &source = frame.tensor(pad.getSource());
  auto extents = [&](ArrayRef<OpFoldResult> mixed) {
    SmallVector<int64_t> values;
    for (OpFoldResult value : mixed)
      values.push_back(isa<Attribute>(value)
                           ? *getConstantIntValue(value)
                           : frame.integer(cast<Value>(value)));
    return values;
  };
  SmallVector<int64_t> low = extents(pad.getMixedLowPad());
  SmallVector<int64_t> high = extents(pad.getMixedHighPad());
  SmallVector<int64_t> shape;
  for (auto [d, extent] : llvm::enumerate(source.shape)) {
    shape.push_back(low[d] + extent + high[d]);
    // A negative one cuts.
    if (shape.back() < 0)
      return op->emitOpError("expected a size of at least 0, got ")
             << shape.back();
  }
  ScalarProgram body;
  if (failed(body.build(pad.getRegion().front(), frame)))
    return failure();
  Tensor result =
      source.isInteger ? Tensor::ofIntegers(shape) : Tensor::ofReals(shape);
  int64_t next = 0;
  LogicalResult done = forEachPoint(shape, [&](ArrayRef<int64_t> indices) {
    int64_t linear = 0;
    bool isInside = true;
    for (auto [d, index] : llvm::enumerate(indices)) {
      int64_t position = index - low[d];
      isInside &= position >= 0 && position < source.shape[d];
      linear = linear * source.shape[d] + position;
      body.setArgument(d, Scalar{0, index});
    }
    if (failed(body.run(indices)))
      return failure();
    setElement(result, next++,
               isInside ? elementOf(source, linear) : body.result(0));
    return success();
  });
  if (failed(done))
    return failure();
  frame.set(pad.getResult(), std::move(result));
  return success();
}

/// exp(x - max x) / sum exp(x - max x) along one dimension.
void attnres::interpreter::evaluateSoftmax(Operation *op, Frame &frame) {
  auto softmax = cast<linalg::SoftmaxOp>(op);
  Tensor result = frame.tensor(softmax.getInput());
  int64_t dim = softmax.getDimension(), stride = 1;
  int64_t length = result.shape[dim];
  for (int64_t extent : ArrayRef(result.shape).drop_front(dim + 1))
    stride *= extent;
  for (int64_t first = 0; first < result.size(); ++first) {
    if (first / stride % length != 0)
      continue;
    double maximum = -kInfinity, sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      double x = result.reals[first + i * stride];
      maximum = std::isnan(x) || std::isnan(maximum) ? std::nan("")
                                                     : std::fmax(maximum, x);
    }
    for (int64_t i = 0; i < length; ++i) {
      double &x = result.reals[first + i * stride];
      x = std::exp(x - maximum);
      sum += x;
    }
    for (int64_t i = 0; i < length; ++i)
      result.reals[first + i * stride] /= sum;
  }
  frame.setGroup(op->getResults(), {std::move(result)});
}
