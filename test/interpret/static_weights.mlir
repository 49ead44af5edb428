// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.static_weights{{[( ]}}
// Written by test/reference/interpret_cases.py.

// softmax of three logits.
func.func @sm1_three() {
  %w = arith.constant dense<[-1.625, 1.375, -1.625]> : tensor<3xf32>
  %a = attnres.static_weights %w : tensor<3xf32>
  %want_a = arith.constant dense<[4.5278500743629081e-02, 9.0944299851274213e-01, 4.5278500743629081e-02]> : tensor<3xf64>
  %wide_a = arith.extf %a : tensor<3xf32> to tensor<3xf64>
  attnres.expect_close %wide_a, %want_a {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3xf64>
  return
}
