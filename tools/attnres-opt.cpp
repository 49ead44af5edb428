//===- attnres-opt.cpp - runs passes on .mlir files -----------------------===//
#include "machine/Isa.h"
#include "tools/RegisterAll.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  if (const auto &error = attnres::machine::hostIsa().error; !error.empty()) {
    llvm::errs() << "attnres-opt: " << error << '\n';
    return 2;
  }
  mlir::DialectRegistry registry;
  attnres::registerAllDialects(registry);
  attnres::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "attention-residual compiler driver\n", registry));
}
