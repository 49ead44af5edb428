//===- JitKernel.h - Runs cpu-stage kernels inside a test -------*- C++ -*-===//

#ifndef ATTNRES_TEST_UNIT_PASSES_JITKERNEL_H
#define ATTNRES_TEST_UNIT_PASSES_JITKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/cpu/CpuTarget.h"
#include "runtime/include/attnres_kernel.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace attnres::cpu {

/// A compiled kernel loaded into this process.
struct JitKernel {
  std::string name;
  int64_t grid = 0;
  int64_t scratchBytes = 0;
  attnres_kernel_fn function = nullptr;

  /// Runs all items on this thread, cut into `parts` ranges, with scratch that
  /// is poisoned before each range.
  void run(llvm::ArrayRef<const void *> args, int64_t parts = 1) const;
};

/// The kernels of one module. They live as long as this object.
class JitModule {
public:
  /// Compiles every cpu-stage kernel of `module`, or returns null after
  /// printing the diagnostics.
  static std::unique_ptr<JitModule> compile(mlir::ModuleOp module,
                                            const CpuTarget &target);
  /// The same for the text of a module.
  static std::unique_ptr<JitModule> compile(llvm::StringRef text,
                                            const CpuTarget &target);
  ~JitModule();

  const JitKernel &operator[](llvm::StringRef name) const;

private:
  JitModule();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<JitKernel> kernels;
};

/// The levels with different code that this machine can run, from least to
/// most.
std::vector<CpuTarget> getRunnableTargets();

/// Names of a test's instances and of its parameter in messages.
std::string getTestName(const ::testing::TestParamInfo<CpuTarget> &info);
void PrintTo(const CpuTarget &target, std::ostream *stream);

} // namespace attnres::cpu

#endif // ATTNRES_TEST_UNIT_PASSES_JITKERNEL_H
