//===- attnres-opt.cpp - runs passes on .mlir files -----------------------===//
#include "passes/PassStatistic.h"
#include "support/File.h"
#include "support/Streams.h"
#include "support/machine/Isa.h"
#include "tools/RegisterAll.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

static llvm::cl::opt<bool> passStatistics(
    "attnres-pass-statistics",
    llvm::cl::desc("print what the passes of this compiler counted"));

/// Writes the result when all of it is there: what the file held before stays
/// when a pass fails, and links and devices stay what they are.
static LogicalResult runToFile(StringRef input, const std::string &output,
                               DialectRegistry &registry) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &message);
  if (!buffer) {
    llvm::errs() << message << '\n';
    return failure();
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(MlirOptMain(stream, std::move(buffer), registry,
                         MlirOptMainConfig::createFromCLOptions())))
    return failure();
  if (attnres::Status status = attnres::writeFileAtomically(output, {text});
      !status.ok()) {
    llvm::errs() << "attnres-opt: " << status.message() << '\n';
    return failure();
  }
  return success();
}

static LogicalResult run(int argc, char **argv) {
  DialectRegistry registry;
  attnres::registerAllDialects(registry);
  attnres::registerAllPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "attention-residual compiler driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (output != "-" && !config.shouldShowDialects() &&
      !config.shouldListPasses())
    return runToFile(input, output, registry);
  return MlirOptMain(argc, argv, input, output, registry);
}

int main(int argc, char **argv) {
  attnres::openStandardStreams();
  llvm::InitLLVM initialize(argc, argv);
  if (const auto &error = attnres::machine::hostIsa().error; !error.empty()) {
    llvm::errs() << "attnres-opt: " << error << '\n';
    return 2;
  }
  int exitCode = asMainReturnCode(run(argc, argv));
  if (passStatistics)
    attnres::printPassCounts(attnres::passCounts(), llvm::errs());
  // LLVM ends the process itself when its standard output takes nothing.
  llvm::outs().flush();
  return attnres::closeStandardOutput("attnres-opt", exitCode);
}
