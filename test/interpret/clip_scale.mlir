// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.clip_scale{{[( ]}}
// Written by test/reference/interpret_optimizer_cases.py.

// Norm of a scalar and partial sums.
func.func @op1_clips() {
  %a = arith.constant dense<2.5> : tensor<f32>
  %b = arith.constant dense<[0.5, 1.25, 4.0]> : tensor<3xf32>
  %norm, %scale = attnres.clip_scale %a, %b {max_norm = 2.0 : f64} : tensor<f32>, tensor<3xf32>
  %want_norm = arith.constant dense<2.8722813232690143e+00> : tensor<f64>
  %wide_norm = arith.extf %norm : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_norm, %want_norm {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  %want_scale = arith.constant dense<6.9631038139863333e-01> : tensor<f64>
  %wide_scale = arith.extf %scale : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_scale, %want_scale {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  return
}

// Norm of a scalar and partial sums.
func.func @op1_keeps() {
  %a = arith.constant dense<2.5> : tensor<f32>
  %b = arith.constant dense<[0.5, 1.25, 4.0]> : tensor<3xf32>
  %norm, %scale = attnres.clip_scale %a, %b {max_norm = 16.0 : f64} : tensor<f32>, tensor<3xf32>
  %want_norm = arith.constant dense<2.8722813232690143e+00> : tensor<f64>
  %wide_norm = arith.extf %norm : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_norm, %want_norm {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  %want_scale = arith.constant dense<1.0000000000000000e+00> : tensor<f64>
  %wide_scale = arith.extf %scale : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_scale, %want_scale {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  return
}

// Norm of a scalar and partial sums.
func.func @op1_no_limit() {
  %a = arith.constant dense<2.5> : tensor<f32>
  %b = arith.constant dense<[0.5, 1.25, 4.0]> : tensor<3xf32>
  %norm, %scale = attnres.clip_scale %a, %b : tensor<f32>, tensor<3xf32>
  %want_norm = arith.constant dense<2.8722813232690143e+00> : tensor<f64>
  %wide_norm = arith.extf %norm : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_norm, %want_norm {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  %want_scale = arith.constant dense<1.0000000000000000e+00> : tensor<f64>
  %wide_scale = arith.extf %scale : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_scale, %want_scale {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  return
}
