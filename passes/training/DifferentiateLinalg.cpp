//===- DifferentiateLinalg.cpp - derivatives of linalg operations ---------===//
#include "passes/training/DifferentiateLinalg.h"

#include "dialect/Attnres.h"
#include "passes/training/DifferentiateGather.h"
#include "passes/training/GenericEmitter.h"
#include "passes/training/PrepareDerivative.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace attnres;
using utils::IteratorType;

/// The operand of a maximum or minimum other than `carried`, or null.
Value attnres::extremumOperand(Value yielded, Value carried) {
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner ||
      !isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
           arith::MinNumFOp>(combiner) ||
      !carried.hasOneUse())
    return nullptr;
  for (unsigned i : {0, 1})
    if (combiner->getOperand(i) == carried)
      return combiner->getOperand(1 - i);
  return nullptr;
}

namespace {

/// How the body makes the next value of a result from the one before.
enum class Carry {
  None,     ///< the one before is not read
  Input,    ///< no loop reduces: it is an input like others
  Sum,      ///< something is added to it
  Extremum, ///< the maximum or minimum with something
};

bool isNarrow(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

/// Sums of narrow floating-point numbers are taken in f32.
Type sumType(Type element, OpBuilder &b) {
  return isNarrow(element) ? Type(b.getF32Type()) : element;
}

Value widen(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(b, loc, type, value);
}

Value addOrSet(OpBuilder &b, Location loc, Value sum, Value value) {
  return sum ? arith::AddFOp::create(b, loc, sum, value).getResult() : value;
}

class LinalgDerivative : GenericEmitter {
public:
  LinalgDerivative(linalg::LinalgOp op, OpBuilder &builder,
                   const Activity &activity, ArrayRef<Value> resultGrads,
                   function_ref<void(Value, Value)> accumulate)
      : GenericEmitter(builder, op.getLoc()), op(op), body(op.getBlock()),
        activity(activity), resultGrads(resultGrads), accumulate(accumulate),
        extents(op.getStaticLoopRanges()) {}

  LogicalResult run() {
    if (op.hasDynamicShape())
      return error() << "expected static shapes";
    if (!op.hasPureTensorSemantics())
      return error() << "expected tensors";
    if (failed(classify()))
      return failure();
    for (unsigned i = 0; i < op.getNumDpsInputs(); ++i)
      if (activity.contains(op->getOperand(i)) && failed(differentiateInput(i)))
        return failure();
    for (unsigned r = 0; r < carries.size(); ++r)
      if (failed(differentiateInit(r)))
        return failure();
    return differentiateCaptured();
  }

private:
  InFlightDiagnostic error() {
    Value source = activity.activeUse(op);
    return op->emitOpError(
               "cannot be differentiated with respect to parameter ")
           << nameOfParameter(activity.parameterOf(source)) << ": ";
  }

  //===--- What the body does ---------------------------------------------===//

  Value yielded(unsigned result) {
    return body->getTerminator()->getOperand(result);
  }

  /// The block argument with the value before, null where there is none.
  Value carriedInto(unsigned result) {
    unsigned index = op.getNumDpsInputs() + result;
    return index < body->getNumArguments() ? body->getArgument(index) : Value();
  }

  AffineMap outputMap(unsigned result) {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  }

  LogicalResult classify() {
    for (unsigned r = 0; r < op->getNumResults(); ++r) {
      carries.push_back(Carry::None);
      Value carried = carriedInto(r);
      bool reads = carried && !carried.use_empty();
      if (!resultGrads[r] && !reads)
        continue;
      if (!outputMap(r).isProjectedPermutation())
        return error() << "expected each index of a result to be one loop";
      bool reduces =
          llvm::any_of(llvm::seq<unsigned>(0, extents.size()), [&](unsigned d) {
            return extents[d] != 1 && !outputMap(r).isFunctionOfDim(d);
          });
      if (!reduces)
        carries[r] = reads ? Carry::Input : Carry::None;
      else if (!resultGrads[r])
        continue; // refused if another result needs it
      else if (reads && isSum(r))
        carries[r] = Carry::Sum;
      else if (reads && op->getNumResults() == 1 &&
               isa_and_nonnull<BlockArgument>(
                   extremumOperand(yielded(r), carried)))
        carries[r] = Carry::Extremum;
      else
        return error() << "expected a sum, a maximum or a minimum over the "
                          "loops that do not index the result";
    }
    return success();
  }

  /// Whether the body adds something to the value before, and does nothing else
  /// with it or with the sum.
  bool isSum(unsigned r) {
    Value carried = carriedInto(r);
    Operation *combiner = yielded(r).getDefiningOp();
    if (!combiner || combiner->getBlock() != body || !carried.hasOneUse() ||
        !yielded(r).hasOneUse())
      return false;
    if (isa<arith::AddFOp>(combiner))
      return llvm::is_contained(combiner->getOperands(), carried);
    if (isa<arith::SubFOp>(combiner))
      return combiner->getOperand(0) == carried;
    return isa<math::FmaOp>(combiner) && combiner->getOperand(2) == carried;
  }

  //===--- Inputs, initial values -----------------------------------------===//

  LogicalResult differentiateInput(unsigned index) {
    OpOperand &operand = op->getOpOperand(index);
    if (!activity.contains(body->getArgument(index)))
      return success();
    FailureOr<Value> grad = sumOverPoints(
        operand.get().getType(), op.getMatchingIndexingMap(&operand),
        [&](Adjoints &adjoints) {
          return adjoints.of(body->getArgument(index));
        });
    if (failed(grad))
      return failure();
    if (*grad)
      accumulate(operand.get(), *grad);
    return success();
  }

  LogicalResult differentiateInit(unsigned r) {
    OpOperand *init = op.getDpsInitOperand(r);
    if (!activity.contains(init->get()) ||
        (!resultGrads[r] && carries[r] != Carry::Input))
      return success();
    switch (carries[r]) {
    case Carry::None: // overwritten
      return success();
    case Carry::Sum:
      accumulate(init->get(), resultGrads[r]);
      return success();
    case Carry::Extremum:
      return error() << "expected the first value of a maximum or minimum not "
                        "to depend on a parameter";
    case Carry::Input:
      break;
    }
    FailureOr<Value> grad = sumOverPoints(
        init->get().getType(), outputMap(r),
        [&](Adjoints &adjoints) { return adjoints.of(carriedInto(r)); });
    if (succeeded(grad) && *grad)
      accumulate(init->get(), *grad);
    return success(succeeded(grad));
  }

  //===--- The body backwards ---------------------------------------------===//

  /// The derivatives of the values of one copy of the body.
  struct Adjoints {
    IRMapping mapping; ///< from the body to the copy
    OpBuilder *b = nullptr;
    Location loc;
    DenseMap<Value, Value> sums; ///< by values of the body
    DenseMap<Value, Value> wide; ///< of narrow values, from their extensions

    explicit Adjoints(Location loc) : loc(loc) {}

    /// In the type that is summed, or null.
    Value of(Value value) {
      Value narrow = sums.lookup(value), extended = wide.lookup(value);
      if (!extended)
        return narrow;
      if (!narrow)
        return extended;
      return addOrSet(*b, loc, extended,
                      widen(*b, loc, narrow, extended.getType()));
    }
  };

  /// Emits the body and its derivative. `grads` has the gradient of each result
  /// at the point, `extremum` for a maximum its value and the share of each.
  LogicalResult emitBackward(Adjoints &adjoints, ArrayRef<Value> grads,
                             std::pair<Value, Value> extremum) {
    OpBuilder &inner = *adjoints.b;
    for (Operation &nested : body->without_terminator())
      inner.clone(nested, adjoints.mapping);
    for (unsigned r = 0; r < carries.size(); ++r) {
      if (!grads[r])
        continue;
      if (carries[r] != Carry::Extremum) {
        add(adjoints, yielded(r), grads[r]);
        continue;
      }
      Value item = extremumOperand(yielded(r), carriedInto(r));
      Value equal = arith::CmpFOp::create(
          inner, loc, arith::CmpFPredicate::UEQ,
          adjoints.mapping.lookupOrDefault(item), extremum.first);
      Value zero = arith::ConstantOp::create(inner, loc,
                                             inner.getZeroAttr(item.getType()));
      add(adjoints, item,
          arith::SelectOp::create(inner, loc, equal, extremum.second, zero));
    }
    for (Operation &nested : llvm::reverse(body->without_terminator()))
      if (failed(emitBackward(adjoints, &nested)))
        return failure();
    for (unsigned r = 0; r < carries.size(); ++r)
      if (Value carried = carriedInto(r);
          carries[r] == Carry::None && carried && activity.contains(carried) &&
          adjoints.of(carried))
        return error() << "expected no result to depend on what another one "
                          "carries from point to point";
    return success();
  }

  LogicalResult emitBackward(Adjoints &adjoints, Operation *nested) {
    OpBuilder &inner = *adjoints.b;
    SmallVector<Value> grads;
    for (Value result : nested->getResults())
      grads.push_back(activity.contains(result) ? adjoints.sums.lookup(result)
                                                : Value());
    for (auto [grad, result] : llvm::zip_equal(grads, nested->getResults()))
      if (Value extended = adjoints.wide.lookup(result);
          extended && activity.contains(result)) {
        Value narrow =
            arith::TruncFOp::create(inner, loc, result.getType(), extended);
        grad = addOrSet(inner, loc, grad, narrow);
      }
    if (llvm::all_of(grads, [](Value grad) { return !grad; }))
      return success();
    // Elements of captured tensors are differentiated by their readers.
    if (isa<tensor::ExtractOp>(nested)) {
      for (Value index : nested->getOperands().drop_front())
        if (activity.contains(index))
          return refuse(nested, index);
      return success();
    }
    if (auto extension = dyn_cast<arith::ExtFOp>(nested);
        extension && isNarrow(extension.getIn().getType()) &&
        extension.getType().isF32()) {
      Value &sum = adjoints.wide[extension.getIn()];
      sum = addOrSet(inner, loc, sum, grads[0]);
      return success();
    }
    Operation *copy =
        nested->getNumResults() == 0
            ? nullptr
            : adjoints.mapping.lookup(nested->getResult(0)).getDefiningOp();
    auto differentiable = dyn_cast_or_null<DifferentiableOpInterface>(copy);
    if (!differentiable)
      return refuse(nested, activity.activeUse(nested));
    SmallVector<Value> operandGrads;
    if (failed(differentiable.buildBackward(inner, grads, operandGrads)))
      return failure();
    operandGrads.resize(nested->getNumOperands());
    for (auto [operand, grad] :
         llvm::zip_equal(nested->getOperands(), operandGrads)) {
      if (!activity.contains(operand))
        continue;
      if (!grad)
        return refuse(nested, operand);
      add(adjoints, operand, grad);
    }
    return success();
  }

  LogicalResult refuse(Operation *nested, Value operand) {
    return nested->emitOpError("has no derivative, but the gradient of "
                               "parameter ")
           << nameOfParameter(activity.parameterOf(operand))
           << " passes through it";
  }

  void add(Adjoints &adjoints, Value value, Value grad) {
    Value &sum = adjoints.sums[value];
    sum = addOrSet(*adjoints.b, loc, sum, grad);
  }

  //===--- One gradient as one operation ----------------------------------===//

  /// What the copies of the body read: the operands, the initial values where
  /// they are inputs, the gradients of the results, and for a maximum its value
  /// and the share of each element.
  struct Reads {
    SmallVector<Value> values;
    SmallVector<AffineMap> maps;
    unsigned firstGrad = 0, firstExtremum = 0;
  };

  Reads reads() {
    Reads all;
    auto read = [&](Value value, AffineMap map) {
      all.values.push_back(value);
      all.maps.push_back(map);
    };
    for (OpOperand &operand : op->getOpOperands())
      read(operand.get(), op.getMatchingIndexingMap(&operand));
    all.firstGrad = all.values.size();
    for (unsigned r = 0; r < carries.size(); ++r)
      if (resultGrads[r])
        read(resultGrads[r], outputMap(r));
    all.firstExtremum = all.values.size();
    if (carries.front() == Carry::Extremum) {
      read(op->getResult(0), outputMap(0));
      read(shareOfEach(), outputMap(0));
    }
    return all;
  }

  /// The gradient of a maximum divided by the number of elements that are it.
  Value shareOfEach() {
    if (share)
      return share;
    auto type = cast<RankedTensorType>(resultGrads[0].getType());
    Type element = type.getElementType();
    auto item =
        cast<BlockArgument>(extremumOperand(yielded(0), carriedInto(0)));
    OpOperand &input = op->getOpOperand(item.getArgNumber());
    SmallVector<Value> inputs{input.get(), op->getResult(0)};
    SmallVector<AffineMap> maps{op.getMatchingIndexingMap(&input),
                                outputMap(0)};
    // Others may be needed for the extents of loops.
    for (OpOperand &operand : op->getOpOperands()) {
      inputs.push_back(operand.get());
      maps.push_back(op.getMatchingIndexingMap(&operand));
    }
    // Counted in f32: exact up to 2^24 elements.
    auto countType = RankedTensorType::get(type.getShape(), b.getF32Type());
    maps.push_back(outputMap(0));
    SmallVector<IteratorType> iterators = op.getIteratorTypesArray();
    Value count =
        generic(inputs, maps, iterators, zeros(countType),
                [&](OpBuilder &inner, ValueRange args) -> Value {
                  Value equal = arith::CmpFOp::create(
                      inner, loc, arith::CmpFPredicate::UEQ, args[0], args[1]);
                  Value one = number(inner, b.getF32Type(), 1);
                  Value zero = number(inner, b.getF32Type(), 0);
                  Value is =
                      arith::SelectOp::create(inner, loc, equal, one, zero);
                  return arith::AddFOp::create(inner, loc, args.back(), is);
                });
    count = dropUnused(count.getDefiningOp<linalg::GenericOp>()).getResult(0);
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    SmallVector<IteratorType> parallel(type.getRank(), IteratorType::parallel);
    share = generic(
        {resultGrads[0], count}, {identity, identity, identity}, parallel,
        empty(type), [&](OpBuilder &inner, ValueRange args) -> Value {
          Value divisor = args[1];
          if (element.isF64())
            divisor = widen(inner, loc, divisor, element);
          Value wide = widen(inner, loc, args[0], divisor.getType());
          Value part = arith::DivFOp::create(inner, loc, wide, divisor);
          if (part.getType() != element)
            part = arith::TruncFOp::create(inner, loc, element, part);
          return part;
        });
    return share;
  }

  /// Sums `pick`, one derivative of the body, over the loops that do not occur
  /// in `map`, into a value of type `type`, which is indexed by `map`. Null
  /// when the derivative is zero.
  FailureOr<Value> sumOverPoints(Type type, AffineMap map,
                                 function_ref<Value(Adjoints &)> pick) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type element = getElementTypeOrSelf(type);
    // Constant indices are those of dimensions of extent 1.
    SmallVector<AffineExpr> kept;
    SmallVector<int64_t> shape;
    llvm::SmallBitVector dropped(map.getNumResults());
    for (auto [d, index] : llvm::enumerate(map.getResults())) {
      if (isa<AffineConstantExpr>(index) && tensor.getDimSize(d) == 1) {
        dropped.set(d);
        continue;
      }
      if (!isa<AffineDimExpr>(index) || llvm::is_contained(kept, index))
        return error() << "expected each index of an operand to be one loop";
      kept.push_back(index);
      shape.push_back(tensor.getDimSize(d));
    }
    AffineMap sumMap =
        AffineMap::get(map.getNumDims(), 0, kept, b.getContext());
    SmallVector<IteratorType> iterators;
    bool reduces = false;
    for (unsigned d = 0; d < map.getNumDims(); ++d) {
      bool parallel = sumMap.isFunctionOfDim(d);
      iterators.push_back(parallel ? IteratorType::parallel
                                   : IteratorType::reduction);
      reduces |= !parallel;
    }
    Type summed = reduces ? sumType(element, b) : element;
    FailureOr<Value> sum = emitGeneric(RankedTensorType::get(shape, summed),
                                       sumMap, iterators, reduces, pick);
    if (failed(sum) || !*sum)
      return sum;
    return shaped(*sum, type, dropped);
  }

  /// One generic operation over all points that reads what it needs.
  FailureOr<Value> emitGeneric(RankedTensorType type, AffineMap map,
                               ArrayRef<IteratorType> iterators, bool sums,
                               function_ref<Value(Adjoints &)> pick) {
    Reads all = reads();
    SmallVector<AffineMap> maps(all.maps);
    maps.push_back(map);
    Type element = type.getElementType();
    bool zero = false;
    LogicalResult status = success();
    auto result = linalg::GenericOp::create(
        b, loc, type, all.values, sums ? zeros(type) : empty(type), maps,
        iterators, [&](OpBuilder &inner, Location, ValueRange args) {
          Adjoints adjoints(loc);
          adjoints.b = &inner;
          for (auto [argument, value] : llvm::zip(body->getArguments(), args))
            adjoints.mapping.map(argument, value);
          SmallVector<Value> grads;
          unsigned next = all.firstGrad;
          for (Value grad : resultGrads.take_front(carries.size()))
            grads.push_back(grad ? args[next++] : Value());
          std::pair<Value, Value> extremum;
          if (all.firstExtremum < all.values.size())
            extremum = {args[all.firstExtremum], args[all.firstExtremum + 1]};
          status = emitBackward(adjoints, grads, extremum);
          Value value = succeeded(status) ? pick(adjoints) : Value();
          zero = !value;
          if (zero)
            value = number(inner, element, 0);
          else if (value.getType() != element)
            value = convert(inner, value, element);
          if (sums)
            value = arith::AddFOp::create(inner, loc, args.back(), value);
          linalg::YieldOp::create(inner, loc, value);
        });
    if (failed(status) || zero) {
      result.erase();
      if (failed(status))
        return failure();
      return Value();
    }
    return dropUnused(result).getResult(0);
  }

  Value convert(OpBuilder &inner, Value value, Type type) {
    if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(inner, loc, type, value);
    return arith::TruncFOp::create(inner, loc, type, value);
  }

  /// `sum` as a value of type `type`, which has dimensions of extent 1 besides.
  Value shaped(Value sum, Type type, const llvm::SmallBitVector &dropped) {
    auto target = dyn_cast<RankedTensorType>(type);
    Type element = getElementTypeOrSelf(type);
    auto source = cast<RankedTensorType>(sum.getType());
    if (source.getElementType() != element)
      sum = arith::TruncFOp::create(
          b, loc, RankedTensorType::get(source.getShape(), element), sum);
    if (!target)
      return tensor::ExtractOp::create(b, loc, sum, ValueRange());
    if (dropped.none())
      return sum;
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices group;
    bool complete = false;
    for (int64_t d = 0; d < target.getRank(); ++d) {
      if (!dropped.test(d) && complete) {
        groups.push_back(group);
        group.clear();
      }
      complete |= !dropped.test(d);
      group.push_back(d);
    }
    if (complete)
      groups.push_back(group);
    return tensor::ExpandShapeOp::create(b, loc, target, sum, groups);
  }

  //===--- Captured values ------------------------------------------------===//

  LogicalResult differentiateCaptured() {
    for (Operation &nested : body->without_terminator()) {
      if (nested.getNumRegions() > 0)
        if (Value source = activity.activeUse(&nested))
          return refuse(&nested, source);
      auto extract = dyn_cast<tensor::ExtractOp>(nested);
      if (extract && activity.contains(extract.getTensor())) {
        if (failed(differentiateExtract(extract)))
          return failure();
        continue;
      }
      for (Value operand : nested.getOperands())
        if (activity.contains(operand) && operand.getParentBlock() != body &&
            !done.contains(operand) && failed(differentiateScalar(operand)))
          return failure();
    }
    for (Value operand : body->getTerminator()->getOperands())
      if (activity.contains(operand) && operand.getParentBlock() != body &&
          !done.contains(operand) && failed(differentiateScalar(operand)))
        return failure();
    return success();
  }

  /// A scalar from outside: the sum over all points.
  LogicalResult differentiateScalar(Value scalar) {
    done.insert(scalar);
    if (!isa<FloatType>(scalar.getType()))
      return error() << "it reads a value of type " << scalar.getType()
                     << " that depends on the parameter";
    FailureOr<Value> grad = sumOverPoints(
        scalar.getType(), AffineMap::get(extents.size(), 0, b.getContext()),
        [&](Adjoints &adjoints) { return adjoints.of(scalar); });
    if (succeeded(grad) && *grad)
      accumulate(scalar, *grad);
    return success(succeeded(grad));
  }

  /// An element of a tensor from outside.
  LogicalResult differentiateExtract(tensor::ExtractOp extract) {
    auto table = cast<RankedTensorType>(extract.getTensor().getType());
    if (!table.hasStaticShape())
      return error() << "expected static shapes";
    // The derivative of every reading, in the type that is summed.
    Type summed = sumType(table.getElementType(), b);
    AffineMap points = b.getMultiDimIdentityMap(extents.size());
    SmallVector<IteratorType> parallel(extents.size(), IteratorType::parallel);
    FailureOr<Value> updates =
        emitGeneric(RankedTensorType::get(extents, summed), points, parallel,
                    /*sums=*/false, [&](Adjoints &adjoints) {
                      return adjoints.of(extract.getResult());
                    });
    if (failed(updates) || !*updates)
      return success(succeeded(updates));
    Value grad = differentiateGather(op, extract, b, *updates);
    if (!grad)
      return error() << "expected a table of f32 or bf16, got " << table;
    if (summed != table.getElementType())
      grad = arith::TruncFOp::create(b, loc, table, grad);
    accumulate(extract.getTensor(), grad);
    return success();
  }

  linalg::LinalgOp op;
  Block *body;
  const Activity &activity;
  ArrayRef<Value> resultGrads;
  function_ref<void(Value, Value)> accumulate;
  SmallVector<int64_t> extents;
  SmallVector<Carry> carries;
  Value share;
  DenseSet<Value> done;
};

} // namespace

