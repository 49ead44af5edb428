//===- nvptx/Passes.td - planned to nvptx ------------------*- tablegen -*-===//
#ifndef ATTNRES_PASSES_NVPTX_TD
#define ATTNRES_PASSES_NVPTX_TD

include "mlir/Pass/PassBase.td"

class NvptxPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
  list<Option> gpuOptions = [
    Option<"target", "target", "std::string", "\"sm_80\"", "sm_80, sm_90a or sm_100a">
  ];
  let options = gpuOptions;
  let statistics = [Statistic<"numLowered", "num-lowered", "kernels that became code">];
}

def WarpRows : NvptxPass<"attnres-warp-rows"> {
  let summary = "kernels of row operations to code of warps";
  let description = [{
    Kernels whose operations all work row by row: a warp does a range of rows,
    one after the other, its lanes share the columns. Sums over a row depend on
    its width alone. See passes/rows/RowMachine.h and
    passes/nvptx/WarpRowMachine.h.

    ```mlir
    attnres.kernel @scale(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %z = arith.mulf %x, %y : tensor<4x8xf32>
      attnres.return %z : tensor<4x8xf32>
    }
    ```
    becomes
    ```mlir
    attnres.kernel @scale : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
        blocks<[1, 1, 1] of [128, 1, 1]> scratch 0
        code(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>, %scratch: !llvm.ptr<1>) {...}
    ```
  }];
}

def MatrixCode : NvptxPass<"attnres-matrix-code"> {
  let summary = "products and attention to code of tensor cores";
  let description = [{
    Kernels of one `attnres.linear`, `attnres.matmul`, `attnres.attention` or
    `attnres.attention_backward`: blocks multiply tiles that they copy to shared
    memory ahead, by mma.sync or, of bf16 on sm_90a, wgmma. f32 is multiplied as
    sums of two tf32. Of one `attnres.grouped_linear` or
    `attnres.grouped_weight_grad`: a block lists the rows that chose its matrix
    and gathers them. Of one `attnres.kda`: a block has columns of a state in
    registers and takes 16 tokens at a time; of one `attnres.kda_backward`: a
    block has a head, and goes through its chunks of 16 tokens forwards for the
    states before them, and backwards. `attnres.short_convolution` and its
    gradients have no products, and a thread for some tokens of a channel. How
    tiles are cut is the kernel's attribute
    `attnres.tiles`, see passes/nvptx/MatrixKernels.h, and chosen by size where
    there is none. Sums are taken in an order that follows from the sizes.
  }];
}

def ThreadOperations : NvptxPass<"attnres-thread-operations"> {
  let summary = "products and sums over rows to code of threads";
  let description = [{
    What has no faster code: kernels of one `attnres.linear` or
    `attnres.matmul` that attnres-matrix-code does not take get a thread for each element of the result, `sum_rows` and
    `embedding_backward` one for each column, `live_mean`, `live_scale` and
    `clip_scale` one warp. Sums are taken in a fixed order.
  }];
}

def ThreadElements : NvptxPass<"attnres-thread-elements"> {
  let summary = "kernels of linalg operations to code of threads";
  let description = [{
    The path of everything that has no code generation of its own: hand-written
    linalg, decomposed operations and elementwise operations on integers. A
    thread computes the results at one point of the parallel loops; reductions
    are loops of the thread, in the order of the operation.
  }];
  let options = [];
}

#endif
