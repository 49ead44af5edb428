//===- NvptxBackend.cpp - NVIDIA GPUs as targets --------------------------===//
#include "passes/nvptx/NvptxBackend.h"

#include "passes/Passes.h"
#include "passes/analysis/Locations.h"
#include "passes/nvptx/CompileKernels.h"
#include "passes/nvptx/GpuKernel.h"
#include "passes/nvptx/GpuTarget.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

/// The dialects that code consists of.
static bool isCode(Operation *op) {
  static constexpr StringLiteral dialects[] = {"affine", "arith",  "llvm",
                                               "math",   "memref", "nvvm",
                                               "scf",    "ub",     "vector"};
  return isa<KernelOp, attnres::ReturnOp, UnrealizedConversionCastOp>(op) ||
         llvm::is_contained(dialects, op->getName().getDialectNamespace());
}

namespace {

class NvptxBackend final : public Target {
public:
  explicit NvptxBackend(const GpuTarget &gpu) : gpu(gpu) {}

  std::string name() const override { return gpu.processor; }
  Stage stage() const override { return Stage::Nvptx; }
  RowRanges rowRanges() const override { return gpu.rowRanges; }
  std::vector<TargetFact> describe() const override { return gpu.describe(); }

  std::vector<std::string> decomposed() const override {
    return {"attnres.static_weights",
            "attnres.convolution_tail",
            "attnres.router",
            "attnres.router_backward",
            "attnres.balance_bias",
            "attnres.orthogonalize",
            "attnres.combine_experts",
            "attnres.combine_experts_backward"};
  }

  bool attendsToDocuments() const override { return false; }

  std::optional<MatmulPacking> packing() const override { return std::nullopt; }

  void addCodePasses(OpPassManager &passes,
                     const StageOptions &) const override {
    passes.addPass(createWarpRows({gpu.processor}));
    passes.addPass(createMatrixCode({gpu.processor}));
    passes.addPass(createThreadOperations({gpu.processor}));
    passes.addPass(createThreadElements());
  }

  LogicalResult verifyCode(KernelOp kernel) const override {
    if (!kernel.isLowered()) {
      Operation &first = kernel.front().front();
      return emitOpErrorNear(&first) << "has no code for GPUs (kernel "
                                     << kernel.getSymNameAttr() << ")";
    }
    WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
      if (isCode(op))
        return WalkResult::advance();
      return op->emitOpError("is no operation of the stage nvptx");
    });
    return failure(result.wasInterrupted() || failed(verifyCodeTypes(kernel)));
  }

  FailureOr<CompiledCode>
  compileKernels(ModuleOp module,
                 const std::function<bool()> &isCancelled) const override {
    return nvptx::compileKernels(module, gpu, isCancelled);
  }

private:
  GpuTarget gpu;
};

} // namespace

std::unique_ptr<Target> attnres::nvptx::createBackend(std::string_view name) {
  std::optional<GpuTarget> gpu = GpuTarget::forName(name);
  return gpu ? std::make_unique<NvptxBackend>(*gpu) : nullptr;
}

std::vector<std::string> attnres::nvptx::backendNames() {
  return GpuTarget::names();
}
