// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.gelu{{[( ]}}
// Written by test/reference/interpret_cases.py.

// x Phi(x).
func.func @ff2_plain() {
  %x = arith.constant dense<[[1.75, 1.875, 0.125, 0.125, -0.875, -1.625, -1.0], [0.5, 1.375, 0.75, -1.625, 0.375, -2.0, 0.0]]> : tensor<2x7xf32>
  %y = attnres.gelu %x : tensor<2x7xf32>
  %want_y = arith.constant dense<[[1.6798964754883201e+00, 1.8180068216901348e+00, 6.8717278103764115e-02, 6.8717278103764115e-02, -1.6693858374594681e-01, -8.4632079049731787e-02, -1.5865525393145707e-01], [3.4573123063700656e-01, 1.2587221317669133e+00, 5.8002948571734880e-01, -8.4632079049731787e-02, 2.4231366250227140e-01, -4.5500263896358417e-02, 0.0000000000000000e+00]]> : tensor<2x7xf64>
  %wide_y = arith.extf %y : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_y, %want_y {atol = 1.9999999999999999e-07 : f64, rtol = 1.9999999999999999e-07 : f64} : tensor<2x7xf64>
  return
}
