//===- StackOps.td - the residual stack ---------------------*- tablegen -*-===//
#ifndef ATTNRES_STACK_OPS_TD
#define ATTNRES_STACK_OPS_TD

include "dialect/OptimizerOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def StackMode : I32EnumAttr<"StackMode", "how sublayers read earlier outputs", [
    I32EnumAttrCase<"Off", 0, "off">, I32EnumAttrCase<"Full", 1, "full">,
    I32EnumAttrCase<"Block", 2, "block">, I32EnumAttrCase<"Static", 3, "static">]> {
  let cppNamespace = "::attnres";
}

def StackOp : Attnres_Op<"stack", [AttrSizedOperandSegments, SingleBlock, RecursiveMemoryEffects,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "a stack of sublayers joined by attention residuals";
  let description = [{
    Region j maps the mixture h_j that sublayer j reads to its output v_j; it
    has no residual of its own. v_0 = input. By mode:

    * `off`: x <- x + f(x);
    * `full`: h_j is the depth attention of query j over input and all earlier outputs;
    * `block`: sublayers are cut into blocks of `sublayers_per_block`; inside a
      block outputs are summed, and only the block's sum becomes a source. The
      first sublayer of a block reads the sources, later ones also the partial
      sum. The last block takes the remainder;
    * `static`: for each decoder block (two sublayers) a static mixture of the
      input and all earlier decoder-block outputs, then ordinary residuals.

    With one query more than sublayers, the result is a final depth attention
    over all sources; otherwise it is the last source.

    The mixtures of `full` and `block` have variants. With k_i = RMS(v_i), or
    v_i itself with `raw_keys`, and a query that is a vector w or, as a matrix
    W [D, D], w = W k_n of the newest source n, in each head h of `heads`, which
    are equal parts of D:

        s_i = sum_(d in h) w_d gain_d k_i,d
        h_d = sum_i softmax_i(s)_i v_i,d       with `sigmoid`: sigmoid(s_i)

    With `window`(m) a mixture reads the input and the last m of its other
    sources. With weights instead of queries it is a static mixture by one
    logit for each source that it reads.

    What sublayers yield besides their outputs are further results of the
    stack, in order: caches of keys and values that they wrote, for example.

    Example:

    ```mlir
    %y = attnres.stack %x block sublayers_per_block(2) eps(1.0e-8)
        queries(%q0, %q1, %qf : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>)
        gains(%g0, %g1, %gf : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) : tensor<2x11x32xf32> {
    ^bb0(%h: tensor<2x11x32xf32>):
      %v = attnres.linear %h, %w0 : tensor<2x11x32xf32>, tensor<32x32xf32>
      attnres.yield %v : tensor<2x11x32xf32>
    }, {
    ^bb0(%h: tensor<2x11x32xf32>):
      %v = attnres.linear %h, %w1 : tensor<2x11x32xf32>, tensor<32x32xf32>
      attnres.yield %v : tensor<2x11x32xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Storage, "[..., D]">:$input,
    Arg<Variadic<Stat>, "one vector [D] or matrix [D, D] for each sublayer, and one for the final mixture">:$queries,
    Arg<Variadic<Stat>, "one vector [D] for each query">:$gains,
    Arg<Variadic<Stat>, "static mode: the logits [i+1] of decoder block i; or those of each mixture">:$weights,
    StackMode:$mode, OptionalAttr<I64Attr>:$sublayers_per_block, OptionalAttr<F64Attr>:$eps,
    OptionalAttr<I64Attr>:$heads, OptionalAttr<I64Attr>:$window, UnitAttr:$raw_keys, UnitAttr:$sigmoid);
  let results = (outs Storage:$result, Variadic<Storage>:$others);
  let regions = (region VariadicRegion<SizedRegion<1>>:$sublayers);
  let extraClassDeclaration = [{
    /// Modes full and block: sublayers in a depth block.
    int64_t getBlockSize();
    /// Modes full and block: how many sources mixture `index` reads.
    int64_t getNumMixed(int64_t index);
    /// Whether mixtures are `attnres.depth_attention`: softmax in one head over
    /// normalized keys by vectors.
    bool mixesByDepthAttention();
  }];
  let assemblyFormat = [{
    $input $mode (`sublayers_per_block` `(` $sublayers_per_block^ `)`)? (`eps` `(` $eps^ `)`)?
    (`queries` `(` $queries^ `:` type($queries) `)`)? (`gains` `(` $gains^ `:` type($gains) `)`)?
    (`weights` `(` $weights^ `:` type($weights) `)`)? attr-dict `:` type($input)
    (`others` `(` type($others)^ `)`)? $sublayers
  }];
  let hasVerifier = 1;
}

def YieldOp : Attnres_Op<"yield", [Pure, ReturnLike, Terminator, ParentOneOf<["StackOp"]>]> {
  let summary = "ends a sublayer region";
  let arguments = (ins Arg<Storage, "the output of the sublayer">:$value,
                       Arg<Variadic<Storage>, "further results of the stack">:$others);
  let assemblyFormat = "$value (`,` $others^)? attr-dict `:` type(operands)";
}

#endif
