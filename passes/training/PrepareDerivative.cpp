//===- PrepareDerivative.cpp - straight-line code to differentiate --------===//
#include "passes/training/PrepareDerivative.h"

#include "dialect/Attnres.h"
#include "passes/kernels/LowerTensors.h"
#include "passes/training/DifferentiateLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace attnres;

std::string attnres::nameOfParameter(Value parameter) {
  auto argument = cast<BlockArgument>(parameter);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto name =
      function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr);
  return '"' + (name ? name.str() : std::to_string(argument.getArgNumber())) +
         '"';
}

/// Cuts a maximum or minimum of computed values into the values and their
/// maximum, behind the operation. False when `op` is no such thing.
static bool splitExtremum(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  unsigned numInputs = op.getNumDpsInputs();
  if (op->getNumResults() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape() || body->getNumArguments() <= numInputs)
    return false;
  Value carried = body->getArgument(numInputs);
  Value yielded = body->getTerminator()->getOperand(0);
  Value item = extremumOperand(yielded, carried);
  if (!item || llvm::is_contained(body->getArguments(), item))
    return false;
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  AffineMap points = b.getMultiDimIdentityMap(extents.size());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  maps.push_back(points);
  SmallVector<utils::IteratorType> parallel(extents.size(),
                                            utils::IteratorType::parallel);
  Value init = tensor::EmptyOp::create(b, loc, extents, item.getType());
  Value items =
      linalg::GenericOp::create(
          b, loc, init.getType(), inputs, init, maps, parallel,
          [&](OpBuilder &inner, Location, ValueRange args) {
            IRMapping mapping;
            mapping.map(body->getArguments(), args);
            for (Operation &nested : body->without_terminator())
              if (&nested != yielded.getDefiningOp())
                inner.clone(nested, mapping);
            linalg::YieldOp::create(inner, loc, mapping.lookupOrDefault(item));
          })
          .getResult(0);
  OpOperand *output = op.getDpsInitOperand(0);
  auto extremum = linalg::GenericOp::create(
      b, loc, output->get().getType(), items, output->get(),
      {points, op.getMatchingIndexingMap(output)}, op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location, ValueRange args) {
        IRMapping mapping;
        mapping.map(item, args[0]);
        mapping.map(carried, args[1]);
        Operation *combiner = inner.clone(*yielded.getDefiningOp(), mapping);
        linalg::YieldOp::create(inner, loc, combiner->getResults());
      });
  op->replaceAllUsesWith(extremum);
  return true;
}

namespace {

/// More operations than any model has in its loops; beyond, compiling would
/// take minutes.
constexpr int64_t kMaxUnrolled = 1 << 17;

class Preparation {
public:
  Preparation(func::FuncOp function, Activity &activity)
      : function(function), activity(activity) {}

  LogicalResult run() {
    Block &body = function.front();
    for (Operation *op = &body.front(); op != body.getTerminator();) {
      FailureOr<bool> replaced = false;
      if (Value source = activity.activeUse(op))
        replaced = replace(op, source);
      if (failed(replaced))
        return failure();
      // What replaces the operation stands behind it and is looked at next.
      if (!*replaced)
        activity.propagate(op);
      Operation *next = op->getNextNode();
      if (*replaced)
        op->erase();
      op = next;
    }
    return success();
  }

private:
  InFlightDiagnostic error(Operation *op, Value source) {
    return op->emitOpError(
               "cannot be differentiated with respect to parameter ")
           << nameOfParameter(activity.parameterOf(source)) << ": ";
  }

  FailureOr<bool> replace(Operation *op, Value source) {
    if (auto call = dyn_cast<func::CallOp>(op))
      return inlineCall(call, source);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return unroll(loop, source);
    if (auto condition = dyn_cast<scf::IfOp>(op))
      return takeBranch(condition, source);
    if (Value elements = readElements(op)) {
      elements.getDefiningOp()->moveAfter(op);
      op->replaceAllUsesWith(ValueRange{elements});
      return true;
    }
    if (auto structured = dyn_cast<linalg::LinalgOp>(op);
        structured && structured.hasPureTensorSemantics())
      return splitExtremum(structured);
    if (!isMemoryEffectFree(op)) {
      error(op, source) << "it has effects on memory";
      return failure();
    }
    return false;
  }

  //===--- Calls ----------------------------------------------------------===//

