//===- Passes.td - passes on models, training steps and kernels *- tablegen -*-===//
#ifndef ATTNRES_PASSES_TD
#define ATTNRES_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Between stages
//===----------------------------------------------------------------------===//

def VerifyStage : Pass<"attnres-verify-stage", "::mlir::ModuleOp"> {
  let summary = "prove that a stage was reached";
  let description = [{
    Every stage of the pipelines ends with this pass. It changes nothing and is
    an error, at the operation's place, unless what is alive is what the stage
    allows (docs/stages.md). Looks at `@main` and at kernels; other functions
    are no part of a program.

    * model: `@main` has one block, its arguments and results are tensors of
      static shape without encoding, of an element type that programs can hold,
      and no two arguments and no two results share an `attnres.name`;
    * naive, scheduled, training: no `attnres.stack`, and of the dialects
      attnres, arith, math, linalg and tensor alone;
    * kernels, planned: `@main` holds launches, constants, views and
      concatenations of leading rows; kernels hold the dialects of the stages
      before; planned tensors have a place;
    * cpu: kernels take memory and know their number of work items.
  }];
  let options = [
    Option<"stage", "stage", "std::string", "\"model\"", "the stage that should have been reached">
  ];
}

//===----------------------------------------------------------------------===//
// model -> naive
//===----------------------------------------------------------------------===//

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
    by a constant tensor. Changes of shape between the steps and conversions
    between f32 and bf16 do not matter. Without two batch dimensions unit
    dimensions are added. Whatever is not proven to be attention stays;
    RaiseAttention.cpp numbers the conditions.

    Replaces attention over depth as well, by `attnres.depth_attention`: the
    weighted sum of stacked sources, the weights being the softmax over the
    stack of scores `w . RMS(v)`. The sources are what the stack was made of by
    `insert_slice` or `concat`, else slices of it; RaiseDepthAttention.cpp
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
    Every operation between parameters and loss has to have a derivative with
    respect to everything that it uses, captured values included, and to be
    free of effects on memory; otherwise there is an error at the operation.
    `docs/derivatives.md` lists the operations. Calls are inlined and loops of
    constant trip count unrolled where a parameter reaches them.

    With `loss-weight` an input `loss_weight` : tensor<f32> is appended, and the
    gradients are those of `loss_weight * loss`; the result `loss` stays as it
    is. A batch that is run in parts weighs each part's mean loss by its share
    of the live targets.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::math::MathDialect", "::attnres::AttnresDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to differentiate">,
    Option<"lossWeight", "loss-weight", "bool", "false", "scale the gradients by an input named loss_weight">
  ];
}

