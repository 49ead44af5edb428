// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.adamw{{[( ]}}
// Written by test/reference/interpret_optimizer_cases.py.

// Bias correction at step 1.
func.func @op2_step_1() {
  %p = arith.constant dense<[[1.75, 1.75, -0.125], [1.875, -1.75, 0.25]]> : tensor<2x3xf32>
  %g = arith.constant dense<[[0.25, 0.375, -1.75], [1.625, 1.375, 1.875]]> : tensor<2x3xf32>
  %m = arith.constant dense<[[-0.5, -1.875, 0.625], [0.625, -1.875, -0.75]]> : tensor<2x3xf32>
  %v = arith.constant dense<[[0.5, 1.125, 0.125], [1.0, 2.125, 1.625]]> : tensor<2x3xf32>
  %step = arith.constant dense<1.0> : tensor<f32>
  %lr = arith.constant dense<0.015625> : tensor<f32>
  %s = arith.constant dense<0.5> : tensor<f32>
  %p1, %m1, %v1 = attnres.adamw %p, %g, %m, %v, %step, %lr, %s {beta1 = 0.875 : f64, beta2 = 0.96875 : f64, eps = 9.5367431640625e-07 : f64, weight_decay = 0.125 : f64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  %want_p1 = arith.constant dense<[[1.7599698264706412e+00, 1.7807952884638902e+00, -1.5014217296329135e-01], [1.8569326162315114e+00, -1.7227236883577681e+00, 2.5892379834377882e-01]]> : tensor<2x3xf64>
  %wide_p1 = arith.extf %p1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_p1, %want_p1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_m1 = arith.constant dense<[[-4.2187500000000000e-01, -1.6171875000000000e+00, 4.3750000000000000e-01], [6.4843750000000000e-01, -1.5546875000000000e+00, -5.3906250000000000e-01]]> : tensor<2x3xf64>
  %wide_m1 = arith.extf %m1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_m1, %want_m1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_v1 = arith.constant dense<[[4.8486328125000000e-01, 1.0909423828125000e+00, 1.4501953125000000e-01], [9.8937988281250000e-01, 2.0733642578125000e+00, 1.6016845703125000e+00]]> : tensor<2x3xf64>
  %wide_v1 = arith.extf %v1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_v1, %want_v1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}

// Bias correction at step 7.
func.func @op2_step_7() {
  %p = arith.constant dense<[[0.75, 1.625, -1.0], [0.125, 0.0, -0.625]]> : tensor<2x3xf32>
  %g = arith.constant dense<[[-1.625, 1.125, 0.5], [-1.0, -1.75, 0.875]]> : tensor<2x3xf32>
  %m = arith.constant dense<[[0.0, 0.375, -0.125], [-0.25, -0.375, 1.0]]> : tensor<2x3xf32>
  %v = arith.constant dense<[[0.25, 1.625, 1.875], [0.25, 0.75, 2.125]]> : tensor<2x3xf32>
  %step = arith.constant dense<7.0> : tensor<f32>
  %lr = arith.constant dense<0.015625> : tensor<f32>
  %s = arith.constant dense<0.5> : tensor<f32>
  %p1, %m1, %v1 = attnres.adamw %p, %g, %m, %v, %step, %lr, %s {beta1 = 0.875 : f64, beta2 = 0.96875 : f64, eps = 9.5367431640625e-07 : f64, weight_decay = 0.125 : f64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  %want_p1 = arith.constant dense<[[7.5081051025595735e-01, 1.6181902807070268e+00, -9.9738145932173827e-01], [1.3121634483053665e-01, 5.8002789773651513e-03, -6.3121059195562645e-01]]> : tensor<2x3xf64>
  %wide_p1 = arith.extf %p1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_p1, %want_p1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_m1 = arith.constant dense<[[-1.0156250000000000e-01, 3.9843750000000000e-01, -7.8125000000000000e-02], [-2.8125000000000000e-01, -4.3750000000000000e-01, 9.2968750000000000e-01]]> : tensor<2x3xf64>
  %wide_m1 = arith.extf %m1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_m1, %want_m1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_v1 = arith.constant dense<[[2.6281738281250000e-01, 1.5841064453125000e+00, 1.8183593750000000e+00], [2.5000000000000000e-01, 7.5048828125000000e-01, 2.0645751953125000e+00]]> : tensor<2x3xf64>
  %wide_v1 = arith.extf %v1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_v1, %want_v1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}

// No gradient, no moments: the parameter shrinks by lr weight_decay.
func.func @op3_decay_alone() {
  %p = arith.constant dense<[[0.75, 1.625, -1.0], [0.125, 0.0, -0.625]]> : tensor<2x3xf32>
  %z = arith.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %step = arith.constant dense<1.0> : tensor<f32>
  %lr = arith.constant dense<0.015625> : tensor<f32>
  %s = arith.constant dense<0.5> : tensor<f32>
  %p1, %m1, %v1 = attnres.adamw %p, %z, %z, %z, %step, %lr, %s {beta1 = 0.875 : f64, beta2 = 0.96875 : f64, eps = 9.5367431640625e-07 : f64, weight_decay = 0.125 : f64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  %want_p1 = arith.constant dense<[[7.4853515625000000e-01, 1.6218261718750000e+00, -9.9804687500000000e-01], [1.2475585937500000e-01, 0.0000000000000000e+00, -6.2377929687500000e-01]]> : tensor<2x3xf64>
  %wide_p1 = arith.extf %p1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_p1, %want_p1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  %want_v1 = arith.constant dense<[[0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00]]> : tensor<2x3xf64>
  %wide_v1 = arith.extf %v1 : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_v1, %want_v1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}