LogicalResult attnres::differentiateLinalg(
    linalg::LinalgOp op, OpBuilder &builder, const Activity &activity,
    ArrayRef<Value> resultGrads, function_ref<void(Value, Value)> accumulate) {
  return LinalgDerivative(op, builder, activity, resultGrads, accumulate).run();
}

/// y (g - sum of g y along the dimension).
Value attnres::differentiateSoftmax(linalg::SoftmaxOp op, OpBuilder &b,
                                    Value grad) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(grad.getType());
  Type element = type.getElementType(), summed = sumType(element, b);
  AffineMap full = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineExpr> rest(full.getResults());
  rest.erase(rest.begin() + op.getDimension());
  AffineMap row = AffineMap::get(type.getRank(), 0, rest, b.getContext());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + op.getDimension());
  SmallVector<IteratorType> iterators(type.getRank(), IteratorType::parallel);
  auto sumTensor = RankedTensorType::get(shape, summed);
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(summed, 0.0));
  Value init = tensor::EmptyOp::create(b, loc, shape, summed);
  init = linalg::FillOp::create(b, loc, zero, init).getResult(0);
  Value y = op->getResult(0);
  iterators[op.getDimension()] = IteratorType::reduction;
  Value sum = linalg::GenericOp::create(
                  b, loc, sumTensor, ValueRange{grad, y}, init,
                  {full, full, row}, iterators,
                  [&](OpBuilder &inner, Location, ValueRange args) {
                    Value product = arith::MulFOp::create(
                        inner, loc, widen(inner, loc, args[0], summed),
                        widen(inner, loc, args[1], summed));
                    Value next =
                        arith::AddFOp::create(inner, loc, args[2], product);
                    linalg::YieldOp::create(inner, loc, next);
                  })
                  .getResult(0);
  iterators[op.getDimension()] = IteratorType::parallel;
  Value result = tensor::EmptyOp::create(b, loc, type.getShape(), element);
  return linalg::GenericOp::create(
             b, loc, type, ValueRange{grad, y, sum}, result,
             {full, full, row, full}, iterators,
             [&](OpBuilder &inner, Location, ValueRange args) {
               Value centered = arith::SubFOp::create(
                   inner, loc, widen(inner, loc, args[0], summed), args[2]);
               Value value = arith::MulFOp::create(
                   inner, loc, widen(inner, loc, args[1], summed), centered);
               if (summed != element)
                 value = arith::TruncFOp::create(inner, loc, element, value);
               linalg::YieldOp::create(inner, loc, value);
             })
      .getResult(0);
}
