//===- DepthOps.td - attention over depth -------------------*- tablegen -*-===//
#ifndef ATTNRES_DEPTH_OPS_TD
#define ATTNRES_DEPTH_OPS_TD

include "dialect/AttnresBase.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"

defvar Decomposable = DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>;
defvar Differentiable = DeclareOpInterfaceMethods<DifferentiableOpInterface>;
defvar InferTypes = DeclareOpInterfaceMethods<InferTypeOpInterface>;
defvar Matrix = DeclareOpInterfaceMethods<MatrixOpInterface>;
// The cost is not a constant for each element of the result.
defvar Recomputes = DeclareOpInterfaceMethods<RecomputableOpInterface>;
defvar Tokens = DeclareOpInterfaceMethods<TokenOpInterface>;
// What a token is also depends on its position.
defvar PlacedTokens = DeclareOpInterfaceMethods<TokenOpInterface, ["setTokenPlaces"]>;
defvar IntegerResults = DeclareOpInterfaceMethods<IntegerResultOpInterface>;
// Answered by the attribute `partials`.
defvar PartialSums = PartialSumsOpInterface;

def DepthAttentionOp : Attnres_Op<"depth_attention",
    [Pure, AttrSizedOperandSegments, SameVariadicResultSize, InferTypes, Decomposable, Differentiable, Recomputes,
     ByRows<"list(Shared), list(Shared), list(Row)", "list(Row), list(Stat)">]> {
  let summary = "softmax mixture of depth sources, for one or more queries";
  let description = [{
    For every query l and every row, with w = query_l * gain_l and
    RMS(v) = v / sqrt(mean(v^2) + eps):

        s_i   = w . RMS(v_i)
        alpha = softmax_i(s)
        output_l = sum_i alpha_i v_i            (the raw v_i)
        lse_l    = ln sum_i exp(s_i)

    There is no 1/sqrt(D) factor. All queries read the same sources: with
    several queries this is the batched first phase of the two-phase form.
    One source gives `output = v` exactly.

    Example:

    ```mlir
    %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v0, %v1) {eps = 1.0e-8 : f64}
        : tensor<2x11x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<Variadic<StatOrList>, "one vector [D] for each query">:$queries,
    Arg<Variadic<StatOrList>, "one vector [D] for each query, multiplied into it">:$gains,
    Arg<Variadic<StorageOrList>, "what the queries read, each [..., D]">:$sources,
    F64Attr:$eps);
  let results = (outs Variadic<StorageOrList>:$outputs, Variadic<StatOrList>:$lses);
  let assemblyFormat = [{
    `queries` `(` $queries `)` `gains` `(` $gains `)` `sources` `(` $sources `)` attr-dict
    `:` custom<DepthTypes>(ref($queries), ref($sources), type($queries), type($gains), type($sources))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def DepthAttentionBackwardOp : Attnres_Op<"depth_attention_backward",
    [Pure, AttrSizedOperandSegments, InferTypes, Decomposable, PartialSums, DeclareOpInterfaceMethods<RowOpInterface>,
     Accumulates<"getSourceGrads()", "getAccumulatorsMutable()">]> {
  let summary = "gradients of depth attention, batched over the queries";
  let description = [{
    With g = output_grad, r_i = rsqrt(mean(v_i^2) + eps), alpha_i = exp(s_i - lse):

        ds_i  = alpha_i (lse_grad + v_i.g - sum_j alpha_j v_j.g)
        source_grad_i = accumulator_i + sum_queries alpha_i g + ds_i (r_i w - s_i r_i^2 v_i / D)
        dw    = sum_rows sum_i ds_i r_i v_i
        query_grad = gain * dw,  gain_grad = query * dw

    The gradients of all queries reach a source in one pass. `accumulators`,
    when present, are added to the gradients of the sources. With `partials`
    = P the parameter gradients are P partial sums [P, D] over consecutive
    ranges of ceil(rows / P) rows.
  }];
  let arguments = (ins
    Arg<Variadic<StatOrList>, "the queries of the forward operation">:$queries,
    Arg<Variadic<StatOrList>, "the gains of the forward operation">:$gains,
    Arg<Variadic<StorageOrList>, "the sources of the forward operation">:$sources,
    Arg<Variadic<StatOrList>, "log-sum-exp of each query, [...]">:$lses,
    Arg<Variadic<StorageOrList>, "gradient of each output">:$output_grads,
    Arg<Variadic<StatOrList>, "gradient of each log-sum-exp, or none">:$lse_grads,
    Arg<Variadic<StorageOrList>, "gradients of the sources so far, or none">:$accumulators,
    F64Attr:$eps, OptionalAttr<I64Attr>:$partials);
  // n source gradients, then one query gradient and then one gain gradient for each query.
  let results = (outs Variadic<StorageOrList>:$grads);
  let extraClassDeclaration = [{
    ::mlir::ResultRange getSourceGrads() { return getGrads().take_front(getSources().size()); }
    ::mlir::ResultRange getQueryGrads() { return getGrads().slice(getSources().size(), getQueries().size()); }
    ::mlir::ResultRange getGainGrads() { return getGrads().take_back(getQueries().size()); }
  }];
  let assemblyFormat = [{
    `queries` `(` $queries `)` `gains` `(` $gains `)` `sources` `(` $sources `)`
    `lses` `(` $lses `)` `output_grads` `(` $output_grads `)` (`lse_grads` `(` $lse_grads^ `)`)?
    (`accumulators` `(` $accumulators^ `)`)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
}

def DepthMergeOp : Attnres_Op<"depth_merge", [Pure, InferTypes, Decomposable, Differentiable, Recomputes,
     ByRows<"Row, Stat, Shared, Shared, list(Row)", "Row, Stat">]> {
  let summary = "adds sources to a depth-attention state";
  let description = [{
    The serial second phase of the two-phase form: `state` and `state_lse` are
    the result of depth attention over some sources for this query; the result
    is the depth attention over those and `sources` together:

        s_i = w . RMS(v_i);  lse = ln(exp(state_lse) + sum_i exp(s_i))
        output = exp(state_lse - lse) state + sum_i exp(s_i - lse) v_i

    For one source this is `state + sigmoid(s - state_lse) (v - state)`.

    Example:

    ```mlir
    %h, %lse1 = attnres.depth_merge %o, %lse query(%q) gain(%g) sources(%p) {eps = 1.0e-8 : f64}
        : tensor<2x11x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<Storage, "mixture over the sources so far, [..., D]">:$state,
    Arg<Stat, "log-sum-exp over the sources so far, [...]">:$state_lse,
    Arg<Stat, "query vector [D]">:$query,
    Arg<Stat, "gain vector [D], multiplied into the query">:$gain,
    Arg<Variadic<StorageOrList>, "further sources, each [..., D]">:$sources,
    F64Attr:$eps);
  let results = (outs Storage:$output, Stat:$lse);
  let assemblyFormat = [{
    $state `,` $state_lse `query` `(` $query `)` `gain` `(` $gain `)` `sources` `(` $sources `)` attr-dict
    `:` custom<DepthMergeTypes>(ref($sources), type($state), type($state_lse), type($query), type($gain), type($sources))
  }];
  let hasVerifier = 1;
}

def DepthMergeBackwardOp : Attnres_Op<"depth_merge_backward",
    [Pure, AttrSizedOperandSegments, InferTypes, Decomposable, PartialSums,
     ByRows<"Row, Stat, Shared, Shared, list(Row), Stat, Row, Stat, list(Row)", "Row, Stat, list(Row), Partial, Partial">,
     Accumulates<"getSourceGrads()", "getAccumulatorsMutable()">]> {
  let summary = "gradients of a depth merge";
  let description = [{
    The state acts as one more source with score `state_lse` and value `state`:
    with alpha_0 = exp(state_lse - lse), alpha_i = exp(s_i - lse), g = output_grad and
    m = alpha_0 state.g + sum_i alpha_i v_i.g,

        state_grad     = alpha_0 g
        state_lse_grad = alpha_0 (lse_grad + state.g - m)
        ds_i           = alpha_i (lse_grad + v_i.g - m)

    and the rest as in `attnres.depth_attention_backward`.
  }];
  let arguments = (ins
    Arg<Storage, "the state of the forward operation">:$state,
    Arg<Stat, "its log-sum-exp">:$state_lse,
    Arg<Stat, "query vector [D]">:$query,
    Arg<Stat, "gain vector [D]">:$gain,
    Arg<Variadic<StorageOrList>, "the sources of the forward operation">:$sources,
    Arg<Stat, "log-sum-exp of the forward result">:$lse,
    Arg<Storage, "gradient of the output">:$output_grad,
    Arg<Optional<Stat>, "gradient of the resulting log-sum-exp">:$lse_grad,
    Arg<Variadic<StorageOrList>, "gradients of the sources so far, or none">:$accumulators,
    F64Attr:$eps, OptionalAttr<I64Attr>:$partials);
  let results = (outs Storage:$state_grad, Stat:$state_lse_grad, Variadic<StorageOrList>:$source_grads,
                      Stat:$query_grad, Stat:$gain_grad);
  let assemblyFormat = [{
    $state `,` $state_lse `query` `(` $query `)` `gain` `(` $gain `)` `sources` `(` $sources `)`
    `lse` `(` $lse `)` `output_grad` `(` $output_grad `)` (`lse_grad` `(` $lse_grad^ `)`)?
    (`accumulators` `(` $accumulators^ `)`)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
}

def DepthWeightsOp : Attnres_Op<"depth_weights", [Pure, InferTypes, Decomposable,
     ByRows<"Shared, Shared, Row", "Partial">]> {
  let summary = "the softmax weights of a depth attention, for inspection";
  let description = [{
    `alpha` of `attnres.depth_attention` for one query, shape [n, ...] for n
    sources of shape [..., D].

    Example:

    ```mlir
    %a = attnres.depth_weights query(%q) gain(%g) sources(%v0, %v1) {eps = 1.0e-8 : f64} : tensor<2x11x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<Stat, "query vector [D]">:$query,
    Arg<Stat, "gain vector [D]">:$gain,
    Arg<Variadic<Storage>, "the sources, each [..., D]">:$sources,
    F64Attr:$eps);
  let results = (outs Stat:$weights);
  let assemblyFormat = [{
    `query` `(` $query `)` `gain` `(` $gain `)` `sources` `(` $sources `)` attr-dict
    `:` custom<DepthWeightsTypes>(ref($sources), type($query), type($gain), type($sources))
  }];
  let hasVerifier = 1;
}

def MergeStatesOp : Attnres_Op<"merge_states", [Pure, InferTypes, Decomposable, Differentiable, Recomputable<6>,
     ByRows<"Row, Stat, Row, Stat", "Row, Stat">]> {
  let summary = "combines two softmax states";
  let description = [{
    A state is (o, lse): the softmax mixture over a set of items and the
    log-sum-exp of their scores. The result is the state of the union:

        lse = logaddexp(lse_a, lse_b);  o = exp(lse_a - lse) o_a + exp(lse_b - lse) o_b

    A state with lse = -inf is the identity. Depth attention, flash attention
    and split-key decoding share this algebra.

    Example:

    ```mlir
    %o, %lse = attnres.merge_states %oa, %la, %ob, %lb 
        : tensor<2x11x32xf32>, tensor<2x11xf32>, tensor<2x11x32xf32>, tensor<2x11xf32>
    ```
  }];
  let arguments = (ins
    Arg<Storage, "mixture of the first state, [..., D]">:$lhs,
    Arg<Stat, "log-sum-exp of the first state, [...]">:$lhs_lse,
    Arg<Storage, "mixture of the second state, [..., D]">:$rhs,
    Arg<Stat, "log-sum-exp of the second state, [...]">:$rhs_lse);
  let results = (outs Storage:$output, Stat:$lse);
  let assemblyFormat = [{
    $lhs `,` $lhs_lse `,` $rhs `,` $rhs_lse attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
}

def MergeStatesBackwardOp : Attnres_Op<"merge_states_backward", [Pure, InferTypes, Decomposable,
     ByRows<"Row, Stat, Row, Stat, Stat, Row, Stat", "Row, Stat, Row, Stat">]> {
  let summary = "gradients of merging two softmax states";
  let description = [{
    With a = exp(lhs_lse - lse), b = exp(rhs_lse - lse), g = output_grad, m = output.g:
    lhs_grad = a g, lhs_lse_grad = a (lse_grad + lhs.g - m), and the same for rhs.
  }];
  let arguments = (ins
    Arg<Storage, "first mixture">:$lhs, Arg<Stat, "its log-sum-exp">:$lhs_lse,
    Arg<Storage, "second mixture">:$rhs, Arg<Stat, "its log-sum-exp">:$rhs_lse,
    Arg<Stat, "log-sum-exp of the result">:$lse,
    Arg<Storage, "gradient of the output">:$output_grad,
    Arg<Optional<Stat>, "gradient of the resulting log-sum-exp">:$lse_grad);
  let results = (outs Storage:$lhs_grad, Stat:$lhs_lse_grad, Storage:$rhs_grad, Stat:$rhs_lse_grad);
  let assemblyFormat = [{
    $lhs `,` $lhs_lse `,` $rhs `,` $rhs_lse `,` $lse `,` $output_grad (`lse_grad` `(` $lse_grad^ `)`)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
}

def StaticMixOp : Attnres_Op<"static_mix", [Pure, InferTypes, Decomposable, Differentiable, Recomputes,
     ByRows<"Shared, list(Row)", "Row">]> {
  let summary = "input-independent softmax mixture of sources";
  let description = [{
    `output = sum_i softmax(weights)_i v_i` with one learned scalar for each source.

    Example:

    ```mlir
    %h = attnres.static_mix %w, %v0, %v1 : tensor<2x11x32xf32>
    ```
  }];
  let arguments = (ins
    Arg<Stat, "one logit for each source, [n]">:$weights,
    Arg<Variadic<StorageOrList>, "n sources, each [..., D]">:$sources);
  let results = (outs Storage:$output);
  let assemblyFormat = [{
    $weights `,` $sources attr-dict `:` custom<StaticMixTypes>(ref($sources), type($weights), type($sources))
  }];
  let hasVerifier = 1;
}

def StaticWeightsOp : Attnres_Op<"static_weights", [Pure, TakesNoLists, AllTypesMatch<["logits", "weights"]>, Decomposable]> {
  let summary = "the softmax weights of a static mixture, for inspection";
  let description = [{
    `softmax(weights)`, shape [n].

    Example:

    ```mlir
    %a = attnres.static_weights %w : tensor<3xf32>
    ```
  }];
  let arguments = (ins Arg<Stat, "one logit for each source, [n]">:$logits);
  let results = (outs Stat:$weights);
  let assemblyFormat = "$logits attr-dict `:` type($logits)";
  let hasVerifier = 1;
}

def StaticMixBackwardOp : Attnres_Op<"static_mix_backward", [Pure, AttrSizedOperandSegments, InferTypes, Decomposable, PartialSums,
     ByRows<"Shared, list(Row), Row, list(Row)", "Partial, list(Row)">,
     Accumulates<"getSourceGrads()", "getAccumulatorsMutable()">]> {
  let summary = "gradients of a static mixture";
  let description = [{
    With alpha = softmax(weights) and c_i = sum_rows v_i.g:
    weights_grad_i = alpha_i (c_i - sum_j alpha_j c_j), source_grad_i = accumulator_i + alpha_i g.
    With `partials` = P, weights_grad is P partial sums [P, n].
  }];
  let arguments = (ins
    Arg<Stat, "one logit for each source, [n]">:$weights,
    Arg<Variadic<StorageOrList>, "the sources of the forward operation">:$sources,
    Arg<Storage, "gradient of the output">:$output_grad,
    Arg<Variadic<StorageOrList>, "gradients of the sources so far, or none">:$accumulators,
    OptionalAttr<I64Attr>:$partials);
  let results = (outs Stat:$weights_grad, Variadic<StorageOrList>:$source_grads);
  let assemblyFormat = [{
    $weights `sources` `(` $sources `)` `output_grad` `(` $output_grad `)`
    (`accumulators` `(` $accumulators^ `)`)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
}

#endif
