// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.linear_cross_entropy_backward{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Two of eight rows are ignored. Also EL-3, G-7.
func.func @el5_some_ignored() {
  %x = arith.constant dense<[[[-0.25, -0.25, -1.5], [-1.5, -1.75, -0.375], [1.875, 1.5, -1.875], [-2.0, 0.25, 0.25]], [[1.875, -1.5, 1.25], [0.125, 1.875, -1.75], [-1.375, -0.375, -1.0], [1.0, 0.375, 1.5]]]> : tensor<2x4x3xf32>
  %w = arith.constant dense<[[0.5, 0.0, -0.5], [-1.625, 0.75, 1.375], [-0.75, -1.625, -1.625], [0.625, -0.125, 0.375], [0.75, 0.375, -1.625]]> : tensor<5x3xf32>
  %g = arith.constant dense<1.5> : tensor<f32>
  %t = arith.constant dense<[[1, -100, 2, 1], [3, 2, -100, 3]]> : tensor<2x4xi64>
  %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<2x4x3xf32>, tensor<5x3xf32>, tensor<2x4xi64>
  %d:2 = attnres.linear_cross_entropy_backward %x, %w, %t, %lse, %g : tensor<2x4x3xf32>, tensor<5x3xf32>, tensor<2x4xi64>, tensor<2x4xf32>, tensor<f32>
  %want_d_0 = arith.constant dense<[[[3.4297178246113702e-01, -4.2565225144553609e-01, -7.2191921497050626e-01], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [3.7107329833434471e-01, 4.9370511074371387e-01, 1.5747136615499754e-02], [1.8776881119382305e-02, -2.8373730710325326e-02, -3.9492314121947453e-02]], [[-2.4919966323818200e-02, -4.5880137920128981e-03, -7.3541651348160611e-02], [3.6004570682956211e-01, 4.8485906462994233e-01, 2.7641404119743987e-02], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [-1.9041515320323668e-01, 7.9322427775678758e-02, 3.6309408411037573e-02]]]> : tensor<2x4x3xf64>
  %wide_d_0 = arith.extf %d#0 : tensor<2x4x3xf32> to tensor<2x4x3xf64>
  attnres.expect_close %wide_d_0, %want_d_0 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x4x3xf64>
  %want_d_1 = arith.constant dense<[[1.2214928680320204e-01, -9.0724962714616286e-03, 3.1059951921334449e-02], [1.7989452485905916e-01, 8.9016425885861297e-02, 4.9369460761513240e-01], [-5.3848556114472568e-01, -8.8855891997322178e-01, 6.7132516320439184e-01], [-2.4311861072099600e-01, 5.6570424342049890e-02, -2.7919090738194230e-01], [4.7956036020346038e-01, 7.5204456601677205e-01, -9.1688881535891631e-01]]> : tensor<5x3xf64>
  %wide_d_1 = arith.extf %d#1 : tensor<5x3xf32> to tensor<5x3xf64>
  attnres.expect_close %wide_d_1, %want_d_1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<5x3xf64>
  return
}

// No live row: the loss is 0. Also EL-4, G-7.
func.func @el5_all_ignored() {
  %x = arith.constant dense<[[[-0.25, -0.25, -1.5], [-1.5, -1.75, -0.375], [1.875, 1.5, -1.875], [-2.0, 0.25, 0.25]], [[1.875, -1.5, 1.25], [0.125, 1.875, -1.75], [-1.375, -0.375, -1.0], [1.0, 0.375, 1.5]]]> : tensor<2x4x3xf32>
  %w = arith.constant dense<[[0.5, 0.0, -0.5], [-1.625, 0.75, 1.375], [-0.75, -1.625, -1.625], [0.625, -0.125, 0.375], [0.75, 0.375, -1.625]]> : tensor<5x3xf32>
  %g = arith.constant dense<1.5> : tensor<f32>
  %t = arith.constant dense<[[-100, -100, -100, -100], [-100, -100, -100, -100]]> : tensor<2x4xi64>
  %loss, %lse = attnres.linear_cross_entropy %x, %w, %t : tensor<2x4x3xf32>, tensor<5x3xf32>, tensor<2x4xi64>
  %d:2 = attnres.linear_cross_entropy_backward %x, %w, %t, %lse, %g : tensor<2x4x3xf32>, tensor<5x3xf32>, tensor<2x4xi64>, tensor<2x4xf32>, tensor<f32>
  %want_d_0 = arith.constant dense<[[[0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00]], [[0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00]]]> : tensor<2x4x3xf64>
  %wide_d_0 = arith.extf %d#0 : tensor<2x4x3xf32> to tensor<2x4x3xf64>
  attnres.expect_close %wide_d_0, %want_d_0 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x4x3xf64>
  %want_d_1 = arith.constant dense<[[0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00]]> : tensor<5x3xf64>
  %wide_d_1 = arith.extf %d#1 : tensor<5x3xf32> to tensor<5x3xf64>
  attnres.expect_close %wide_d_1, %want_d_1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<5x3xf64>
  return
}
