//===- AttentionOps.td - sequence attention and rotation ----*- tablegen -*-===//
#ifndef ATTNRES_ATTENTION_OPS_TD
#define ATTNRES_ATTENTION_OPS_TD

include "dialect/DepthOps.td"

def AttentionOp : Attnres_Op<"attention", [MayChooseByIndex, InferTypes, Decomposable, Differentiable, Matrix, Recomputes,
     AttrSizedOperandSegments, PlacedTokens, TakesNoLists, Overwrites<"{0, 0}">]> {
  let summary = "scaled dot-product attention over the sequence";
  let description = [{
    For query row t and head h, with j running over the visible keys and
    kv = h / (H / Hkv):

        s_j = scale q[t,h] . k[j,kv];  o = sum_j softmax(s)_j v[j,kv];  lse = ln sum_j exp(s_j)

    `causal` makes key j visible to query t iff j <= t + S - T (the mask is
    aligned at the bottom right when the lengths differ). A row that sees no
    key gives o = 0 and lse = -inf. `scale` defaults to Dk^-1/2.

    With `start`, keys and values are a cache of S positions of which the
    queries of batch row b are start[b] and on: key j is visible iff
    j <= start[b] + t, and what the cache holds behind that is never read. A
    start outside [0, S - T] is an error of the caller, as in
    `attnres.cache_write`.

    With `documents`, a row holds several texts one behind the other, and the
    one of query t begins at documents[b, t]: key j is visible iff
    documents[b, t] <= j <= t. Any integer is allowed.

    Example:

    ```mlir
    %o, %lse = attnres.attention %q, %k, %v {causal}
        : tensor<2x11x4x8xf32>, tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>
    %o1, %lse1 = attnres.attention %q, %k, %v documents(%d) {causal}
        : tensor<2x11x4x8xf32>, tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>, tensor<2x11xi64>
    %o2, %lse2 = attnres.attention %q, %ck, %cv start(%s) {causal}
        : tensor<2x11x4x8xf32>, tensor<2x64x2x8xf32>, tensor<2x64x2x8xf32>, tensor<2xi64>
    ```
  }];
  let arguments = (ins
    Arg<Storage, "queries [B, T, H, Dk]">:$q,
    Arg<Storage, "keys [B, S, Hkv, Dk], Hkv divides H">:$k,
    Arg<Storage, "values [B, S, Hkv, Dv]">:$v,
    Arg<Optional<Indices>, "position of the first query of each batch row [B]">:$start,
    Arg<Optional<Indices>, "where the text of each query begins [B, T]">:$documents,
    UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Storage:$output, Stat:$lse);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`start` `(` $start^ `)`)? (`documents` `(` $documents^ `)`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The scale in force: the attribute, or Dk^-1/2.
    double getScaleValue();
  }];
}

def AttentionBackwardOp : Attnres_Op<"attention_backward", [Pure, InferTypes, Decomposable, Matrix, ChoosesNothing,
     AttrSizedOperandSegments, TakesNoLists, Overwrites<"{0, 0}, {1, 1}, {2, 2}">]> {
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
    Arg<Optional<Indices>, "where the text of each query begins [B, T]">:$documents,
    UnitAttr:$causal, OptionalAttr<F64Attr>:$scale);
  let results = (outs Storage:$q_grad, Storage:$k_grad, Storage:$v_grad);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $output `,` $lse `,` $output_grad (`lse_grad` `(` $lse_grad^ `)`)?
    (`documents` `(` $documents^ `)`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The scale in force: the attribute, or Dk^-1/2.
    double getScaleValue();
  }];
}

