// RUN: attnres-opt %s --attnres-grouped-matmul=isa=avx2 | FileCheck %s
// Numbers: unit/compile/ExpertTest.cpp

// Products of rows with the matrices that they choose become code that reads
// the choices.
// CHECK-LABEL: attnres.kernel @linear
// CHECK-SAME: -> tensor<11x2x16xf32>
// CHECK-SAME: code(%{{.*}}: memref<11x8xf32>, %{{.*}}: memref<6x16x8xf32>, %[[CHOICES:.*]]: memref<11x2xi64>, %{{.*}}: memref<11x2x16xf32>, %{{.*}}: memref<?xi8>, %{{.*}}: index, %{{.*}}: index) {
// CHECK: scf.for
// CHECK: math.fma
// CHECK-NOT: attnres.grouped_linear
// CHECK: attnres.return
attnres.kernel @linear(%x: tensor<11x8xf32>, %w: tensor<6x16x8xf32>, %e: tensor<11x2xi64>) -> tensor<11x2x16xf32> {
  %y = attnres.grouped_linear %x, %w, %e : tensor<11x8xf32>, tensor<6x16x8xf32>, tensor<11x2xi64>
  attnres.return %y : tensor<11x2x16xf32>
}

// CHECK-LABEL: attnres.kernel @gradient
// CHECK-SAME: -> tensor<6x16x8xf32>
// CHECK-SAME: code(
// CHECK: math.fma
// CHECK-NOT: attnres.grouped_weight_grad
// CHECK: attnres.return
attnres.kernel @gradient(%g: tensor<11x2x16xf32>, %x: tensor<11x8xf32>, %e: tensor<11x2xi64>) -> tensor<6x16x8xf32> {
  %w = attnres.grouped_weight_grad %g, %x, %e {matrices = 6 : i64} : tensor<11x2x16xf32>, tensor<11x8xf32>, tensor<11x2xi64>
  attnres.return %w : tensor<6x16x8xf32>
}

// A product without choices is another pass's.
// CHECK-LABEL: attnres.kernel @plain
// CHECK: attnres.linear
attnres.kernel @plain(%x: tensor<11x8xf32>, %w: tensor<16x8xf32>) -> tensor<11x16xf32> {
  %y = attnres.linear %x, %w : tensor<11x8xf32>, tensor<16x8xf32>
  attnres.return %y : tensor<11x16xf32>
}
