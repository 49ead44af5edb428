// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.linear_cross_entropy{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Two of eight rows are ignored. Also EL-3.
func.func @el5_some_ignored() {
  %x = arith.constant dense<[[[-0.25, -0.25, -1.5], [-1.5, -1.75, -0.375], [1.875, 1.5, -1.875], [-2.0, 0.25, 0.25]], [[1.875, -1.5, 1.25], [0.125, 1.875, -1.75], [-1.375, -0.375, -1.0], [1.0, 0.375, 1.5]]]> : tensor<2x4x3xf32>
  %w = arith.constant dense<[[0.5, 0.0, -0.5], [-1.625, 0.75, 1.375], [-0.75, -1.625, -1.625], [0.625, -0.125, 0.375], [0.75, 0.375, -1.625]]> : tensor<5x3xf32>
  %t = arith.constant dense<[[1, -100, 2, 1], [3, 2, -100, 3]]> : tensor<2x4xi64>
  %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<2x4x3xf32>, tensor<5x3xf32>, tensor<2x4xi64>
  %want_loss = arith.constant dense<2.7081535880643623e+00> : tensor<f64>
  %wide_loss = arith.extf %loss : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_loss, %want_loss {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  %want_lse = arith.constant dense<[[3.4623270556225156e+00, 4.6098990127009065e+00, 5.0692674976767780e+00, 3.8427257501511316e+00], [2.1220140307756461e+00, 3.7413860295941666e+00, 3.4238196944333938e+00, 1.8237011645659349e+00]]> : tensor<2x4xf64>
  %wide_lse = arith.extf %lse : tensor<2x4xf32> to tensor<2x4xf64>
  attnres.expect_close %wide_lse, %want_lse {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x4xf64>
  return
}

// No live row: the loss is 0. Also EL-4.
func.func @el5_all_ignored() {
  %x = arith.constant dense<[[[-0.25, -0.25, -1.5], [-1.5, -1.75, -0.375], [1.875, 1.5, -1.875], [-2.0, 0.25, 0.25]], [[1.875, -1.5, 1.25], [0.125, 1.875, -1.75], [-1.375, -0.375, -1.0], [1.0, 0.375, 1.5]]]> : tensor<2x4x3xf32>
  %w = arith.constant dense<[[0.5, 0.0, -0.5], [-1.625, 0.75, 1.375], [-0.75, -1.625, -1.625], [0.625, -0.125, 0.375], [0.75, 0.375, -1.625]]> : tensor<5x3xf32>
  %t = arith.constant dense<[[-100, -100, -100, -100], [-100, -100, -100, -100]]> : tensor<2x4xi64>
  %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<2x4x3xf32>, tensor<5x3xf32>, tensor<2x4xi64>
  %want_loss = arith.constant dense<0.0000000000000000e+00> : tensor<f64>
  %wide_loss = arith.extf %loss : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_loss, %want_loss {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  %want_lse = arith.constant dense<[[3.4623270556225156e+00, 4.6098990127009065e+00, 5.0692674976767780e+00, 3.8427257501511316e+00], [2.1220140307756461e+00, 3.7413860295941666e+00, 3.4238196944333938e+00, 1.8237011645659349e+00]]> : tensor<2x4xf64>
  %wide_lse = arith.extf %lse : tensor<2x4xf32> to tensor<2x4xf64>
  attnres.expect_close %wide_lse, %want_lse {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x4xf64>
  return
}
