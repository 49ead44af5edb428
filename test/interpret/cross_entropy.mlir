// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.cross_entropy{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Two of eight rows are ignored.
func.func @el3_some_ignored() {
  %x = arith.constant dense<[[[1.25, -0.375, -1.25, 0.625, -1.125], [0.0, 0.625, -1.5, 1.5, 1.5], [-1.0, -1.125, -1.125, 1.0, 1.625], [-0.875, 0.375, 1.125, 1.375, -1.5]], [[-1.125, -1.25, -0.5, -0.75, 1.5], [1.875, 1.5, 0.375, 1.125, -0.625], [1.625, 1.0, -0.875, 1.25, -1.375], [-1.125, -1.0, -1.125, -0.5, 0.5]]]> : tensor<2x4x5xf32>
  %t = arith.constant dense<[[1, -100, 2, 1], [3, 2, -100, 3]]> : tensor<2x4xi64>
  %loss, %lse = attnres.cross_entropy %x, %t : tensor<2x4x5xf32>, tensor<2x4xi64>
  %want_loss = arith.constant dense<2.3443757107765815e+00> : tensor<f64>
  %wide_loss = arith.extf %loss : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_loss, %want_loss {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  %want_lse = arith.constant dense<[[1.8956742590132105e+00, 2.4894591263782209e+00, 2.1763283463131673e+00, 2.2115960518989648e+00], [1.8199813826023663e+00, 2.7771394695345051e+00, 2.4812955909712651e+00, 1.1855347552972733e+00]]> : tensor<2x4xf64>
  %wide_lse = arith.extf %lse : tensor<2x4xf32> to tensor<2x4xf64>
  attnres.expect_close %wide_lse, %want_lse {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x4xf64>
  return
}

// No live row: the loss is 0.
func.func @el4_all_ignored() {
  %x = arith.constant dense<[[[1.25, -0.375, -1.25, 0.625, -1.125], [0.0, 0.625, -1.5, 1.5, 1.5], [-1.0, -1.125, -1.125, 1.0, 1.625], [-0.875, 0.375, 1.125, 1.375, -1.5]], [[-1.125, -1.25, -0.5, -0.75, 1.5], [1.875, 1.5, 0.375, 1.125, -0.625], [1.625, 1.0, -0.875, 1.25, -1.375], [-1.125, -1.0, -1.125, -0.5, 0.5]]]> : tensor<2x4x5xf32>
  %t = arith.constant dense<[[-100, -100, -100, -100], [-100, -100, -100, -100]]> : tensor<2x4xi64>
  %loss, %lse = attnres.cross_entropy %x, %t : tensor<2x4x5xf32>, tensor<2x4xi64>
  %want_loss = arith.constant dense<0.0000000000000000e+00> : tensor<f64>
  %wide_loss = arith.extf %loss : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_loss, %want_loss {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  %want_lse = arith.constant dense<[[1.8956742590132105e+00, 2.4894591263782209e+00, 2.1763283463131673e+00, 2.2115960518989648e+00], [1.8199813826023663e+00, 2.7771394695345051e+00, 2.4812955909712651e+00, 1.1855347552972733e+00]]> : tensor<2x4xf64>
  %wide_lse = arith.extf %lse : tensor<2x4xf32> to tensor<2x4xf64>
  attnres.expect_close %wide_lse, %want_lse {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x4xf64>
  return
}

// A quarter of each target is that of all classes.
func.func @el8_smoothed() {
  %x = arith.constant dense<[[[-0.125, -1.375, -0.125, 1.25], [1.125, 0.25, -1.125, 0.375], [-0.5, -1.25, 1.625, -0.375]], [[0.5, -1.25, 0.75, -0.375], [-2.0, -2.0, 0.0, 1.0], [1.25, -0.5, 0.125, -0.5]]]> : tensor<2x3x4xf32>
  %s = arith.constant dense<0.75> : tensor<f32>
  %t = arith.constant dense<[[3, -100, 0], [1, 1, 2]]> : tensor<2x3xi64>
  %loss, %lse = attnres.cross_entropy %x, %t {label_smoothing = 0.25 : f64} : tensor<2x3x4xf32>, tensor<2x3xi64>
  %want_loss = arith.constant dense<2.0658411609405491e+00> : tensor<f64>
  %wide_loss = arith.extf %loss : tensor<f32> to tensor<f64>
  attnres.expect_close %wide_loss, %want_loss {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<f64>
  return
}
