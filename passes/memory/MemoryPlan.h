//===- MemoryPlan.h - facts about tensors in memory -------------*- C++ -*-===//
//
// What the planner, its checker and the emission of programs agree on. None of
// it depends on where anything was placed.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_MEMORYPLAN_H
#define ATTNRES_PASSES_MEMORYPLAN_H

#include "passes/Passes.h"

namespace attnres {

/// Tensors in the arena and among the constants start on this boundary (bytes).
inline constexpr int64_t kBufferAlignment = 64;

/// Bytes of a static tensor: row-major, without padding.
int64_t tensorBytes(mlir::Value tensor);

/// Distance in bytes of a slice from the start of its source; nothing unless
/// the slice is static and contiguous.
std::optional<int64_t> sliceOffset(mlir::tensor::ExtractSliceOp slice);

/// Whether `op` only gives another shape to its operand or takes a contiguous
/// part of it; then `source` and `offset` (bytes) say which.
bool isView(mlir::Operation *op, mlir::Value &source, int64_t &offset);

/// Which kernel argument (or result) an operand (or result) of a launch belongs
/// to.
struct KernelSlot {
  int64_t index;   ///< of the kernel argument
  int64_t element; ///< of a list argument, -1 for a tensor
};

/// One slot for each operand of a launch with these groups.
llvm::SmallVector<KernelSlot> kernelSlots(llvm::ArrayRef<int64_t> groups);

/// Whether `kernel` states that it may write `result` over `operand`.
bool mayReuse(KernelOp kernel, KernelSlot result, KernelSlot operand);

} // namespace attnres

#endif
