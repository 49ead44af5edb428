// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.sum_squares{{[( ]}}
// Written by test/reference/interpret_optimizer_cases.py.

// Fifteen elements.
func.func @op1_all() {
  %x = arith.constant dense<[[-0.625, -1.875, -1.0, 0.5, -1.625], [0.375, -0.5, 0.375, -0.625, 0.625], [1.375, 0.375, -0.5, 0.75, -0.875]]> : tensor<3x5xf32>
  %y = attnres.sum_squares %x : tensor<3x5xf32>
  %want_y = arith.constant dense<1.2718750000000000e+01> : tensor<f64>
  %wide_y = arith.extf %y : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  return
}

// Ranges of ceil(15 / 4) elements.
func.func @op1_partial_sums() {
  %x = arith.constant dense<[[-0.625, -1.875, -1.0, 0.5, -1.625], [0.375, -0.5, 0.375, -0.625, 0.625], [1.375, 0.375, -0.5, 0.75, -0.875]]> : tensor<3x5xf32>
  %y = attnres.sum_squares %x {partials = 4 : i64} : tensor<3x5xf32>
  %want_y = arith.constant dense<[5.1562500000000000e+00, 3.1718750000000000e+00, 2.8125000000000000e+00, 1.5781250000000000e+00]> : tensor<4xf64>
  %wide_y = arith.extf %y : tensor<4xf32> to tensor<4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<4xf64>
  return
}
