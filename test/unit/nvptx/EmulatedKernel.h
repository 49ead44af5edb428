// Runs single kernels on the emulator with all its checks.
#ifndef ATTNRES_TEST_UNIT_NVPTX_EMULATEDKERNEL_H
#define ATTNRES_TEST_UNIT_NVPTX_EMULATEDKERNEL_H

#include "passes/nvptx/MatrixKernels.h"
#include "runtime/emulator/Device.h"
#include "test/unit/compile/CompiledCode.h"

#include <string>
#include <vector>

namespace attnres::testing {

/// Operations on tensors, as a function and as a kernel.
struct KernelText {
  std::string arguments; ///< "%x: tensor<3x4xf32>, ..."
  std::string body;      ///< operations, one a line
  std::string results;   ///< "%y, %z"
  std::string types;     ///< of the results
  /// The argument that each result lies over, or -1: "0, -1"; or nothing.
  std::string inplace = "";

  /// @main that does the same.
  std::string function() const;
  std::string kernel(const std::string &attributes) const;
};

struct EmulatedOptions {
  nvptx::GpuTarget target;
  /// Of the kernel, "attnres.tiles = array<i64: ...>" or nothing.
  std::string attributes;
  /// Draws the order of warps and blocks; 0 is in order.
  uint64_t seed = 0;
  /// Beyond bounds and alignment.
  bool checks = true;
  /// More are a test failure.
  uint64_t mostBankConflicts = 0;
};

struct EmulatedRun {
  std::vector<Tensor> results;
  std::string ptx;
  nvptx::GpuLaunch launch;
  emulator::Counters counters;
};

/// Compiles the kernel and runs it on `inputs`, its outputs and scratch being
/// poisoned. A test failure on an error, a finding or a bank conflict; then
/// there may be no results.
EmulatedRun runEmulated(const KernelText &text, llvm::ArrayRef<Tensor> inputs,
                        const EmulatedOptions &options = {});

/// What the float64 interpreter makes of inputs that the kernel's types hold.
struct Expected {
  std::vector<Tensor> inputs, results;
};
Expected interpret(const KernelText &text, uint64_t seed);
/// The same of given inputs.
Expected evaluateOn(const KernelText &text, llvm::ArrayRef<Tensor> inputs);

/// The largest difference of two tensors of one shape; infinite when one is
/// not a number or infinite where the other is not.
double largestError(const Tensor &actual, const Tensor &expected);

/// Checks by the assembler, where there is one (the tool ptxas on the path or
/// in the usual place of CUDA): no warning, at most `mostSpilled` bytes of
/// spills, registers within `mostRegisters`. Skips the test with a message
/// where there is none.
void expectAssembles(const std::string &ptx, const std::string &processor,
                     int mostRegisters, int mostSpilled = 0);

} // namespace attnres::testing

#endif
