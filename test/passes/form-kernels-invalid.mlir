// RUN: attnres-opt %s --attnres-form-kernels --split-input-file --verify-diagnostics

// An operation has to say what a kernel sees as lists.
func.func @main(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32> {
  // expected-error@+1 {{'attnres.stack' op does not say which operands of its kernel are lists, so that no kernel can be made of it}}
  %y = attnres.stack %x off : tensor<2x8xf32> {
  ^bb0(%h: tensor<2x8xf32>):
    %v = attnres.linear %h, %w : tensor<2x8xf32>, tensor<8x8xf32>
    attnres.yield %v : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'attnres.expect_close' op does not say which operands}}
  attnres.expect_close %x, %x {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<8xf32>
  return %x : tensor<8xf32>
}