def IndexLimits : Pass<"attnres-index-limits", "::mlir::ModuleOp"> {
  let summary = "record which values the integer inputs may have";
  let description = [{
    Follows every integer argument of `function` to the places where it chooses
    an element: rows of tables, classes of losses, positions of caches, indices
    of tensor.extract. The values that stay inside all of them are recorded as
    `attnres.limits` of the argument, an array of closed intervals, which the
    runtime checks before every run. A constant index outside is an error, and
    so is an index that cannot be bounded, such as a rounded float: clamp it.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function whose arguments are the inputs">
  ];
}

def SumGradients : Pass<"attnres-sum-gradients", "::mlir::ModuleOp"> {
  let summary = "add gradients to sums that the caller keeps";
  let description = [{
    Every result `grad.NAME` of `function` becomes the result `sum.NAME`, which
    updates a new argument of that name (role "state") in place: the argument
    plus the gradient. A batch of several parts is one run for each part on sums
    that start at zero. `attnres-fold-accumulation` lets products start from the
    argument.

    ```mlir
    func.func @main(...) -> (..., tensor<4x8xf32> {attnres.name = "grad.w"}) {
      ...
      return ..., %g
    ```
    becomes
    ```mlir
    func.func @main(..., %sum: tensor<4x8xf32> {attnres.name = "sum.w", attnres.role = "state"})
        -> (..., tensor<4x8xf32> {attnres.name = "sum.w", attnres.updates = 3 : i64}) {
      ...
      %new = arith.addf %sum, %g : tensor<4x8xf32>
      return ..., %new
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to change">
  ];
  let statistics = [
    Statistic<"numSums", "num-sums", "gradients that are summed">
  ];
}

def Recompute : Pass<"attnres-recompute", "::mlir::func::FuncOp"> {
  let summary = "recompute cheap operations in the backward pass to save memory";
  let description = [{
    In a differentiated function (one with a result named `loss`), the tensors
    that the forward side makes and the backward side reads are residuals: they
    live through both. The operation that defines the loss is the last one of
    the forward side.

    Norms and activations are recomputed, whatever the budget, right before
    their backward operations, which read the same operands: in one kernel with
    these they cost next to nothing. What read the residual before, such as the
    products for gradients of weights, moves behind; if a result of it is needed
    earlier, the residual is kept.

    Then, while the residuals are larger than `budget-bytes`, the cheap
    operation (norms, activations, rotations, additions, mixtures over depth,
    table lookups) that frees most bytes for each floating-point operation is
    copied to where the backward side first needs its results. Operands that are
    no residuals are recomputed too or become residuals, whichever is smaller.
    When the budget cannot be met the pass goes as far as it can, and the remark
    is named `OverBudget`.

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
      a result `grad_norm`, the norm before clipping;
    * with `return-squares`, a result `grad_squares.NAME` each: one or more sums
      of squares whose total is the squared norm of the parameter's gradient.

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
    Option<"keepGradients", "keep-gradients", "bool", "false", "keep the results grad.*">,
    Option<"returnSquares", "return-squares", "bool", "false", "return the squares of every gradient">
  ];
  let statistics = [
    Statistic<"numParameters", "num-parameters", "parameters that are updated">
  ];
}

//===----------------------------------------------------------------------===//
// training -> kernels
//===----------------------------------------------------------------------===//

def RopeTables : Pass<"attnres-rope-tables"> {
  let summary = "give rotations a table of their cosines and sines";
  let description = [{
    Every `attnres.rope` without a table gets one [T, Dh] (or [B, T, Dh] with
    start) of cosines and sines, computed in double precision and rounded to
    f32. Rotations of equal shape share it. It is computed, not a constant: a
    program does not grow with the positions that there may be.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def LowerLoss : Pass<"attnres-lower-loss"> {
  let summary = "write losses as row operations, in chunks that bound the logits";
  let description = [{
    `attnres.cross_entropy` becomes the cross entropy of each row and their
    mean. `attnres.linear_cross_entropy` and its backward operation become, for
    each chunk of rows, a projection, the cross entropy of its rows, and for the
    backward operation the two products with the gradient of the logits, so
    that only the logits of one chunk exist at a time. The backward operation
    takes the place of the loss where the gradient of the loss can be had there,
    and then the logits are computed once; elsewhere they are computed again
    and carry `attnres.recomputed`. A chunk has `chunk-bytes` of logits, or as
    many as `max-chunks` chunks need. The weight gradient is accumulated over
    the chunks in order: its rounding depends on their number.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"chunkBytes", "chunk-bytes", "int64_t", "33554432", "bytes of logits that exist at a time">,
    Option<"maxChunks", "max-chunks", "unsigned", "128", "most chunks of a loss; they grow instead">
  ];
}

def PackMatmul : Pass<"attnres-pack-matmul"> {
  let summary = "give matrix products a packed right-hand side";
  let description = [{
    `attnres.linear` and `attnres.matmul` become `attnres.pack` of the right
    operand and `attnres.matmul_packed`. Equal packings are shared. Products of
    few rows stay: reading the right operand where it lies once costs less than
    packing it. So do those whose operands are both stored as rows of what is
    summed over, which is how weight gradients are (`transpose_lhs`, a result in
    f32): their kernels pack both operands piece by piece.
    With `amx` or `dots`, products of two operands in bf16 stay too, and with
    `amx` of two in f32 with 96 rows or more: kernels for AMX tiles and for dot
    products bring both into a form of their own.
  }];
  let options = [
    Option<"amx", "amx", "bool", "false", "the target has AMX tiles">,
    Option<"dots", "dots", "bool", "false", "the target computes products of bf16 as dot products">,
    Option<"tile", "tile", "int64_t", "32", "columns of a panel; the target's register tile">,
    Option<"unpackedRows", "unpacked-rows", "int64_t", "4", "most rows of a product that is not packed">
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

def LowerTensors : Pass<"attnres-lower-tensors", "::mlir::ModuleOp"> {
  let summary = "write operations on tensors without a kernel of their own as linalg";
  let description = [{
    In the function `function`, `linalg.softmax` becomes four operations (the
    largest score, which starts at -inf, exponentials, their sum, the quotient;
    sums in f32 or wider), and slices that are not contiguous, paddings,
    insertions, concatenations of other dimensions than the first, gathers,
    `tensor.generate` and the like become a `linalg.generic` whose body computes
    the index that it reads. Scalars that are computed between tensor operations
    move into the bodies that use them. Does not change rounding, except of
    softmax in bf16 and f16.

    ```mlir
    %p = tensor.pad %x low[1] high[0] {...} : tensor<3xf32> to tensor<4xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %p = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = arith.subi %i, %c1 : index
      ...
      %v = tensor.extract %x[%k] : tensor<3xf32>
      %r = arith.select %inside, %v, %zero : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to lower">
  ];
}

def FormKernels : Pass<"attnres-form-kernels", "::mlir::ModuleOp"> {
  let summary = "cut a function into kernels";
  let description = [{
    Chains of operations that work row by row are fused into one kernel, as
    long as nothing outside the chain comes between; every other operation is a
    kernel of its own. The function is left with launches, constants and views.
    A recomputed operation also shares the kernel of an operation that reads the
    same rows, so that they are read once. Operands that come in any number
    (depth sources, queries) are passed as lists, so that the same kernel serves
    any number of them. Every result of the function is written by a launch, and
    no two results share memory.
    Does not change rounding, except that bf16 values inside a kernel stay f32.
  }];
  let dependentDialects = ["::attnres::AttnresDialect", "::mlir::func::FuncDialect"];
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

def AnnotateCosts : Pass<"attnres-annotate-costs", "::mlir::ModuleOp"> {
  let summary = "count the floating-point operations of kernels";
  let description = [{
    Sets `attnres.flops` of every kernel: two for each multiplication and
    addition of its matrix products and attentions, half of all pairs counting
    for a causal mask. Other operations count nothing: they are bound by memory.
  }];
}

//===----------------------------------------------------------------------===//
// kernels -> planned
//===----------------------------------------------------------------------===//

def PlanMemory : Pass<"attnres-plan-memory", "::mlir::ModuleOp"> {
  let summary = "decide where every tensor of a list of launches is";
  let description = [{
    The function `@main` has to hold only launches, dense constants, views
    (`tensor.expand_shape`, `tensor.collapse_shape`, contiguous
    `tensor.extract_slice`), `tensor.concat` along dimension 0 and its return.
    The pass gives every launch `operand_buffers` and `result_buffers`, one
    `#attnres.buffer` for each operand and result, gives constants and
    concatenations the attribute `attnres.buffer`, and sets on the module
    `attnres.workspace_bytes` (size of the arena), `attnres.constant_bytes` and
    `attnres.live_bytes` (the most bytes of the arena in use during one launch,
    which no plan can go below).

    * A returned tensor lives in its result; with `attnres.updates = k` it lives
      in argument k, which no launch may read after it was written.
    * A view lives inside its source, the operands of a concatenation inside
      the concatenation; so each must be the whole result of a launch, and of
      one concatenation only.
    * A result takes the memory of an operand that is needed for the last time
      when the kernel allows it (`attnres.inplace`).
    * Everything else gets a place of its own in the arena for as long as it is
      needed: largest first, each into the smallest gap that fits between the
      tensors that are alive at the same time. Places start at multiples of 64
      bytes.

    ```mlir
    %0 = attnres.launch @k(%a) operand_groups [-1] result_groups [-1] : (tensor<8xf32>) -> tensor<8xf32>
    %1 = attnres.launch @k(%0) operand_groups [-1] result_groups [-1] : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
    ```
    becomes, when @k does not work in place,
    ```mlir
    %0 = attnres.launch @k(%a) operand_groups [-1] result_groups [-1]
        {operand_buffers = [#attnres.buffer<argument 0>], result_buffers = [#attnres.buffer<workspace>]} : ...
    %1 = attnres.launch @k(%0) operand_groups [-1] result_groups [-1]
        {operand_buffers = [#attnres.buffer<workspace>], result_buffers = [#attnres.buffer<result 0>]} : ...
    return %1 : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
  let statistics = [
    Statistic<"workspaceBytes", "workspace-bytes", "bytes of the arena">,
    Statistic<"liveBytes", "live-bytes", "most bytes of the arena in use during one launch">,
    Statistic<"percentOfLive", "percent-of-live", "arena in percent of the bytes in use">,
    Statistic<"numInplace", "num-inplace", "results written over an operand">
  ];
}

def CheckMemoryPlan : Pass<"attnres-check-memory-plan", "::mlir::ModuleOp"> {
  let summary = "prove that a memory plan loses no value";
  let description = [{
    Replays the launches of a planned `@main` over its buffers and tracks which
    value owns which bytes. An error unless

    * every operand is read where its value was placed, and nothing has been
      written there since;
    * every result starts at a multiple of 64 bytes (unless it is a part of a
      concatenation) and lies inside its arena, argument or result;
    * results of one launch do not overlap each other, nor an operand of
      the launch unless the kernel allows exactly that (`attnres.inplace`);
    * arguments are written only by the results that update them, constants
      never;
    * what is returned is where the caller looks for it.

    Shares no decision with `attnres-plan-memory`. Changes nothing.
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
}

//===----------------------------------------------------------------------===//
// planned -> cpu
//===----------------------------------------------------------------------===//

class CpuPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
  list<Option> cpuOptions = [
    Option<"isa", "isa", "std::string", "\"host\"", "generic, avx2, avx512, avx512-bf16, avx512-bf16+dot-bf16, avx512-bf16+amx-bf16 or host">
  ];
  let options = cpuOptions;
}

def FlashAttention : CpuPass<"attnres-flash-attention"> {
  let summary = "attention kernels to vector code";
  let description = [{
    Kernels of one `attnres.attention` or `attnres.attention_backward` become
    loops over tiles that keep a running softmax; no score matrix is stored.
    Exponentials and sums are f32 whatever the storage type. Results do not
    depend on how the work items are shared out.
  }];
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
    func.func private @k(%x: tensor<2048x256xf32>, %p: tensor<24x256x32xf32>) -> tensor<2048x768xf32>
        attributes {attnres.kernel} {
      %y = attnres.matmul_packed %x, %p : tensor<2048x256xf32>, tensor<24x256x32xf32> -> tensor<2048x768xf32>
      return %y : tensor<2048x768xf32>
    }
    ```
    becomes
    ```mlir
    func.func @k(%x: memref<2048x256xf32>, %p: memref<24x256x32xf32>, %y: memref<2048x768xf32>,
                 %scratch: memref<?xi8>, %begin: index, %end: index)
        attributes {attnres.kernel, attnres.grid = 43 : i64, attnres.scratch_bytes = 0 : i64} {...}
    ```

    Where the target has AMX tiles, products of f32 that are not packed run on
    them too, each element as the sum of three bf16; see
    passes/cpu/AmxPacking.h. Such kernels are cut into about `threads` items;
    results do not depend on it.
  }];
  let options = cpuOptions # [
    Option<"threads", "threads", "int64_t", "4", "work items that products on AMX tiles should have">
  ];
}

def LowerLinalgKernels : CpuPass<"attnres-lower-linalg-kernels"> {
  let summary = "kernels of linalg operations to loops";
  let description = [{
    The path of everything that has no code generation of its own: hand-written
    linalg, decomposed operations and elementwise operations on integers become
    scalar loops, the outermost parallel loop cut into work items.
  }];
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
