// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.gelu_backward{{[( ]}}
// Written by test/reference/interpret_cases.py.

// g (Phi(x) + x phi(x)). Also G-7.
func.func @ff2_plain() {
  %x = arith.constant dense<[[1.75, 1.875, 0.125, 0.125, -0.875, -1.625, -1.0], [0.5, 1.375, 0.75, -1.625, 0.375, -2.0, 0.0]]> : tensor<2x7xf32>
  %g = arith.constant dense<[[-1.375, 0.0, -1.0, 1.625, -1.25, -0.625, 1.625], [0.375, 1.125, 1.375, -1.5, -1.0, 1.625, 0.875]]> : tensor<2x7xf32>
  %y = attnres.gelu_backward %x, %g : tensor<2x7xf32>
  %want_y = arith.constant dense<[[-1.5275234577385448e+00, 0.0000000000000000e+00, -5.9921793569820658e-01, 9.7372914550958567e-01, 5.9076463410893676e-02, 7.5652128935613239e-02, -1.3538763970499024e-01], [3.2531067174606110e-01, 1.2696481604855445e+00, 1.3739353673914483e+00, 1.8156510944547177e-01, -7.8561542687388708e-01, -1.3850167675206998e-01, 4.3750000000000000e-01]]> : tensor<2x7xf64>
  %wide_y = arith.extf %y : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.9999999999999999e-07 : f64, rtol = 1.9999999999999999e-07 : f64} : tensor<2x7xf64>
  return
}
