// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.momentum{{[( ]}}
// Written by test/reference/interpret_optimizer_cases.py.

// The direction is the new moment.
func.func @op5_heavy_ball() {
  %g = arith.constant dense<[[-0.375, -0.625, 1.375], [-1.25, -1.125, -1.5]]> : tensor<2x3xf32>
  %m = arith.constant dense<[[-1.5, -0.125, 1.75], [-0.25, 0.375, 0.5]]> : tensor<2x3xf32>
  %s = arith.constant dense<0.5> : tensor<f32>
  %d, %m1 = attnres.momentum %g, %m, %s {beta = 0.875 : f64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>
  %want_d = arith.constant dense<[[-1.5000000000000000e+00, -4.2187500000000000e-01, 2.2187500000000000e+00], [-8.4375000000000000e-01, -2.3437500000000000e-01, -3.1250000000000000e-01]]> : tensor<2x3xf64>
  %wide_d = arith.extf %d : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_d, %want_d {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_m1 = arith.constant dense<[[-1.5000000000000000e+00, -4.2187500000000000e-01, 2.2187500000000000e+00], [-8.4375000000000000e-01, -2.3437500000000000e-01, -3.1250000000000000e-01]]> : tensor<2x3xf64>
  %wide_m1 = arith.extf %m1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_m1, %want_m1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}

// A step ahead of the moment.
func.func @op5_nesterov() {
  %g = arith.constant dense<[[-0.375, -0.625, 1.375], [-1.25, -1.125, -1.5]]> : tensor<2x3xf32>
  %m = arith.constant dense<[[-1.5, -0.125, 1.75], [-0.25, 0.375, 0.5]]> : tensor<2x3xf32>
  %s = arith.constant dense<0.5> : tensor<f32>
  %d, %m1 = attnres.momentum %g, %m, %s {beta = 0.875 : f64, nesterov} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>
  %want_d = arith.constant dense<[[-1.5000000000000000e+00, -6.8164062500000000e-01, 2.6289062500000000e+00], [-1.3632812500000000e+00, -7.6757812500000000e-01, -1.0234375000000000e+00]]> : tensor<2x3xf64>
  %wide_d = arith.extf %d : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_d, %want_d {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_m1 = arith.constant dense<[[-1.5000000000000000e+00, -4.2187500000000000e-01, 2.2187500000000000e+00], [-8.4375000000000000e-01, -2.3437500000000000e-01, -3.1250000000000000e-01]]> : tensor<2x3xf64>
  %wide_m1 = arith.extf %m1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_m1, %want_m1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}
