//===- Compiler.cpp - from a configuration to a program -------------------===//
#include "tools/compile/Compiler.h"

#include "models/ModelBuilder.h"

#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace attnres;
using runtime::Result;

static ModelOptions modelOptions(const CompileOptions &options) {
  ModelOptions result;
  result.batch = options.batch;
  result.seqLen = options.seqLen;
  result.dtype = options.bf16 ? StorageType::BF16 : StorageType::F32;
  result.loss = options.loss;
  result.logits = options.logits;
  result.fuseLoss = options.fuseLoss;
  return result;
}

Result<std::string> attnres::printModel(const ModelConfig &config,
                                        const CompileOptions &options) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Result<OwningOpRef<ModuleOp>> module =
      buildModel(context, config, modelOptions(options));
  if (!module.ok())
    return module.status();
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*module)->print(stream);
  stream << '\n';
  return text;
}
