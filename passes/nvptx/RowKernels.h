//===- RowKernels.h - row kernels for NVIDIA GPUs ---------------*- C++ -*-===//
//
// Kernels over tensors whose operations all work row by row become functions
// over pointers to global memory: one for each argument, one for each result,
// one to scratch. A warp does one work item (WarpRowMachine.h), a block has
// `kBlockWarps` of them: a launch takes ceil(items / kBlockWarps) blocks of
// kBlockWarps * 32 threads, and items * bytes of scratch, aligned to 64 bytes.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_ROWKERNELS_H
#define ATTNRES_PASSES_NVPTX_ROWKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace attnres::nvptx {

inline constexpr int64_t kBlockWarps = 4;

/// A processor and the version of PTX that it is written in, as LLVM names
/// them: "sm_80" and "+ptx70".
struct GpuTarget {
  std::string processor = "sm_80";
  std::string features = "+ptx70";
};

/// How a kernel is launched.
struct RowLaunch {
  std::string name;
  int64_t items;
  /// Scratch of an item, and what each member of all lists adds to it.
  int64_t scratchBytes, scratchBytesPerMember;
};

struct PtxModule {
  std::string text;
  std::vector<RowLaunch> kernels;
};

/// Compiles all row kernels of `module`, in the order they stand there; its
/// other functions are not looked at. An operation without a formula is an
/// error with its name. `module` is left as it is.
mlir::FailureOr<PtxModule> compileRowKernels(mlir::ModuleOp module,
                                             const GpuTarget &target = {});

} // namespace attnres::nvptx

#endif
