//===- EmitPtx.h - PTX text of kernels --------------------------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_EMITPTX_H
#define ATTNRES_PASSES_NVPTX_EMITPTX_H

#include "passes/nvptx/GpuTarget.h"

namespace attnres::nvptx {

/// The attribute of an unrealized_conversion_cast from nothing in the code of a
/// kernel: it stands for as many i32 of global memory (!llvm.ptr<1>), which are
/// 0 when the program is loaded and of this kernel alone.
inline constexpr llvm::StringLiteral kCountersAttr = "attnres.counters";

/// Lowers the functions of `module`, which have pointers as arguments and the
/// dialects of the cpu stage and NVVM in their bodies, to PTX: each becomes a
/// kernel for blocks of the size that its attribute nvvm.reqntid says.
mlir::FailureOr<std::string> emitPtx(mlir::ModuleOp module,
                                     const GpuTarget &target);

} // namespace attnres::nvptx

#endif
