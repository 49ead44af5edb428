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

static void lowerRowKernel(func::FuncOp function, const CpuTarget &target) {
  int64_t rows = rowsOf(&function.front().front());
  int64_t grid = rowRanges(rows);
  OpBuilder builder(function);
  KernelFunction kernel = createKernel(builder, function);
  VectorRowMachine machine(builder, function.getLoc(), kernel, target, rows);
  RowKernel places(function, kernel.inputs, kernel.outputs, machine);
  auto formulas = makeRowFormulas(function, places);
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
    std::optional<CpuTarget> target = CpuTarget::forLevel(isa);
    if (!target) {
      getOperation().emitError("unknown isa '") << isa.getValue() << "'";
      return signalPassFailure();
    }
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (isTensorKernel(function) && isRowKernel(function)) {
        if (failed(verifyRowFormulas(function)))
          return signalPassFailure();
        lowerRowKernel(function, *target);
      }
  }
};
} // namespace
