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

def RaiseAttention : Pass<"attnres-raise-attention"> {
  let summary = "recognize attention written with linalg";
  let description = [{
    Replaces softmax(scale Q K^T [+ causal mask]) V, written with linalg on
    tensors of static shape, by `attnres.attention`. Accepted are named
    operations and generics with any order of dimensions, separate or fused
    elementwise bodies, `linalg.softmax` or its five steps, constant factors on
    the scores, queries or keys, and a causal mask by comparison of indices or
    by a constant tensor. Without two batch dimensions unit dimensions are
    added. Whatever is not proven to be attention stays; RaiseAttention.cpp
    numbers the conditions.

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

//===----------------------------------------------------------------------===//
// naive -> scheduled
//===----------------------------------------------------------------------===//

def TwoPhase : Pass<"attnres-two-phase"> {
  let summary = "read shared depth sources once for several depth attentions";
  let description = [{
    Partitions the depth attentions of a block (one query each, same source
    type and eps, in program order) into groups of consecutive ones. A group
    becomes one batched `attnres.depth_attention` of all its queries over the
    sources that every member reads, in front of the first member, and one
    `attnres.depth_merge` with the remaining sources where each member stood; a
    member without remaining sources takes the state itself. The groups follow
    from source lists and dominance alone, not from `attnres.stack`.

    The partition has the least cost among all legal ones, counted in bytes
    moved for each token. With R bytes for a source row and 4 for a
    log-sum-exp, a depth attention of n sources costs n R + (R + 4), a batched
    one of S queries over m sources m R + S (R + 4), and a merge of k sources
    2 (R + 4) + k R. `group-size` forces groups of that many instead, counted
    from the first one, where they are legal.

    Changes rounding: the mixture over the shared sources is rounded to the
    storage type before the rest is merged, and the terms of a softmax are
    added in another order.

    Reports each group as a passed remark and the bytes of each sequence as an
    analysis remark of the category `attnres-two-phase`.

    ```mlir
    %h1, %l1 = attnres.depth_attention queries(%q1) gains(%g1) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    %v1 = attnres.linear %h1, %w1 : ...
    %h2, %l2 = attnres.depth_attention queries(%q2) gains(%g2) sources(%a, %b, %c, %v1) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    ```
    becomes
    ```mlir
    %o:2, %s:2 = attnres.depth_attention queries(%q1, %q2) gains(%g1, %g2) sources(%a, %b, %c) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    %v1 = attnres.linear %o#0, %w1 : ...
    %h2, %l2 = attnres.depth_merge %o#1, %s#1 query(%q2) gain(%g2) sources(%v1) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
  let options = [
    Option<"groupSize", "group-size", "unsigned", "0",
           "depth attentions in a group; 0 takes the partition of least cost">
  ];
  let statistics = [
    Statistic<"numGroups", "num-groups", "batched depth attentions made">,
    Statistic<"numQueries", "num-queries", "queries hoisted into them">,
    Statistic<"bytesBefore", "bytes-per-token-before", "bytes moved for each token before">,
    Statistic<"bytesAfter", "bytes-per-token-after", "bytes moved for each token after">
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

def Recompute : Pass<"attnres-recompute", "::mlir::func::FuncOp"> {
  let summary = "recompute cheap operations in the backward pass to save memory";
  let description = [{
    In a differentiated function (one with a result named `loss`), the tensors
    that the forward side makes and the backward side reads are residuals: they
    live through both. The operation that defines the loss is the last one of
    the forward side. While the residuals are larger than `budget-bytes`, the
    cheap operation (norms, activations, rotations, additions, mixtures over
    depth, table lookups) that frees most bytes for each floating-point
    operation is copied to where the backward side first needs its results.
    Operands that are no residuals are recomputed too or become residuals,
    whichever is smaller. When the budget cannot be met the pass goes as far as
    it can, and the remark is named `OverBudget`.

    Does not change rounding: the copies are the same operations on the same
    operands. They carry `attnres.recomputed`, which keeps CSE from merging
    them with the originals.

    ```mlir
    %n = attnres.rms_norm %x, %g {eps = 1.0e-6 : f64} : ...
    %y = attnres.linear %n, %w : ...
    ... loss ...
    %dw = attnres.matmul %dy, %n {transpose_lhs} : ...
    ```
    becomes
    ```mlir
    %n = attnres.rms_norm %x, %g {eps = 1.0e-6 : f64} : ...
    %y = attnres.linear %n, %w : ...
    ... loss ...
    %n2 = attnres.rms_norm %x, %g {attnres.recomputed, eps = 1.0e-6 : f64} : ...
    %dw = attnres.matmul %dy, %n2 {transpose_lhs} : ...
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
  let options = [
    Option<"budgetBytes", "budget-bytes", "int64_t", "-1",
           "bytes that residuals may take; negative for no limit">,
    Option<"allowMatmul", "allow-matmul", "bool", "false",
           "also recompute projections and sequence attention">
  ];
  let statistics = [
    Statistic<"numRecomputed", "num-recomputed", "operations recomputed">,
    Statistic<"bytesBefore", "residual-bytes-before", "bytes of residuals before">,
    Statistic<"bytesAfter", "residual-bytes-after", "bytes of residuals after">
  ];
}

def AccumulateGradients : Pass<"attnres-fold-accumulation"> {
  let summary = "start backward operations from the gradients so far";
  let description = [{
    An `arith.addf` of a source gradient of a mixture's backward operation and
    of a value defined before that operation becomes an accumulator of it, when
    that holds for all its sources; likewise the addition to a product becomes
    the `init` of `attnres.matmul`. The gradients must have no other use.

    Changes rounding: the sum so far is added before, not after, the result is
    rounded to its storage type, and inside the operation's own sum.

    ```mlir
    %ds0, %dq, %dg = attnres.depth_attention_backward ... sources(%v) ... : ...
    %sum = arith.addf %sofar, %ds0 : tensor<2x8xf32>
    %p = attnres.matmul %dy, %w : ...
    %q = arith.addf %sum, %p : tensor<2x8xf32>
    ```
    becomes
    ```mlir
    %sum, %dq, %dg = attnres.depth_attention_backward ... sources(%v) ... accumulators(%sofar) ... : ...
    %q = attnres.matmul %dy, %w init(%sum) : ...
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
  let statistics = [
    Statistic<"numBackward", "num-backward", "backward operations of mixtures with accumulators">,
    Statistic<"numMatmuls", "num-matmuls", "matrix products with an initial value">
  ];
}

def Optimizer : Pass<"attnres-optimizer", "::mlir::ModuleOp"> {
  let summary = "turn gradients into an AdamW step";
  let description = [{
    Extends the differentiated function `function` to a training step. For each
    argument NAME with `attnres.role = "parameter"` and its result `grad.NAME`:

    * arguments `m.NAME` and `v.NAME` (role "state") are appended, then `step`
      (counted from 1) and `learning_rate` (role "input"), both tensor<f32>;
    * the norm of all gradients together is taken, and a factor that clips it
      to `clip-norm`;
    * results `NAME`, `m.NAME` and `v.NAME` of `attnres.adamw` are appended,
      with `attnres.updates` the index of the argument that each replaces, and
      a result `grad_norm`, the norm before clipping.

    Weight decay applies where `attnres.decay = true` stands on the argument,
    and without that attribute to parameters of rank 2 and more. The `grad.*`
    results are removed unless `keep-gradients` is given; all other results
    stay.

    ```mlir
    func.func @main(%w: tensor<4x8xf32> {attnres.name = "w", attnres.role = "parameter"}, ...)
        -> (tensor<f32> {attnres.name = "loss"}, tensor<4x8xf32> {attnres.name = "grad.w"})
    ```
    becomes
    ```mlir
    func.func @main(%w: tensor<4x8xf32> {attnres.name = "w", attnres.role = "parameter"}, ...,
                    %m: tensor<4x8xf32> {attnres.name = "m.w", attnres.role = "state"}, %v: ...,
                    %step: tensor<f32> {attnres.name = "step", attnres.role = "input"}, %lr: ...)
        -> (tensor<f32> {attnres.name = "loss"},
            tensor<4x8xf32> {attnres.name = "w", attnres.updates = 0 : i64}, ...,
            tensor<f32> {attnres.name = "grad_norm"})
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to extend">,
    Option<"beta1", "beta1", "double", "0.9", "decay of the first moment, in [0, 1)">,
    Option<"beta2", "beta2", "double", "0.95", "decay of the second moment, in [0, 1)">,
    Option<"eps", "eps", "double", "1.0e-8", "added to the root of the second moment">,
    Option<"weightDecay", "weight-decay", "double", "0.1", "decoupled weight decay">,
    Option<"clipNorm", "clip-norm", "double", "1.0", "largest norm of all gradients; 0 for no clipping">,
    Option<"keepGradients", "keep-gradients", "bool", "false", "keep the results grad.*">
  ];
  let statistics = [
    Statistic<"numParameters", "num-parameters", "parameters that are updated">
  ];
}

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
