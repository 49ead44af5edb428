// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.swiglu{{[( ]}}
// Written by test/reference/interpret_cases.py.

// gate sigmoid(gate) up.
func.func @ff1_f32() {
  %gate = arith.constant dense<[[1.75, 1.875, 0.125, 0.125, -0.875, -1.625, -1.0], [0.5, 1.375, 0.75, -1.625, 0.375, -2.0, 0.0]]> : tensor<2x7xf32>
  %up = arith.constant dense<[[1.625, -1.75, 1.625, 0.375, -0.5, 1.875, 1.0], [-1.875, 0.75, 0.25, 1.625, 0.0, 1.0, 1.125]]> : tensor<2x7xf32>
  %y = attnres.swiglu %gate, %up : tensor<2x7xf32>
  %want_y = arith.constant dense<[[2.4227407805973833e+00, -2.8449610868508723e+00, 1.0790190396654424e-01, 2.4900439376894824e-02, 1.2871905032130759e-01, -5.0126109788796591e-01, -2.6894142136999510e-01], [-5.8355562300173869e-01, 8.2313011454398444e-01, 1.2734600609538618e-01, -4.3442628483623708e-01, 0.0000000000000000e+00, -2.3840584404423509e-01, 0.0000000000000000e+00]]> : tensor<2x7xf64>
  %wide_y = arith.extf %y : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}

// gate sigmoid(gate) up.
func.func @ff1_bf16() {
  %gate = arith.constant dense<[[1.75, 1.875, 0.125, 0.125, -0.875, -1.625, -1.0], [0.5, 1.375, 0.75, -1.625, 0.375, -2.0, 0.0]]> : tensor<2x7xbf16>
  %up = arith.constant dense<[[1.625, -1.75, 1.625, 0.375, -0.5, 1.875, 1.0], [-1.875, 0.75, 0.25, 1.625, 0.0, 1.0, 1.125]]> : tensor<2x7xbf16>
  %y = attnres.swiglu %gate, %up : tensor<2x7xbf16>
  %want_y = arith.constant dense<[[2.4227407805973833e+00, -2.8449610868508723e+00, 1.0790190396654424e-01, 2.4900439376894824e-02, 1.2871905032130759e-01, -5.0126109788796591e-01, -2.6894142136999510e-01], [-5.8355562300173869e-01, 8.2313011454398444e-01, 1.2734600609538618e-01, -4.3442628483623708e-01, 0.0000000000000000e+00, -2.3840584404423509e-01, 0.0000000000000000e+00]]> : tensor<2x7xf64>
  %wide_y = arith.extf %y : tensor<2x7xbf16> to tensor<2x7xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}
