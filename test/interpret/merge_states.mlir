// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose | FileCheck %s
// CHECK: func.func
// CHECK-NOT: attnres.merge_states{{[( ]}}
// Written by test/reference/interpret_cases.py.

// Rows where one state or both are empty.
func.func @with_empty_rows() {
  %a = arith.constant dense<[[[-1.125, 0.25, 0.25, -1.75, -2.0], [1.25, -0.75, -0.375, -0.25, -1.125], [-1.0, -1.25, -0.5, 1.25, -0.375]], [[-1.25, 0.875, -0.75, -0.125, -1.625], [0.75, 0.5, 1.625, -1.25, 1.375], [1.125, -1.875, 1.5, -1.0, 0.5]]]> : tensor<2x3x5xf32>
  %la = arith.constant dense<[[1.875, 0xFF800000, -1.625], [0xFF800000, 1.5, -1.5]]> : tensor<2x3xf32>
  %b = arith.constant dense<[[[0.125, -1.875, 0.5, 0.625, 0.125], [-0.25, -1.375, -0.25, -1.25, -1.875], [-0.375, 1.125, -1.5, 0.0, 1.0]], [[-0.75, -0.75, -0.125, 1.375, -1.875], [-1.875, 1.25, 0.25, 1.0, 0.25], [-0.5, -0.375, 1.5, 0.625, 0.0]]]> : tensor<2x3x5xf32>
  %lb = arith.constant dense<[[1.375, 0.25, 0xFF800000], [0xFF800000, 1.125, 0.0]]> : tensor<2x3xf32>
  %o, %l = attnres.merge_states %a, %la, %b, %lb : tensor<2x3x5xf32>, tensor<2x3xf32>, tensor<2x3x5xf32>, tensor<2x3xf32>
  %want_o = arith.constant dense<[[[-6.5307416400231832e-01, -5.5227392119605923e-01, 3.4438516719953643e-01, -8.5334091160440484e-01, -1.1977260788039412e+00], [-2.5000000000000000e-01, -1.3750000000000000e+00, -2.5000000000000000e-01, -1.2500000000000000e+00, -1.8750000000000000e+00], [-1.0000000000000000e+00, -1.2500000000000000e+00, -5.0000000000000000e-01, 1.2500000000000000e+00, -3.7500000000000000e-01]], [[0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00, 0.0000000000000000e+00], [-3.1925017512056680e-01, 8.0550005003444758e-01, 1.0649165749368459e+00, -3.3349984989665699e-01, 9.1674992494832830e-01], [-2.0355852381467093e-01, -6.4863828570953452e-01, 1.5000000000000000e+00, 3.2855852381467088e-01, 9.1212761903178174e-02]]]> : tensor<2x3x5xf64>
  %wide_o = arith.extf %o : tensor<2x3x5xf32> to tensor<2x3x5xf64>
  attnres.expect_close %wide_o, %want_o {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3x5xf64>
  %want_l = arith.constant dense<[[2.3490769841801065e+00, 2.5000000000000000e-01, -1.6250000000000000e+00], [0xFFF0000000000000, 2.0231232641398402e+00, 2.0141327798275246e-01]]> : tensor<2x3xf64>
  %wide_l = arith.extf %l : tensor<2x3xf32> to tensor<2x3xf64>
  attnres.expect_close %wide_l, %want_l {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<2x3xf64>
  return
}
