//===- RecurrentOps.td - Kimi delta attention ---------------*- tablegen -*-===//
//
// The gated delta rule with a decay for each channel, and what surrounds it in
// a layer: short convolutions, norms of heads, decay gates. After the reports
// on Kimi Linear (arXiv 2510.26692) and gated delta networks (arXiv 2412.06464).
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_RECURRENT_OPS_TD
#define ATTNRES_RECURRENT_OPS_TD

include "dialect/LayerOps.td"

//===----------------------------------------------------------------------===//
// Short convolution
//===----------------------------------------------------------------------===//

def ShortConvolutionOp : Attnres_Op<"short_convolution", [Pure, InferTypes, Decomposable, Differentiable, Recomputes, TakesNoLists]> {
  let summary = "causal convolution of each channel over a few tokens, then SiLU";
  let description = [{
    With W weights for each channel,

        y[b,t,c] = sum_j weight[c,j] x[b, t - (W - 1) + j, c];  result = y sigmoid(y)

    Tokens before the first are the rows of `tail`, the last of them next to it,
    or 0 without one. `attnres.convolution_tail` gives the tail of the tokens
    that follow.

    Example:

    ```mlir
    %y = attnres.short_convolution %x, %w : tensor<2x11x16xf32>, tensor<16x4xf32>
    %z = attnres.short_convolution %x, %w tail(%t)
        : tensor<2x11x16xf32>, tensor<16x4xf32>, tensor<2x3x16xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[B, T, C]">:$x, Arg<Storage, "weights [C, W], the last for the token itself">:$weight,
                       Arg<Optional<Storage>, "tokens before the first [B, W - 1, C]">:$tail);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `,` $weight (`tail` `(` $tail^ `)`)? attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def ShortConvolutionBackwardOp : Attnres_Op<"short_convolution_backward", [Pure, InferTypes, Decomposable, TakesNoLists]> {
  let summary = "gradients of the short convolution";
  let description = [{
    With s = sigmoid(y) and dy = output_grad s (1 + y (1 - s)):

        x_grad[b,p,c]    = sum_j weight[c,j] dy[b, p + W - 1 - j, c]
        weight_grad[c,j] = sum_{b,t} dy[b,t,c] x[b, t - (W - 1) + j, c]

    and x_grad continued to the tokens of the tail, if there is one.
  }];
  let arguments = (ins Arg<Storage, "[B, T, C]">:$x, Arg<Storage, "weights [C, W]">:$weight,
                       Arg<Storage, "gradient of the result">:$output_grad,
                       Arg<Optional<Storage>, "tokens before the first [B, W - 1, C]">:$tail);
  let results = (outs Storage:$x_grad, Stat:$weight_grad, Optional<Storage>:$tail_grad);
  let assemblyFormat = [{
    $x `,` $weight `,` $output_grad (`tail` `(` $tail^ `)`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def ConvolutionTailOp : Attnres_Op<"convolution_tail", [ChoosesNearest, InferTypes, Decomposable, AttrSizedOperandSegments, TakesNoLists]> {
  let summary = "the last tokens, which a short convolution of the next ones needs";
  let description = [{
    The last `width` of the tokens that were there before, `tail` [B, width, C]
    (zeros without one), followed by the first length[b] (all without a length)
    of `x`:

        result[b,j,c] = x[b, length[b] - width + j, c], or tail[b, length[b] + j, c] where that is negative

    A length outside [0, T] is an error of the caller; compiled code takes the
    nearest one inside.

    Example:

    ```mlir
    %n = attnres.convolution_tail %x tail(%t) length(%l) {width = 3 : i64}
        : tensor<2x11x16xf32>, tensor<2x3x16xf32>, tensor<2xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[B, T, C]">:$x, Arg<Optional<Storage>, "[B, width, C]">:$tail,
                       Arg<Optional<Indices>, "tokens of each text [B]">:$length, I64Attr:$width);
  let results = (outs Storage:$result);
  let assemblyFormat = [{
    $x (`tail` `(` $tail^ `)`)? (`length` `(` $length^ `)`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Norm and gates
//===----------------------------------------------------------------------===//

def L2NormOp : Attnres_Op<"l2_norm", [Pure, SameOperandsAndResultType, Decomposable, Differentiable,
     RecomputableBeside<4, "L2NormBackwardOp">, ByRows<"Row", "Row", "{0, 0}">]> {
  let summary = "scales every row to length 1";
  let description = [{
    `y = x rsqrt(sum(x^2) + eps)` over the last dimension, in f32. A row of
    zeros stays one.

    Example:

    ```mlir
    %y = attnres.l2_norm %x {eps = 1.0e-6 : f64} : tensor<2x11x4x8xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, F64Attr:$eps);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def L2NormBackwardOp : Attnres_Op<"l2_norm_backward", [Pure, SameOperandsAndResultType, Decomposable,
     ByRows<"Row, Row", "Row", "{0, 1}, {0, 0}">]> {
  let summary = "gradient of the scaling to length 1";
  let description = [{
    With r = rsqrt(sum(x^2) + eps): x_grad = r output_grad - x r^3 sum(x output_grad).
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Storage, "gradient of the result">:$output_grad, F64Attr:$eps);
  let results = (outs Storage:$x_grad);
  let assemblyFormat = "$x `,` $output_grad attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def SigmoidOp : Attnres_Op<"sigmoid", [Pure, SameOperandsAndResultType, Decomposable, Differentiable,
     RecomputableBeside<10, "SigmoidBackwardOp">, ByRows<"Row", "Row", "{0, 0}">]> {
  let summary = "logistic function, 1 / (1 + exp(-x))";
  let description = [{
    Of gates and of the step size of the delta rule. Any x is fine, infinite
    ones too.

    Example:

    ```mlir
    %y = attnres.sigmoid %x : tensor<2x11x64xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def SigmoidBackwardOp : Attnres_Op<"sigmoid_backward", [Pure, SameOperandsAndResultType, Decomposable,
     ByRows<"Row, Row", "Row", "{0, 1}, {0, 0}">]> {
  let summary = "gradient of the logistic function";
  let description = [{
    With s = sigmoid(x): x_grad = output_grad s (1 - s).
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Storage, "gradient of the result">:$output_grad);
  let results = (outs Storage:$x_grad);
  let assemblyFormat = "$x `,` $output_grad attr-dict `:` type($x)";
}

def KdaGateOp : Attnres_Op<"kda_gate", [Pure, InferTypes, Decomposable, Differentiable,
     RecomputableBeside<20, "KdaGateBackwardOp">, ByRows<"Row, Shared, Shared", "Row">]> {
  let summary = "logarithm of the decay of each channel of a KDA state";
  let description = [{
    With a = exp(a_log) of the channel's head and z = x + bias,

        result = -a softplus(z)                            without lower_bound
        result = lower_bound sigmoid(a z)                  with one

    Both are at most 0; the second is above `lower_bound`, which is negative.
    (It is another function, no cut of the first.) The C channels are those of
    H heads in order.

    Example:

    ```mlir
    %g = attnres.kda_gate %f, %a, %b : tensor<2x11x16xf32>, tensor<2xf32>, tensor<16xf32>
    %h = attnres.kda_gate %f, %a, %b {lower_bound = -5.0 : f64} : tensor<2x11x16xf32>, tensor<2xf32>, tensor<16xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., C]">:$x, Arg<Stat, "logarithm of the rate of each head [H]">:$a_log,
                       Arg<Stat, "[C]">:$bias, OptionalAttr<F64Attr>:$lower_bound);
  let results = (outs Stat:$result);
  let assemblyFormat = "$x `,` $a_log `,` $bias attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def KdaGateBackwardOp : Attnres_Op<"kda_gate_backward", [Pure, InferTypes, Decomposable, PartialSums,
     ByRows<"Row, Shared, Shared, Row", "Row, Partial, Partial">]> {
  let summary = "gradients of the decay gate";
  let description = [{
    With dz = -a sigmoid(z) output_grad, or, with a lower bound and
    s = sigmoid(a z), dz = lower_bound a s (1 - s) output_grad:

        x_grad = dz,  bias_grad = sum_rows dz
        a_log_grad = sum over rows and the head's channels of result output_grad, or, with a lower bound, of dz z

    With `partials` = P the parameter gradients are P partial sums [P, H], [P, C].
  }];
  let arguments = (ins Arg<Storage, "[..., C]">:$x, Arg<Stat, "[H]">:$a_log, Arg<Stat, "[C]">:$bias,
                       Arg<Stat, "gradient of the result">:$output_grad, OptionalAttr<F64Attr>:$lower_bound,
                       OptionalAttr<I64Attr>:$partials);
  let results = (outs Storage:$x_grad, Stat:$a_log_grad, Stat:$bias_grad);
  let assemblyFormat = "$x `,` $a_log `,` $bias `,` $output_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Gated delta rule
//===----------------------------------------------------------------------===//

def KdaOp : Attnres_Op<"kda", [ChoosesNearest, AttrSizedOperandSegments, InferTypes, Decomposable, Differentiable, Matrix,
     Recomputes, TakesNoLists, DeclareOpInterfaceMethods<OverwritingOpInterface>]> {
  let summary = "Kimi delta attention: the gated delta rule with a decay for each channel";
  let description = [{
    Each value head has a state S [K, V] in f32, which starts as `state` (0
    without one). The queries and keys of value head h are those of head
    h / (HV / H). Token by token,

        S <- diag(exp(decay_t)) S
        u  = beta_t (v_t - S^T k_t)
        S <- S + k_t u^T
        output_t = scale S^T q_t

    `scale` defaults to K^-1/2. With `length`, tokens from length[b] on leave
    the state as it is, and their outputs are 0. `new_state` is the state
    behind the last token: a text may be cut anywhere.

    The decay is a logarithm and at most 0. With a chunk of tokens at a time
    this is a few products of matrices (arXiv 2510.26692, section 3): with the
    sums G of the decay inside the chunk up to and with each token,

        L = strict lower triangle of beta_i sum_d k_id k_jd exp(G_id - G_jd)
        u = (I + L)^-1 diag(beta) (v - (k exp(G)) S)
        output = scale ((q exp(G)) S + lower triangle of (sum_d q_id k_jd exp(G_id - G_jd)) u)
        S' = diag(exp(G_last)) S + (k exp(G_last - G))^T u

    Example:

    ```mlir
    %o, %s = attnres.kda %q, %k, %v, %g, %b
        : tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>, tensor<2x11x4x6xf32>, tensor<2x11x4x8xf32>, tensor<2x11x4xf32>
    ```
  }];
  let arguments = (ins
    Arg<Storage, "queries [B, T, H, K]">:$q, Arg<Storage, "keys [B, T, H, K]">:$k,
    Arg<Storage, "values [B, T, HV, V], H divides HV">:$v,
    Arg<Stat, "logarithm of the decay [B, T, HV, K], at most 0">:$decay,
    Arg<Storage, "step size [B, T, HV]">:$beta,
    Arg<Optional<Stat>, "state before the first token [B, HV, K, V]">:$state,
    Arg<Optional<Indices>, "tokens of each text [B]">:$length,
    OptionalAttr<F64Attr>:$scale);
  let results = (outs Storage:$output, Stat:$new_state);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $decay `,` $beta (`state` `(` $state^ `)`)? (`length` `(` $length^ `)`)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The scale in force: the attribute, or K^-1/2.
    double getScaleValue();
  }];
}

def KdaBackwardOp : Attnres_Op<"kda_backward", [ChoosesNearest, AttrSizedOperandSegments, InferTypes, Decomposable, Matrix,
     TakesNoLists]> {
  let summary = "gradients of Kimi delta attention";
  let description = [{
    From the last token to the first, with D the gradient of the state (first
    `state_grad`, or 0), S~_t the decayed state before token t, S_t the state
    after it and e_t = v_t - S~_t^T k_t:

        D <- D + scale q_t do_t^T;     dq_t = scale S_t do_t
        du = D^T k_t;                  dbeta_t = du . e_t
        de = beta_t du;                dv_t = de
        dk_t = beta_t D e_t - S~_t de
        D <- D - k_t de^T;             ddecay_t = row sums of D * S~_t
        D <- diag(exp(decay_t)) D

    The gradients of queries and keys are sums over the value heads that read
    them. Tokens from length[b] on get 0. The states are computed again.
  }];
  let arguments = (ins
    Arg<Storage, "queries [B, T, H, K]">:$q, Arg<Storage, "keys [B, T, H, K]">:$k,
    Arg<Storage, "values [B, T, HV, V]">:$v, Arg<Stat, "logarithm of the decay [B, T, HV, K]">:$decay,
    Arg<Storage, "step size [B, T, HV]">:$beta, Arg<Storage, "gradient of the output">:$output_grad,
    Arg<Optional<Stat>, "gradient of the new state [B, HV, K, V]">:$state_grad,
    Arg<Optional<Stat>, "state before the first token [B, HV, K, V]">:$state,
    Arg<Optional<Indices>, "tokens of each text [B]">:$length,
    OptionalAttr<F64Attr>:$scale);
  let results = (outs Storage:$q_grad, Storage:$k_grad, Storage:$v_grad, Stat:$decay_grad, Storage:$beta_grad,
                      Optional<Stat>:$initial_state_grad);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $decay `,` $beta `,` $output_grad (`state_grad` `(` $state_grad^ `)`)?
    (`state` `(` $state^ `)`)? (`length` `(` $length^ `)`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The scale in force: the attribute, or K^-1/2.
    double getScaleValue();
  }];
}

#endif
