// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.convolution_tail{{[( ]}}
// Written by test/reference/interpret_k3_cases.py.

// The last 3 of the tail and 5 tokens.
func.func @kd8_slice() {
  %x = arith.constant dense<[[[-0.75, 1.75], [-1.625, -1.75], [-1.375, 1.25], [1.5, 0.25], [-1.5, 0.125]], [[-1.0, 1.375], [0.75, -2.0], [-1.125, 1.125], [-0.5, 0.375], [1.875, 0.25]]]> : tensor<2x5x2xf32>
  %y = attnres.convolution_tail %x {width = 3 : i64} : tensor<2x5x2xf32>
  %want_y = arith.constant dense<[[[-1.3750000000000000e+00, 1.2500000000000000e+00], [1.5000000000000000e+00, 2.5000000000000000e-01], [-1.5000000000000000e+00, 1.2500000000000000e-01]], [[-1.1250000000000000e+00, 1.1250000000000000e+00], [-5.0000000000000000e-01, 3.7500000000000000e-01], [1.8750000000000000e+00, 2.5000000000000000e-01]]]> : tensor<2x3x2xf64>
  %wide_y = arith.extf %y : tensor<2x3x2xf32> to tensor<2x3x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x3x2xf64>
  return
}

// The last 3 of the tail and 2 tokens.
func.func @kd8_zeros() {
  %x = arith.constant dense<[[[0.375, 0.875], [-2.0, 0.5]], [[1.875, -0.875], [-1.25, -0.125]]]> : tensor<2x2x2xbf16>
  %y = attnres.convolution_tail %x {width = 3 : i64} : tensor<2x2x2xbf16>
  %want_y = arith.constant dense<[[[0.0000000000000000e+00, 0.0000000000000000e+00], [3.7500000000000000e-01, 8.7500000000000000e-01], [-2.0000000000000000e+00, 5.0000000000000000e-01]], [[0.0000000000000000e+00, 0.0000000000000000e+00], [1.8750000000000000e+00, -8.7500000000000000e-01], [-1.2500000000000000e+00, -1.2500000000000000e-01]]]> : tensor<2x3x2xf64>
  %wide_y = arith.extf %y : tensor<2x3x2xbf16> to tensor<2x3x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x3x2xf64>
  return
}

// The last 3 of the tail and 2 tokens.
func.func @kd8_tail() {
  %x = arith.constant dense<[[[-0.25, 0.0], [-1.375, -1.625]], [[-1.5, -1.25], [-0.625, 1.875]]]> : tensor<2x2x2xf32>
  %t = arith.constant dense<[[[-1.375, -0.125], [-1.375, 1.375], [1.5, 0.25]], [[-0.25, 0.25], [0.5, 0.875], [-1.125, -0.25]]]> : tensor<2x3x2xf32>
  %y = attnres.convolution_tail %x tail(%t) {width = 3 : i64} : tensor<2x2x2xf32>, tensor<2x3x2xf32>
  %want_y = arith.constant dense<[[[1.5000000000000000e+00, 2.5000000000000000e-01], [-2.5000000000000000e-01, 0.0000000000000000e+00], [-1.3750000000000000e+00, -1.6250000000000000e+00]], [[-1.1250000000000000e+00, -2.5000000000000000e-01], [-1.5000000000000000e+00, -1.2500000000000000e+00], [-6.2500000000000000e-01, 1.8750000000000000e+00]]]> : tensor<2x3x2xf64>
  %wide_y = arith.extf %y : tensor<2x3x2xf32> to tensor<2x3x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x3x2xf64>
  return
}

