//===- JitKernel.cpp - Runs cpu-stage kernels inside a test ---------------===//

#include "JitKernel.h"

#include "dialect/Attnres.h"
#include "mlir/Parser/Parser.h"
#include "passes/cpu/EmitObject.h"
#include "passes/cpu/LowerToLLVM.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

using namespace mlir;
using namespace attnres::cpu;

void JitKernel::run(ArrayRef<const void *> args, int64_t parts) const {
  size_t bytes = (scratchBytes + 63) / 64 * 64 + 64;
  std::unique_ptr<void, decltype(&std::free)> scratch(
      std::aligned_alloc(64, bytes), &std::free);
  void *const *pointers = const_cast<void *const *>(args.data());
  for (int64_t part = 0; part < parts; ++part) {
    std::memset(scratch.get(), 0xff, bytes);
    function(pointers, scratch.get(), grid * part / parts,
             grid * (part + 1) / parts);
  }
}

JitModule::JitModule() = default;
JitModule::~JitModule() = default;

std::unique_ptr<JitModule> JitModule::compile(ModuleOp module,
                                              const CpuTarget &target) {
  FailureOr<CompiledCode> compiled = compileKernels(module, target);
  if (failed(compiled))
    return nullptr;
  std::unique_ptr<JitModule> result(new JitModule());
  llvm::ExitOnError check("jit: ");
  // LLJIT needs the native target, which compileKernels has initialized.
  result->jit = check(llvm::orc::LLJITBuilder().create());
  for (const CompiledKernel &kernel : compiled->kernels)
    check(result->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
        compiled->objects[kernel.object], kernel.name)));
  for (const CompiledKernel &kernel : compiled->kernels)
    result->kernels.push_back(
        {kernel.name, kernel.grid.x, kernel.scratchBytes,
         check(result->jit->lookup(kernel.name)).toPtr<attnres_kernel_fn>()});
  return result;
}

std::unique_ptr<JitModule> JitModule::compile(StringRef text,
                                              const CpuTarget &target) {
  DialectRegistry registry;
  registerCpuDialects(registry);
  registry.insert<attnres::AttnresDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  return module ? compile(*module, target) : nullptr;
}

const JitKernel &JitModule::operator[](StringRef name) const {
  return *llvm::find_if(
      kernels, [&](const JitKernel &kernel) { return kernel.name == name; });
}

std::vector<CpuTarget> attnres::cpu::getRunnableTargets() {
  std::vector<CpuTarget> targets;
  // Linux grants tiles to a process that asks.
  constexpr long requestPermission = 0x1023, tileData = 18;
  for (std::string_view name : attnres::machine::isaNames()) {
    CpuTarget target = *CpuTarget::forLevel(StringRef(name));
    bool hasOwnCode = target.level != CpuLevel::Avx512Bf16 || target.usesDots ||
                      target.hasAmx;
    if (hasOwnCode &&
        attnres::machine::hostIsa().isa.includes(
            *attnres::machine::Isa::parse(name)) &&
        (!target.hasAmx ||
         ::syscall(SYS_arch_prctl, requestPermission, tileData) == 0))
      targets.push_back(target);
  }
  return targets;
}

std::string
attnres::cpu::getTestName(const ::testing::TestParamInfo<CpuTarget> &info) {
  std::string name = info.param.name.str();
  for (char &c : name)
    if (c == '-' || c == '+')
      c = '_';
  return name;
}

void attnres::cpu::PrintTo(const CpuTarget &target, std::ostream *stream) {
  *stream << target.name.str();
}
