//===- Flatten.cpp - calls, loops and conditionals written out ------------===//
//
// Operations of a block are taken from first to last. A call, loop or
// conditional is replaced by copies of what it runs, which are then looked at
// in turn. Scalars are folded while they are copied, so that the bounds of an
// inner loop may follow from the position of an outer one.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace attnres {
#define GEN_PASS_DEF_FLATTEN
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The elements of a resource as an attribute of the module.
static FailureOr<DenseElementsAttr>
readResource(Operation *op, DenseResourceElementsAttr resource) {
  ShapedType type = resource.getType();
  Type element = type.getElementType();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return op->emitOpError("expected data for the resource ")
           << resource.getRawHandle().getKey();
  if (!element.isIntOrIndexOrFloat())
    return op->emitOpError("expected a resource of integers or floats, got ")
           << type;
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t expected = type.getNumElements() * llvm::divideCeil(bits, 8);
  ArrayRef<char> data = blob->getData();
  if (static_cast<int64_t>(data.size()) != expected)
    return op->emitOpError("expected ")
           << expected << " bytes in the resource "
           << resource.getRawHandle().getKey() << ", got " << data.size();
  if (element.isInteger(1)) {
    SmallVector<bool> values;
    for (char byte : data)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, data);
}

/// Gives a constant whose elements stand elsewhere, or not all of them, a dense
/// value.
static LogicalResult makeDense(arith::ConstantOp constant) {
  if (auto resource =
          dyn_cast<DenseResourceElementsAttr>(constant.getValue())) {
    FailureOr<DenseElementsAttr> dense = readResource(constant, resource);
    if (failed(dense))
      return failure();
    constant.setValueAttr(*dense);
  } else if (auto sparse = dyn_cast<SparseElementsAttr>(constant.getValue())) {
    SmallVector<Attribute> values;
    for (Attribute value : sparse.getValues<Attribute>())
      values.push_back(value);
    constant.setValueAttr(DenseElementsAttr::get(sparse.getType(), values));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Calls, loops and conditionals
//===----------------------------------------------------------------------===//

/// Whether a body is scalar code that kernels keep as it is.
static bool isScalarBody(Operation *op) {
  return isa<linalg::LinalgOp, tensor::GenerateOp, tensor::PadOp>(op);
}

namespace {

class Flattener {
public:
  Flattener(ModuleOp module, int64_t maxOps) : module(module), maxOps(maxOps) {}

  LogicalResult flatten(Block &block, bool scalar) {
    for (auto it = block.begin(); it != block.end();) {
      Operation *op = &*it;
      Operation *before = op->getPrevNode();
      LogicalResult done =
          TypeSwitch<Operation *, LogicalResult>(op)
              .Case([&](func::CallOp call) { return inlineCall(call); })
              .Case([&](scf::ForOp loop) {
                return scalar ? descend(op, scalar) : unroll(loop);
              })
              .Case([&](scf::IfOp branch) {
                return scalar ? descend(op, scalar) : choose(branch);
              })
              .Case([&](arith::ConstantOp c) { return makeDense(c); })
              .Default([&](Operation *) {
                return descend(op, scalar || isScalarBody(op));
              });
      if (failed(done))
        return failure();
      // What replaced the operation comes next.
      Operation *next = before ? before->getNextNode() : &block.front();
      it = next == op ? std::next(op->getIterator()) : next->getIterator();
    }
    return success();
  }

  int64_t numCalls = 0, numIterations = 0;
  SetVector<func::FuncOp> inlined;

private:
  LogicalResult descend(Operation *op, bool scalar) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(flatten(block, scalar)))
          return failure();
    return success();
  }

  /// Copies the operations of `block`, which yields the result. Scalars are
  /// folded.
  FailureOr<SmallVector<Value>> copy(OpBuilder &builder, Operation *of,
                                     Block &block, IRMapping &mapping) {
    for (Operation &op : block.without_terminator()) {
      Operation *clone = builder.clone(op, mapping);
      if (++numCopied > maxOps)
        return of->emitOpError("expected a program of at most ")
               << maxOps << " operations once calls and loops are written out";
      bool isScalar =
          op.getNumRegions() == 0 && op.getNumResults() > 0 &&
          llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
      SmallVector<Value> folded;
      if (!isScalar || isa<arith::ConstantOp>(op) ||
          failed(builder.tryFold(clone, folded)) || folded.empty())
        continue;
      for (auto [result, value] : llvm::zip_equal(op.getResults(), folded))
        mapping.map(result, value);
      clone->erase();
    }
    SmallVector<Value> results;
    for (Value value : block.getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

  static void replace(Operation *op, ArrayRef<Value> results) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
      result.replaceAllUsesWith(value);
    op->erase();
  }

  /// The call by which `function` comes to call itself, if any.
  func::CallOp findCycle(func::FuncOp function) {
    if (checked.contains(function))
      return {};
    if (!pending.insert(function).second)
      return {};
    func::CallOp cycle;
    function.walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (!callee)
        return WalkResult::advance();
      cycle = pending.contains(callee) ? call : findCycle(callee);
      return cycle ? WalkResult::interrupt() : WalkResult::advance();
    });
    pending.erase(function);
    if (!cycle)
      checked.insert(function);
    return cycle;
  }

  LogicalResult inlineCall(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isDeclaration())
      return call.emitOpError("expected a function with a body, got ")
             << call.getCalleeAttr();
    if (!llvm::hasSingleElement(callee.getBody())) {
      auto error = call.emitOpError("expected a function of one block, got ")
                   << call.getCalleeAttr();
      error.attachNote(callee.getLoc()) << "has several";
      return error;
    }
    if (func::CallOp cycle = findCycle(callee))
      return cycle.emitOpError("is recursive: ")
             << cycle.getCalleeAttr() << " cannot be written out";
    IRMapping mapping;
    mapping.map(callee.getArguments(), call.getOperands());
    OpBuilder builder(call);
    auto results = copy(builder, call, callee.front(), mapping);
    if (failed(results))
      return failure();
    inlined.insert(callee);
    ++numCalls;
    replace(call, *results);
    return success();
  }

  /// The value of a constant of an integer type, as its loop counts.
  static std::optional<APInt> constantOf(Value value) {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return std::nullopt;
    return constant;
  }

  LogicalResult unroll(scf::ForOp loop) {
    auto lower = constantOf(loop.getLowerBound());
    auto upper = constantOf(loop.getUpperBound());
    auto step = constantOf(loop.getStep());
    if (!lower || !upper || !step)
      return loop.emitOpError("expected constant bounds and a constant step: "
                              "loops over tensors are written out");
    if (!step->isStrictlyPositive())
      return loop.emitOpError("expected a positive step, got ")
             << step->getSExtValue();
    bool isUnsigned = loop.getUnsignedCmp();
    OpBuilder builder(loop);
    SmallVector<Value> carried(loop.getInitArgs());
    APInt position = *lower;
    while (isUnsigned ? position.ult(*upper) : position.slt(*upper)) {
      IRMapping mapping;
      mapping.map(loop.getInductionVar(),
                  arith::ConstantOp::create(
                      builder, loop.getLoc(),
                      builder.getIntegerAttr(loop.getInductionVar().getType(),
                                             position)));
      mapping.map(loop.getRegionIterArgs(), carried);
      // Also bounds loops whose bodies are empty.
      if (++numCopied > maxOps)
        return loop.emitOpError("expected a program of at most ")
               << maxOps << " operations once calls and loops are written out";
      auto next = copy(builder, loop, *loop.getBody(), mapping);
      if (failed(next))
        return failure();
      carried = *next;
      ++numIterations;
      bool overflows = false;
      position = isUnsigned ? position.uadd_ov(*step, overflows)
                            : position.sadd_ov(*step, overflows);
      if (overflows)
        break;
    }
    replace(loop, carried);
    return success();
  }

  LogicalResult choose(scf::IfOp branch) {
    OpBuilder builder(branch);
    APInt condition;
    if (matchPattern(branch.getCondition(), m_ConstantInt(&condition))) {
      Region &taken =
          condition.isZero() ? branch.getElseRegion() : branch.getThenRegion();
      SmallVector<Value> results;
      if (!taken.empty()) {
        IRMapping mapping;
        auto copied = copy(builder, branch, taken.front(), mapping);
        if (failed(copied))
          return failure();
        results = *copied;
      }
      replace(branch, results);
      return success();
    }
    // Both branches are computed, so nothing in them may fail or write. A call
    // in them is written out first.
    if (failed(descendCalls(branch)))
      return failure();
    Operation *bad = nullptr;
    branch->walk([&](Operation *op) {
      if (!isa<scf::IfOp, scf::ForOp, scf::YieldOp>(op) && !isPure(op) &&
          !op->hasTrait<OpTrait::ReturnLike>())
        bad = op;
    });
    if (bad) {
      auto error = branch.emitOpError(
          "expected a constant condition, or branches that can both be "
          "computed");
      error.attachNote(bad->getLoc())
          << "'" << bad->getName() << "' may fail or has effects";
      return error;
    }
    SmallVector<Value> results[2];
    for (auto [i, region] : llvm::enumerate(branch->getRegions())) {
      if (region.empty())
        continue;
      IRMapping mapping;
      auto copied = copy(builder, branch, region.front(), mapping);
      if (failed(copied))
        return failure();
      results[i] = *copied;
    }
    SmallVector<Value> selected;
    if (branch.getNumResults() > 0)
      for (auto [a, b] : llvm::zip_equal(results[0], results[1]))
        selected.push_back(arith::SelectOp::create(
            builder, branch.getLoc(), branch.getCondition(), a, b));
    replace(branch, selected);
    return success();
  }

  LogicalResult descendCalls(Operation *op) {
    SmallVector<func::CallOp> calls;
    do {
      calls.clear();
      op->walk([&](func::CallOp call) { calls.push_back(call); });
      for (func::CallOp call : calls)
        if (failed(inlineCall(call)))
          return failure();
    } while (!calls.empty());
    return success();
  }

  ModuleOp module;
  int64_t maxOps, numCopied = 0;
  DenseSet<func::FuncOp> checked, pending;
};

