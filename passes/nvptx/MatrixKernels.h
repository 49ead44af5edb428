//===- MatrixKernels.h - matrix kernels for NVIDIA GPUs ---------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_MATRIXKERNELS_H
#define ATTNRES_PASSES_NVPTX_MATRIXKERNELS_H

#include "dialect/Attnres.h"
#include "passes/nvptx/GpuTarget.h"

#include <optional>

namespace attnres::nvptx {

/// How code is launched, see runtime/include/attnres_kernel.h. A grid without
/// blocks has nothing to do.
struct GpuLaunch {
  int64_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, cluster[3] = {1, 1, 1};
  int64_t sharedBytes = 0; ///< dynamic
  int64_t scratchBytes = 0;
};

/// The attribute of a kernel that says how its tiles are cut; chosen by size
/// where there is none. Of products: rows and columns of a block's tile, warps
/// along both, stages of the pipeline, blocks that share the depth. Of
/// attention: warps, groups of 16 queries of a warp, keys of a tile, stages,
/// blocks that share the keys; of its gradients: warps, rows of a tile, parts
/// that the columns of sums are cut into, stages. Of delta attention: warps.
/// Other kernels take none, and what cannot be is an error.
inline constexpr llvm::StringLiteral kTilesAttr = "attnres.tiles";

/// Builds the code of a kernel on tensors (no lists) where the builder stands,
/// in the entry block of what is to become a PTX entry by EmitPtx.h: the code
/// of one thread of the blocks that the launch says. `inputs`, `outputs` and
/// `scratch` are !llvm.ptr<1>. A tensor whose rows are a multiple of 2, 4, 8 or
/// 16 bytes begins at such a multiple. nullopt: no matrix kernel takes it, and
/// nothing was built. Fails, with a diagnostic, when its tiles cannot be cut as
/// it says.
mlir::FailureOr<std::optional<GpuLaunch>>
buildMatrixKernel(mlir::OpBuilder &builder, KernelOp kernel,
                  mlir::ValueRange inputs, mlir::ValueRange outputs,
                  mlir::Value scratch, const GpuTarget &target);

} // namespace attnres::nvptx

#endif