  FailureOr<bool> inlineCall(func::CallOp call, Value source) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || !llvm::hasSingleElement(callee.getBody())) {
      error(call, source) << "expected a function of one block named "
                          << call.getCallee();
      return failure();
    }
    if (reaches(callee, callee) || callee == function) {
      error(call, source) << "the function calls itself";
      return failure();
    }
    if (failed(count(call, source, callee.getBody(), 1)))
      return failure();
    OpBuilder builder(call->getContext());
    builder.setInsertionPointAfter(call);
    IRMapping mapping;
    mapping.map(callee.getArguments(), call.getOperands());
    call.replaceAllUsesWith(cloneBody(builder, callee.front(), mapping));
    return true;
  }

  /// Whether calls of `from`, direct or not, include `target`.
  static bool reaches(func::FuncOp from, func::FuncOp target) {
    DenseSet<Operation *> seen;
    SmallVector<func::FuncOp> worklist{from};
    bool found = false;
    while (!worklist.empty() && !found)
      worklist.pop_back_val().walk([&](func::CallOp call) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        found |= callee == target;
        if (callee && seen.insert(callee).second)
          worklist.push_back(callee);
      });
    return found;
  }

  //===--- Loops and conditions -------------------------------------------===//

  FailureOr<bool> unroll(scf::ForOp loop, Value source) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           upper = getConstantIntValue(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    if (!lower || !upper || !step || *step <= 0 ||
        (loop.getUnsignedCmp() && (*lower < 0 || *upper < 0))) {
      error(loop, source) << "expected constant bounds and a positive step";
      return failure();
    }
    // Exact also where the difference overflows, and never past the last.
    uint64_t distance = *upper <= *lower ? 0
                                         : static_cast<uint64_t>(*upper) -
                                               static_cast<uint64_t>(*lower);
    uint64_t trips = distance / *step + (distance % *step != 0);
    if (trips > static_cast<uint64_t>(kMaxUnrolled) ||
        failed(count(loop, source, loop.getRegion(),
                     static_cast<int64_t>(trips)))) {
      if (trips > static_cast<uint64_t>(kMaxUnrolled))
        error(loop, source) << "expected at most " << kMaxUnrolled
                            << " iterations, got " << trips;
      return failure();
    }
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    SmallVector<Value> carried(loop.getInitArgs());
    for (uint64_t trip = 0; trip < trips; ++trip) {
      IRMapping mapping;
      Value position = arith::ConstantOp::create(
          builder, loop.getLoc(),
          builder.getIntegerAttr(loop.getInductionVar().getType(),
                                 *lower + static_cast<int64_t>(trip) * *step));
      mapping.map(loop.getInductionVar(), position);
      mapping.map(loop.getRegionIterArgs(), carried);
      carried = cloneBody(builder, *loop.getBody(), mapping);
    }
    loop.replaceAllUsesWith(carried);
    return true;
  }

  FailureOr<bool> takeBranch(scf::IfOp op, Value source) {
    std::optional<int64_t> condition = getConstantIntValue(op.getCondition());
    if (!condition) {
      error(op, source) << "expected a constant condition; arith.select takes "
                           "one of two values";
      return failure();
    }
    Region &taken = *condition ? op.getThenRegion() : op.getElseRegion();
    if (taken.empty())
      return true;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    IRMapping mapping;
    op.replaceAllUsesWith(cloneBody(builder, taken.front(), mapping));
    return true;
  }

  /// Fails when copies of a region would make too many operations.
  LogicalResult count(Operation *op, Value source, Region &region,
                      int64_t copies) {
    int64_t size = 0;
    region.walk([&](Operation *) { ++size; });
    copied += size * copies; // both far below 2^31
    if (copied <= kMaxUnrolled)
      return success();
    return error(op, source) << "straight-line code would have more than "
                             << kMaxUnrolled << " operations";
  }

  static SmallVector<Value> cloneBody(OpBuilder &builder, Block &block,
                                      IRMapping &mapping) {
    for (Operation &op : block.without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> results;
    for (Value value : block.getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

  func::FuncOp function;
  Activity &activity;
  int64_t copied = 0;
};

} // namespace

LogicalResult attnres::prepareDerivative(func::FuncOp function,
                                         Activity &activity) {
  return Preparation(function, activity).run();
}