// The last 3 of the tail and 4 tokens.
func.func @kd8_lengths() {
  %x = arith.constant dense<[[[-0.5, -1.125], [1.625, -1.5], [1.75, 1.75], [0.375, 0.375]], [[1.75, 0.25], [1.625, 0.75], [1.0, -1.0], [-0.625, 1.625]]]> : tensor<2x4x2xf32>
  %t = arith.constant dense<[[[1.625, -1.75], [1.0, 0.75], [-0.5, 1.5]], [[1.625, -0.5], [-0.75, 0.875], [-0.375, -0.875]]]> : tensor<2x3x2xf32>
  %l = arith.constant dense<[4, 1]> : tensor<2xi64>
  %y = attnres.convolution_tail %x tail(%t) length(%l) {width = 3 : i64} : tensor<2x4x2xf32>, tensor<2x3x2xf32>, tensor<2xi64>
  %want_y = arith.constant dense<[[[1.6250000000000000e+00, -1.5000000000000000e+00], [1.7500000000000000e+00, 1.7500000000000000e+00], [3.7500000000000000e-01, 3.7500000000000000e-01]], [[-7.5000000000000000e-01, 8.7500000000000000e-01], [-3.7500000000000000e-01, -8.7500000000000000e-01], [1.7500000000000000e+00, 2.5000000000000000e-01]]]> : tensor<2x3x2xf64>
  %wide_y = arith.extf %y : tensor<2x3x2xf32> to tensor<2x3x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x3x2xf64>
  return
}

// The last 3 of the tail and 4 tokens.
func.func @kd8_empty_texts() {
  %x = arith.constant dense<[[[-1.625, -1.0], [0.0, -0.625], [0.0, 1.25], [0.875, -0.5]], [[-1.125, 0.125], [-1.75, 1.0], [0.125, -0.625], [-0.625, 1.125]]]> : tensor<2x4x2xf32>
  %t = arith.constant dense<[[[0.0, -0.875], [0.125, 1.875], [0.5, 0.875]], [[1.125, 1.5], [-0.75, 0.625], [-1.0, -0.875]]]> : tensor<2x3x2xf32>
  %l = arith.constant dense<[0, 2]> : tensor<2xi64>
  %y = attnres.convolution_tail %x tail(%t) length(%l) {width = 3 : i64} : tensor<2x4x2xf32>, tensor<2x3x2xf32>, tensor<2xi64>
  %want_y = arith.constant dense<[[[0.0000000000000000e+00, -8.7500000000000000e-01], [1.2500000000000000e-01, 1.8750000000000000e+00], [5.0000000000000000e-01, 8.7500000000000000e-01]], [[-1.0000000000000000e+00, -8.7500000000000000e-01], [-1.1250000000000000e+00, 1.2500000000000000e-01], [-1.7500000000000000e+00, 1.0000000000000000e+00]]]> : tensor<2x3x2xf64>
  %wide_y = arith.extf %y : tensor<2x3x2xf32> to tensor<2x3x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x3x2xf64>
  return
}

// The last 3 of the tail and 3 tokens.
func.func @kd8_all() {
  %x = arith.constant dense<[[[0.125, 0.875], [1.125, -0.5], [-1.75, -0.625]], [[-0.75, 0.0], [0.75, 1.125], [0.0, 1.375]]]> : tensor<2x3x2xf32>
  %t = arith.constant dense<[[[1.25, 1.625], [-1.125, -1.5], [-2.0, -0.875]], [[-0.625, 1.5], [1.625, 0.25], [1.0, -0.75]]]> : tensor<2x3x2xf32>
  %l = arith.constant dense<[3, 3]> : tensor<2xi64>
  %y = attnres.convolution_tail %x tail(%t) length(%l) {width = 3 : i64} : tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2xi64>
  %want_y = arith.constant dense<[[[1.2500000000000000e-01, 8.7500000000000000e-01], [1.1250000000000000e+00, -5.0000000000000000e-01], [-1.7500000000000000e+00, -6.2500000000000000e-01]], [[-7.5000000000000000e-01, 0.0000000000000000e+00], [7.5000000000000000e-01, 1.1250000000000000e+00], [0.0000000000000000e+00, 1.3750000000000000e+00]]]> : tensor<2x3x2xf64>
  %wide_y = arith.extf %y : tensor<2x3x2xf32> to tensor<2x3x2xf64>
  attnres.expect_close %wide_y, %want_y {atol = 0.0000000000000000e+00 : f64, rtol = 0.0000000000000000e+00 : f64} : tensor<2x3x2xf64>
  return
}
