//===- EmitObject.cpp - Machine code of cpu-stage kernels -----------------===//

#include "passes/cpu/EmitObject.h"

#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "passes/cpu/CodeGeneration.h"
#include "passes/cpu/KernelFunction.h"
#include "passes/cpu/LowerToLLVM.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <mutex>

using namespace mlir;
using namespace attnres;
using namespace attnres::cpu;

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const CpuTarget &target) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  return createMachine({"x86_64-unknown-linux-gnu", target.processor,
                        target.features, llvm::CodeGenOptLevel::Default,
                        llvm::Reloc::PIC_, llvm::CodeModel::Small});
}

/// The few passes that matter for code which is already vectorized and
/// unrolled. Running the standard pipeline takes several times as long and
/// gives the same inner loops.
static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  Analyses analyses(machine);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::ADCEPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses.functions);
}

/// Functions that kernels may call; every loader provides them. Sines and
/// cosines in f64 have no code of their own.
static bool mayCall(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"memcpy", "memset", "sin", "cos", "sincos"}, true)
      .Default(false);
}

/// Fails if the object needs another function from outside: an operation was
/// lowered to a library call.
static LogicalResult checkUndefinedSymbols(KernelOp kernel, StringRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(object, kernel.getName()));
  if (!file)
    return kernel.emitOpError("compiled to a malformed object: ")
           << llvm::toString(file.takeError());
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name)
      return kernel.emitOpError("compiled to an object with a bad symbol");
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() &&
        !mayCall(*name))
      return kernel.emitOpError("needs the library function '")
             << *name << "', which kernels cannot call";
  }
  return success();
}

/// Compiles a copy of `kernel` to an object or to assembly.
static LogicalResult compile(KernelOp kernel, const CpuTarget &target,
                             llvm::CodeGenFileType fileType,
                             SmallVectorImpl<char> &result) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  if (!machine)
    return kernel.emitOpError("LLVM was built without the x86 target");

  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  module->push_back(kernel.clone());
  if (failed(lowerToLLVM(*module, target)))
    return failure();

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(*module, context, kernel.getName());
  if (!llvmModule)
    return kernel.emitOpError("could not be translated to LLVM IR");
  llvmModule->setDataLayout(machine->createDataLayout());
  llvmModule->setTargetTriple(machine->getTargetTriple());
  for (llvm::Function &function : *llvmModule)
    if (!function.isDeclaration())
      function.addFnAttr(llvm::Attribute::NoUnwind);
  optimize(*llvmModule, *machine);

  llvm::raw_svector_ostream stream(result);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr, fileType))
    return kernel.emitOpError("cannot be written in this format");
  codegen.run(*llvmModule);
  return success();
}

/// Makes the context ready for `compile` on several threads.
static void prepareContext(MLIRContext &context) {
  loadCpuDialects(context);
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
}

FailureOr<CompiledCode>
attnres::cpu::compileKernels(ModuleOp module, const CpuTarget &target,
                             const std::function<bool()> &isCancelled) {
  MLIRContext *context = module.getContext();
  prepareContext(*context);
  auto functions = llvm::to_vector(module.getOps<KernelOp>());
  CompiledCode code;
  code.kernels.resize(functions.size());
  code.objects.resize(functions.size());
  LogicalResult result = failableParallelForEachN(
      context, 0, functions.size(), [&](size_t i) -> LogicalResult {
        if (isCancelled && isCancelled())
          return failure();
        KernelOp function = functions[i];
        CompiledKernel &kernel = code.kernels[i];
        SmallVector<char> object;
        if (failed(compile(function, target, llvm::CodeGenFileType::ObjectFile,
                           object)))
          return failure();
        kernel.name = function.getName();
        kernel.object = i;
        kernel.grid.x = *function.getGrid();
        kernel.scratchBytes = *function.getScratchBytes();
        code.objects[i].assign(object.begin(), object.end());
        return checkUndefinedSymbols(function, code.objects[i]);
      });
  if (failed(result))
    return failure();
  return code;
}

FailureOr<std::string> attnres::cpu::emitAssembly(KernelOp kernel,
                                                  const CpuTarget &target) {
  prepareContext(*kernel.getContext());
  SmallVector<char> text;
  if (failed(
          compile(kernel, target, llvm::CodeGenFileType::AssemblyFile, text)))
    return failure();
  return std::string(text.begin(), text.end());
}
