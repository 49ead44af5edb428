//===- Recompute.cpp - trade residuals for repeated cheap operations ------===//
//
// Works on a function of one block that holds a forward and a backward
// computation, as `--attnres-differentiate` leaves it. The boundary is the
// operation that defines the result named "loss": it is the last operation that
// the loss depends on. What stands after it is the backward side.
//
// A residual is a tensor made on the forward side (a constant is none) that the
// backward side reads, other than to return it. Reshapes count as the tensor
// that they reshape.
//
// First, whatever the budget, norms and activations are recomputed beside their
// own backward operation, which reads their operands anyway. Operations that
// stand before it and read the residual, the products for gradients of weights,
// move behind it; where nothing before it needs their results this is possible.
//
// Then, while the residuals are larger than the budget, the cheap operation is
// recomputed that frees the most bytes for each floating-point operation. An
// operand of a recomputed operation is
//
//   * at hand: a function argument, a constant, a residual, or a result of the
//     function;
//   * recomputed itself, when it comes from a cheap operation and that needs
//     fewer new residuals than keeping the operand;
//   * otherwise kept, which makes it a new residual.
//
// Bytes freed are those of the results less those of new residuals; only
// operations that free some are recomputed. Those copies stand right before the
// first operation that reads them. All carry an attribute that keeps common
// subexpression elimination from undoing the exchange. They are the same
// operations on the same operands, so every gradient keeps its bits.
//
//===----------------------------------------------------------------------===//
#include "passes/PassStatistic.h"
#include "passes/analysis/FunctionNames.h"
#include "passes/analysis/TensorTypes.h"
#include "passes/memory/MemoryPlan.h"
#include "support/BindingNames.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

namespace attnres {
#define GEN_PASS_DEF_RECOMPUTE
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {

/// Scalars are no memory worth freeing.
int64_t bytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? tensorBytes(value) : 0;
}

bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// The tensor that `value` is a reshape of.
Value storage(Value value) {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Chooses what to recompute, and recomputes it.
class Recomputer {
public:
  Recomputer(func::FuncOp function, Operation *boundary, bool allowMatmul)
      : boundary(boundary), allowMatmul(allowMatmul) {
    for (Operation &op : function.front()) {
      order[&op] = static_cast<double>(order.size());
      if (&op != boundary && !order.contains(boundary))
        forward.push_back(&op);
      else if (&op != boundary)
        backward.push_back(&op);
    }
    forward.push_back(boundary);
    Operation *exit = backward.pop_back_val();
    for (Value value : exit->getOperands())
      returned.insert(storage(value));
    for (Operation *op : backward)
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands()) {
          Value residual = storage(operand);
          if (!isForward(residual))
            continue;
          residuals.insert(residual);
          SmallVector<Operation *> &all = readers[residual];
          if (all.empty() || all.back() != op)
            all.push_back(op);
        }
      });
  }

  /// A tensor of the forward side whose bytes cannot be counted, or null.
  Value findUncountable() const {
    for (Operation *op : forward)
      for (Value value : op->getResults())
        if (auto type = dyn_cast<ShapedType>(value.getType()))
          if (auto tensor = dyn_cast<RankedTensorType>(type);
              !tensor || !isCountable(tensor) ||
              !isKernelElement(tensor.getElementType()))
            return value;
    return nullptr;
  }

  int64_t residualBytes() const {
    int64_t sum = 0;
    for (Value value : residuals)
      sum += bytes(value);
    return sum;
  }

  /// Chooses the operations that can be recomputed beside their backward
  /// operation, and moves the readers of their results behind it.
  void chooseBeside() {
    for (Operation *op : forward) {
      Operation *partner = findPartner(op);
      if (!partner || !canFree(op->getResult(0)) ||
          !llvm::all_of(op->getOperands(),
                        [&](Value v) { return isAtHand(storage(v)); }))
        continue;
      SmallVector<Operation *> early;
      bool canMove = true;
      for (Operation *reader : readers.lookup(op->getResult(0)))
        if (order.at(reader) <= order.at(partner)) {
          early.push_back(reader);
          canMove &= isNeededOnlyAfter(reader, partner);
        }
      if (!canMove)
        continue;
      moveAfter(partner, early);
      recomputed.insert(op);
      residuals.remove(op->getResult(0));
      beside[partner].push_back(op->getResult(0));
    }
    llvm::sort(backward, [&](Operation *a, Operation *b) {
      return order.at(a) < order.at(b);
    });
  }

  /// Chooses operations until the residuals fit into `budget` or none is left
  /// that frees memory.
  void choose(int64_t budget) {
    while (residualBytes() > budget) {
      Plan best;
      for (Operation *op : forward) {
        Plan plan = planFor(op);
        // bytes / flops is larger; the products are exact in double.
        if (plan.freed > 0 &&
            (best.freed <= 0 ||
             static_cast<double>(plan.freed) * best.flops >
                 static_cast<double>(best.freed) * plan.flops))
          best = std::move(plan);
      }
      if (best.freed <= 0)
        return;
      for (Operation *op : best.operations) {
        recomputed.insert(op);
        for (Value result : op->getResults())
          if (canFree(result))
            residuals.remove(result);
      }
      residuals.insert_range(best.kept);
    }
  }

  /// Makes the copies and lets the backward side read them.
  void apply() {
    for (Operation *op : backward) {
      for (Value value : beside.lookup(op))
        recompute(value, op);
      op->walk([&](Operation *nested) {
        for (OpOperand &operand : nested->getOpOperands())
          operand.set(recompute(operand.get(), op));
      });
    }
  }

  size_t numRecomputed() const { return recomputed.size(); }

