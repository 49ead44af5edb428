//===- VectorizeRows.cpp - kernels of row operations to vector code -------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/Passes.h"
#include "passes/analysis/RowOps.h"
#include "passes/cpu/VectorRowMachine.h"
#include "passes/rows/RowLowering.h"

namespace attnres {
#define GEN_PASS_DEF_VECTORIZEROWS
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;
using namespace attnres::rows;

static void lowerRowKernel(KernelOp function, int64_t grid,
                           const CpuTarget &target) {
  int64_t rows = rowsOf(&function.front().front());
  OpBuilder builder(function);
  KernelFunction kernel = createKernel(builder, function);
  VectorRowMachine machine(builder, function.getLoc(), kernel, target, rows);
  RowKernel places(function.front(), kernel.inputs, kernel.outputs, machine);
  auto formulas = makeRowFormulas(function.front(), places);
  forEachItem(builder, machine.loc, kernel, [&](Value item) {
    emitItem(formulas, machine, item, llvm::divideCeil(rows, grid));
  });
  machine.finishListScratch();
  finishKernel(kernel, grid);
  function.erase();
}

namespace {
struct VectorizeRowsPass : attnres::impl::VectorizeRowsBase<VectorizeRowsPass> {
  using VectorizeRowsBase::VectorizeRowsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    VectorizeRowsBase::getDependentDialects(registry);
    registerRowFormulas(registry);
  }

  void runOnOperation() override {
    FailureOr<CpuTarget> target = CpuTarget::get(getOperation(), isa);
    if (failed(target))
      return signalPassFailure();
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!isTensorKernel(function) || !isRowKernel(function.front()))
        continue;
      Block &body = function.front();
      int64_t rows = rowsOf(&body.front());
      std::optional<int64_t> ranges =
          findRanges(body, target->rowRanges.of(rows));
      if (!ranges)
        continue;
      if (failed(verifyRowFormulas(body)))
        return signalPassFailure();
      lowerRowKernel(function, *ranges, *target);
      ++numLowered;
    }
  }
};
} // namespace
