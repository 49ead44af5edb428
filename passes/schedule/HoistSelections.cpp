//===- HoistSelections.cpp - compute only the tokens that are selected ----===//
//
// An operation of a block is replaced by the same operation on one token of
// each batch row when
//  (1) its results have uses, and all of them are `attnres.select_token` at the
//      same places,
//  (2) there are several tokens, and the places are known before it, and
//  (3) a token of its results depends on the same token of some operands, all
//      [B, T, ...], and on the rest of the operands as a whole; or it is an
//      attention, whose tokens depend on all keys and values.
//
// The operands of (3) are selected instead, so operations are visited from the
// last to the first.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/analysis/RowOps.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionKindInterface.h"

namespace attnres {
#define GEN_PASS_DEF_HOISTSELECTIONS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

/// [B, T, ...] with one token in place of T.
static RankedTensorType oneToken(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[1] = 1;
  return tensor.clone(shape);
}

/// The places that all uses of `op` select among several tokens, or null.
static Value selectedPlaces(Operation *op) {
  Value at;
  for (Operation *user : op->getUsers()) {
    auto selection = dyn_cast<SelectTokenOp>(user);
    if (!selection || selection.getX().getType().getDimSize(1) == 1 ||
        (at && selection.getAt() != at))
      return nullptr;
    at = selection.getAt();
  }
  return at;
}

/// Whether the second dimension counts tokens: of rows [B, T, D], not of [B,
/// D], and of a scalar for each row [B, T].
static bool hasTokens(Type type, RowKind kind) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isa<FloatType>(tensor.getElementType()))
    return false;
  return tensor.getRank() >= (kind == RowKind::Row ? 3 : 2);
}

/// The operands of a row operation of which a token is enough for a token of
/// the results; nothing where there is more to it.
static std::optional<SmallVector<unsigned>> rowOperands(Operation *op) {
  for (OpResult result : op->getResults()) {
    RowKind kind = resultKind(result);
    if (kind == RowKind::Partial || !hasTokens(result.getType(), kind))
      return std::nullopt;
  }
  SmallVector<unsigned> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    RowKind kind = operandKind(operand);
    if (kind == RowKind::Shared)
      continue;
    if (!hasTokens(operand.get().getType(), kind))
      return std::nullopt;
    operands.push_back(operand.getOperandNumber());
  }
  return operands;
}

/// The operands of condition (3), or nothing when it does not hold.
static std::optional<SmallVector<unsigned>> tokenOperands(Operation *op) {
  if (auto token = dyn_cast<TokenOpInterface>(op))
    return token.getTokenOperands();
  if (isRowOp(op))
    return rowOperands(op);
  return std::nullopt;
}

namespace {

struct HoistSelectionsPass
    : attnres::impl::HoistSelectionsBase<HoistSelectionsPass> {
  using HoistSelectionsBase::HoistSelectionsBase;

  void runOnOperation() override {
    auto &dominance = getAnalysis<DominanceInfo>();
    getOperation()->walk([&](Block *block) {
      if (!mayHaveSSADominance(*block->getParent()))
        return;
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
        Value at = selectedPlaces(&op);
        if (!at || !dominance.properlyDominates(at, &op) ||
            !hasCountableTensors(&op))
          continue;
        if (auto operands = tokenOperands(&op))
          narrow(&op, *operands, at);
      }
    });
  }

private:
  /// Replaces the selections of the results of `op` by the results of a copy on
  /// selections of `operands`.
  void narrow(Operation *op, ArrayRef<unsigned> operands, Value at) {
    OpBuilder builder(op);
    SmallVector<Value> inputs(op->getOperands());
    for (unsigned i : operands)
      inputs[i] = SelectTokenOp::create(builder, op->getLoc(), inputs[i], at);
    ResultRange results = copyWith(builder, op, inputs, at)->getResults();
    for (auto [before, after] : llvm::zip_equal(op->getResults(), results))
      for (Operation *selection :
           llvm::make_early_inc_range(before.getUsers())) {
        selection->getResult(0).replaceAllUsesWith(after);
        selection->erase();
      }
    op->erase();
    ++numNarrowed;
  }

  /// `op` on the tokens at the places `at`, which `inputs` are.
  static Operation *copyWith(OpBuilder &builder, Operation *op,
                             ArrayRef<Value> inputs, Value at) {
    Operation *copy = builder.clone(*op);
    copy->setOperands(inputs);
    for (OpResult result : copy->getResults())
      result.setType(oneToken(result.getType()));
    builder.setInsertionPoint(copy);
    if (auto token = dyn_cast<TokenOpInterface>(copy))
      token.setTokenPlaces(builder, op, at);
    return copy;
  }
};

} // namespace
