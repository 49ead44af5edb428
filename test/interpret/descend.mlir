// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.descend{{[( ]}}
// Written by test/reference/interpret_optimizer_cases.py.

// Against the direction, and towards 0.
func.func @op7_decays() {
  %p = arith.constant dense<[[-1.125, -0.5, -0.25], [-0.875, 0.75, 0.625]]> : tensor<2x3xf32>
  %d = arith.constant dense<[[-1.5, -1.0, -0.25], [-0.125, 1.875, 0.625]]> : tensor<2x3xf32>
  %lr = arith.constant dense<0.015625> : tensor<f32>
  %p1 = attnres.descend %p, %d, %lr {factor = 1.5 : f64, weight_decay = 0.125 : f64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>
  %want_p1 = arith.constant dense<[[-1.0876464843750000e+00, -4.7558593750000000e-01, -2.4365234375000000e-01], [-8.7036132812500000e-01, 7.0458984375000000e-01, 6.0913085937500000e-01]]> : tensor<2x3xf64>
  %wide_p1 = arith.extf %p1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_p1, %want_p1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}
