//===- Passes.td - passes on models, training steps and kernels *- tablegen -*-===//
#ifndef ATTNRES_PASSES_TD
#define ATTNRES_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// model -> naive
//===----------------------------------------------------------------------===//

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
    Every operation between parameters and loss has to implement
    `DifferentiableOpInterface`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::attnres::AttnresDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function to differentiate">
  ];
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
