//===- VectorizeRows.cpp - kernels of row operations to vector code -------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/Passes.h"
#include "passes/analysis/RowOps.h"
#include "passes/cpu/RowKernel.h"

namespace attnres {
#define GEN_PASS_DEF_VECTORIZEROWS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

/// Whether a value that another operation of the kernel makes is what `operand`
/// is read as: a row or a scalar of the same row, not what all rows share.
static bool isReadInStep(OpOperand &operand) {
  auto result = dyn_cast<OpResult>(operand.get());
  if (!result)
    return true;
  RowKind kind = operandKind(operand);
  return kind == resultKind(result) && !isa<ListType>(result.getType()) &&
         (kind == RowKind::Row || kind == RowKind::Stat);
}

/// Whether `function` is a kernel in tensor form made of operations on the same
/// rows, which returns what they make, each once.
static bool isRowKernel(KernelOp function) {
  if (!isTensorKernel(function))
    return false;
  Block &body = function.front();
  if (body.without_terminator().empty() || !isRowOp(&body.front()))
    return false;
  DenseSet<Value> returned;
  for (Value value : body.getTerminator()->getOperands())
    if (isa<BlockArgument>(value) || !returned.insert(value).second)
      return false;
  int64_t rows = rowsOf(&body.front());
  for (Operation &op : body.without_terminator()) {
    if (!isRowOp(&op) || rowsOf(&op) != rows ||
        !llvm::all_of(op.getOpOperands(), isReadInStep))
      return false;
    // Rotations read their cosines and sines.
    if (auto rope = dyn_cast<RopeOp>(op); rope && !rope.getTable())
      return false;
    for (OpResult result : op.getResults())
      if ((isa<ListType>(result.getType()) ||
           resultKind(result) == RowKind::Partial) &&
          !returned.contains(result))
        return false;
  }
  return true;
}

/// The number of ranges of rows, one work item each: as many as the kernel has
/// partial sums, or what the target likes. Nothing where partial sums disagree.
static std::optional<int64_t> findRanges(KernelOp function, int64_t rows,
                                         const CpuTarget &target) {
  std::optional<int64_t> ranges;
  for (Operation &op : function.front().without_terminator())
    if (auto sums = dyn_cast<PartialSumsOpInterface>(op)) {
      auto partials = static_cast<int64_t>(sums.getPartials().value_or(0));
      if (partials < 1 || (ranges && *ranges != partials))
        return std::nullopt;
      ranges = partials;
    }
  return ranges ? ranges : target.rowRanges.of(rows);
}

static void lowerRowKernel(KernelOp function, int64_t grid,
                           const CpuTarget &target) {
  Block &body = function.front();
  int64_t rows = rowsOf(&body.front());
  ImplicitLocOpBuilder builder(function.getLoc(), function);
  KernelFunction kernel = createKernel(builder, function);
  RowEmitter emitter(builder, kernel, target, rows);
  RowKernel rowKernel(function, kernel, emitter);

  SmallVector<std::unique_ptr<RowOpEmitter>> emitters;
  for (Operation &op : body.without_terminator()) {
    builder.setLoc(op.getLoc());
    auto opEmitter = createLayerEmitter(rowKernel, &op);
    emitters.push_back(opEmitter ? std::move(opEmitter)
                                 : createDepthEmitter(rowKernel, &op));
  }
  const IndexBuilder &index = emitter.index;
  int64_t perItem = llvm::divideCeil(rows, grid);
  forEachItem(builder, builder.getLoc(), kernel, [&](Value item) {
    emitter.item = item;
    for (auto &op : emitters)
      op->prologue();
    Value first = index.mul(item, perItem);
    Value last = index.min(index.add(first, perItem), rows);
    forRange(builder, builder.getLoc(), first, last, index.constant(1),
             [&](Value row) {
               emitter.row = row;
               for (auto &op : emitters)
                 op->row();
             });
    for (auto &op : emitters)
      op->epilogue();
  });
  emitter.finishListScratch();
  finishKernel(kernel, grid);
  function.erase();
}

namespace {
struct VectorizeRowsPass : attnres::impl::VectorizeRowsBase<VectorizeRowsPass> {
  using VectorizeRowsBase::VectorizeRowsBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (isRowKernel(function))
        if (std::optional<int64_t> ranges = findRanges(
                function, rowsOf(&function.front().front()),
                *target)) {
          lowerRowKernel(function, *ranges, *target);
          ++numLowered;
        }
  }
};
} // namespace
