// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.live_scale{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Two of eight rows are ignored.
func.func @el6_some_ignored() {
  %x = arith.constant dense<2.5> : tensor<f32>
  %t = arith.constant dense<[[1, -100, 2, 1], [3, 2, -100, 3]]> : tensor<2x4xi64>
  %y = attnres.live_scale %x, %t : tensor<f32>, tensor<2x4xi64>
  %want_y = arith.constant dense<4.1666666666666669e-01> : tensor<f64>
  %wide_y = arith.extf %y : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  return
}

// No live row: the loss is 0.
func.func @el6_all_ignored() {
  %x = arith.constant dense<2.5> : tensor<f32>
  %t = arith.constant dense<[[-100, -100, -100, -100], [-100, -100, -100, -100]]> : tensor<2x4xi64>
  %y = attnres.live_scale %x, %t : tensor<f32>, tensor<2x4xi64>
  %want_y = arith.constant dense<2.5000000000000000e+00> : tensor<f64>
  %wide_y = arith.extf %y : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  return
}