struct FlattenPass : attnres::impl::FlattenBase<FlattenPass> {
  using FlattenBase::FlattenBase;

  void runOnOperation() override {
    if (maxOps < 1) {
      getOperation().emitError("expected max-ops of at least 1, got ")
          << maxOps.getValue();
      return signalPassFailure();
    }
    Flattener flattener(getOperation(), maxOps);
    for (auto function : getOperation().getOps<func::FuncOp>())
      // Branches between blocks are no part of a program, and private functions
      // are written out where they are called: there their bounds are known.
      if (!function.isDeclaration() &&
          llvm::hasSingleElement(function.getBody()) &&
          (!function.isPrivate() ||
           SymbolTable::symbolKnownUseEmpty(function, getOperation())) &&
          failed(flattener.flatten(function.front(), /*scalar=*/false)))
        return signalPassFailure();
    removeUncalled(flattener.inlined);
    numCalls += flattener.numCalls;
    numIterations += flattener.numIterations;
  }

  /// Removes private functions that have been written out everywhere.
  void removeUncalled(const SetVector<func::FuncOp> &inlined) {
    SmallVector<func::FuncOp> rest(inlined.begin(), inlined.end());
    bool changed = true;
    while (std::exchange(changed, false))
      llvm::erase_if(rest, [&](func::FuncOp function) {
        if (!function.isPrivate() ||
            !SymbolTable::symbolKnownUseEmpty(function, getOperation()))
          return false;
        function.erase();
        return changed = true;
      });
  }
};

} // namespace
