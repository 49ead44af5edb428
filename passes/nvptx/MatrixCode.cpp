//===- MatrixCode.cpp - products and attention to code of tensor cores ----===//
#include "passes/Passes.h"
#include "passes/analysis/TensorKernels.h"
#include "passes/nvptx/GpuKernel.h"
#include "passes/nvptx/MatrixKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace attnres {
#define GEN_PASS_DEF_MATRIXCODE
#include "passes/Passes.h.inc"
} // namespace attnres

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

namespace {
struct MatrixCodePass : attnres::impl::MatrixCodeBase<MatrixCodePass> {
  using MatrixCodeBase::MatrixCodeBase;

  void runOnOperation() override {
    FailureOr<GpuTarget> gpu = GpuTarget::get(getOperation(), target);
    if (failed(gpu))
      return signalPassFailure();
    Launches launches(getOperation());
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (!isTensorKernel(kernel))
        continue;
      OpBuilder builder(kernel);
      GpuKernel code = createKernel(builder, kernel);
      FailureOr<std::optional<GpuLaunch>> built = buildMatrixKernel(
          builder, kernel, code.inputs, code.outputs, code.scratch, *gpu);
      if (failed(built))
        return signalPassFailure();
      std::optional<GpuLaunch> launch = *built;
      if (!launch) {
        code.function.erase();
        continue;
      }
      if (failed(finishKernel(code, launches, launch->grid[0], launch->block[0],
                              launch->scratchBytes, launch->sharedBytes)))
        return signalPassFailure();
      kernel.erase();
      ++numLowered;
    }
  }
};
} // namespace
