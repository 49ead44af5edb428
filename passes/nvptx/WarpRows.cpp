//===- WarpRows.cpp - row kernels to code of warps ------------------------===//
#include "passes/Passes.h"
#include "passes/analysis/RowOps.h"
#include "passes/analysis/TensorKernels.h"
#include "passes/nvptx/GpuKernel.h"
#include "passes/nvptx/WarpRowMachine.h"
#include "passes/rows/RowLowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace attnres {
#define GEN_PASS_DEF_WARPROWS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;
using namespace attnres::rows;

/// Warps of a block where each has rows of its own.
static constexpr int64_t kBlockWarps = 4;
/// Warps that keep a processor busy. Items beyond would repeat what a formula
/// does once for an item.
static constexpr int64_t kProcessorWarps = 16;
/// What a block of `warps` may have of shared memory: what it has without
/// asking for more, or as much as leaves a processor so many warps.
static int64_t mostSharedBytes(const GpuTarget &gpu, int64_t warps) {
  constexpr int64_t kUnaskedBytes = 48 * 1024, kFewestWarps = 12;
  return std::max(
      kUnaskedBytes,
      std::min(gpu.sharedBytes, gpu.sharedBytes * warps / kFewestWarps));
}
/// Columns of a lane: one row and its sum are in registers, or of several
/// queries and of gradients some more.
static constexpr int64_t kLaneColumns = 32, kLaneColumnsOfMany = 16;

/// The widest row of a kernel.
static int64_t widthOf(Block &body) {
  int64_t width = 0;
  for (Operation &op : body.without_terminator()) {
    for (OpOperand &operand : op.getOpOperands())
      if (operandKind(operand) == RowKind::Row)
        width = std::max(width, rowWidth(operand.get()));
    for (OpResult result : op.getResults())
      if (resultKind(result) == RowKind::Row)
        width = std::max(width, rowWidth(result));
  }
  return width;
}

/// 16 bytes of the widest element type of the kernel's rows in memory.
static int64_t laneColumnsOf(Block &body) {
  auto isNarrow = [](Value value) {
    Type element = tensorOf(value.getType()).getElementType();
    return element.isBF16() || element.isF16();
  };
  auto isInMemory = [&](Value value) {
    return isa<BlockArgument>(value) ||
           llvm::is_contained(body.getTerminator()->getOperands(), value);
  };
  for (Operation &op : body.without_terminator()) {
    for (OpOperand &operand : op.getOpOperands())
      if (operandKind(operand) == RowKind::Row && isInMemory(operand.get()) &&
          !isNarrow(operand.get()))
        return 4;
    for (OpResult result : op.getResults())
      if (resultKind(result) == RowKind::Row && isInMemory(result) &&
          !isNarrow(result))
        return 4;
  }
  return 8;
}

/// Whether an operation keeps many numbers for each column.
static bool keepsMany(Block &body) {
  return llvm::any_of(body.without_terminator(), [](Operation &op) {
    if (auto attention = dyn_cast<DepthAttentionOp>(op))
      return isa<ListType>(attention.getQueries().front().getType());
    return isa<DepthAttentionBackwardOp, DepthMergeBackwardOp,
               RMSNormBackwardOp, LayerNormBackwardOp>(op);
  });
}

/// Where scratch lies, and whether it has room for rows that are read again.
enum class Scratch { Global, Shared, SharedWithRows };

/// Writes the code of a kernel in front of it; false, and none, where scratch
/// was to be in shared memory and has no room there.
static FailureOr<bool> buildCode(KernelOp function, const Launches &launches,
                                 const GpuTarget &gpu, int64_t items,
                                 int64_t warps, Scratch place) {
  bool isShared = place != Scratch::Global;
  OpBuilder builder(function);
  Location loc = function.getLoc();
  GpuKernel kernel = createKernel(builder, function);
  IndexBuilder index(builder, loc);
  Value thread = threadInBlock(builder, loc), block = blockInGrid(builder, loc);
  Value shared = sharedMemory(builder, loc);

  int64_t groups = warps == 1 ? kBlockWarps : 1; // of a block
  int64_t exchanged = warps == 1 ? 0 : WarpRowMachine::kExchangeBytes;
  WarpRowMachine::Group group;
  group.warps = warps;
  group.laneColumns = laneColumnsOf(function.front());
  group.lane = index.rem(thread, warps * kWarpLanes);
  Value inBlock = index.div(thread, warps * kWarpLanes);
  group.item = index.add(index.mul(block, groups), inBlock);
  group.exchange = shared;
  group.part = isShared ? inBlock : group.item;
  group.scratch = kernel.scratch;
  group.keepsRows = place == Scratch::SharedWithRows;
  group.capacities = launches.capacities(function);
  if (isShared)
    group.scratch = LLVM::GEPOp::create(
        builder, loc, shared.getType(), builder.getI8Type(), shared,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(exchanged)});

  int64_t rows = rowsOf(&function.front().front());
  WarpRowMachine machine(builder, loc, rows, group, kernel.lists());
  RowKernel places(
      function.front(),
      memRefsAt(builder, loc, kernel.inputs, function.getArgumentTypes()),
      memRefsAt(builder, loc, kernel.outputs, function.getResultTypes()),
      machine);
  auto formulas = makeRowFormulas(function.front(), places);
  machine.ifTrue(index.isLess(group.item, index.constant(items)), [&] {
    emitItem(formulas, machine, group.item, llvm::divideCeil(rows, items));
  });
  auto scratch = machine.finishScratch();
  int64_t bytes =
      scratch.fixed + scratch.perMember * launches.mostMembers(function);
  int64_t sharedBytes = exchanged + (isShared ? groups * bytes : 0);
  if (isShared && sharedBytes > mostSharedBytes(gpu, groups * warps)) {
    kernel.function.erase();
    return false;
  }
  if (failed(finishKernel(kernel, launches, llvm::divideCeil(items, groups),
                          groups * warps * kWarpLanes,
                          isShared ? 0 : items * bytes, sharedBytes)))
    return failure();
  return true;
}

namespace {
struct WarpRowsPass : attnres::impl::WarpRowsBase<WarpRowsPass> {
  using WarpRowsBase::WarpRowsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    WarpRowsBase::getDependentDialects(registry);
    registerRowFormulas(registry);
  }

  void runOnOperation() override {
    FailureOr<GpuTarget> gpu = GpuTarget::get(getOperation(), target);
    if (failed(gpu))
      return signalPassFailure();
    Launches launches(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!isTensorKernel(function) || !isRowKernel(function.front()))
        continue;
      Block &body = function.front();
      int64_t rows = rowsOf(&body.front());
      int64_t warps = WarpRowMachine::warpsFor(
          widthOf(body), keepsMany(body) ? kLaneColumnsOfMany : kLaneColumns);
      int64_t mostItems = gpu->processors * kProcessorWarps / warps;
      std::optional<int64_t> items =
          findRanges(body, std::clamp<int64_t>(rows, 1, mostItems));
      if (!items)
        continue;
      if (failed(verifyRowFormulas(body)))
        return signalPassFailure();
      FailureOr<bool> isBuilt = false;
      for (Scratch place :
           {Scratch::SharedWithRows, Scratch::Shared, Scratch::Global})
        if (succeeded(isBuilt) && !*isBuilt)
          isBuilt = buildCode(function, launches, *gpu, *items, warps, place);
      if (failed(isBuilt))
        return signalPassFailure();
      function.erase();
      ++numLowered;
    }
  }
};
} // namespace
