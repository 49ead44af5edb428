//===- WarpRows.cpp - row kernels to code of warps ------------------------===//
#include "passes/Passes.h"
#include "passes/analysis/RowOps.h"
#include "passes/cpu/KernelFunction.h"
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

/// Warps of a block; they have nothing to do with each other.
static constexpr int64_t kBlockWarps = 4;
/// Warps that keep a processor busy. Items beyond would repeat what a formula
/// does once for an item.
static constexpr int64_t kProcessorWarps = 16;

static void lowerRowKernel(KernelOp function, const Launches &launches,
                           int64_t items) {
  OpBuilder builder(function);
  Location loc = function.getLoc();
  GpuKernel kernel = createKernel(builder, function);
  IndexBuilder index(builder, loc);
  Value thread = threadInBlock(builder, loc);
  Value lane = index.rem(thread, kWarpLanes);
  Value item = index.add(index.mul(blockInGrid(builder, loc), kBlockWarps),
                         index.div(thread, kWarpLanes));

  int64_t rows = rowsOf(&function.front().front());
  WarpRowMachine machine(builder, loc, rows, lane, item, kernel.scratch,
                         kernel.lists());
  RowKernel places(
      function.front(),
      memRefsAt(builder, loc, kernel.inputs, function.getArgumentTypes()),
      memRefsAt(builder, loc, kernel.outputs, function.getResultTypes()),
      machine);
  auto formulas = makeRowFormulas(function.front(), places);
  machine.ifTrue(index.isLess(item, index.constant(items)), [&] {
    emitItem(formulas, machine, item, llvm::divideCeil(rows, items));
  });
  auto scratch = machine.finishScratch();
  finishKernel(kernel, launches, llvm::divideCeil(items, kBlockWarps),
               kBlockWarps * kWarpLanes,
               items * (scratch.fixed +
                        scratch.perMember * launches.mostMembers(function)));
  function.erase();
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
    int64_t mostItems = gpu->processors * kProcessorWarps;
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!cpu::isTensorKernel(function) || !isRowKernel(function.front()))
        continue;
      Block &body = function.front();
      int64_t rows = rowsOf(&body.front());
      std::optional<int64_t> items =
          findRanges(body, std::clamp<int64_t>(rows, 1, mostItems));
      if (!items)
        continue;
      if (failed(verifyRowFormulas(body)))
        return signalPassFailure();
      lowerRowKernel(function, launches, *items);
      ++numLowered;
    }
  }
};
} // namespace
