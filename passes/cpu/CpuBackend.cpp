//===- CpuBackend.cpp - x86-64 processors as targets ----------------------===//
#include "passes/cpu/CpuBackend.h"

#include "passes/Passes.h"
#include "passes/analysis/Locations.h"
#include "passes/cpu/CpuTarget.h"
#include "passes/cpu/EmitObject.h"
#include "passes/cpu/KernelFunction.h"

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

/// The dialects that code consists of.
static bool isCode(Operation *op) {
  static constexpr StringLiteral dialects[] = {
      "affine", "arith", "func", "llvm",   "math",
      "memref", "scf",   "ub",   "vector", "x86vector"};
  return isa<KernelOp, attnres::ReturnOp, UnrealizedConversionCastOp>(op) ||
         llvm::is_contained(dialects, op->getName().getDialectNamespace());
}

namespace {

class CpuBackend final : public Target {
public:
  explicit CpuBackend(const CpuTarget &cpu) : cpu(cpu) {}

  std::string name() const override { return "cpu:" + cpu.name.str(); }
  Stage stage() const override { return Stage::Cpu; }
  RowRanges rowRanges() const override { return cpu.rowRanges; }
  std::vector<TargetFact> describe() const override { return cpu.describe(); }

  std::vector<std::string> decomposed() const override {
    return {"attnres.static_weights",  "attnres.convolution_tail",
            "attnres.router",          "attnres.router_backward",
            "attnres.balance_bias",    "attnres.orthogonalize",
            "attnres.combine_experts", "attnres.combine_experts_backward"};
  }

  std::optional<MatmulPacking> packing() const override {
    MatmulPacking packing;
    packing.tileColumns = cpu.tileColumns;
    packing.packsBf16 = cpu.hasAmx || cpu.usesDots;
    if (cpu.hasAmx)
      packing.packsF32FromRows = cpu.tiles.pairs.fewestAmxRowsOfF32;
    return packing;
  }

  void addCodePasses(OpPassManager &passes,
                     const StageOptions &options) const override {
    std::string isa = cpu.name.str();
    passes.addPass(createVectorizeRows({isa}));
    passes.addPass(createVectorizeColumns({isa}));
    passes.addPass(createTileMatmul({isa, options.threads}));
    passes.addPass(createFlashAttention({isa}));
    passes.addPass(createVectorizeConvolution({isa}));
    passes.addPass(createChunkKda({isa}));
    passes.addPass(createGroupedMatmul({isa}));
    passes.addPass(createLowerLinalgKernels());
  }

  LogicalResult verifyCode(KernelOp kernel) const override {
    if (!kernel.isLowered()) {
      Operation &first = kernel.front().front();
      return emitOpErrorNear(&first) << "has no code for processors (kernel "
                                     << kernel.getSymNameAttr() << ")";
    }
    WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
      if (isCode(op))
        return WalkResult::advance();
      return op->emitOpError("is no operation of the stage cpu");
    });
    return failure(result.wasInterrupted() || failed(verifyCodeTypes(kernel)));
  }

  FailureOr<CompiledCode>
  compileKernels(ModuleOp module,
                 const std::function<bool()> &isCancelled) const override {
    return cpu::compileKernels(module, cpu, isCancelled);
  }

private:
  CpuTarget cpu;
};

} // namespace

std::unique_ptr<Target> attnres::cpu::createBackend(std::string_view name) {
  StringRef variant(name);
  if (!variant.consume_front("cpu"))
    return nullptr;
  std::optional<CpuTarget> cpu;
  if (variant.empty())
    cpu = CpuTarget::host();
  else if (variant.consume_front(":"))
    cpu = CpuTarget::forLevel(variant);
  return cpu ? std::make_unique<CpuBackend>(*cpu) : nullptr;
}

std::vector<std::string> attnres::cpu::backendNames() {
  std::vector<std::string> names;
  for (std::string_view level : machine::isaNames())
    names.push_back("cpu:" + std::string(level));
  return names;
}
