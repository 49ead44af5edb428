//===- LowerTensors.cpp - operations on tensors as linalg -----------------===//
//
// What has no kernel of its own becomes a linalg.generic over its result, whose
// body computes where it reads: one form for slices, paddings, insertions,
// concatenations and gathers. Scalars that are computed between operations on
// tensors move into the bodies that use them, so that only tensors are left
// between kernels.
//
//===----------------------------------------------------------------------===//
#include "passes/kernels/LowerTensors.h"

#include "passes/PassStatistic.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/memory/MemoryPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace attnres {
#define GEN_PASS_DEF_LOWERTENSORS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// Building bodies
//===----------------------------------------------------------------------===//

namespace {

/// Builds operations whose bodies compute where they read.
class ElementBuilder {
public:
  explicit ElementBuilder(Operation *op) : b(op->getLoc(), op) {}

  ImplicitLocOpBuilder b;

  /// A tensor whose elements `element` computes from their indices.
  Value tensor(RankedTensorType type,
               function_ref<Value(ArrayRef<Value> indices)> element) {
    Value empty =
        tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
    SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(type.getRank())};
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        b, TypeRange{type}, ValueRange(), ValueRange{empty}, maps, loops,
        [&](OpBuilder &inner, Location, ValueRange) {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPoint(inner.getInsertionBlock(),
                              inner.getInsertionPoint());
          SmallVector<Value> indices;
          for (int64_t d = 0; d < type.getRank(); ++d)
            indices.push_back(linalg::IndexOp::create(b, d));
          linalg::YieldOp::create(b, element(indices));
        });
    return generic.getResult(0);
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value valueOf(OpFoldResult value) {
    if (auto attribute = dyn_cast<Attribute>(value))
      return constant(cast<IntegerAttr>(attribute).getInt());
    return cast<Value>(value);
  }
  Value read(Value tensor, ValueRange indices) {
    return tensor::ExtractOp::create(b, tensor, indices);
  }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value sub(Value x, Value y) { return b.createOrFold<arith::SubIOp>(x, y); }
  Value mul(Value x, Value y) { return b.createOrFold<arith::MulIOp>(x, y); }
  Value isLess(Value x, Value y) {
    return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
  }
  Value all(ArrayRef<Value> conditions) {
    Value result;
    for (Value condition : conditions)
      result =
          result ? b.createOrFold<arith::AndIOp>(result, condition) : condition;
    return result ? result : arith::ConstantIntOp::create(b, 1, 1).getResult();
  }
  Value select(Value condition, Value x, Value y) {
    return b.createOrFold<arith::SelectOp>(condition, x, y);
  }
};

} // namespace

static RankedTensorType rankedType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Operations on tensors
//===----------------------------------------------------------------------===//

/// Dimension d of the source of a slice, from the dimensions of its type after
/// the dropped ones.
static SmallVector<Value> withDropped(ElementBuilder &e,
                                      const llvm::SmallBitVector &dropped,
                                      ArrayRef<Value> kept) {
  SmallVector<Value> all;
  size_t next = 0;
  for (unsigned d = 0; d < dropped.size(); ++d)
    all.push_back(dropped.test(d) ? e.constant(0) : kept[next++]);
  return all;
}

static Value lower(tensor::ExtractSliceOp op) {
  ElementBuilder e(op);
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  return e.tensor(op.getType(), [&](ArrayRef<Value> indices) {
    SmallVector<Value> from = withDropped(e, op.getDroppedDims(), indices);
    for (auto [d, index] : llvm::enumerate(from))
      index = e.add(e.valueOf(offsets[d]), e.mul(index, e.valueOf(strides[d])));
    return e.read(op.getSource(), from);
  });
}

static Value lower(tensor::InsertSliceOp op) {
  ElementBuilder e(op);
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  ArrayRef<int64_t> sizes = op.getStaticSizes();
  if (op.getSourceType().getNumElements() == 0)
    return op.getDest();
  return e.tensor(op.getType(), [&](ArrayRef<Value> indices) {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    SmallVector<Value> inside, position;
    for (auto [d, index] : llvm::enumerate(indices)) {
      Value distance = e.sub(index, e.valueOf(offsets[d]));
      Value stride = e.valueOf(strides[d]);
      Value step = e.b.createOrFold<arith::DivSIOp>(distance, stride);
      inside.push_back(e.b.createOrFold<arith::CmpIOp>(
          arith::CmpIPredicate::eq, e.mul(step, stride), distance));
      inside.push_back(e.b.createOrFold<arith::CmpIOp>(
          arith::CmpIPredicate::sge, distance, e.constant(0)));
      inside.push_back(e.isLess(step, e.constant(sizes[d])));
      if (!dropped.test(d))
        position.push_back(step);
    }
    Value isInside = e.all(inside);
    for (Value &index : position)
      index = e.select(isInside, index, e.constant(0));
    return e.select(isInside, e.read(op.getSource(), position),
                    e.read(op.getDest(), indices));
  });
}

/// The body of `block` for these arguments; what it yields.
static Value cloneBody(ImplicitLocOpBuilder &b, Block &block,
                       ArrayRef<Value> arguments) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    b.clone(op, mapping);
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}

static Value lower(tensor::PadOp op) {
  ElementBuilder e(op);
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  RankedTensorType source = op.getSourceType();
  return e.tensor(op.getResultType(), [&](ArrayRef<Value> indices) {
    Value padding = cloneBody(e.b, op.getRegion().front(), indices);
    if (source.getNumElements() == 0)
      return padding;
    SmallVector<Value> inside, position;
    for (auto [d, index] : llvm::enumerate(indices)) {
      position.push_back(e.sub(index, e.valueOf(low[d])));
      inside.push_back(e.b.createOrFold<arith::CmpIOp>(
          arith::CmpIPredicate::sge, position.back(), e.constant(0)));
      inside.push_back(
          e.isLess(position.back(), e.constant(source.getDimSize(d))));
    }
    Value isInside = e.all(inside);
    for (Value &index : position)
      index = e.select(isInside, index, e.constant(0));
    return e.select(isInside, e.read(op.getSource(), position), padding);
  });
}

static Value lower(tensor::ConcatOp op) {
  ElementBuilder e(op);
  auto type = cast<RankedTensorType>(op.getType());
  int64_t dim = op.getDim();
  return e.tensor(type, [&](ArrayRef<Value> indices) {
    // The last operand that starts at or before the index, from the first on.
    Value result;
    int64_t start = 0;
    for (Value input : op.getInputs()) {
      int64_t size = rankedType(input).getDimSize(dim);
      if (size == 0)
        continue;
      SmallVector<Value> position(indices);
      Value distance = e.sub(indices[dim], e.constant(start));
      Value isHere =
          e.all({e.b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge,
                                                 distance, e.constant(0)),
                 e.isLess(distance, e.constant(size))});
      position[dim] = e.select(isHere, distance, e.constant(0));
      Value element = e.read(input, position);
      result = result ? e.select(isHere, element, result) : element;
      start += size;
    }
    if (result)
      return result;
    return arith::ConstantOp::create(e.b,
                                     e.b.getZeroAttr(type.getElementType()))
        .getResult();
  });
}

static Value lower(tensor::GenerateOp op) {
  ElementBuilder e(op);
  return e.tensor(cast<RankedTensorType>(op.getType()),
                  [&](ArrayRef<Value> indices) {
                    return cloneBody(e.b, op.getBody().front(), indices);
                  });
}

static Value lower(tensor::SplatOp op) {
  ElementBuilder e(op);
  return e.tensor(op.getType(), [&](ArrayRef<Value>) { return op.getInput(); });
}

static Value lower(tensor::FromElementsOp op) {
  ElementBuilder e(op);
  RankedTensorType type = op.getType();
  return e.tensor(type, [&](ArrayRef<Value> indices) {
    Value linear = e.constant(0);
    for (auto [index, extent] : llvm::zip_equal(indices, type.getShape()))
      linear = e.add(e.mul(linear, e.constant(extent)), index);
    Value result = op.getElements().front();
    for (auto [i, element] :
         llvm::drop_begin(llvm::enumerate(op.getElements()))) {
      Value isHere = e.b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                     linear, e.constant(i));
      result = e.select(isHere, element, result);
    }
    return result;
  });
}

static Value lower(tensor::InsertOp op) {
  ElementBuilder e(op);
  return e.tensor(op.getType(), [&](ArrayRef<Value> indices) {
    SmallVector<Value> conditions;
    for (auto [index, at] : llvm::zip_equal(indices, op.getIndices()))
      conditions.push_back(
          e.b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, index, at));
    return e.select(e.all(conditions), op.getScalar(),
                    e.read(op.getDest(), indices));
  });
}

static Value lower(tensor::BitcastOp op) {
  ElementBuilder e(op);
  auto type = cast<RankedTensorType>(op.getType());
  return e.tensor(type, [&](ArrayRef<Value> indices) {
    return arith::BitcastOp::create(e.b, type.getElementType(),
                                    e.read(op.getSource(), indices))
        .getResult();
  });
}

