//===- training/Passes.td - scheduled to training ----------*- tablegen -*-===//
#ifndef ATTNRES_PASSES_TRAINING_TD
#define ATTNRES_PASSES_TRAINING_TD

include "mlir/Pass/PassBase.td"

def Differentiate : Pass<"attnres-differentiate", "::mlir::ModuleOp"> {
  let summary = "append the gradients of the loss to a function";
  let description = [{
    Reverse-mode differentiation over tensors of the function `function`, whose
    result named `loss` is a scalar. For every argument with
    `attnres.role = #attnres.role<parameter>` a result `grad.NAME` of
    the role `gradient of "NAME"` is appended; the gradient of a parameter that the loss does not depend on is zero.
    Every operation between parameters and loss has to have a derivative with
    respect to everything that it uses, captured values included, and to be
    free of effects on memory; otherwise there is an error at the operation.
    `docs/derivatives.md` lists the operations. Calls are inlined and loops of
    constant trip count unrolled where a parameter reaches them.

    With `loss-weight` an input `loss_weight` : tensor<f32> is appended, and the
    gradients are those of `loss_weight * loss`; the result `loss` stays as it
    is. A batch that is run in parts weighs each part's mean loss by its share
    of the live targets.

    Parameters with `attnres.frozen`, and those that a pattern of `freeze`
    matches, which get that attribute, have no gradient.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::math::MathDialect", "::attnres::AttnresDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to differentiate">,
    Option<"lossWeight", "loss-weight", "bool", "false", "scale the gradients by an input named loss_weight">,
    ListOption<"frozen", "freeze", "std::string",
               "patterns of the names of parameters that stay as they are">
  ];
  let statistics = [
    Statistic<"numDifferentiated", "num-differentiated", "operations between parameters and loss">,
    Statistic<"numGradients", "num-gradients", "gradients returned">
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
  // Which has the answers of other dialects.
  let dependentDialects = ["::attnres::AttnresDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function whose arguments are the inputs">
  ];
  let statistics = [
    Statistic<"numChoices", "num-choices", "times that integers choose an element">,
    Statistic<"numLimited", "num-limited", "inputs that may not have every value">
  ];
}

def SumGradients : Pass<"attnres-sum-gradients", "::mlir::ModuleOp"> {
  let summary = "add gradients to sums that the caller keeps";
  let description = [{
    Every result of `function` that is a gradient by its role becomes the result
    `sum.NAME`, which updates a new argument of that name and of the role
    `gradient_sum of "NAME"` in place: the argument plus the gradient. A batch of several parts is one run for each part on sums
    that start at zero. `attnres-fold-accumulation` lets products start from the
    argument. To the sum of a bias of a router, `loss_weight` times the change
    that would balance the router is added, see `attnres-optimizer`.

    A function `attnres.update` is added beside it, which takes the parameters
    with their attributes and the sums, and returns the sums as gradients, and
    of biases of routers the new value: what `attnres-optimizer` makes an update
    of.

    ```mlir
    func.func @main(...) -> (..., tensor<4x8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">}) {
      ...
      return ..., %g
    ```
    becomes
    ```mlir
    func.func @main(..., %sum: tensor<4x8xf32> {attnres.name = "sum.w", attnres.role = #attnres.role<gradient_sum of "w">})
        -> (..., tensor<4x8xf32> {attnres.name = "sum.w", attnres.updates = 3 : i64}) {
      ...
      %new = arith.addf %sum, %g : tensor<4x8xf32>
      return ..., %new
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::attnres::AttnresDialect"];
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
  let summary = "turn gradients into a training step";
  let description = [{
    Extends the differentiated function `function` to a training step. For each
    argument NAME with `attnres.role = #attnres.role<parameter>` and the result that is its gradient:

    * arguments `m.NAME` and `v.NAME` (roles `first_moment` and `second_moment`),
      or the first of them alone, are appended, then `step` (counted from 1) and
      `learning_rate` (role `input`), both tensor<f32>;
    * the norm of all gradients together is taken, and a factor that clips it
      to `clip-norm`;
    * results `NAME`, `m.NAME` and `v.NAME` are appended,
      with `attnres.updates` the index of the argument that each replaces, and
      a result `grad_norm` (role `gradient_norm`), the norm before
      clipping;
    * with `return-squares`, a result `grad_squares.NAME` each: one or more sums
      of squares (role `gradient_squares`) whose total is the squared norm of
      the parameter's gradient.

    By `algorithm` the update is one of

    * `adamw`: `attnres.adamw`, two moments;
    * `muon`: `attnres.momentum` of Nesterov's kind, `attnres.orthogonalize`, and
      `attnres.descend` with the factor 0.2 sqrt(max(rows, columns)), one moment,
      for parameters with `attnres.matrices = N`: the rows are those of N
      matrices, each taken by itself. `adamw` for all others;
    * `sgd`: `attnres.momentum` and `attnres.descend`, one moment;
    * `lion`: `attnres.lion`, one moment.

    A parameter that a single `attnres.router` reads, as its bias, has no
    gradient that says anything: it is replaced by `attnres.balance_bias` of
    that router's logits, without moments or decay. A parameter with
    `attnres.frozen` stays as it is, and so does one that a result updates
    already.

    Weight decay applies where `attnres.decay = true` stands on the argument,
    and without that attribute to parameters of rank 2 and more, those of a
    stack (`*` as a part of the name) counted without its dimension, but not to
    names that `no-decay` matches. The first pattern of `rates` that matches
    scales the learning rate. The gradients are no results any more unless
    `keep-gradients` is given; all other results stay.

    ```mlir
    func.func @main(%w: tensor<4x8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, ...)
        -> (tensor<f32> {attnres.name = "loss"}, tensor<4x8xf32> {attnres.name = "grad.w", attnres.role = #attnres.role<gradient of "w">})
    ```
    becomes
    ```mlir
    func.func @main(%w: tensor<4x8xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>}, ...,
                    %m: tensor<4x8xf32> {attnres.name = "m.w", attnres.role = #attnres.role<first_moment of "w">}, %v: ...,
                    %step: tensor<f32> {attnres.name = "step", attnres.role = #attnres.role<input>}, %lr: ...)
        -> (tensor<f32> {attnres.name = "loss"},
            tensor<4x8xf32> {attnres.name = "w", attnres.updates = 0 : i64}, ...,
            tensor<f32> {attnres.name = "grad_norm", attnres.role = #attnres.role<gradient_norm>})
    ```
  }];
  let dependentDialects = ["::attnres::AttnresDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to extend">,
    Option<"algorithm", "algorithm", "::attnres::OptimizerAlgorithm", "::attnres::OptimizerAlgorithm::AdamW",
           "how parameters follow their gradients", [{::llvm::cl::values(
             clEnumValN(::attnres::OptimizerAlgorithm::AdamW, "adamw", "by both moments"),
             clEnumValN(::attnres::OptimizerAlgorithm::Muon, "muon", "matrices by orthogonalized momentum"),
             clEnumValN(::attnres::OptimizerAlgorithm::Sgd, "sgd", "by momentum"),
             clEnumValN(::attnres::OptimizerAlgorithm::Lion, "lion", "by the sign of a momentum"))}]>,
    Option<"momentum", "momentum", "double", "0.95", "decay of the moment of muon and sgd, in [0, 1)">,
    Option<"beta1", "beta1", "double", "0.9", "decay of the first moment, in [0, 1)">,
    Option<"beta2", "beta2", "double", "0.95", "decay of the second moment, in [0, 1)">,
    Option<"eps", "eps", "double", "1.0e-8", "added to the root of the second moment">,
    Option<"weightDecay", "weight-decay", "double", "0.1", "decoupled weight decay">,
    Option<"clipNorm", "clip-norm", "double", "1.0", "largest norm of all gradients; 0 for no clipping">,
    Option<"keepGradients", "keep-gradients", "bool", "false", "keep the results grad.*">,
    Option<"returnSquares", "return-squares", "bool", "false", "return the squares of every gradient">,
    ListOption<"noDecay", "no-decay", "std::string", "patterns of the names of parameters that do not decay">,
    ListOption<"rates", "rates", "std::string",
               "PATTERN=FACTOR: factors on the learning rate of the parameters that a pattern matches">
  ];
  let statistics = [
    Statistic<"numParameters", "num-parameters", "parameters that follow their gradients">,
    Statistic<"numBalanced", "num-balanced", "biases of routers that are balanced">
  ];
}

#endif
