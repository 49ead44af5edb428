//===- GpuKernel.h - building kernels in nvptx-stage form -------*- C++ -*-===//
//
// The code of an attnres.kernel is that of one thread. It takes pointers:
//
//   attnres.kernel @k : (tensor<7x64xf32>, !attnres.list<...>) -> tensor<...>
//       blocks<[2, 1, 1] of [128, 1, 1] lists [9]> scratch 0
//       code(%in0: !llvm.ptr<1>, %in1: !llvm.ptr, %out0: !llvm.ptr<1>,
//            %scratch: !llvm.ptr<1>) { ... }
//
// Inputs come first, then outputs, then scratch, which is there whether or not
// the kernel has any. A tensor is the address of its first element in global
// memory, a list its parameter of runtime/include/attnres_kernel.h: a count and
// as many addresses. Blocks run in any order and at once; none reads what
// another one writes.
//
// The memory of an output overlaps no other argument's, unless `inplace` lets
// it be exactly an input's.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_PASSES_NVPTX_GPUKERNEL_H
#define ATTNRES_PASSES_NVPTX_GPUKERNEL_H

#include "dialect/Attnres.h"
#include "passes/nvptx/GpuTarget.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace attnres::nvptx {

/// Threads of a block where each has elements of its own.
inline constexpr int64_t kBlockThreads = 128;

/// A kernel under construction. `finishKernel` completes it.
struct GpuKernel {
  KernelOp function;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Value> outputs;
  mlir::Value scratch;

  /// The lists among inputs and outputs.
  llvm::SmallVector<mlir::Value> lists() const;
};

/// How the kernels of a module are launched.
class Launches {
public:
  explicit Launches(mlir::ModuleOp module);

  /// The most tensors of each list that the kernel takes or returns.
  llvm::ArrayRef<int64_t> capacities(KernelOp kernel) const;
  /// The most tensors of all lists of a launch together.
  int64_t mostMembers(KernelOp kernel) const;

private:
  struct Sizes {
    llvm::SmallVector<int64_t> capacities;
    int64_t members = 0;
  };
  const Sizes &of(KernelOp kernel) const;
  llvm::StringMap<Sizes> kernels;
};

/// !llvm.ptr<1>, an address in global memory.
mlir::Type globalPointer(mlir::MLIRContext *context);
/// A memref of global memory.
mlir::MemRefType globalMemRef(llvm::ArrayRef<int64_t> shape,
                              mlir::Type element);
/// A memref of the shape of `type` at a pointer to global memory.
mlir::Value memRefAt(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value pointer, mlir::RankedTensorType type);
/// The same for each value that is no list; lists as they are.
llvm::SmallVector<mlir::Value> memRefsAt(mlir::OpBuilder &builder,
                                         mlir::Location loc,
                                         mlir::ValueRange values,
                                         llvm::ArrayRef<mlir::Type> types);

/// The block's dynamic shared memory, !llvm.ptr<3> to a multiple of 1024: one
/// variable for all kernels of a module.
inline constexpr unsigned kSharedSpace = 3;
inline constexpr llvm::StringLiteral kSharedVariable = "dynamic_shared";
mlir::Value sharedMemory(mlir::OpBuilder &builder, mlir::Location loc);
/// Declares that variable unless `module` has it.
void declareSharedMemory(mlir::ModuleOp module);

/// The number of tensors of a list (index).
mlir::Value listCount(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value list);
/// Tensor `i` (index) of a list, as a memref.
mlir::Value listMember(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value list, mlir::Value i,
                       mlir::RankedTensorType type);

/// Whether the block of a lowered kernel takes what is said above.
mlir::LogicalResult verifyCodeTypes(KernelOp kernel);

/// Creates the code that will replace `kernel`, in front of it and with its
/// attributes, and moves the insertion point into its empty body, before the
/// return. The caller fills it, calls `finishKernel` and erases `kernel`.
GpuKernel createKernel(mlir::OpBuilder &builder, KernelOp kernel);

/// Records how the kernel is launched. A grid of one dimension is enough for
/// all kernels that build their items here. An error where no GPU launches so
/// many blocks.
mlir::LogicalResult finishKernel(GpuKernel &kernel, const Launches &launches,
                                 int64_t blocks, int64_t threads,
                                 int64_t scratchBytes = 0,
                                 int64_t sharedBytes = 0);

/// Of the launch in x: index of the thread in its block, of the block, and of
/// the thread in the launch whose blocks have `threads` each.
mlir::Value threadInBlock(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value blockInGrid(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value threadInGrid(mlir::OpBuilder &builder, mlir::Location loc,
                         int64_t threads);

/// `value` of each lane exchanged with that of the lane whose number differs in
/// the bits of `distance`. Of f32, f64 or i32.
mlir::Value exchangeLanes(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, int64_t distance);
/// Lanes of the warp see what the others have written.
void syncWarp(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace attnres::nvptx

#endif
