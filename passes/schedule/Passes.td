//===- schedule/Passes.td - model to naive to scheduled ----*- tablegen -*-===//
#ifndef ATTNRES_PASSES_SCHEDULE_TD
#define ATTNRES_PASSES_SCHEDULE_TD

include "mlir/Pass/PassBase.td"

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

def RecordLayers : Pass<"attnres-record-layers", "::mlir::ModuleOp"> {
  let summary = "return what routers choose and how states decay";
  let description = [{
    Appends results to `@main`, numbered in program order:

    * `router_load.N` [E, ...] of each `attnres.router`: the share of a token's
      choices that each expert is;
    * `decay.N` [10, B, T] of each `attnres.kda`: the shares of a token's
      channels whose factor exp(decay) is in [0, 0.1], (0.1, 0.2], ...,
      (0.9, 1];
    * `state_norm.N` [HV, B] of each `attnres.kda`: the root of the sum of
      squares of each head's state behind each text.

    All are f32. Nothing that was there changes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::math::MathDialect"];
  let statistics = [
    Statistic<"numRouters", "num-routers", "routers whose choices are returned">,
    Statistic<"numStates", "num-states", "recurrences whose decay is returned">
  ];
}

def HoistSelections : Pass<"attnres-hoist-selections"> {
  let summary = "compute only the tokens that are selected";
  let description = [{
    Where all uses of an operation's results are `attnres.select_token` at the
    same places, the operation is done for those tokens alone: its operands are
    selected instead of its results. That holds for whatever treats tokens
    independently (projections, norms, activations, mixtures over depth,
    elementwise operations, reshapes of the columns), for rotations, which take
    the token's position as their start, and for the queries of
    `attnres.attention`. Keys, values and caches stay complete. A value that
    something else needs whole is computed whole, and selected from.

    The pass goes from the last operation to the first, so that the whole end of
    a program shrinks: behind the keys and values of the last layer a prompt
    that is read for the logits of its last token costs one token.

    Does not change rounding, except that kernels for few rows or for one query
    may add in another order than those for many.

    ```mlir
    %q1 = attnres.linear %x, %wq : tensor<2x5x32xf32>, tensor<32x32xf32>
    %q4 = tensor.expand_shape %q1 [[0], [1], [2, 3]] output_shape [2, 5, 4, 8] : tensor<2x5x32xf32> into tensor<2x5x4x8xf32>
    %o, %lse = attnres.attention %q4, %k, %v start(%s) {causal} : tensor<2x5x4x8xf32>, ...
    %y = attnres.select_token %o at(%i) : tensor<2x5x4x8xf32>, tensor<2xi64>
    ```
    becomes
    ```mlir
    %xi = attnres.select_token %x at(%i) : tensor<2x5x32xf32>, tensor<2xi64>
    %q1 = attnres.linear %xi, %wq : tensor<2x1x32xf32>, tensor<32x32xf32>
    %q4 = tensor.expand_shape %q1 [[0], [1], [2, 3]] output_shape [2, 1, 4, 8] : tensor<2x1x32xf32> into tensor<2x1x4x8xf32>
    %si = arith.addi %s, %i : tensor<2xi64>
    %y, %lse = attnres.attention %q4, %k, %v start(%si) {causal} : tensor<2x1x4x8xf32>, ...
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numNarrowed", "num-narrowed", "operations done for the selected tokens alone">
  ];
}


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
    2 (R + 4) + k R. `count-backward` adds the backward operations, for programs
    that will be differentiated: they move the gradients of the sources too,
    which favours groups. `group-size` forces groups of that many instead,
    counted from the first one, where they are legal.

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
           "depth attentions in a group; 0 takes the partition of least cost">,
    Option<"countBackward", "count-backward", "bool", "false",
           "count the bytes that the backward operations move as well">
  ];
  let statistics = [
    Statistic<"numGroups", "num-groups", "batched depth attentions made">,
    Statistic<"numQueries", "num-queries", "queries hoisted into them">,
    Statistic<"bytesBefore", "bytes-per-token-before", "bytes moved for each token before">,
    Statistic<"bytesAfter", "bytes-per-token-after", "bytes moved for each token after">
  ];
}

#endif
