//===- Target.h - what kernels are compiled for -----------------*- C++ -*-===//
//
// A target is a branch of the stages behind `planned`: everything that depends
// on what kernels run on. The stages before it ask for the few numbers that
// decide which kernels there are.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_TARGET_H
#define ATTNRES_PASSES_TARGET_H

#include "dialect/Attnres.h"
#include "passes/Pipelines.h"
#include "passes/Targets.h"

#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace attnres {

/// Which matrix products read their right operand in panels that another kernel
/// packs, see attnres-pack-matmul.
struct MatmulPacking {
  int64_t tileColumns = 32; ///< of a panel
  /// Kernels of bf16 pack both operands by themselves.
  bool packsBf16 = false;
  /// So do kernels of f32 with this many rows; 0: none.
  int64_t packsF32FromRows = 0;
};

/// How rows are cut into ranges, one work item each. Partial sums have an
/// element for each range, so that results depend on it.
struct RowRanges {
  int64_t rows = 16; ///< of a range, at least
  int64_t most = 64;

  /// The number of ranges of so many rows, at least 1.
  int64_t of(int64_t numRows) const {
    return std::clamp<int64_t>(numRows / rows + (numRows % rows != 0), 1, most);
  }
};

struct Extents {
  int64_t x = 1, y = 1, z = 1;
};

/// One kernel as a device launches it, see attnres_kernel.h.
struct CompiledKernel {
  std::string name;
  size_t object; ///< index of the one that defines it
  /// Of a processor: `x` work items. Of a GPU: blocks.
  Extents grid;
  /// Of a processor: for whoever runs items, without what lists need. Of a GPU:
  /// of a launch.
  int64_t scratchBytes;
  // Of a GPU.
  Extents block;   ///< threads
  Extents cluster; ///< blocks
  int64_t sharedBytes = 0;
};

struct CompiledCode {
  std::vector<CompiledKernel> kernels;
  std::vector<std::string> objects; ///< in the form of the target's devices
};

class Target {
public:
  virtual ~Target() = default;

  /// With its variant: "cpu:avx2". Programs carry it, and devices know by it
  /// whether they can run the code.
  virtual std::string name() const = 0;
  /// The stage of its code, a branch behind `planned`.
  virtual Stage stage() const = 0;

  /// Operations that have no kernel of their own: each linalg operation that
  /// they are made of becomes one.
  virtual std::vector<std::string> decomposed() const = 0;
  /// Whether attention has a kernel for rows of several texts.
  virtual bool attendsToDocuments() const { return true; }
  /// Nothing where kernels read right operands as they are.
  virtual std::optional<MatmulPacking> packing() const = 0;
  virtual RowRanges rowRanges() const = 0;
  virtual std::vector<TargetFact> describe() const = 0;

  /// Appends what makes code of kernels on tensors.
  virtual void addCodePasses(mlir::OpPassManager &passes,
                             const StageOptions &options) const = 0;
  /// An error, at the operation's place, unless `kernel` is code of this
  /// target.
  virtual mlir::LogicalResult verifyCode(KernelOp kernel) const = 0;
  /// Compiles every kernel of `module`, which are all code of this target, in
  /// the order in which they stand there. Kernels are compiled in parallel by
  /// the threads of the module's context; the bytes do not depend on how many
  /// there are. `module` is left as it is. Before each kernel `isCancelled`, if
  /// there is one, is asked whether to fail without a diagnostic.
  virtual mlir::FailureOr<CompiledCode>
  compileKernels(mlir::ModuleOp module,
                 const std::function<bool()> &isCancelled) const = 0;
};

/// Some target with code of the stage `stage`; null where there is none.
std::unique_ptr<Target> createTargetOf(Stage stage);

} // namespace attnres

#endif
