//===- import/Passes.td - models that others wrote ---------*- tablegen -*-===//
#ifndef ATTNRES_PASSES_IMPORT_TD
#define ATTNRES_PASSES_IMPORT_TD

include "mlir/Pass/PassBase.td"

def Flatten : Pass<"attnres-flatten", "::mlir::ModuleOp"> {
  let summary = "write out calls, loops and conditionals";
  let description = [{
    A program is one list of operations on tensors. Calls are replaced by the
    body of the function, `scf.for` with constant bounds by its iterations,
    `scf.if` with a constant condition by the branch that is taken and any other
    by both branches and an `arith.select` of their results, when nothing in
    them can fail. Private functions that nothing calls any more are removed.
    Constants stored outside the module (`dense_resource`) or sparsely become
    dense ones. Recursion, loops of unknown length and functions without a body
    are errors. Bodies of linalg operations keep their loops.

    ```mlir
    %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> tensor<2x8xf32> {
      %l = attnres.linear %a, %w : tensor<2x8xf32>, tensor<8x8xf32>
      scf.yield %l : tensor<2x8xf32>
    }
    ```
    becomes
    ```mlir
    %l = attnres.linear %x, %w : tensor<2x8xf32>, tensor<8x8xf32>
    %y = attnres.linear %l, %w : tensor<2x8xf32>, tensor<8x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"maxOps", "max-ops", "int64_t", "1048576", "most operations that calls and loops are written out to">
  ];
  let statistics = [
    Statistic<"numCalls", "num-calls", "calls written out">,
    Statistic<"numIterations", "num-iterations", "iterations of loops written out">
  ];
}

def RaiseAttention : Pass<"attnres-raise-attention"> {
  let summary = "recognize attention written with linalg";
  let description = [{
    Replaces softmax(scale Q K^T [+ causal mask]) V, written with linalg on
    tensors of static shape, by `attnres.attention`. Accepted are named
    operations and generics in any layout, separate or fused elementwise bodies,
    heads that share keys as a dimension of their own or by repeated keys, which
    are not repeated any more, `linalg.softmax`, its steps with or without a
    maximum, or by a logarithm, constant factors on the scores, queries or keys,
    and a causal mask that is selected, added or multiplied, as -inf, a number
    of at most -9e8, or 0, by comparison of indices or by constants. Changes of
    shape between the steps, slices and conversions between f32 and bf16 do not
    matter. Whatever is not proven to be attention stays; MatchAttention.cpp
    numbers the conditions.

    Replaces attention over depth as well, by `attnres.depth_attention`: the
    weighted sum of sources, the weights being the softmax over the sources of
    scores `w . RMS(v)`. Sources may be stacked along any dimension, be a list,
    or both; RaiseDepthAttention.cpp numbers the conditions.

    What is left of matrix products in any layout becomes `attnres.linear`,
    norms with or without gain and bias `attnres.rms_norm` and
    `attnres.layer_norm`, gates a sigmoid(a) b `attnres.swiglu`, exact GELUs
    `attnres.gelu`, rotations of halves `attnres.rope`, rows of a table
    `attnres.embedding`, and the mean of -log softmax at targets
    `attnres.cross_entropy`; the files Raise*.cpp say what is accepted. Tensors
    that a body joins element by element become `tensor.concat`.

    Changes rounding: sums are taken in another order and in f32, and bf16
    scores and weights are not rounded to bf16.

    ```mlir
    %s = linalg.batch_matmul indexing_maps = [...] ins(%q, %k : ...) outs(%zero0 : ...) -> tensor<6x11x11xf32>
    %p = linalg.softmax dimension(2) ins(%s : ...) outs(%e : ...) -> tensor<6x11x11xf32>
    %o = linalg.batch_matmul ins(%p, %v : ...) outs(%zero1 : ...) -> tensor<6x11x8xf32>
    ```
    becomes
    ```mlir
    %q4 = tensor.expand_shape %q [[0], [1, 2], [3]] ... into tensor<6x11x1x8xf32>
    ...
    %o4, %lse = attnres.attention %q4, %k4, %v4 {scale = 1.0 : f64} : ...
    %o = tensor.collapse_shape %o4 [[0], [1, 2], [3]] : ... into tensor<6x11x8xf32>
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRaised", "num-raised", "attentions recognized">
  ];
}

#endif
