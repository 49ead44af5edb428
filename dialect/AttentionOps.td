//===- AttentionOps.td - sequence attention and rotation ----*- tablegen -*-===//
#ifndef ATTNRES_ATTENTION_OPS_TD
#define ATTNRES_ATTENTION_OPS_TD

include "dialect/DepthOps.td"

def AttentionOp : Attnres_Op<"attention", [Pure, InferTypes, Decomposable, Differentiable]> {
  let summary = "scaled dot-product attention over the sequence";
  let description = [{
    For query row t and head h, with j running over the visible keys and
    kv = h / (H / Hkv):

        s_j = scale q[t,h] . k[j,kv];  o = sum_j softmax(s)_j v[j,kv];  lse = ln sum_j exp(s_j)

    `causal` makes key j visible to query t iff j <= t + S - T (the mask is
    aligned at the bottom right when the lengths differ). A row that sees no
    key gives o = 0 and lse = -inf. `scale` defaults to Dk^-1/2.

    Example:

    ```mlir
    %o, %lse = attnres.attention %q, %k, %v {causal}
        : tensor<2x11x4x8xf32>, tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>
    ```
  }];
  let arguments = (ins
    Arg<Storage, "queries [B, T, H, Dk]">:$q,
    Arg<Storage, "keys [B, S, Hkv, Dk], Hkv divides H">:$k,
    Arg<Storage, "values [B, S, Hkv, Dv]">:$v,
    UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Storage:$output, Stat:$lse);
  let assemblyFormat = "$q `,` $k `,` $v attr-dict `:` type(operands)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The scale in force: the attribute, or Dk^-1/2.
    double getScaleValue();
  }];
}

def AttentionBackwardOp : Attnres_Op<"attention_backward", [Pure, InferTypes, Decomposable]> {
  let summary = "gradients of sequence attention";
  let description = [{
    P is recomputed from lse; with delta = rowsum(dO * O) - dlse,
    dS = P (dO V^T - delta), dQ = scale dS K, dK = scale dS^T Q, dV = P^T dO,
    the heads of one group summed. Rows that see no key contribute nothing.
  }];
  let arguments = (ins
    Arg<Storage, "queries [B, T, H, Dk]">:$q, Arg<Storage, "keys [B, S, Hkv, Dk]">:$k,
    Arg<Storage, "values [B, S, Hkv, Dv]">:$v, Arg<Storage, "output [B, T, H, Dv]">:$output,
    Arg<Stat, "log-sum-exp [B, T, H]">:$lse, Arg<Storage, "gradient of the output">:$output_grad,
    Arg<Optional<Stat>, "gradient of the log-sum-exp">:$lse_grad,
    UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Storage:$q_grad, Storage:$k_grad, Storage:$v_grad);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $output `,` $lse `,` $output_grad (`lse_grad` `(` $lse_grad^ `)`)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The scale in force: the attribute, or Dk^-1/2.
    double getScaleValue();
  }];
}

def RopeOp : Attnres_Op<"rope", [Pure, InferTypes, Decomposable, Differentiable]> {
  let summary = "rotary position embedding";
  let description = [{
    Rotates the pairs (i, i + Dh/2) of each head by the angle
    (position + offset) theta^(-2i/Dh); `inverse` rotates backwards, which is
    the derivative's transpose. `table`, when present, holds the cosines and
    then the sines of the angles of each position, so that kernels need not
    compute them; it follows from the other operands.

    Example:

    ```mlir
    %y = attnres.rope %x {theta = 1.0e4 : f64} : tensor<2x11x4x8xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[B, T, H, Dh], Dh even">:$x,
                       Arg<Optional<Stat>, "cosines and sines [T, Dh]">:$table, F64Attr:$theta,
                       DefaultValuedAttr<I64Attr, "0">:$offset, UnitAttr:$inverse);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x (`table` `(` $table^ `)`)? attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif
