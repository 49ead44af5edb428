// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.swiglu_backward{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Both gradients. Also G-7.
func.func @ff1_plain() {
  %gate = arith.constant dense<[[1.75, 1.875, 0.125, 0.125, -0.875, -1.625, -1.0], [0.5, 1.375, 0.75, -1.625, 0.375, -2.0, 0.0]]> : tensor<2x7xf32>
  %up = arith.constant dense<[[1.625, -1.75, 1.625, 0.375, -0.5, 1.875, 1.0], [-1.875, 0.75, 0.25, 1.625, 0.0, 1.0, 1.125]]> : tensor<2x7xf32>
  %g = arith.constant dense<[[-1.375, 0.0, -1.0, 1.625, -1.25, -0.625, 1.625], [0.375, 1.125, 1.375, -1.5, -1.0, 1.625, 0.875]]> : tensor<2x7xf32>
  %d:2 = attnres.swiglu_backward %gate, %up, %g : tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xf32>
  %want_d_0 = arith.constant dense<[[-2.3967670200692015e+00, 0.0000000000000000e+00, -9.1379863290699503e-01, 3.4267448734012318e-01, 7.0324384459145808e-02, 6.8954391965458647e-02, 1.1753541820883402e-01], [-5.2028520982217719e-01, 8.6035345206794112e-01, 2.8964373092075901e-01, 1.4342513528815398e-01, 0.0000000000000000e+00, -1.4752440427545518e-01, 4.9218750000000006e-01]]> : tensor<2x7xf64>
  %wide_d_0 = arith.extf %d#0 : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_d_0, %want_d_0 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  %want_d_1 = arith.constant dense<[[-2.0500114297362475e+00, 0.0000000000000000e+00, -6.6401171671719536e-02, 1.0790190396654424e-01, 3.2179762580326898e-01, 1.6708703262932192e-01, -4.3702980972624200e-01], [1.1671112460034774e-01, 1.2346951718159769e+00, 7.0040303352462407e-01, 4.0100887831037269e-01, -2.2224997498277613e-01, -3.8740949657188206e-01, 0.0000000000000000e+00]]> : tensor<2x7xf64>
  %wide_d_1 = arith.extf %d#1 : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_d_1, %want_d_1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}
