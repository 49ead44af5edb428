// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.situ_glu{{[( ]}}
// Written by test/reference/interpret_k3_cases.py.

// Bounded by 4 and 25.
func.func @ex7_f32() {
  %gate = arith.constant dense<[[1.375, -0.25, -1.75, -1.625, -1.375, -0.25, -2.0], [-1.375, 1.625, 1.25, 1.0, -1.0, -1.25, -0.5]]> : tensor<2x7xf32>
  %up = arith.constant dense<[[-0.75, -1.75, -0.125, 0.25, -1.375, 1.0, -1.0], [-0.75, -0.625, -0.25, 1.625, -0.25, -0.875, 0.25]]> : tensor<2x7xf32>
  %y = attnres.situ_glu %gate, %up : tensor<2x7xf32>
  %want_y = arith.constant dense<[[-7.9193355952710287e-01, 1.9098691533877937e-01, 3.0465642888208459e-02, -6.3383442574078283e-02, 3.6683260145553231e-01, -1.0925531315939130e-01, 2.2022542081649218e-01], [2.0023216109504688e-01, -8.0457841380104678e-01, -2.3528838769210564e-01, 1.1621879926516159e+00, 6.5866577648940092e-02, 2.3585094767153678e-01, -4.6946750574652078e-02]]> : tensor<2x7xf64>
  %wide_y = arith.extf %y : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}

// Bounded by 4 and 25.
func.func @ex7_bf16() {
  %gate = arith.constant dense<[[1.375, -0.25, -1.75, -1.625, -1.375, -0.25, -2.0], [-1.375, 1.625, 1.25, 1.0, -1.0, -1.25, -0.5]]> : tensor<2x7xbf16>
  %up = arith.constant dense<[[-0.75, -1.75, -0.125, 0.25, -1.375, 1.0, -1.0], [-0.75, -0.625, -0.25, 1.625, -0.25, -0.875, 0.25]]> : tensor<2x7xbf16>
  %y = attnres.situ_glu %gate, %up : tensor<2x7xbf16>
  %want_y = arith.constant dense<[[-7.9193355952710287e-01, 1.9098691533877937e-01, 3.0465642888208459e-02, -6.3383442574078283e-02, 3.6683260145553231e-01, -1.0925531315939130e-01, 2.2022542081649218e-01], [2.0023216109504688e-01, -8.0457841380104678e-01, -2.3528838769210564e-01, 1.1621879926516159e+00, 6.5866577648940092e-02, 2.3585094767153678e-01, -4.6946750574652078e-02]]> : tensor<2x7xf64>
  %wide_y = arith.extf %y : tensor<2x7xbf16> to tensor<2x7xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}

// Bounded by 2 and 0.5.
func.func @ex7_bounds() {
  %gate = arith.constant dense<[[1.375, -0.25, -1.75, -1.625, -1.375, -0.25, -2.0], [-1.375, 1.625, 1.25, 1.0, -1.0, -1.25, -0.5]]> : tensor<2x7xf32>
  %up = arith.constant dense<[[-0.75, -1.75, -0.125, 0.25, -1.375, 1.0, -1.0], [-0.75, -0.625, -0.25, 1.625, -0.25, -0.875, 0.25]]> : tensor<2x7xf32>
  %y = attnres.situ_glu %gate, %up {gate_bound = 2.0 : f64, up_bound = 0.5 : f64} : tensor<2x7xf32>
  %want_y = arith.constant dense<[[-4.3086639667967858e-01, 5.4345462604360940e-02, 2.5523280530925199e-02, -5.1010862372429161e-02, 1.1937633735139347e-01, -5.2486159960025050e-02, 8.7518519665103697e-02], [1.0894008558233749e-01, -4.7553249232258399e-01, -1.9921421803850400e-01, 3.3682040919587114e-01, 5.7433050232928225e-02, 1.1626876103294442e-01, -4.2730474241258795e-02]]> : tensor<2x7xf64>
  %wide_y = arith.extf %y : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}
