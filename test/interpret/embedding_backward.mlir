// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.embedding_backward{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Tokens that repeat are summed. Also G-7.
func.func @el2_sums() {
  %g = arith.constant dense<[[[-0.75, -0.375, -1.25], [-0.5, -1.625, -1.625], [0.375, 1.75, 1.875], [-1.0, -0.5, -0.75]], [[0.25, 0.125, -0.375], [0.0, 1.875, 1.625], [-2.0, 1.0, -0.875], [1.375, 0.625, 1.625]]]> : tensor<2x4x3xf32>
  %t = arith.constant dense<[[2, 0, 0, 3], [2, 1, 1, 2]]> : tensor<2x4xi64>
  %d = attnres.embedding_backward %t, %g {vocab_size = 5 : i64} : tensor<2x4xi64>, tensor<2x4x3xf32>
  %want_d = arith.constant dense<[[-1.2500000000000000e-01, 1.2500000000000000e-01, 2.5000000000000000e-01], [-2.0000000000000000e+00, 2.8750000000000000e+00, 7.5000000000000000e-01], [8.7500000000000000e-01, 3.7500000000000000e-01, 0.0000000000000000e+00], [-1.0000000000000000e+00, -5.0000000000000000e-01, -7.5000000000000000e-01], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00]]> : tensor<5x3xf64>
  %wide_d = arith.extf %d : tensor<5x3xf32> to tensor<5x3xf64>
  attnres.expect_close %wide_d, %want_d {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<5x3xf64>
  return
}
