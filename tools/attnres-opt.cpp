//===- attnres-opt.cpp - runs passes on .mlir files -----------------------===//
#include "tools/RegisterAll.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  attnres::registerAllDialects(registry);
  attnres::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "attention-residual compiler driver\n", registry));
}
