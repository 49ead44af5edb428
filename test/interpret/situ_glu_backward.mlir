// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.situ_glu_backward{{[( ]}}
// Written by test/reference/interpret_k3_cases.py.

// Both gradients. Also G-7.
func.func @ex7_f32() {
  %gate = arith.constant dense<[[1.375, -0.25, -1.75, -1.625, -1.375, -0.25, -2.0], [-1.375, 1.625, 1.25, 1.0, -1.0, -1.25, -0.5]]> : tensor<2x7xf32>
  %up = arith.constant dense<[[-0.75, -1.75, -0.125, 0.25, -1.375, 1.0, -1.0], [-0.75, -0.625, -0.25, 1.625, -0.25, -0.875, 0.25]]> : tensor<2x7xf32>
  %g = arith.constant dense<[[0.375, 0.5, -1.875, 0.125, -1.875, -0.5, -1.5], [-1.0, 1.625, -0.25, -0.5, 1.5, 0.0, 1.375]]> : tensor<2x7xf32>
  %d:2 = attnres.situ_glu_backward %gate, %up, %g : tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xf32>
  %want_d_0 = arith.constant dense<[[-2.5979479990790255e-01, -3.2729673958548716e-01, -1.9845432876776800e-02, -2.2416542531023486e-03, -8.6111647082389470e-02, -1.8723223900459215e-01, -1.5041550857350894e-01], [-2.5068395226009309e-02, -9.3752271455547931e-01, 5.7227805904654441e-02, -7.1385003169209627e-01, -2.2571698641977632e-02, 0.0000000000000000e+00, 8.7587618042367907e-02]]> : tensor<2x7xf64>
  %wide_d_0 = arith.extf %d#0 : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_d_0, %want_d_0 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  %want_d_1 = arith.constant dense<[[3.9572929944145879e-01, -5.4389842410293494e-02, 4.5697702700126208e-01, -3.1689608604212299e-02, 4.9921890731815755e-01, 5.4569430557896370e-02, 3.2998603346997257e-01], [2.6681609631699721e-01, 2.0910325034252022e+00, -2.3527270253157020e-01, -3.5659105822590803e-01, -3.9517312049203851e-01, 0.0000000000000000e+00, -2.5818991515531953e-01]]> : tensor<2x7xf64>
  %wide_d_1 = arith.extf %d#1 : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_d_1, %want_d_1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}

// Both gradients. Also G-7.
func.func @ex7_bounds() {
  %gate = arith.constant dense<[[1.375, -0.25, -1.75, -1.625, -1.375, -0.25, -2.0], [-1.375, 1.625, 1.25, 1.0, -1.0, -1.25, -0.5]]> : tensor<2x7xf32>
  %up = arith.constant dense<[[-0.75, -1.75, -0.125, 0.25, -1.375, 1.0, -1.0], [-0.75, -0.625, -0.25, 1.625, -0.25, -0.875, 0.25]]> : tensor<2x7xf32>
  %g = arith.constant dense<[[0.375, 0.5, -1.875, 0.125, -1.875, -0.5, -1.5], [-1.0, 1.625, -0.25, -0.5, 1.5, 0.0, 1.375]]> : tensor<2x7xf32>
  %d:2 = attnres.situ_glu_backward %gate, %up, %g {gate_bound = 2.0 : f64, up_bound = 0.5 : f64} : tensor<2x7xf32>, tensor<2x7xf32>, tensor<2x7xf32>
  %want_d_0 = arith.constant dense<[[-1.1989295902206390e-01, -9.2291058612798765e-02, -2.3620986758921415e-02, -2.7148875233621327e-03, -5.7742229811254653e-02, -8.9133536326594751e-02, -7.9433101079880566e-02], [-2.8103586118407704e-02, -4.4372755226579941e-01, 4.2181190024843156e-02, -1.8859577587065704e-01, -1.0325849300412067e-02, 0.0000000000000000e+00, 7.6179513563788590e-02]]> : tensor<2x7xf64>
  %wide_d_0 = arith.extf %d#0 : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_d_0, %want_d_0 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  %want_d_1 = arith.constant dense<[[6.4514640051172731e-02, -1.9822675386577519e-04, 3.6735046730187038e-01, -2.1703033764910531e-02, 7.3180793131129383e-03, 3.8465605872596196e-03, 1.9241946180983280e-02], [4.3498281370739258e-02, 5.1088541053170888e-01, -1.6951498953198393e-01, -2.0255605951534439e-03, -2.9322494161966933e-01, 0.0000000000000000e+00, -1.9998074338082764e-01]]> : tensor<2x7xf64>
  %wide_d_1 = arith.extf %d#1 : tensor<2x7xf32> to tensor<2x7xf64>
  attnres.expect_close %wide_d_1, %want_d_1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x7xf64>
  return
}