static Value lower(tensor::GatherOp op) {
  ElementBuilder e(op);
  RankedTensorType type = op.getResultType();
  int64_t numBatch = op.getIndicesType().getRank() - 1;
  int64_t rank = op.getSourceType().getRank();
  ArrayRef<int64_t> dims = op.getGatherDims();
  bool keepsDims = type.getRank() == numBatch + rank;
  return e.tensor(type, [&](ArrayRef<Value> indices) {
    SmallVector<Value> position(rank);
    for (auto [k, d] : llvm::enumerate(dims)) {
      SmallVector<Value> at(indices.take_front(numBatch));
      at.push_back(e.constant(k));
      Value coordinate = e.read(op.getIndices(), at);
      position[d] =
          e.b.createOrFold<arith::IndexCastOp>(e.b.getIndexType(), coordinate);
    }
    ArrayRef<Value> rest = indices.drop_front(numBatch);
    for (int64_t d = 0; d < rank; ++d) {
      if (!position[d])
        position[d] = rest.front();
      else if (!keepsDims)
        continue;
      rest = rest.drop_front();
    }
    return e.read(op.getSource(), position);
  });
}

Value attnres::readElements(Operation *op) {
  if (!isa<tensor::GatherOp, tensor::GenerateOp>(op) ||
      llvm::any_of(op->getResultTypes(), [](Type type) {
        return !cast<ShapedType>(type).hasStaticShape();
      }))
    return nullptr;
  return TypeSwitch<Operation *, Value>(op)
      .Case<tensor::GatherOp, tensor::GenerateOp>(
          [](auto reading) { return lower(reading); });
}

/// Between any two static shapes through one dimension.
static Value lower(tensor::ReshapeOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  RankedTensorType from = rankedType(op.getSource());
  auto to = cast<RankedTensorType>(op.getType());
  auto flat =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  auto groups = [](int64_t rank) {
    SmallVector<ReassociationIndices> result;
    if (rank > 0)
      result.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
    return result;
  };
  Value value = op.getSource();
  if (from.getRank() == 0)
    value = tensor::ExpandShapeOp::create(b, flat, value, groups(0));
  else if (from.getRank() > 1)
    value =
        tensor::CollapseShapeOp::create(b, flat, value, groups(from.getRank()));
  if (to.getRank() == 0)
    return tensor::CollapseShapeOp::create(b, to, value, groups(0));
  if (to.getRank() > 1)
    return tensor::ExpandShapeOp::create(b, to, value, groups(to.getRank()));
  return value;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// A generic operation over the loops of `shape`. Maps of inputs and output
/// leave out the dimension `without` when told to.
static Value overLoops(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                       int64_t without, ValueRange inputs,
                       ArrayRef<bool> isReduced, Value init, bool reduces,
                       function_ref<Value(ValueRange)> body) {
  AffineMap identity = b.getMultiDimIdentityMap(shape.size());
  AffineMap reduced = identity.dropResult(without);
  SmallVector<AffineMap> maps;
  for (bool leavesOut : isReduced)
    maps.push_back(leavesOut ? reduced : identity);
  maps.push_back(reduces ? reduced : identity);
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  if (reduces)
    loops[without] = utils::IteratorType::reduction;
  auto generic = linalg::GenericOp::create(
      b, TypeRange{init.getType()}, inputs, ValueRange{init}, maps, loops,
      [&](OpBuilder &inner, Location, ValueRange arguments) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(inner.getInsertionBlock(),
                            inner.getInsertionPoint());
        linalg::YieldOp::create(b, body(arguments));
      });
  return generic.getResult(0);
}

