//===- LayerOps.td - norms, projections, feed-forward, losses *- tablegen -*===//
#ifndef ATTNRES_LAYER_OPS_TD
#define ATTNRES_LAYER_OPS_TD

include "dialect/AttentionOps.td"

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

def RMSNormOp : Attnres_Op<"rms_norm", [Pure, InferTypes, Decomposable, Differentiable,
     RecomputableBeside<6, "RMSNormBackwardOp">, ByRows<"Row, Shared", "Row">]> {
  let summary = "root-mean-square norm with gain";
  let description = [{
    `y = x rsqrt(mean(x^2) + eps) weight`, over the last dimension, statistics in f32.

    Example:

    ```mlir
    %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<2x11x32xf32>, tensor<32xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Stat, "gain [D]">:$weight, F64Attr:$eps);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `,` $weight attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def RMSNormBackwardOp : Attnres_Op<"rms_norm_backward", [Pure, InferTypes, Decomposable, PartialSums,
     ByRows<"Row, Shared, Row", "Row, Partial", "{0, 2}, {0, 0}">]> {
  let summary = "gradients of the root-mean-square norm";
  let description = [{
    With r = rsqrt(mean(x^2) + eps) and a = weight * output_grad:
    x_grad = r a - x r^3 mean(a x), weight_grad = sum_rows r x output_grad.
    With `partials` = P, weight_grad is P partial sums [P, D].
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Stat, "gain [D]">:$weight,
                       Arg<Storage, "gradient of the result">:$output_grad, F64Attr:$eps,
                       OptionalAttr<I64Attr>:$partials);
  let results = (outs Storage:$x_grad, Stat:$weight_grad);
  let assemblyFormat = "$x `,` $weight `,` $output_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def LayerNormOp : Attnres_Op<"layer_norm", [Pure, InferTypes, Decomposable, Differentiable,
     RecomputableBeside<6, "LayerNormBackwardOp">, ByRows<"Row, Shared, Shared", "Row">]> {
  let summary = "layer norm with gain and bias";
  let description = [{
    `y = (x - mean(x)) rsqrt(var(x) + eps) weight + bias`, the biased variance,
    over the last dimension, statistics in f32.

    Example:

    ```mlir
    %y = attnres.layer_norm %x, %w, %b {eps = 1.0e-5 : f64}
        : tensor<2x11x32xf32>, tensor<32xf32>, tensor<32xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Stat, "gain [D]">:$weight, Arg<Stat, "bias [D]">:$bias,
                       F64Attr:$eps);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `,` $weight `,` $bias attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def LayerNormBackwardOp : Attnres_Op<"layer_norm_backward", [Pure, InferTypes, Decomposable, PartialSums,
     ByRows<"Row, Shared, Row", "Row, Partial, Partial", "{0, 2}, {0, 0}">]> {
  let summary = "gradients of the layer norm";
  let description = [{
    With c = x - mean(x), r = rsqrt(var + eps), n = c r, a = weight * output_grad:
    x_grad = r (a - mean(a) - n mean(a n)), weight_grad = sum_rows n output_grad,
    bias_grad = sum_rows output_grad. With `partials` = P the parameter
    gradients are P partial sums [P, D].
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Stat, "gain [D]">:$weight,
                       Arg<Storage, "gradient of the result">:$output_grad, F64Attr:$eps,
                       OptionalAttr<I64Attr>:$partials);
  let results = (outs Storage:$x_grad, Stat:$weight_grad, Stat:$bias_grad);
  let assemblyFormat = "$x `,` $weight `,` $output_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

def LinearOp : Attnres_Op<"linear", [Pure, InferTypes, Decomposable, Differentiable, Matrix, Recomputes, Tokens, TakesNoLists]> {
  let summary = "linear projection, y = x W^T + b";
  let description = [{
    The result has the storage type of `x`; sums are f32.

    Example:

    ```mlir
    %y = attnres.linear %x, %w : tensor<2x11x32xf32>, tensor<64x32xf32>
    %z = attnres.linear %y, %w2 bias(%b) : tensor<2x11x64xf32>, tensor<32x64xf32>, tensor<32xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., K]">:$x, Arg<Storage, "weight [N, K]">:$weight,
                       Arg<Optional<Stat>, "bias [N]">:$bias);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `,` $weight (`bias` `(` $bias^ `)`)? attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def MatmulOp : Attnres_Op<"matmul", [Pure, Decomposable, Matrix, TakesNoLists,
     Accumulates<"(*this)->getResults()", "getInitMutable()">]> {
  let summary = "matrix product with optional transposes and accumulation";
  let description = [{
    `result = init + op(lhs) op(rhs)`, op being the transpose where the
    attribute says so. Leading dimensions are flattened: an operand of shape
    [..., D] is the matrix [rows, D]. The result is [M, N], or has the leading
    dimensions of `lhs` when `lhs` is not transposed. Sums are f32.

    Example:

    ```mlir
    %dw = attnres.matmul %dy, %x {transpose_lhs}
        : tensor<2x11x64xf32>, tensor<2x11x32xf32> -> tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[M, K], or [K, M] when transposed">:$lhs,
                       Arg<Storage, "[K, N], or [N, K] when transposed">:$rhs,
                       Arg<Optional<Storage>, "added to the product, type of the result">:$init,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs Storage:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`init` `(` $init^ `)`)? attr-dict `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
}

def SumRowsOp : Attnres_Op<"sum_rows", [Pure, InferTypes, Decomposable, PartialSums,
     ByRows<"Row", "Partial", "", "AllButLast", "getPartials().has_value()">]> {
  let summary = "sum over all rows, in a fixed order";
  let description = [{
    [..., D] to [D] in f32, accumulated from the first row to the last. With
    `partials` = P the result is P sums [P, D] over consecutive ranges of
    ceil(rows / P) rows.

    Example:

    ```mlir
    %db = attnres.sum_rows %dy : tensor<2x11x64xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, OptionalAttr<I64Attr>:$partials);
  let results = (outs Stat:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Feed-forward
//===----------------------------------------------------------------------===//

def SwigluOp : Attnres_Op<"swiglu", [Pure, AllTypesMatch<["gate", "up", "result"]>, Decomposable, Differentiable,
     RecomputableBeside<12, "SwigluBackwardOp">, ByRows<"Row, Row", "Row", "{0, 0}, {0, 1}">]> {
  let summary = "gated activation, gate sigmoid(gate) up";
  let description = [{
    Example:

    ```mlir
    %y = attnres.swiglu %gate, %up : tensor<2x11x64xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$gate, Arg<Storage, "[..., D]">:$up);
  let results = (outs Storage:$result);
  let assemblyFormat = "$gate `,` $up attr-dict `:` type($gate)";
}

def SwigluBackwardOp : Attnres_Op<"swiglu_backward", [Pure, InferTypes, Decomposable,
     ByRows<"Row, Row, Row", "Row, Row", "{0, 0}, {1, 1}">]> {
  let summary = "gradients of the gated activation";
  let description = [{
    With s = sigmoid(gate): gate_grad = g up s (1 + gate (1 - s)), up_grad = g gate s.
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$gate, Arg<Storage, "[..., D]">:$up,
                       Arg<Storage, "gradient of the result">:$output_grad);
  let results = (outs Storage:$gate_grad, Storage:$up_grad);
  let assemblyFormat = "$gate `,` $up `,` $output_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def GeluOp : Attnres_Op<"gelu", [Pure, AllTypesMatch<["x", "result"]>, Decomposable, Differentiable,
     RecomputableBeside<12, "GeluBackwardOp">, ByRows<"Row", "Row", "{0, 0}">]> {
  let summary = "exact GELU, x Phi(x)";
  let description = [{
    `x (1 + erf(x / sqrt(2))) / 2`.

    Example:

    ```mlir
    %y = attnres.gelu %x : tensor<2x11x64xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def GeluBackwardOp : Attnres_Op<"gelu_backward", [Pure, AllTypesMatch<["x", "output_grad", "x_grad"]>, Decomposable,
     ByRows<"Row, Row", "Row", "{0, 1}, {0, 0}">]> {
  let summary = "gradient of GELU";
  let description = [{
    `g (Phi(x) + x phi(x))`, phi the standard normal density.
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Storage, "gradient of the result">:$output_grad);
  let results = (outs Storage:$x_grad);
  let assemblyFormat = "$x `,` $output_grad attr-dict `:` type($x)";
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

def DropoutOp : Attnres_Op<"dropout", [Pure, InferTypes, Decomposable, Differentiable, ChoosesNothing,
     Recomputable<20>, ByRows<"Row, Shared", "Row", "{0, 0}">]> {
  let summary = "elements set to 0 by chance, the others scaled";
  let description = [{
    `y = x / (1 - rate)` where the element's random word is at least
    `rate 2^32`, otherwise 0. The word follows from the operands alone, so that
    the derivative is the same operation on the gradient, and nothing is stored.

    Philox4x32-10 (Salmon and others, SC 2011) with the key random[0] makes four
    words of the counter (c, r, random[1], site), the low 32 bits of each, r
    being the row. With w = floor(D / 4), word j of counter c < w is that of
    column j w + c; the up to three columns behind have the counters w and on,
    and word 0.

    Example:

    ```mlir
    %y = attnres.dropout %x random(%r) {rate = 0.1 : f64, site = 3 : i64} : tensor<2x11x32xf32>, tensor<2xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x,
                       Arg<Indices, "a seed, and the number of the run of the program [2]">:$random,
                       F64Attr:$rate, I64Attr:$site);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `random` `(` $random `)` attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Embedding and loss
//===----------------------------------------------------------------------===//

def EmbeddingOp : Attnres_Op<"embedding", [ChoosesByIndex, InferTypes, Decomposable, Differentiable,
     Recomputable<1>, ByRows<"Stat, Shared", "Row">]> {
  let summary = "table lookup";
  let description = [{
    `result[..., :] = weight[tokens[...], :]`. A token outside [0, V) is an
    error of the caller; compiled code reads row 0 for it rather than memory
    outside the table (the runtime checks tokens before a run).

    Example:

    ```mlir
    %x = attnres.embedding %tokens, %w : tensor<2x11xi64>, tensor<37x32xf32>
    ```
  }];
  let arguments = (ins Arg<Indices, "token ids [...]">:$tokens, Arg<Storage, "table [V, D]">:$weight);
  let results = (outs Storage:$result);
  let assemblyFormat = "$tokens `,` $weight attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def EmbeddingBackwardOp : Attnres_Op<"embedding_backward", [ChoosesByIndex, InferTypes, Decomposable, TakesNoLists]> {
  let summary = "gradient of the table lookup";
  let description = [{
    `weight_grad[v, :] = sum over rows with token v of output_grad`, in f32,
    summed from the first row to the last. Shape [rows of the table, D].
  }];
  let arguments = (ins Arg<Indices, "token ids [...]">:$tokens, Arg<Storage, "gradient [..., D]">:$output_grad,
                       I64Attr:$vocab_size);
  let results = (outs Stat:$weight_grad);
  let assemblyFormat = "$tokens `,` $output_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def CrossEntropyOp : Attnres_Op<"cross_entropy", [ChoosesByIndex, InferTypes, Decomposable, Differentiable, TakesNoLists]> {
  let summary = "mean cross entropy over the live targets";
  let description = [{
    `lse = ln sum_c exp(logits_c)`, `loss = sum over live rows (lse - logits[target]) / live rows`.
    A row is live unless its target is `ignore_index`. With no live row the
    loss is 0 and so are its gradients.

    With `label_smoothing` = e in [0, 1), `logits[target]` is
    `(1 - e) logits[target] + e mean(logits)`: the share e of the target is
    spread over all V classes (Szegedy and others, arXiv 1512.00567). So it is
    in all operations of this loss.

    Example:

    ```mlir
    %loss, %lse = attnres.cross_entropy %logits, %targets : tensor<2x11x37xf32>, tensor<2x11xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., V]">:$logits, Arg<Indices, "class of each row [...]">:$targets,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
                       DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Scalar:$loss, Stat:$lse);
  let assemblyFormat = "$logits `,` $targets attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def LinearCrossEntropyOp : Attnres_Op<"linear_cross_entropy", [ChoosesByIndex, InferTypes, Decomposable, Differentiable,
     TakesNoLists]> {
  let summary = "output projection and cross entropy without materialized logits";
  let description = [{
    `cross_entropy(linear(x, weight), targets)` as one operation, so that the
    logits [rows, V] exist only for a chunk of rows at a time, forward and
    backward.

    Example:

    ```mlir
    %loss, %lse = attnres.linear_cross_entropy %x, %w, %targets
        : tensor<2x11x32xf32>, tensor<37x32xf32>, tensor<2x11xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Storage, "weight [V, D]">:$weight,
                       Arg<Indices, "class of each row [...]">:$targets,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
                       DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Scalar:$loss, Stat:$lse);
  let assemblyFormat = "$x `,` $weight `,` $targets attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def LinearCrossEntropyBackwardOp : Attnres_Op<"linear_cross_entropy_backward", [ChoosesByIndex, InferTypes, Decomposable,
     TakesNoLists]> {
  let summary = "gradients of the fused projection and loss";
  let description = [{
    dlogits = (exp(logits - lse) - onehot(target)) loss_grad / live rows on live
    rows, onehot being (1 - e) onehot + e / V with `label_smoothing` = e;
    x_grad = dlogits W, weight_grad = dlogits^T x.
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$x, Arg<Storage, "weight [V, D]">:$weight,
                       Arg<Indices, "class of each row [...]">:$targets, Arg<Stat, "log-sum-exp [...]">:$lse,
                       Arg<Scalar, "gradient of the loss">:$loss_grad,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
                       DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Storage:$x_grad, Stat:$weight_grad);
  let assemblyFormat = "$x `,` $weight `,` $targets `,` $lse `,` $loss_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def CrossEntropyRowsOp : Attnres_Op<"cross_entropy_rows", [ChoosesByIndex, InferTypes, Decomposable,
     ByRows<"Row, Stat", "Stat, Stat">]> {
  let summary = "cross entropy of each row";
  let description = [{
    `lse = ln sum_c exp(logits_c)`, `nll = lse - logits[target]`, 0 on ignored rows.
  }];
  let arguments = (ins Arg<Storage, "[..., V]">:$logits, Arg<Indices, "class of each row [...]">:$targets,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
                       DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Stat:$nll, Stat:$lse);
  let assemblyFormat = "$logits `,` $targets attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def CrossEntropyRowsBackwardOp : Attnres_Op<"cross_entropy_rows_backward", [ChoosesByIndex, InferTypes, Decomposable,
     ByRows<"Row, Stat, Stat, Shared, Stat", "Row", "{0, 0}">]> {
  let summary = "gradient of the row cross entropies with respect to the logits";
  let description = [{
    `(exp(logits - lse) - onehot(target)) scale` on live rows, 0 on ignored ones,
    plus `exp(logits - lse) lse_grad` on every row when that gradient is given.
    With `label_smoothing` = e, onehot is (1 - e) onehot + e / V.
  }];
  let arguments = (ins Arg<Storage, "[..., V]">:$logits, Arg<Indices, "class of each row [...]">:$targets,
                       Arg<Stat, "log-sum-exp [...]">:$lse, Arg<Scalar, "gradient of each live row">:$scale,
                       Arg<Optional<Stat>, "gradient of the log-sum-exp [...]">:$lse_grad,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
                       DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Storage:$logits_grad);
  let assemblyFormat = [{
    $logits `,` $targets `,` $lse `,` $scale (`lse_grad` `(` $lse_grad^ `)`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def LiveMeanOp : Attnres_Op<"live_mean", [Pure, InferTypes, Decomposable, ChoosesNothing, TakesNoLists]> {
  let summary = "mean over the live rows";
  let description = [{
    `sum(x) / max(1, live rows)`, rows with target `ignore_index` having x = 0.
    Summed in f32 from the first row to the last in a fixed order.
  }];
  let arguments = (ins Arg<Stat, "[...]">:$x, Arg<Indices, "class of each row [...]">:$targets,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs Scalar:$result);
  let assemblyFormat = "$x `,` $targets attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def LiveScaleOp : Attnres_Op<"live_scale", [Pure, InferTypes, Decomposable, ChoosesNothing, TakesNoLists]> {
  let summary = "a scalar divided by the number of live rows";
  let description = "`x / max(1, live rows)`.";
  let arguments = (ins Arg<Scalar, "scalar">:$x, Arg<Indices, "class of each row [...]">:$targets,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs Scalar:$result);
  let assemblyFormat = "$x `,` $targets attr-dict `:` type(operands)";
}

#endif
