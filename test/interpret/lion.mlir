// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.lion{{[( ]}}
// Written by test/reference/interpret_optimizer_cases.py.

// Either way, and where there is nothing to follow.
func.func @op9_signs() {
  %p = arith.constant dense<[[0.0, 0.625, -0.375], [1.0, -0.625, 0.5]]> : tensor<2x3xf32>
  %g = arith.constant dense<[[1.375, -0.625, 0.25], [-1.25, 0.0, 0.625]]> : tensor<2x3xf32>
  %m = arith.constant dense<[[-1.5, -0.375, 1.875], [1.5, 0.0, -1.25]]> : tensor<2x3xf32>
  %lr = arith.constant dense<0.015625> : tensor<f32>
  %s = arith.constant dense<0.5> : tensor<f32>
  %p1, %m1 = attnres.lion %p, %g, %m, %lr, %s {beta1 = 0.875 : f64, beta2 = 0.96875 : f64, weight_decay = 0.125 : f64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>
  %want_p1 = arith.constant dense<[[1.5625000000000000e-02, 6.3940429687500000e-01, -3.8989257812500000e-01], [9.8242187500000000e-01, -6.2377929687500000e-01, 5.1464843750000000e-01]]> : tensor<2x3xf64>
  %wide_p1 = arith.extf %p1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_p1, %want_p1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_m1 = arith.constant dense<[[-1.4316406250000000e+00, -3.7304687500000000e-01, 1.8203125000000000e+00], [1.4335937500000000e+00, 0.0000000000000000e+00, -1.2011718750000000e+00]]> : tensor<2x3xf64>
  %wide_m1 = arith.extf %m1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_m1, %want_m1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}