private:
  /// A set of operations to recompute together and what that changes.
  struct Plan {
    int64_t freed = 0;
    int64_t flops = 0;
    SetVector<Operation *> operations;
    SetVector<Value> kept;
  };

  /// Whether the value is a tensor made on the forward side of this block.
  bool isForward(Value value) const {
    Operation *op = value.getDefiningOp();
    if (!op || !isa<RankedTensorType>(value.getType()))
      return false;
    auto position = order.find(op); // copies have none
    return position != order.end() && position->second <= order.at(boundary) &&
           !matchPattern(op, m_Constant());
  }

  /// Moves operations behind another one, in their order.
  void moveAfter(Operation *other, ArrayRef<Operation *> ops) {
    double first = order.at(other), next = order.at(other->getNextNode());
    double step = (next - first) / static_cast<double>(ops.size() + 1);
    for (Operation *op : llvm::reverse(ops))
      op->moveAfter(other);
    for (auto [index, op] : llvm::enumerate(ops))
      order[op] = first + step * static_cast<double>(index + 1);
  }

  bool isCheap(Operation *op) const {
    return isa<RecomputableOpInterface>(op) &&
           isa<RankedTensorType>(op->getResult(0).getType()) &&
           (allowMatmul || !isa<MatrixOpInterface>(op));
  }

  bool isAtHand(Value value) const {
    return !isForward(value) || residuals.contains(value) ||
           returned.contains(value) ||
           recomputed.contains(value.getDefiningOp());
  }

  bool canFree(Value value) const {
    return residuals.contains(value) && !returned.contains(value);
  }

  /// The backward operation of `op`, or null.
  Operation *findPartner(Operation *op) const {
    auto recomputable = dyn_cast<RecomputableOpInterface>(op);
    if (recomputable && op->getNumOperands() > 0)
      for (Operation *user : op->getOperand(0).getUsers())
        if (user->getBlock() == boundary->getBlock() &&
            order.at(user) > order.at(boundary) &&
            recomputable.isBesideBackward(user))
          return user;
    return nullptr;
  }

  /// Whether every use of the results of `op` stands after `other`.
  bool isNeededOnlyAfter(Operation *op, Operation *other) const {
    return op != other && llvm::all_of(op->getUsers(), [&](Operation *user) {
             Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
             return order.at(other) < order.at(inBlock);
           });
  }

  /// What recomputing `op` brings; nothing when it frees nothing itself.
  Plan planFor(Operation *op) const {
    Plan plan;
    if (isCheap(op) && llvm::any_of(op->getResults(), [&](Value result) {
          return canFree(result);
        }))
      include(op, plan, /*depth=*/0);
    return plan;
  }

  /// Adds `op` and what its operands need to the plan.
  void include(Operation *op, Plan &plan, int depth) const {
    plan.operations.insert(op);
    plan.flops += cast<RecomputableOpInterface>(op).getRecomputeFlops();
    for (Value result : op->getResults())
      if (canFree(result))
        plan.freed += bytes(result);
    for (Value operand : op->getOperands()) {
      Value needed = storage(operand);
      Operation *producer = needed.getDefiningOp();
      if (isAtHand(needed) || plan.kept.contains(needed) ||
          plan.operations.contains(producer))
        continue;
      int64_t keeping = bytes(needed);
      if (depth < kMaxDepth && isCheap(producer)) {
        Plan deeper = plan;
        include(producer, deeper, depth + 1);
        if (plan.freed - deeper.freed < keeping) {
          plan = std::move(deeper);
          continue;
        }
      }
      plan.kept.insert(needed);
      plan.freed -= keeping;
    }
  }

  /// `value` as operations from `user` on are to read it.
  Value recompute(Value value, Operation *user) {
    if (!isForward(value) || returned.contains(value) ||
        (!isReshape(value.getDefiningOp()) &&
         !recomputed.contains(value.getDefiningOp())))
      return value;
    if (Value copy = copies.lookup(value))
      return copy;
    Operation *op = value.getDefiningOp();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(recompute(operand, user));
    if (llvm::equal(operands, op->getOperands()) && isReshape(op))
      return value;
    OpBuilder builder(user);
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    copy->setAttr(kRecomputedAttr, builder.getUnitAttr());
    for (auto [result, again] :
         llvm::zip_equal(op->getResults(), copy->getResults()))
      copies[result] = again;
    return copies.lookup(value);
  }

  /// How far a chain of recomputed operands is followed; the search is
  /// exponential in it.
  static constexpr int kMaxDepth = 6;

  Operation *boundary;
  bool allowMatmul;
  SmallVector<Operation *> forward, backward;
  /// Positions in the block: MLIR would count anew after every move.
  DenseMap<Operation *, double> order;
  DenseSet<Value> returned;
  /// Storage of what the backward side reads, now or once all is recomputed.
  SetVector<Value> residuals;
  /// The operations of the backward side that read a residual, in order.
  DenseMap<Value, SmallVector<Operation *>> readers;
  DenseSet<Operation *> recomputed;
  /// What is recomputed right before an operation.
  DenseMap<Operation *, SmallVector<Value>> beside;
  DenseMap<Value, Value> copies;
};

