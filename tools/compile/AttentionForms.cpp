//===- AttentionForms.cpp - attention in chosen blocks --------------------===//
#include "tools/compile/AttentionForms.h"

#include "passes/Target.h"
#include "passes/cpu/AttentionBlocks.h"
#include "tools/compile/Compilation.h"
#include "tools/compile/EmitProgram.h"
#include "tools/compile/MemoryEstimate.h"

using namespace mlir;
using namespace attnres;

Result<runtime::Program> attnres::compileInBlocks(const std::string &text,
                                                  const CompileOptions &options,
                                                  int64_t blockKeys) {
  std::unique_ptr<Target> target = createTarget(options.stages.target);
  if (!target)
    return invalidArgument("unknown target '", options.stages.target, "'");
  Compilation compilation(text, "attention", options);
  if (Status status = compilation.advance(Stage::Planned); !status.ok())
    return status;
  if (Status status = expectMemory(compilation.plannedMemory()); !status.ok())
    return status;
  ModuleOp module = compilation.module();
  if (blockKeys != 0)
    module.walk([&](AttentionOp attention) {
      attention->getParentOfType<KernelOp>()->setAttr(
          cpu::kBlockKeysAttr,
          IntegerAttr::get(IntegerType::get(module.getContext(), 64),
                           blockKeys));
    });
  if (Status status = compilation.advance(target->stage()); !status.ok())
    return status;
  return compileProgram(module, *target, options.isCancelled);
}
