// RUN: attnres-opt %s --attnres-form-kernels --attnres-plan-memory --attnres-check-memory-plan | FileCheck %s

// A rotation reads both elements of a pair before it writes them: it may leave
// its result where its operand was.

// CHECK-LABEL: func.func @main
// CHECK: attnres.launch @rope
// CHECK-SAME: operand_buffers = [#attnres.buffer<[[X:[^>]*]]>,
// CHECK-SAME: result_buffers = [#attnres.buffer<[[X]]>]
// CHECK: func.func private @rope
// CHECK-SAME: attnres.inplace = array<i64: 0>
func.func @main(%x: tensor<2x8xf32>, %w: tensor<16x8xf32>, %table: tensor<2x8xf32>, %v: tensor<4x16xf32>) -> tensor<2x4xf32> {
  %y = attnres.linear %x, %w : tensor<2x8xf32>, tensor<16x8xf32>
  %heads = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [1, 2, 2, 8] : tensor<2x16xf32> into tensor<1x2x2x8xf32>
  %rotated = attnres.rope %heads table(%table) {theta = 1.0e4 : f64} : tensor<1x2x2x8xf32>, tensor<2x8xf32>
  %flat = tensor.collapse_shape %rotated [[0, 1], [2, 3]] : tensor<1x2x2x8xf32> into tensor<2x16xf32>
  %z = attnres.linear %flat, %v : tensor<2x16xf32>, tensor<4x16xf32>
  return %z : tensor<2x4xf32>
}
