//===- attnres-lsp-server.cpp - editor support for .mlir files ------------===//
//
// A language server that knows the attnres dialect: diagnostics, hover,
// definitions and completion in editors with MLIR support.
//
//===----------------------------------------------------------------------===//
#include "support/Streams.h"
#include "tools/RegisterAll.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  attnres::openStandardStreams();
  mlir::DialectRegistry registry;
  attnres::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
