//===- OptimizerOps.td - the optimizer step -----------------*- tablegen -*-===//
#ifndef ATTNRES_OPTIMIZER_OPS_TD
#define ATTNRES_OPTIMIZER_OPS_TD

include "dialect/LayerOps.td"

def SumSquaresOp : Attnres_Op<"sum_squares", [Pure, InferTypes, Decomposable, PartialSums,
     ByRows<"Row", "Partial", "", "AllButLast", "getPartials().has_value()">]> {
  let summary = "sum of squares of a tensor";
  let description = [{
    f32 scalar. With `partials` = P, P sums [P] over consecutive ranges of ceil(elements / P) elements.

    Example:

    ```mlir
    %n = attnres.sum_squares %g : tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Arg<Stat, "any shape">:$x, OptionalAttr<I64Attr>:$partials);
  let results = (outs Stat:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def ClipScaleOp : Attnres_Op<"clip_scale", [Pure, InferTypes, Decomposable, DeclareOpInterfaceMethods<ListOpInterface>]> {
  let summary = "global gradient norm and the factor that clips it";
  let description = [{
    `norm = sqrt(sum of all elements of all operands)`, `scale = min(1, max_norm / (norm + 1e-6))`;
    without `max_norm` the scale is 1. The operands are sums of squares.

    Example:

    ```mlir
    %norm, %scale = attnres.clip_scale %a, %b {max_norm = 1.0 : f64} : tensor<f32>, tensor<16xf32>
    ```
  }];
  let arguments = (ins Arg<Variadic<StatOrList>, "sums of squares, any shape">:$sums, OptionalAttr<F64Attr>:$max_norm);
  let results = (outs Scalar:$norm, Scalar:$scale);
  let assemblyFormat = "$sums attr-dict `:` type($sums)";
  let hasVerifier = 1;
}

def AdamWOp : Attnres_Op<"adamw", [Pure, InferTypes, Decomposable,
     ByRows<"Row, Row, Row, Row, Shared, Shared, Shared", "Row, Row, Row", "{0, 0}, {1, 2}, {2, 3}">]> {
  let summary = "AdamW update of one parameter";
  let description = [{
    With g = grad_scale grad and t = step (counted from 1):

        m' = beta1 m + (1 - beta1) g;   v' = beta2 v + (1 - beta2) g^2
        param' = param - lr (m' / (1 - beta1^t) / (sqrt(v' / (1 - beta2^t)) + eps) + weight_decay param)

    Decoupled weight decay (Loshchilov and Hutter, arXiv 1711.05101). All f32.

    Example:

    ```mlir
    %p1, %m1, %v1 = attnres.adamw %p, %g, %m, %v, %step, %lr, %s
        {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64}
        : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>,
          tensor<f32>, tensor<f32>, tensor<f32>
    ```
  }];
  let arguments = (ins Arg<Stat, "parameter">:$param, Arg<Stat, "its gradient">:$grad, Arg<Stat, "first moment">:$m,
                       Arg<Stat, "second moment">:$v, Arg<Scalar, "step, from 1">:$step,
                       Arg<Scalar, "learning rate">:$lr, Arg<Scalar, "factor on the gradient">:$grad_scale,
                       F64Attr:$beta1, F64Attr:$beta2, F64Attr:$eps, F64Attr:$weight_decay);
  let results = (outs Stat:$new_param, Stat:$new_m, Stat:$new_v);
  let assemblyFormat = [{
    $param `,` $grad `,` $m `,` $v `,` $step `,` $lr `,` $grad_scale attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def LionOp : Attnres_Op<"lion", [Pure, InferTypes, Decomposable,
     ByRows<"Row, Row, Row, Shared, Shared", "Row, Row", "{0, 0}, {1, 2}">]> {
  let summary = "Lion update of one parameter";
  let description = [{
    With g = grad_scale grad:

        param' = param - lr (sign(beta1 m + (1 - beta1) g) + weight_decay param)
        m' = beta2 m + (1 - beta2) g

    sign(0) being 0 (Chen and others, arXiv 2302.06675). All f32.

    Example:

    ```mlir
    %p1, %m1 = attnres.lion %p, %g, %m, %lr, %s {beta1 = 0.9 : f64, beta2 = 0.99 : f64, weight_decay = 0.1 : f64}
        : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<f32>, tensor<f32>
    ```
  }];
  let arguments = (ins Arg<Stat, "parameter">:$param, Arg<Stat, "its gradient">:$grad, Arg<Stat, "first moment">:$m,
                       Arg<Scalar, "learning rate">:$lr, Arg<Scalar, "factor on the gradient">:$grad_scale,
                       F64Attr:$beta1, F64Attr:$beta2, F64Attr:$weight_decay);
  let results = (outs Stat:$new_param, Stat:$new_m);
  let assemblyFormat = "$param `,` $grad `,` $m `,` $lr `,` $grad_scale attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Descent by a direction
//===----------------------------------------------------------------------===//

def MomentumOp : Attnres_Op<"momentum", [Pure, InferTypes, Decomposable,
     ByRows<"Row, Row, Shared", "Row, Row", "{0, 0}, {1, 1}">]> {
  let summary = "direction of descent with momentum";
  let description = [{
    With g = grad_scale grad: `m' = beta m + g`, `direction = m'`; with
    `nesterov`, `direction = g + beta m'`. All f32.

    Example:

    ```mlir
    %d, %m1 = attnres.momentum %g, %m, %s {beta = 0.95 : f64, nesterov} : tensor<64x32xf32>, tensor<64x32xf32>, tensor<f32>
    ```
  }];
  let arguments = (ins Arg<Stat, "gradient">:$grad, Arg<Stat, "first moment">:$m,
                       Arg<Scalar, "factor on the gradient">:$grad_scale, F64Attr:$beta, UnitAttr:$nesterov);
  let results = (outs Stat:$direction, Stat:$new_m);
  let assemblyFormat = "$grad `,` $m `,` $grad_scale attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def OrthogonalizeOp : Attnres_Op<"orthogonalize", [Pure, SameOperandsAndResultType, Decomposable, TakesNoLists]> {
  let summary = "matrices with their singular values near 1";
  let description = [{
    Each of `matrices` = P matrices [rows / P, C], which lie one above the other
    in x, becomes X_steps of the Newton-Schulz iteration

        X_0 = M / (|M| + 1e-7),  |M| the root of the sum of its squares
        A = X X^T;  X <- 3.4445 X + (-4.7750 A + 2.0315 A^2) X

    which moves every singular value of X_0 that is not tiny into about
    [0.7, 1.2] within five steps and leaves the singular vectors. A matrix of
    zeros stays one. The decomposition takes X^T X where that is smaller. The
    coefficients are those of Muon (Jordan and others, 2024,
    kellerjordan.github.io/posts/muon). All f32.

    Example:

    ```mlir
    %o = attnres.orthogonalize %m {matrices = 4 : i64} : tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Arg<Stat, "[..., C]">:$x, DefaultValuedAttr<I64Attr, "1">:$matrices,
                       DefaultValuedAttr<I64Attr, "5">:$steps);
  let results = (outs Stat:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def DescendOp : Attnres_Op<"descend", [Pure, InferTypes, Decomposable,
     ByRows<"Row, Row, Shared", "Row", "{0, 0}, {0, 1}">]> {
  let summary = "a step of a parameter against a direction";
  let description = [{
    `param' = param - lr (factor direction + weight_decay param)`. All f32.

    Example:

    ```mlir
    %p1 = attnres.descend %p, %d, %lr {factor = 1.6 : f64, weight_decay = 0.1 : f64}
        : tensor<64x32xf32>, tensor<64x32xf32>, tensor<f32>
    ```
  }];
  let arguments = (ins Arg<Stat, "parameter">:$param, Arg<Stat, "direction">:$direction,
                       Arg<Scalar, "learning rate">:$lr, F64Attr:$factor, F64Attr:$weight_decay);
  let results = (outs Stat:$new_param);
  let assemblyFormat = "$param `,` $direction `,` $lr attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif
