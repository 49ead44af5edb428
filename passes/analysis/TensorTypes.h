//===- TensorTypes.h - tensors that programs can hold -----------*- C++ -*-===//
#ifndef ATTNRES_PASSES_TENSORTYPES_H
#define ATTNRES_PASSES_TENSORTYPES_H

#include "passes/Passes.h"

namespace attnres {

/// The most bytes of one tensor: what processors can address.
inline constexpr int64_t kMaxTensorBytes = int64_t{1} << 47;

/// Whether kernels can compute with elements of this type: i1, i8, i16, i32,
/// i64, index, bf16, f16, f32 or f64.
bool isKernelElement(mlir::Type type);

/// Bytes of one such element in memory.
int64_t elementBytes(mlir::Type element);

/// An error of `op` unless `type` is a tensor of static shape, without
/// encoding, of at most kMaxTensorBytes and of such elements.
mlir::LogicalResult verifyProgramType(mlir::Operation *op, mlir::Type type);

/// The function `name` of `module`, which must have one block and take and
/// return tensors; an error otherwise.
mlir::FailureOr<mlir::func::FuncOp> findProgram(mlir::ModuleOp module,
                                                llvm::StringRef name);

} // namespace attnres

#endif