struct RecomputePass : attnres::impl::RecomputeBase<RecomputePass> {
  using RecomputeBase::RecomputeBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    std::optional<unsigned> loss = findResult(function, names::loss);
    if (!loss)
      return;
    if (failed(verifyOneBlock(function)))
      return signalPassFailure();
    Operation *boundary =
        function.front().getTerminator()->getOperand(*loss).getDefiningOp();
    if (!boundary)
      return;
    Recomputer recomputer(function, boundary, allowMatmul);
    if (Value value = recomputer.findUncountable()) {
      emitError(value.getLoc(),
                "expected a tensor of static shape, whose bytes can be "
                "counted, on the forward side, got ")
          << value.getType();
      return signalPassFailure();
    }
    int64_t before = recomputer.residualBytes();
    recomputer.chooseBeside();
    bool hasBudget = budgetBytes >= 0;
    if (hasBudget)
      recomputer.choose(budgetBytes);
    recomputer.apply();
    int64_t after = recomputer.residualBytes();
    bytesBefore += before;
    bytesAfter += after;
    numRecomputed += recomputer.numRecomputed();
    auto name = remark::RemarkOpts::name(
                    hasBudget && after > budgetBytes ? "OverBudget" : "Total")
                    .category("attnres-recompute");
    remark::analysis(function.getLoc(), name)
        << remark::metric("BytesBefore", before)
        << remark::metric("BytesAfter", after)
        << remark::metric("Recomputed", recomputer.numRecomputed());
  }
};

} // namespace