/// exp(x - max x) / sum exp(x - max x) along one dimension. The maximum starts
/// at -inf and passes NaN on; what has only -inf becomes NaN, as 0 / 0 does.
static Value lower(linalg::SoftmaxOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  RankedTensorType type = rankedType(op.getInput());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t dim = op.getDimension();
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element) // which has no meaning; the end of the stage says so
    return {};
  auto wide =
      element.getWidth() < 32 ? cast<FloatType>(b.getF32Type()) : element;
  auto resultElement =
      cast<FloatType>(rankedType(op.getResult()[0]).getElementType());
  auto convert = [&](Value x, FloatType to) -> Value {
    auto from = cast<FloatType>(x.getType());
    if (from == to)
      return x;
    if (from.getWidth() < to.getWidth())
      return arith::ExtFOp::create(b, to, x);
    return arith::TruncFOp::create(b, to, x);
  };
  SmallVector<int64_t> rows(shape);
  rows.erase(rows.begin() + dim);
  auto filled = [&](double value) {
    Value scalar = arith::ConstantOp::create(b, b.getFloatAttr(wide, value));
    Value empty = tensor::EmptyOp::create(b, rows, wide);
    return linalg::FillOp::create(b, scalar, empty).getResult(0);
  };
  Value infinity = filled(-std::numeric_limits<double>::infinity());
  Value maximum = overLoops(b, shape, dim, op.getInput(), {false}, infinity,
                            /*reduces=*/true, [&](ValueRange v) {
                              return arith::MaximumFOp::create(
                                  b, convert(v[0], wide), v[1]);
                            });
  Value empty = tensor::EmptyOp::create(b, shape, wide);
  Value exponentials = overLoops(
      b, shape, dim, ValueRange{op.getInput(), maximum}, {false, true}, empty,
      /*reduces=*/false, [&](ValueRange v) {
        Value distance = arith::SubFOp::create(b, convert(v[0], wide), v[1]);
        return math::ExpOp::create(b, distance);
      });
  Value sum = overLoops(b, shape, dim, exponentials, {false}, filled(0),
                        /*reduces=*/true, [&](ValueRange v) {
                          return arith::AddFOp::create(b, v[0], v[1]);
                        });
  Value result = tensor::EmptyOp::create(b, shape, resultElement);
  return overLoops(b, shape, dim, ValueRange{exponentials, sum}, {false, true},
                   result, /*reduces=*/false, [&](ValueRange v) {
                     Value quotient = arith::DivFOp::create(b, v[0], v[1]);
                     return convert(quotient, resultElement);
                   });
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

namespace {

class TensorLowering {
public:
  explicit TensorLowering(func::FuncOp function) : function(function) {}

  LogicalResult run() {
    for (BlockArgument argument : function.getArguments())
      if (failed(verifyProgramType(function, argument.getType())))
        return failure();
    if (failed(verifyTypes()))
      return failure();
    for (Operation &op : llvm::make_early_inc_range(body()))
      lowerTensorOp(&op);
    for (Operation &op : llvm::make_early_inc_range(body()))
      if (failed(captureScalars(&op)))
        return failure();
    eraseDead();
    return verifyOps();
  }

  unsigned numRewritten = 0, numCaptures = 0;

private:
  llvm::iterator_range<Block::iterator> body() {
    return function.front().without_terminator();
  }

  /// Every tensor of the program has a static shape and elements that kernels
  /// know. Scalars have to go.
  LogicalResult verifyTypes() {
    for (Operation &op : body())
      for (TypeRange types :
           {TypeRange(op.getOperandTypes()), TypeRange(op.getResultTypes())})
        for (Type type : types)
          if (isa<ShapedType>(type) && failed(verifyProgramType(&op, type)))
            return failure();
    return success();
  }

  void lowerTensorOp(Operation *op) {
    Value value =
        TypeSwitch<Operation *, Value>(op)
            .Case<tensor::InsertSliceOp, tensor::PadOp, tensor::GenerateOp,
                  tensor::SplatOp, tensor::FromElementsOp, tensor::InsertOp,
                  tensor::BitcastOp, tensor::GatherOp, tensor::ReshapeOp,
                  linalg::SoftmaxOp>([](auto o) { return lower(o); })
            .Case([](tensor::ExtractSliceOp slice) {
              return sliceOffset(slice) ? Value() : lower(slice);
            })
            .Case([](tensor::ConcatOp concat) {
              return concat.getDim() != 0 ? lower(concat) : Value();
            })
            .Default([](Operation *) { return Value(); });
    if (!value)
      return;
    ++numRewritten;
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  //===--- Scalars --------------------------------------------------------===//

  static bool isScalar(Value value) {
    return !isa<ShapedType, ListType>(value.getType());
  }

  /// Moves the scalars that `op` reads into its body.
  LogicalResult captureScalars(Operation *op) {
    if (llvm::any_of(op->getResults(), isScalar) ||
        llvm::all_of(op->getResultTypes(),
                     [](Type t) { return !isa<ShapedType>(t); }))
      return success();
    bool readsScalar = llvm::any_of(op->getOperands(), isScalar);
    if (auto fill = dyn_cast<linalg::FillOp>(op);
        fill && fill.value().getDefiningOp<arith::ConstantOp>())
      return success();
    if (readsScalar) {
      FailureOr<Operation *> generic = takeScalarsInside(op);
      if (failed(generic))
        return failure();
      op = *generic;
    }
    for (Region &region : op->getRegions()) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(region, captured);
      for (Value value : captured)
        if (isScalar(value)) {
          OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
          IRMapping copies;
          FailureOr<Value> copy = copyScalar(builder, op, value, copies);
          if (failed(copy))
            return failure();
          replaceAllUsesInRegionWith(value, *copy, region);
          ++numCaptures;
        }
    }
    return success();
  }

