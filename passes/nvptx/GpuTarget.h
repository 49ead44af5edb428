//===- GpuTarget.h - generations of NVIDIA GPUs -----------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_GPUTARGET_H
#define ATTNRES_PASSES_NVPTX_GPUTARGET_H

#include "passes/Target.h"

#include <optional>
#include <string>

namespace attnres::nvptx {

inline constexpr int64_t kWarpLanes = 32;
/// Where tensors and scratch lie: global memory.
inline constexpr unsigned kGlobalSpace = 1;

struct GpuTarget {
  /// The generation and the version of PTX that its code is written in, as LLVM
  /// names them: "sm_80" and "+ptx70".
  std::string processor = "sm_80";
  std::string features = "+ptx70";
  /// Processors of a chip, and bytes of shared memory that a block can have:
  /// A100, H100 and H200, B200 (NVIDIA's architecture whitepapers and the CUDA
  /// programming guide).
  int64_t processors = 108;
  int64_t sharedBytes = 163 * 1024;
  RowRanges rowRanges = {/*rows=*/8, /*most=*/512};

  /// The generation called `name`, "sm_80", "sm_90a" or "sm_100a".
  static std::optional<GpuTarget> forName(llvm::StringRef name);
  /// The same, or an error at `op` that names it.
  static mlir::FailureOr<GpuTarget> get(mlir::Operation *op,
                                        llvm::StringRef name);
  static std::vector<std::string> names();

  /// The numbers above, for people.
  std::vector<TargetFact> describe() const;
};

} // namespace attnres::nvptx

#endif
