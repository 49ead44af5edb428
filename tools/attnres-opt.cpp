//===- attnres-opt.cpp - runs passes on .mlir files -----------------------===//
#include "passes/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  attnres::registerAttnresPasses();
  registry.insert<attnres::AttnresDialect>();
  attnres::registerDifferentiableModels(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "attention-residual compiler driver\n", registry));
}
