//===- KernelFunction.h - Building kernels in cpu-stage form ----*- C++ -*-===//
//
// The code of an attnres.kernel takes memrefs and a range of work items:
//
//   attnres.kernel @k : (tensor<2048x256xf32>, ...) -> tensor<...>
//       grid 32 scratch 196608
//       code(%in0: memref<2048x256xf32>, ..., %out0: memref<...>,
//            %scratch: memref<?xi8>, %begin: index, %end: index) { ... }
//
// Inputs come first, then outputs; layouts are identity, shapes static. A list
// (struct attnres_list of runtime/include/attnres_kernel.h) has the type
// !llvm.ptr. The body runs the items [begin, end) of [0, grid); an item writes
// nothing that another item reads or writes. Scratch is private to the calling
// thread, aligned to 64 bytes and undefined on entry.
//
// The memory of an output overlaps no other argument's, unless `inplace` lets
// it be exactly an input's.
//
//===----------------------------------------------------------------------===//

#ifndef ATTNRES_PASSES_CPU_KERNELFUNCTION_H
#define ATTNRES_PASSES_CPU_KERNELFUNCTION_H

#include "dialect/Attnres.h"
#include "passes/analysis/TensorKernels.h"
#include "passes/rows/Control.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace attnres::cpu {

using rows::forRange;
using rows::IndexBuilder;

/// Scratch blocks and tensors start on this boundary (bytes).
inline constexpr int64_t kAlignment = 64;

/// A kernel under construction. `finishKernel` completes it.
struct KernelFunction {
  KernelOp function;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Value> outputs;
  mlir::Value scratch; ///< memref<?xi8>
  mlir::Value begin;   ///< index, first item
  mlir::Value end;     ///< index, one past the last item
  /// Bytes of scratch handed out so far.
  int64_t scratchBytes = 0;
};

/// Whether the operands of the only operation of a kernel on tensors are the
/// kernel's arguments in order, and what it returns are the operation's results
/// in order.
bool isWholeKernel(mlir::Operation *op);

/// What code has for a kernel argument or result: a ranked tensor becomes a
/// memref of the same shape and element type, a list !llvm.ptr.
mlir::Type getMemoryType(mlir::Type type);

/// Whether the block of a lowered kernel takes what is said above.
mlir::LogicalResult verifyCodeTypes(KernelOp kernel);

/// Creates a kernel `name` of the given signature, which may be written in
/// memrefs, at the builder's insertion point, with an empty body, and moves the
/// insertion point into that body, before the return.
KernelFunction createKernel(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::StringRef name, mlir::TypeRange inputs,
                            mlir::TypeRange outputs);

/// Creates the code that will replace `kernel`, in front of it and with its
/// attributes. The caller fills the body, calls `finishKernel` and erases
/// `kernel`.
KernelFunction createKernel(mlir::OpBuilder &builder, KernelOp kernel);

/// Records the number of work items and the scratch that was handed out.
void finishKernel(KernelFunction &kernel, int64_t grid);

/// Builds `for item in [begin, end)` around `body` and leaves the insertion
/// point behind the loop.
void forEachItem(mlir::OpBuilder &builder, mlir::Location loc,
                 const KernelFunction &kernel,
                 llvm::function_ref<void(mlir::Value item)> body);

/// Takes a block of scratch of the static type `type` (identity layout). The
/// view is built at the insertion point; make it outside the item loop.
mlir::Value allocateScratch(mlir::OpBuilder &builder, mlir::Location loc,
                            KernelFunction &kernel, mlir::MemRefType type);

/// The number of tensors of a list argument (index).
mlir::Value getListCount(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value list);

/// Tensor `i` (index) of a list argument, as a memref of the static type
/// `type`.
mlir::Value getListElement(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value list, mlir::Value i,
                           mlir::MemRefType type);

/// A memref of the static type `type` over the memory at `pointer`
/// (!llvm.ptr).
mlir::Value createMemRef(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value pointer, mlir::MemRefType type);

} // namespace attnres::cpu

#endif // ATTNRES_PASSES_CPU_KERNELFUNCTION_H
