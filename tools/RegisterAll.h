//===- RegisterAll.h - the dialects and passes of the tools -----*- C++ -*-===//
//
// Shared by the tools that read .mlir files, so that all of them accept the
// same programs.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_TOOLS_REGISTERALL_H
#define ATTNRES_TOOLS_REGISTERALL_H

#include "passes/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

namespace attnres {

/// MLIR's dialects and ours, with the interfaces that our passes rely on.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<AttnresDialect>();
  registerDifferentiableModels(registry);
}

/// MLIR's passes and ours.
inline void registerAllPasses() {
  mlir::registerAllPasses();
  registerAttnresPasses();
}

} // namespace attnres

#endif
