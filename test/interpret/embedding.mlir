// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.embedding{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Eight tokens of a table of five.
func.func @el1_lookup() {
  %w = arith.constant dense<[[0.5, 0.0, -0.5], [-1.625, 0.75, 1.375], [-0.75, -1.625, -1.625], [0.625, -0.125, 0.375], [0.75, 0.375, -1.625]]> : tensor<5x3xf32>
  %t = arith.constant dense<[[2, 0, 0, 3], [2, 1, 1, 2]]> : tensor<2x4xi64>
  %x = attnres.embedding %t, %w : tensor<2x4xi64>, tensor<5x3xf32>
  %want_x = arith.constant dense<[[[-7.5000000000000000e-01, -1.6250000000000000e+00, -1.6250000000000000e+00], [5.0000000000000000e-01, 0.0000000000000000e+00, -5.0000000000000000e-01], [5.0000000000000000e-01, 0.0000000000000000e+00, -5.0000000000000000e-01], [6.2500000000000000e-01, -1.2500000000000000e-01, 3.7500000000000000e-01]], [[-7.5000000000000000e-01, -1.6250000000000000e+00, -1.6250000000000000e+00], [-1.6250000000000000e+00, 7.5000000000000000e-01, 1.3750000000000000e+00], [-1.6250000000000000e+00, 7.5000000000000000e-01, 1.3750000000000000e+00], [-7.5000000000000000e-01, -1.6250000000000000e+00, -1.6250000000000000e+00]]]> : tensor<2x4x3xf64>
  %wide_x = arith.extf %x : tensor<2x4x3xf32> to tensor<2x4x3xf64>
  attnres.expect_close %wide_x, %want_x {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x4x3xf64>
  return
}
