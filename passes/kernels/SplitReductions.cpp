//===- SplitReductions.cpp - sums over all rows in two steps --------------===//
#include "passes/Passes.h"
#include "passes/Target.h"
#include "passes/analysis/RowOps.h"

#include "llvm/ADT/MapVector.h"

namespace attnres {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;

namespace {
struct SplitReductionsPass
    : attnres::impl::SplitReductionsBase<SplitReductionsPass> {
  using SplitReductionsBase::SplitReductionsBase;

  void runOnOperation() override {
    if (rows < 1 || most < 1) {
      getOperation()->emitError("expected rows and most of at least 1, got ")
          << rows.getValue() << " and " << most.getValue();
      return signalPassFailure();
    }
    SmallVector<ClipScaleOp> clips;
    getOperation()->walk([&](Operation *op) {
      // A list has its gradient inside a kernel already.
      if (!hasCountableTensors(op) ||
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ListType>))
        return;
      if (auto clip = dyn_cast<ClipScaleOp>(op))
        clips.push_back(clip);
      auto sums = dyn_cast<PartialSumsOpInterface>(op);
      if (!sums || sums.getPartials())
        return;
      if (auto squares = dyn_cast<SumSquaresOp>(op))
        splitSquares(squares);
      else
        split(sums);
    });
    for (ClipScaleOp clip : clips)
      groupByType(clip);
    getOperation()->walk([](func::FuncOp function) { updateType(function); });
  }

  /// Says that `op` sums over ranges of rows, and returns how many.
  int64_t cutRows(PartialSumsOpInterface op) {
    int64_t ranges = RowRanges{rows, most}.of(rowsOf(op));
    op.setPartials(ranges);
    ++numSplit;
    return ranges;
  }

  void split(PartialSumsOpInterface op) {
    OpBuilder builder(op);
    // A sum over few rows stays a single step.
    if (isa<SumRowsOp>(*op) && rowsOf(op) <= 64)
      return;
    int64_t ranges = cutRows(op);
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      if (resultKind(result) != RowKind::Partial)
        continue;
      auto type = cast<RankedTensorType>(result.getType());
      result.setType(RankedTensorType::get({ranges, type.getShape().back()},
                                           type.getElementType()));
      if (result.use_empty())
        continue;
      auto sum =
          SumRowsOp::create(builder, op->getLoc(), result, IntegerAttr());
      result.replaceAllUsesExcept(sum.getResult(), sum);
    }
  }

  /// Sums of squares stay partial where the clipping adds them up; a function
  /// that returns them too returns the parts.
  void splitSquares(SumSquaresOp op) {
    auto addsUp = [](Operation *user) {
      return isa<ClipScaleOp, func::ReturnOp>(user);
    };
    if (!llvm::all_of(op->getUsers(), addsUp) ||
        llvm::none_of(op->getUsers(), llvm::IsaPred<ClipScaleOp>))
      return;
    if (llvm::any_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>) &&
        !mayChangeType(op->getParentOfType<func::FuncOp>()))
      return;
    int64_t ranges = cutRows(op);
    op.getResult().setType(RankedTensorType::get(
        {ranges}, cast<RankedTensorType>(op.getType()).getElementType()));
  }

  /// A function that is called keeps its type. Looked up once for each: whether
  /// it is called is asked of the whole module.
  bool mayChangeType(func::FuncOp function) {
    if (!function)
      return false;
    auto [entry, isNew] = changeable.try_emplace(function, false);
    if (isNew)
      entry->second =
          SymbolTable::symbolKnownUseEmpty(function, function->getParentOp());
    return entry->second;
  }

  /// Sums of one type stand together, in the order in which they stood: a
  /// kernel takes them as one list, however many there are.
  static void groupByType(ClipScaleOp op) {
    llvm::MapVector<Type, SmallVector<Value>> byType;
    for (Value sum : op.getSums())
      byType[sum.getType()].push_back(sum);
    SmallVector<Value> sums;
    for (auto &[type, values] : byType)
      sums.append(values);
    op.getSumsMutable().assign(sums);
  }

  /// The results as they are returned: partial sums have become larger.
  static void updateType(func::FuncOp function) {
    if (!llvm::hasSingleElement(function.getBody()))
      return;
    auto exit = dyn_cast<func::ReturnOp>(function.front().getTerminator());
    if (exit && exit.getOperandTypes() != function.getResultTypes())
      function.setType(FunctionType::get(function.getContext(),
                                         function.getArgumentTypes(),
                                         exit.getOperandTypes()));
  }

  DenseMap<func::FuncOp, bool> changeable;
};
} // namespace
