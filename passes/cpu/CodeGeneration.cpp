//===- CodeGeneration.cpp - what LLVM needs to make code ------------------===//
#include "passes/cpu/CodeGeneration.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace attnres;

std::unique_ptr<llvm::TargetMachine>
attnres::createMachine(const MachineDescription &description) {
  llvm::Triple triple(description.triple);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, description.processor, description.features,
      llvm::TargetOptions(), description.relocation, description.model,
      description.level));
}

Analyses::Analyses(llvm::TargetMachine &machine) : builder(&machine) {
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
}
