//===- Passes.td - passes on models, training steps and kernels *- tablegen -*-===//
#ifndef ATTNRES_PASSES_TD
#define ATTNRES_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// model -> naive
//===----------------------------------------------------------------------===//

def ExpandStack : Pass<"attnres-expand-stack"> {
  let summary = "write out residual stacks as depth attentions with explicit sources";
  let description = [{
    Replaces every `attnres.stack` by its sublayers in sequence. The result is
    the naive form: one depth attention for each sublayer with its sources
    listed, sums inside blocks, static mixtures, or plain residual additions.
    Does not change rounding.

    ```mlir
    %y = attnres.stack %x full eps(1.0e-8) queries(%q0, %q1 : ...) gains(%g0, %g1 : ...) : tensor<2x8xf32> {
    ^bb0(%h: tensor<2x8xf32>):
      %v = attnres.linear %h, %w0 : ...
      attnres.yield %v : tensor<2x8xf32>
    }
    ```
    becomes
    ```mlir
    %h0, %lse0 = attnres.depth_attention queries(%q0) gains(%g0) sources(%x) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    %v0 = attnres.linear %h0, %w0 : ...
    %y, %lse1 = attnres.depth_attention queries(%q1) gains(%g1) sources(%x, %v0) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"recordWeights", "record-weights", "bool", "false",
           "return the weights of every depth attention as function results named depth_weights.N">
  ];
  let statistics = [
    Statistic<"numSublayers", "num-sublayers", "sublayers written out">
  ];
}

//===----------------------------------------------------------------------===//
// scheduled -> training
//===----------------------------------------------------------------------===//

def Differentiate : Pass<"attnres-differentiate", "::mlir::ModuleOp"> {
  let summary = "append the gradients of the loss to a function";
  let description = [{
    Reverse-mode differentiation over tensors of the function `function`, whose
    result named `loss` is a scalar. For every argument with
    `attnres.role = "parameter"` a result named `grad.NAME` is appended; the
    gradient of a parameter that the loss does not depend on is zero.
    Every operation between parameters and loss has to implement
    `DifferentiableOpInterface`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::attnres::AttnresDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to differentiate">
  ];
}

//===----------------------------------------------------------------------===//
// training -> kernels
//===----------------------------------------------------------------------===//

def RopeTables : Pass<"attnres-rope-tables"> {
  let summary = "give rotations their cosines and sines as constants";
  let description = [{
    Every `attnres.rope` without a table gets a constant [T, Dh] of cosines and
    sines, computed in double precision and rounded to f32. Rotations of equal
    shape share one constant.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LowerLoss : Pass<"attnres-lower-loss"> {
  let summary = "write losses as row operations, in chunks that bound the logits";
  let description = [{
    `attnres.cross_entropy` becomes the cross entropy of each row and their
    mean. `attnres.linear_cross_entropy` and its backward operation become, for
    each chunk of rows, a projection, the cross entropy of its rows, and in the
    backward operation the two products with the gradient of the logits, so
    that only `chunk-bytes` of logits exist at a time. The weight gradient is
    accumulated over the chunks in order: its rounding depends on their number.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"chunkBytes", "chunk-bytes", "int64_t", "8388608", "most bytes of logits that exist at a time">
  ];
}

def PackMatmul : Pass<"attnres-pack-matmul"> {
  let summary = "give matrix products a packed right-hand side";
  let description = [{
    `attnres.linear` and `attnres.matmul` become `attnres.pack` of the right
    operand and `attnres.matmul_packed`. Equal packings are shared.
  }];
  let options = [
    Option<"tile", "tile", "int64_t", "32", "columns of a panel; the target's register tile">
  ];
}

def SplitReductions : Pass<"attnres-split-reductions"> {
  let summary = "cut sums over all rows into partial sums and their sum";
  let description = [{
    Gradients of vectors are sums over all rows. Every operation that has such
    a result gets `partials`, one sum for each range of rows that is a work
    item, followed by `attnres.sum_rows` over the ranges. The ranges depend on
    the number of rows alone, so results do not depend on the number of threads.
  }];
}

def FormKernels : Pass<"attnres-form-kernels", "::mlir::ModuleOp"> {
  let summary = "cut a function into kernels";
  let description = [{
    Chains of operations that work row by row are fused into one kernel, as
    long as nothing outside the chain comes between; every other operation is a
    kernel of its own. The function is left with launches, constants and views.
    Operands that come in any number (depth sources, queries) are passed as
    lists, so that the same kernel serves any number of them. Every result of
    the function is written by a launch, and no two results share memory.
    Does not change rounding, except that bf16 values inside a kernel stay f32.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to cut">,
    Option<"maxOps", "max-ops", "unsigned", "12", "most operations in a fused kernel">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "kernels formed">,
    Statistic<"numFused", "num-fused", "operations that share a kernel with another">
  ];
}

def ShareKernels : Pass<"attnres-share-kernels", "::mlir::ModuleOp"> {
  let summary = "keep one of equal kernels";
  let description = [{
    Kernels with equal bodies and attributes are merged and their launches
    redirected, so that compile time follows the number of distinct kernels,
    not of layers.
  }];
  let statistics = [
    Statistic<"numBefore", "num-before", "kernels before">,
    Statistic<"numDistinct", "num-distinct", "kernels that remain">
  ];
}

//===----------------------------------------------------------------------===//
// planned -> cpu
//===----------------------------------------------------------------------===//

class CpuPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
  list<Option> cpuOptions = [
    Option<"isa", "isa", "std::string", "\"host\"", "generic, avx2, avx512, avx512-bf16 or host">
  ];
  let options = cpuOptions;
}

def VectorizeRows : CpuPass<"attnres-vectorize-rows"> {
  let summary = "kernels of row operations to vector code";
  let description = [{
    Kernels whose operations all work row by row become loops over a range of
    rows. Values inside the kernel stay in the first-level cache. See
    passes/cpu/RowEmitter.h.
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

def LowerLinalgKernels : CpuPass<"attnres-lower-linalg-kernels"> {
  let summary = "kernels of linalg operations to loops";
  let description = [{
    The path of everything that has no code generation of its own: hand-written
    linalg and decomposed operations become scalar loops, the outermost parallel
    loop cut into work items.
  }];

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

def Decompose : Pass<"attnres-decompose"> {
  let summary = "rewrite attnres operations as plain linalg";
  let description = [{
    Replaces attnres operations by linalg, arith, math and tensor operations
    that compute the same in f32, result for result: the naive form, and an
    oracle for compiled kernels. Operations on lists and on dynamic shapes have
    no such form and stay, as do stacks and launches. Sums may be rounded in
    another order than in the fused operation.

    ```mlir
    %y = attnres.gelu %x : tensor<2x3xbf16>
    ```
    becomes one `linalg.generic` that extends, computes in f32 and truncates.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
  let options = [
    ListOption<"ops", "ops", "std::string",
               "names of the operations to decompose; all by default">
  ];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed", "operations rewritten">
  ];
}

def Interpret : Pass<"attnres-interpret", "::mlir::ModuleOp"> {
  let summary = "run functions in the float64 reference interpreter";
  let description = [{
    Runs the function `function`, or every function without arguments, and
    fails when an `attnres.expect_close` does not hold. Does not change the
    module.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"",
           "the function to run; every function without arguments by default">,
    Option<"roundToStorage", "round-to-storage", "bool", "false",
           "round every result to its element type instead of computing in float64">,
    Option<"printResults", "print-results", "bool", "false",
           "print the results of the functions to standard output">
  ];
}

#endif
