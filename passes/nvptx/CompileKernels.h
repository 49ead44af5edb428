//===- CompileKernels.h - kernels of a program as PTX -----------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_COMPILEKERNELS_H
#define ATTNRES_PASSES_NVPTX_COMPILEKERNELS_H

#include "passes/nvptx/GpuTarget.h"

namespace attnres::nvptx {

/// The kernels of `module`, all of the nvptx stage, as one PTX text, each an
/// entry of its name with the parameters of attnres_kernel.h. See
/// Target::compileKernels.
mlir::FailureOr<CompiledCode>
compileKernels(mlir::ModuleOp module, const GpuTarget &target,
               const std::function<bool()> &isCancelled = {});

} // namespace attnres::nvptx

#endif
