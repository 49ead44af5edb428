//===- cpu/Passes.td - planned to cpu ----------------------*- tablegen -*-===//
#ifndef ATTNRES_PASSES_CPU_TD
#define ATTNRES_PASSES_CPU_TD

include "mlir/Pass/PassBase.td"

class CpuPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  list<string> cpuDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let dependentDialects = cpuDialects;
  list<Option> cpuOptions = [
    Option<"isa", "isa", "std::string", "\"host\"", "generic, avx2, avx512, avx512-bf16, avx512-bf16+dot-bf16, avx512-bf16+amx-bf16 or host">
  ];
  let options = cpuOptions;
  let statistics = [Statistic<"numLowered", "num-lowered", "kernels that became code">];
}

def FlashAttention : CpuPass<"attnres-flash-attention"> {
  let summary = "attention kernels to vector code";
  let description = [{
    Kernels of one `attnres.attention` or `attnres.attention_backward` become
    loops over tiles that keep a running softmax; no score matrix is stored.
    Exponentials and sums are f32 whatever the storage type. Results do not
    depend on how the work items are shared out.

    Forward, a block has as many keys as the target chooses, or as the kernel's
    attribute `attnres.block_keys` says, a multiple of the columns of a register
    tile. The scores of a block and some queries are in memory at once. Sums, and
    so the last bits of results, depend on it.

    ```mlir
    attnres.kernel @attention(...) -> ... attributes {attnres.block_keys = 64 : i64} {
    ```
  }];
}

def ChunkKda : CpuPass<"attnres-chunk-kda"> {
  let summary = "Kimi delta attention to vector code";
  let description = [{
    Kernels of one `attnres.kda` or `attnres.kda_backward` become loops over
    chunks of up to 24 tokens, in which the recurrence is a few products of
    matrices; see passes/cpu/KdaChunk.h. One token, as in decoding, reads and
    writes the state where it lies. States and sums are f32 whatever the storage
    type. A work item is a head of a text.
  }];
}

def GroupedMatmul : CpuPass<"attnres-grouped-matmul"> {
  let summary = "products of rows with chosen matrices to vector code";
  let description = [{
    Kernels of one `attnres.grouped_linear` or `attnres.grouped_weight_grad`
    become loops of register tiles over the rows that chose a matrix: past
    panels of its columns, or over parts of rows that are gathered. A work item
    is a matrix and a block of it. Sums are f32, in an order that depends on the
    choices alone.
  }];
}

def VectorizeConvolution : CpuPass<"attnres-vectorize-convolution"> {
  let summary = "short convolutions to vector code";
  let description = [{
    Kernels of one `attnres.short_convolution` or its backward operation become
    loops over the tokens with a block of channels in registers. A work item is
    such a block, forwards of one text.
  }];
}

def VectorizeRows : CpuPass<"attnres-vectorize-rows"> {
  let summary = "kernels of row operations to vector code";
  let description = [{
    Kernels whose operations all work row by row become loops over a range of
    rows. Values inside the kernel stay in the first-level cache. See
    passes/rows/RowMachine.h.
  }];
}

def VectorizeColumns : CpuPass<"attnres-vectorize-columns"> {
  let summary = "sums over rows and other reductions to vector code";
  let description = [{
    Kernels that sum over rows in a fixed order: `sum_rows` and
    `embedding_backward`, cut by columns, and the scalar reductions `live_mean`,
    `live_scale` and `clip_scale`.
  }];
}

def TileMatmul : CpuPass<"attnres-tile-matmul"> {
  let summary = "kernels of matrix products and packings to vector code";
  let description = [{
    A kernel that is one `attnres.pack`, `attnres.matmul_packed`,
    `attnres.matmul` or `attnres.linear` becomes loops around a register tile
    that fills the machine's fused multiply-add units; see
    passes/cpu/MatmulEmitter.h. Products that are not packed read their right
    operand in place, which is meant for few rows. Sums are f32, in an order
    that depends on the shape alone.

    ```mlir
    attnres.kernel @k(%x: tensor<2048x256xf32>, %p: tensor<24x256x32xf32>) -> tensor<2048x768xf32> {
      %y = attnres.matmul_packed %x, %p : tensor<2048x256xf32>, tensor<24x256x32xf32> -> tensor<2048x768xf32>
      attnres.return %y : tensor<2048x768xf32>
    }
    ```
    becomes
    ```mlir
    attnres.kernel @k : (tensor<2048x256xf32>, tensor<24x256x32xf32>) -> tensor<2048x768xf32> grid 43 scratch 0
        code(%x: memref<2048x256xf32>, %p: memref<24x256x32xf32>, %y: memref<2048x768xf32>,
             %scratch: memref<?xi8>, %begin: index, %end: index) {...}
    ```

    Where the target has AMX tiles, products of f32 that are not packed run on
    them too, each element as the sum of three bf16; see
    passes/cpu/AmxPacking.h. Such kernels are cut into about `threads` items;
    results do not depend on it.
  }];
  let dependentDialects = cpuDialects # ["::mlir::x86vector::X86VectorDialect"];
  let options = cpuOptions # [
    Option<"threads", "threads", "int64_t", "4", "work items that products on AMX tiles should have">
  ];
}

def LowerLinalgKernels : CpuPass<"attnres-lower-linalg-kernels"> {
  let summary = "kernels of linalg operations to loops";
  let description = [{
    The path of everything that has no code generation of its own: hand-written
    linalg, decomposed operations and elementwise operations on integers become
    loops, the outermost parallel loop cut into work items. Where all is f32 or
    bf16 and the operands are rows along the last parallel loop, or do not
    depend on it, 16 points of that are computed together as vectors, with the
    same results; a single loop is cut into pieces of 4096 points then.
  }];
  let options = [];
}

#endif
