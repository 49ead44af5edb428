//===- NativeConversions.h - conversions that GPUs have ---------*- C++ -*-===//
#ifndef ATTNRES_PASSES_NVPTX_NATIVECONVERSIONS_H
#define ATTNRES_PASSES_NVPTX_NATIVECONVERSIONS_H

#include "mlir/IR/PatternMatch.h"

namespace attnres::nvptx {

/// Leaves conversions of f32 to bf16, in scalars and vectors of rank 1, to the
/// instructions of sm_80 and later, where the lowering for processors would
/// round by integer arithmetic. To LLVM, bf16 is i16 everywhere else; see
/// passes/cpu/LowerToLLVM.cpp.
void populateNativeConversions(mlir::RewritePatternSet &patterns);

} // namespace attnres::nvptx

#endif
