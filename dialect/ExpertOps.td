//===- ExpertOps.td - mixture of experts --------------------*- tablegen -*-===//
//
// Every token goes through a few of many feed-forward networks. The matrices of
// all experts are one tensor [E, N, K]; which of them a row is multiplied by is
// an operand. After the reports on DeepSeek-V3 (arXiv 2412.19437: sigmoid scores,
// a bias for the choice alone) and Kimi K2 and its successors.
//
//===----------------------------------------------------------------------===//
#ifndef ATTNRES_EXPERT_OPS_TD
#define ATTNRES_EXPERT_OPS_TD

include "dialect/RecurrentOps.td"

//===----------------------------------------------------------------------===//
// Routing
//===----------------------------------------------------------------------===//

def RouterOp : Attnres_Op<"router", [Pure, InferTypes, Decomposable, Differentiable, IntegerResults, TakesNoLists]> {
  let summary = "the experts of each row, and their weights";
  let description = [{
    With s = sigmoid(logits), the `top_k` experts with the largest s + bias in
    descending order, the lower number first among equals, and

        weights_j = s_j / sum of s over the chosen experts

    The bias decides who is chosen and has no part in the weights, nor a
    gradient. The quotient is taken of logarithms: scores that are 0 in f32
    still have a ratio.

    Example:

    ```mlir
    %e, %w = attnres.router %logits, %bias {top_k = 2 : i64} : tensor<2x11x6xf32>, tensor<6xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., E]">:$logits, Arg<Stat, "[E]">:$bias, I64Attr:$top_k);
  let results = (outs Indices:$experts, Stat:$weights);
  let assemblyFormat = "$logits `,` $bias attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def RouterBackwardOp : Attnres_Op<"router_backward", [ChoosesNearest, InferTypes, Decomposable, TakesNoLists]> {
  let summary = "gradient of the weights of the chosen experts";
  let description = [{
    With s and weights of `attnres.router`, at the chosen experts
    logits_grad = weights_j (weights_grad_j - sum_i weights_i weights_grad_i) (1 - s_j),
    and 0 at all others.
  }];
  let arguments = (ins Arg<Storage, "[..., E]">:$logits, Arg<Indices, "chosen experts [..., top_k]">:$experts,
                       Arg<Stat, "gradient of the weights [..., top_k]">:$weights_grad);
  let results = (outs Storage:$logits_grad);
  let assemblyFormat = "$logits `,` $experts `,` $weights_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def BalanceBiasOp : Attnres_Op<"balance_bias", [Pure, InferTypes, Decomposable, TakesNoLists]> {
  let summary = "the bias under which every expert would get its share of these rows";
  let description = [{
    Quantile balancing, which takes the place of a loss for balance. With M
    rows, s = sigmoid(logits), c_i the (top_k + 1)-th largest s_i + bias of row i
    and q = floor(M top_k / E):

        b_j = -(the (q + 1)-th largest of s_ij - c_i over the rows);  result = b - mean(b)

    With no rows the result is the bias.

    Example:

    ```mlir
    %b = attnres.balance_bias %logits, %bias {top_k = 2 : i64} : tensor<2x11x6xf32>, tensor<6xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., E]">:$logits, Arg<Stat, "[E]">:$bias, I64Attr:$top_k);
  let results = (outs Stat:$result);
  let assemblyFormat = "$logits `,` $bias attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def GroupedLinearOp : Attnres_Op<"grouped_linear", [ChoosesNearest, InferTypes, Decomposable, Differentiable, Matrix, Recomputes,
     TakesNoLists]> {
  let summary = "every row times the matrix that it chooses";
  let description = [{
    `result[..., j, :] = weight[experts[..., j]] x[..., j, :]`, or the transposed
    matrix. Where x has no dimension j, all choices of a row read the same x.
    Any number of rows may choose a matrix, none too. Sums are f32. A choice
    outside [0, E) is an error of the caller; compiled code takes the nearest
    one inside.

    Example:

    ```mlir
    %y = attnres.grouped_linear %x, %w, %e : tensor<2x11x8xf32>, tensor<6x16x8xf32>, tensor<2x11x2xi64>
    %z = attnres.grouped_linear %y, %w, %e {transpose} : tensor<2x11x2x16xf32>, tensor<6x16x8xf32>, tensor<2x11x2xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., K] or [..., J, K]">:$x,
                       Arg<Storage, "matrices [E, N, K], or [E, K, N] when transposed">:$weight,
                       Arg<Indices, "matrix of each row [..., J]">:$experts, UnitAttr:$transpose);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x `,` $weight `,` $experts attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def GroupedWeightGradOp : Attnres_Op<"grouped_weight_grad", [ChoosesNearest, InferTypes, Decomposable, Matrix, TakesNoLists]> {
  let summary = "gradient of the matrices of a grouped product";
  let description = [{
    `result[e] = sum over the rows that chose e of lhs rhs^T`, in f32, from the
    first row to the last; 0 where none did. Of lhs and rhs one may have no
    dimension j, as the x of `attnres.grouped_linear`.

    Example:

    ```mlir
    %g = attnres.grouped_weight_grad %dy, %x, %e {matrices = 6 : i64}
        : tensor<2x11x2x16xf32>, tensor<2x11x8xf32>, tensor<2x11x2xi64>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., J, N] or [..., N]">:$lhs, Arg<Storage, "[..., J, K] or [..., K]">:$rhs,
                       Arg<Indices, "matrix of each row [..., J]">:$experts, I64Attr:$matrices);
  let results = (outs Stat:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $experts attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def CombineExpertsOp : Attnres_Op<"combine_experts", [Pure, InferTypes, Decomposable, Differentiable, TakesNoLists]> {
  let summary = "weighted sum of the experts' outputs";
  let description = [{
    `result = sum_j weights_j x[..., j, :]`, in f32; without weights, the sum.

    Example:

    ```mlir
    %u = attnres.combine_experts %y weights(%w) : tensor<2x11x2x8xf32>, tensor<2x11x2xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., J, N]">:$x, Arg<Optional<Stat>, "[..., J]">:$weights);
  let results = (outs Storage:$result);
  let assemblyFormat = "$x (`weights` `(` $weights^ `)`)? attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def CombineExpertsBackwardOp : Attnres_Op<"combine_experts_backward", [Pure, InferTypes, Decomposable, TakesNoLists]> {
  let summary = "gradients of the weighted sum of experts";
  let description = [{
    x_grad[..., j, :] = weights_j output_grad, weights_grad_j = x[..., j, :] . output_grad.
  }];
  let arguments = (ins Arg<Storage, "[..., J, N]">:$x, Arg<Stat, "[..., J]">:$weights,
                       Arg<Storage, "gradient of the result [..., N]">:$output_grad);
  let results = (outs Storage:$x_grad, Stat:$weights_grad);
  let assemblyFormat = "$x `,` $weights `,` $output_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

def SituGluOp : Attnres_Op<"situ_glu", [Pure, SameOperandsAndResultType, Decomposable, Differentiable,
     RecomputableBeside<30, "SituGluBackwardOp">, ByRows<"Row, Row", "Row", "{0, 0}, {0, 1}">]> {
  let summary = "gated activation with bounded factors";
  let description = [{
    With a = gate_bound and b = up_bound:
    `result = a tanh(gate / a) sigmoid(gate) b tanh(up / b)`, at most a b in size.

    Example:

    ```mlir
    %y = attnres.situ_glu %gate, %up : tensor<2x11x64xf32>
    ```
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$gate, Arg<Storage, "[..., D]">:$up,
                       DefaultValuedAttr<F64Attr, "4.0">:$gate_bound, DefaultValuedAttr<F64Attr, "25.0">:$up_bound);
  let results = (outs Storage:$result);
  let assemblyFormat = "$gate `,` $up attr-dict `:` type($gate)";
  let hasVerifier = 1;
}

def SituGluBackwardOp : Attnres_Op<"situ_glu_backward", [Pure, InferTypes, Decomposable,
     ByRows<"Row, Row, Row", "Row, Row", "{0, 0}, {1, 1}">]> {
  let summary = "gradients of the bounded gated activation";
  let description = [{
    With t = tanh(gate / a), s = sigmoid(gate), w = tanh(up / b), g = output_grad:
    gate_grad = g b w s ((1 - t^2) + a t (1 - s)), up_grad = g a t s (1 - w^2).
  }];
  let arguments = (ins Arg<Storage, "[..., D]">:$gate, Arg<Storage, "[..., D]">:$up,
                       Arg<Storage, "gradient of the result">:$output_grad,
                       DefaultValuedAttr<F64Attr, "4.0">:$gate_bound, DefaultValuedAttr<F64Attr, "25.0">:$up_bound);
  let results = (outs Storage:$gate_grad, Storage:$up_grad);
  let assemblyFormat = "$gate `,` $up `,` $output_grad attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif
