//===- CodeGeneration.h - what LLVM needs to make code ----------*- C++ -*-===//
//
// Shared by the targets, whatever their instructions are.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_CPU_CODEGENERATION_H
#define ATTNRES_PASSES_CPU_CODEGENERATION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"

#include <memory>
#include <optional>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace attnres {

struct MachineDescription {
  llvm::StringRef triple, processor, features;
  llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Default;
  std::optional<llvm::Reloc::Model> relocation = {};
  std::optional<llvm::CodeModel::Model> model = {};
};

/// Null when LLVM was built without the target, which has been initialized.
std::unique_ptr<llvm::TargetMachine>
createMachine(const MachineDescription &description);

/// The analyses that passes over a module ask for, for one machine.
struct Analyses {
  explicit Analyses(llvm::TargetMachine &machine);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

} // namespace attnres

#endif
