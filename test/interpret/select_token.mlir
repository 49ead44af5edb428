// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.select_token{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Batch rows with places of their own.
func.func @se1_rows() {
  %x = arith.constant dense<[[[-1.375, -1.375, 0.75, 1.375, 1.0], [0.375, 0.75, 0.25, -0.375, 0.25], [-0.625, 0.375, -1.5, -1.875, -1.875]], [[0.875, -1.875, -1.125, -1.5, -0.875], [-1.375, 0.5, -0.25, -1.75, 1.75], [0.125, -0.5, 0.25, 1.0, -2.0]]]> : tensor<2x3x5xf32>
  %i = arith.constant dense<[0, 2]> : tensor<2xi64>
  %y = attnres.select_token %x at(%i) : tensor<2x3x5xf32>, tensor<2xi64>
  %want_y = arith.constant dense<[[[-1.3750000000000000e+00, -1.3750000000000000e+00, 7.5000000000000000e-01, 1.3750000000000000e+00, 1.0000000000000000e+00]], [[1.2500000000000000e-01, -5.0000000000000000e-01, 2.5000000000000000e-01, 1.0000000000000000e+00, -2.0000000000000000e+00]]]> : tensor<2x1x5xf64>
  %wide_y = arith.extf %y : tensor<2x1x5xf32> to tensor<2x1x5xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x1x5xf64>
  return
}

// Batch rows with places of their own.
func.func @se1_heads() {
  %x = arith.constant dense<[[[[0.0, -0.875, 0.125], [0.125, -0.5, -0.5]], [[-1.0, -0.5, -0.5], [0.25, 1.5, -0.75]], [[0.625, -0.5, -0.625], [1.125, -0.5, 1.5]], [[0.5, 0.25, 1.75], [0.5, 1.75, 0.625]]], [[[0.875, -0.125, -0.875], [-0.375, -0.25, 0.0]], [[0.625, 0.5, 1.125], [0.25, -0.125, 0.375]], [[0.625, -0.25, -0.25], [1.625, 0.0, -0.25]], [[1.25, 1.25, -0.875], [0.625, -1.625, -1.5]]], [[[0.625, -1.25, -0.125], [0.375, -0.875, 1.875]], [[0.125, -0.25, -0.5], [0.5, -1.125, -1.0]], [[-1.375, -0.75, 1.5], [-0.125, -0.125, -0.75]], [[0.125, 0.375, 1.75], [1.75, 1.0, -0.375]]]]> : tensor<3x4x2x3xbf16>
  %i = arith.constant dense<[3, 1, 0]> : tensor<3xi64>
  %y = attnres.select_token %x at(%i) : tensor<3x4x2x3xbf16>, tensor<3xi64>
  %want_y = arith.constant dense<[[[[5.0000000000000000e-01, 2.5000000000000000e-01, 1.7500000000000000e+00], [5.0000000000000000e-01, 1.7500000000000000e+00, 6.2500000000000000e-01]]], [[[6.2500000000000000e-01, 5.0000000000000000e-01, 1.1250000000000000e+00], [2.5000000000000000e-01, -1.2500000000000000e-01, 3.7500000000000000e-01]]], [[[6.2500000000000000e-01, -1.2500000000000000e+00, -1.2500000000000000e-01], [3.7500000000000000e-01, -8.7500000000000000e-01, 1.8750000000000000e+00]]]]> : tensor<3x1x2x3xf64>
  %wide_y = arith.extf %y : tensor<3x1x2x3xbf16> to tensor<3x1x2x3xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x1x2x3xf64>
  return
}

// Batch rows with places of their own.
func.func @se1_statistics() {
  %x = arith.constant dense<[[-0.5, -0.25, 1.125], [1.125, 0.25, 1.625]]> : tensor<2x3xf32>
  %i = arith.constant dense<[1, 0]> : tensor<2xi64>
  %y = attnres.select_token %x at(%i) : tensor<2x3xf32>, tensor<2xi64>
  %want_y = arith.constant dense<[[-2.5000000000000000e-01], [1.1250000000000000e+00]]> : tensor<2x1xf64>
  %wide_y = arith.extf %y : tensor<2x1xf32> to tensor<2x1xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x1xf64>
  return
}

// Batch rows with places of their own.
func.func @se1_one() {
  %x = arith.constant dense<[[[1.75, -1.875, -1.125]], [[-1.25, 0.625, 0.75]]]> : tensor<2x1x3xf32>
  %i = arith.constant dense<[0, 0]> : tensor<2xi64>
  %y = attnres.select_token %x at(%i) : tensor<2x1x3xf32>, tensor<2xi64>
  %want_y = arith.constant dense<[[[1.7500000000000000e+00, -1.8750000000000000e+00, -1.1250000000000000e+00]], [[-1.2500000000000000e+00, 6.2500000000000000e-01, 7.5000000000000000e-01]]]> : tensor<2x1x3xf64>
  %wide_y = arith.extf %y : tensor<2x1x3xf32> to tensor<2x1x3xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x1x3xf64>
  return
}