def CacheWriteOp : Attnres_Op<"cache_write", [ChoosesByIndex, InferTypes, Decomposable,
     ByRows<"Shared, Row, Shared, Shared", "Partial", "{0, 0}", "BatchTokens">]> {
  let summary = "new rows of a cache of keys or values";
  let description = [{
    `result[b, start[b] + t] = x[b, t]` for t < length[b], or for all t without
    `length`, and what `cache` holds at every other position. Where the result
    may take the memory of the cache, only the new rows are written. A start
    outside [0, S - T], or a length outside [0, T], is an error of the caller;
    compiled code takes the nearest one inside (the runtime checks positions
    before a run).

    Example:

    ```mlir
    %k2 = attnres.cache_write %cache, %k at(%s) length(%n)
        : tensor<2x64x2x8xf32>, tensor<2x11x2x8xf32>, tensor<2xi64>, tensor<2xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[B, S, ...]">:$cache, Arg<Storage, "[B, T, ...], 1 <= T <= S">:$x,
                       Arg<Indices, "position of the first new row of each batch row [B]">:$start,
                       Arg<Optional<Indices>, "new rows of each batch row [B]">:$length);
  let results = (outs Storage:$result);
  let assemblyFormat = [{
    $cache `,` $x `at` `(` $start `)` (`length` `(` $length^ `)`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def SelectTokenOp : Attnres_Op<"select_token", [ChoosesByIndex, InferTypes, Decomposable, IntegerResults,
     ByRows<"Shared, Stat", "Row", "", "BatchTokens">]> {
  let summary = "one token of each batch row";
  let description = [{
    `result[b, 0] = x[b, at[b]]`. A place outside [0, T) is an error of the
    caller; compiled code takes the nearest one inside.

    Of one token there is nothing to select: the result is x.

    Example:

    ```mlir
    %y = attnres.select_token %x at(%i) : tensor<2x11x32xf32>, tensor<2xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[B, T, ...], 1 <= T">:$x,
                       Arg<Indices, "place of each batch row's token [B]">:$at);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `at` `(` $at `)` attr-dict `:` type(operands)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def RopeOp : Attnres_Op<"rope", [MayChooseByIndex, InferTypes, Decomposable, Differentiable, AttrSizedOperandSegments,
     Recomputable<6>, PlacedTokens, ByRows<"Row, Shared, Shared, Stat", "Row", "{0, 0}", "BatchTokens">]> {
  let summary = "rotary position embedding";
  let description = [{
    Rotates the pairs (i, i + Dh/2) of each head by the angle
    (position + offset) theta^(-2i/Dh); `inverse` rotates backwards, which is
    the derivative's transpose. `table`, when present, holds the cosines and
    then the sines of the angles of each token, so that rotations of equal
    shape need not each compute them; it follows from the other operands.

    With `start`, the tokens of batch row b stand at the positions start[b] and
    on, of `positions` = P that there are. A start outside [0, P - T] is an
    error of the caller, as in `attnres.cache_write`.

    With `documents`, a row holds several texts as in `attnres.attention`, and
    token t has the position t - documents[b, t], the nearest in [0, t].

    Example:

    ```mlir
    %y = attnres.rope %x {theta = 1.0e4 : f64} : tensor<2x11x4x8xf32>
    %z = attnres.rope %x start(%s) {theta = 1.0e4 : f64, positions = 64 : i64}
        : tensor<2x11x4x8xf32>, tensor<2xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[B, T, H, Dh], Dh even">:$x,
                       Arg<Optional<Stat>, "cosines and sines [T, Dh], or [B, T, Dh] with start">:$table,
                       Arg<Optional<Indices>, "position of the first token of each batch row [B]">:$start,
                       Arg<Optional<Indices>, "where the text of each token begins [B, T]">:$documents,
                       F64Attr:$theta, DefaultValuedAttr<I64Attr, "0">:$offset,
                       OptionalAttr<I64Attr>:$positions, UnitAttr:$inverse);
  let results = (outs Storage:$result);
  let assemblyFormat = [{
    $x (`table` `(` $table^ `)`)? (`start` `(` $start^ `)`)? (`documents` `(` $documents^ `)`)? attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The positions that there are: T, or P with start.
    int64_t getNumPositions();
    /// The type of the table, f32.
    ::mlir::RankedTensorType getTableType();
    /// Emits the table: angles in f64, their cosines and sines rounded to f32.
    ::mlir::Value buildTable(::mlir::OpBuilder &builder);
  }];
}

#endif
