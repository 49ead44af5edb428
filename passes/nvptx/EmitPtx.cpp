//===- EmitPtx.cpp - PTX text of kernels ----------------------------------===//
#include "passes/nvptx/EmitPtx.h"

#include "passes/cpu/CodeGeneration.h"
#include "passes/cpu/LowerToLLVM.h"
#include "passes/nvptx/DoubleFunctions.h"
#include "passes/nvptx/NativeConversions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace mlir;
using namespace attnres;
using namespace attnres::nvptx;

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const GpuTarget &target) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  return createMachine({"nvptx64-nvidia-cuda", target.processor,
                        target.features, llvm::CodeGenOptLevel::Aggressive});
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  Analyses analyses(machine);
  analyses.builder
      .buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, analyses.modules);
}

/// Replaces the casts that stand for counters by the addresses of variables.
static void makeCounters(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) {
    if (op->hasAttr(kCountersAttr))
      casts.push_back(op);
  });
  OpBuilder atModule = OpBuilder::atBlockBegin(module.getBody());
  for (auto [number, cast] : llvm::enumerate(casts)) {
    Location loc = cast.getLoc();
    auto count = cast->getAttrOfType<IntegerAttr>(kCountersAttr);
    std::string name = "counters_" + std::to_string(number);
    auto global = LLVM::GlobalOp::create(
        atModule, loc,
        LLVM::LLVMArrayType::get(atModule.getI32Type(), count.getInt()),
        /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
        /*alignment=*/4, kGlobalSpace);
    {
      OpBuilder::InsertionGuard guard(atModule);
      atModule.createBlock(&global.getInitializerRegion());
      Value zero = LLVM::ZeroOp::create(atModule, loc, global.getGlobalType());
      LLVM::ReturnOp::create(atModule, loc, zero);
    }
    OpBuilder builder(cast);
    cast.replaceAllUsesWith(ValueRange(LLVM::AddressOfOp::create(
        builder, loc, cast.getResult(0).getType(), name)));
    cast.erase();
  }
}

FailureOr<std::string> attnres::nvptx::emitPtx(ModuleOp module,
                                               const GpuTarget &target) {
  MLIRContext *context = module.getContext();
  registerBuiltinDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerNVVMDialectTranslation(*context);
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  if (!machine)
    return module.emitError("LLVM was built without the NVPTX target");

  makeCounters(module);
  RewritePatternSet patterns(context);
  populateDoubleFunctions(patterns);
  populateNativeConversions(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();
  // Functions of f32 become the arithmetic that processors use: results differ
  // by the order of sums alone.
  if (failed(cpu::lowerFunctionsToLLVM(
          module, cpu::CpuTarget::forLevel(cpu::CpuLevel::Avx2))))
    return failure();
  Builder builder(context);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    // All registers that a block can have, rather than spills.
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(1));
  }

  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, llvmContext, "kernels");
  if (!llvmModule)
    return module.emitError("could not be translated to LLVM IR");
  llvmModule->setDataLayout(machine->createDataLayout());
  llvmModule->setTargetTriple(machine->getTargetTriple());
  optimize(*llvmModule, *machine);
  for (const llvm::Function &function : *llvmModule)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      return module.emitError("a kernel needs the library function '")
             << function.getName() << "', which kernels of GPUs cannot call";

  SmallVector<char> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return module.emitError("cannot be written as PTX");
  codegen.run(*llvmModule);
  return std::string(text.begin(), text.end());
}