  /// An operation with scalar operands as a generic one that captures them.
  FailureOr<Operation *> takeScalarsInside(Operation *op) {
    IRRewriter rewriter(op);
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      ElementBuilder e(op);
      Value value =
          e.tensor(cast<RankedTensorType>(select.getType()),
                   [&](ArrayRef<Value> indices) {
                     return e.select(select.getCondition(),
                                     e.read(select.getTrueValue(), indices),
                                     e.read(select.getFalseValue(), indices));
                   });
      rewriter.replaceOp(op, value);
      return value.getDefiningOp();
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return op->emitOpError("reads a scalar between tensors, which no kernel "
                             "of it does");
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) {
      auto general = linalg::generalizeNamedOp(rewriter, linalgOp);
      if (failed(general))
        return op->emitOpError("has no general form");
      generic = *general;
    }
    // Input blocks arguments of scalars become the scalars.
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    Block *block = generic.getBody();
    llvm::BitVector removed(block->getNumArguments());
    for (OpOperand *input : generic.getDpsInputOperands()) {
      if (isScalar(input->get())) {
        block->getArgument(input->getOperandNumber())
            .replaceAllUsesWith(input->get());
        removed.set(input->getOperandNumber());
        continue;
      }
      inputs.push_back(input->get());
      maps.push_back(generic.getMatchingIndexingMap(input));
    }
    for (OpOperand &init : generic.getDpsInitsMutable())
      maps.push_back(generic.getMatchingIndexingMap(&init));
    block->eraseArguments(removed);
    rewriter.setInsertionPoint(generic);
    auto smaller = linalg::GenericOp::create(
        rewriter, generic.getLoc(), generic.getResultTypes(), inputs,
        generic.getOutputs(), maps, generic.getIteratorTypesArray());
    smaller.getRegion().takeBody(generic.getRegion());
    rewriter.replaceOp(generic, smaller.getResults());
    return smaller.getOperation();
  }

  /// Computes a scalar of the function at `builder`.
  FailureOr<Value> copyScalar(OpBuilder &builder, Operation *reader,
                              Value value, IRMapping &copies) {
    if (Value known = copies.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() > 0 || !isMemoryEffectFree(op)) {
      auto error = reader->emitOpError(
          "expected scalars computed from tensors and constants");
      error.attachNote(value.getLoc()) << "reads this one";
      return error;
    }
    for (Value operand : op->getOperands())
      if (isScalar(operand) &&
          failed(copyScalar(builder, reader, operand, copies)))
        return failure();
    Operation *copy = builder.clone(*op, copies);
    copies.map(op->getResults(), copy->getResults());
    return copies.lookup(value);
  }

  void eraseDead() {
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(function.front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  /// Everything that is left becomes kernels, or has none.
  LogicalResult verifyOps() {
    for (Operation &op : body()) {
      StringRef dialect = op.getName().getDialectNamespace();
      bool isKnown =
          isa<arith::ConstantOp, tensor::EmptyOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp, tensor::ExtractSliceOp,
              tensor::ConcatOp>(op) ||
          isa<linalg::LinalgOp>(op) || dialect == "attnres" ||
          isa<RowOpInterface>(op) ||
          ((dialect == "arith" || dialect == "math") &&
           llvm::all_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>));
      if (!isKnown)
        return op.emitOpError("has no kernel");
    }
    for (Value value : function.front().getTerminator()->getOperands())
      if (failed(verifyProgramType(function.front().getTerminator(),
                                   value.getType())))
        return failure();
    return success();
  }

  func::FuncOp function;
};

struct LowerTensorsPass : attnres::impl::LowerTensorsBase<LowerTensorsPass> {
  using LowerTensorsBase::LowerTensorsBase;

  void runOnOperation() override {
    FailureOr<func::FuncOp> target = findProgram(getOperation(), function);
    if (failed(target))
      return signalPassFailure();
    TensorLowering lowering(*target);
    if (failed(lowering.run()))
      return signalPassFailure();
    numRewritten += lowering.numRewritten;
    numCaptures += lowering.numCaptures;
  }
};

} // namespace
