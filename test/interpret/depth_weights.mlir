// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.depth_weights{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Weights of three sources.
func.func @da1_three_sources() {
  %q = arith.constant dense<[0.75, 1.125, -0.5, -1.25, 1.25]> : tensor<5xf32>
  %g = arith.constant dense<[1.375, 0.25, 1.5, -2.0, 1.25]> : tensor<5xf32>
  %v0 = arith.constant dense<[[[-0.625, -0.375, 1.75, -1.75, 1.625], [0.0, -1.5, -2.0, 0.125, -2.0], [1.875, 0.25, 1.5, -1.375, -0.25]], [[1.25, -0.75, -0.75, 1.5, 1.625], [1.875, -1.5, -0.75, 1.0, -0.375], [0.75, 0.5, -1.375, -0.125, -1.75]]]> : tensor<2x3x5xf32>
  %v1 = arith.constant dense<[[[-0.75, -1.0, 1.5, -1.75, 1.625], [-1.0, 0.75, 0.375, 0.875, -1.25], [-0.875, 0.75, -0.5, 0.625, -1.125]], [[1.875, 0.375, 1.0, -1.75, -1.125], [-1.75, 1.625, 0.125, -0.5, -1.125], [-1.5, -0.875, -1.25, -0.125, -1.375]]]> : tensor<2x3x5xf32>
  %v2 = arith.constant dense<[[[-1.875, -0.625, 0.875, -1.75, 0.25], [0.125, 1.0, 0.375, 1.0, 1.75], [0.75, 1.0, 1.875, 0.75, -1.875]], [[-1.75, 0.625, -1.5, 1.375, -2.0], [-0.875, -2.0, 1.75, -0.75, -0.25], [1.625, 0.5, 0.375, -0.25, -0.5]]]> : tensor<2x3x5xf32>
  %a = attnres.depth_weights query(%q) gain(%g) sources(%v0, %v1, %v2) {eps = 9.7656250000000000e-04 : f64} : tensor<2x3x5xf32>
  %want_a = arith.constant dense<[[[4.9313111925102643e-01, 1.5633617809099538e-03, 9.6270921877537649e-02], [9.9854973861808205e-01, 9.9826059155495050e-01, 2.2671497641078955e-01]], [[4.6819123803810325e-01, 1.9972536292880488e-03, 5.4173249201097695e-01], [4.3058363643189061e-05, 9.4766105506096656e-04, 3.4350150706870849e-02]], [[3.8677642710870513e-02, 9.9643938458980164e-01, 3.6199658611148539e-01], [1.4072030182748186e-03, 7.9174738998859934e-04, 7.3893487288233950e-01]]]> : tensor<3x2x3xf64>
  %wide_a = arith.extf %a : tensor<3x2x3xf32> to tensor<3x2x3xf64>
  attnres.expect_close %wide_a, %want_a {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x2x3xf64>
  return
}
