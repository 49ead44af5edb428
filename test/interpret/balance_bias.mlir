// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.balance_bias{{[( ]}}
// Written by test/reference/interpret_k3_cases.py.

// Every expert's share of the rows.
func.func @ex6_six_rows() {
  %l = arith.constant dense<[[[1.875, -2.0, -1.5, 1.875, -0.875], [1.5, -0.125, 1.625, -1.0, -0.75], [0.0, 0.5, 0.75, -2.0, -1.75]], [[0.5, 0.875, -2.0, 1.25, -0.625], [-1.75, -1.75, -0.125, -0.875, -0.125], [1.5, -1.875, 1.375, -1.875, 1.625]]]> : tensor<2x3x5xf32>
  %b = arith.constant dense<[-0.875, 1.75, -1.5, 1.625, 1.625]> : tensor<5xf32>
  %y = attnres.balance_bias %l, %b {top_k = 2 : i64} : tensor<2x3x5xf32>, tensor<5xf32>
  %want_y = arith.constant dense<[-2.7233191665983147e-01, 7.6451932907568354e-02, -2.8367463898945844e-01, 2.5513336403251774e-01, 2.2442125870920515e-01]> : tensor<5xf64>
  %wide_y = arith.extf %y : tensor<5xf32> to tensor<5xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<5xf64>
  return
}

// Every expert's share of the rows.
func.func @ex6_equal_scores() {
  %l = arith.constant dense<[[0.5, 0.5, 0.5, 0.5], [-1.0, 0.25, 0.25, -1.0]]> : tensor<2x4xf32>
  %b = arith.constant dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  %y = attnres.balance_bias %l, %b {top_k = 1 : i64} : tensor<2x4xf32>, tensor<4xf32>
  %want_y = arith.constant dense<[-0.0000000000000000e+00, -0.0000000000000000e+00, -0.0000000000000000e+00, -0.0000000000000000e+00]> : tensor<4xf64>
  %wide_y = arith.extf %y : tensor<4xf32> to tensor<4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<4xf64>
  return
}
