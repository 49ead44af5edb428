// RUN: attnres-opt %s --attnres-chunk-kda=isa=avx2 --mlir-print-local-scope | FileCheck %s
// Numbers: unit/compile/KdaTest.cpp

// Kernels of the delta rule become code that takes memory, one memref for each
// operand and result; tokens behind a text's length are known by an operand.
// CHECK-LABEL: attnres.kernel @forward
// CHECK-SAME: -> (tensor<2x19x4x6xf32>, tensor<2x4x8x6xf32>)
// CHECK-SAME: code(%{{.*}}: memref<2x19x2x8xf32>, {{.*}}: memref<2xi64>, {{.*}}: memref<2x19x4x6xf32>, %{{.*}}: memref<2x4x8x6xf32>, %{{.*}}: memref<?xi8>, %[[BEGIN:.*]]: index, %[[END:.*]]: index) {
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: math.fma
// CHECK-NOT: attnres.kda
// CHECK: attnres.return
attnres.kernel @forward(%q: tensor<2x19x2x8xf32>, %k: tensor<2x19x2x8xf32>, %v: tensor<2x19x4x6xf32>, %g: tensor<2x19x4x8xf32>, %b: tensor<2x19x4xf32>, %n: tensor<2xi64>)
    -> (tensor<2x19x4x6xf32>, tensor<2x4x8x6xf32>) {
  %o, %s = attnres.kda %q, %k, %v, %g, %b length(%n)
      : tensor<2x19x2x8xf32>, tensor<2x19x2x8xf32>, tensor<2x19x4x6xf32>, tensor<2x19x4x8xf32>, tensor<2x19x4xf32>, tensor<2xi64>
  attnres.return %o, %s : tensor<2x19x4x6xf32>, tensor<2x4x8x6xf32>
}

// CHECK-LABEL: attnres.kernel @backward
// CHECK-SAME: code(
// CHECK: math.fma
// CHECK-NOT: attnres.kda_backward
// CHECK: attnres.return
attnres.kernel @backward(%q: tensor<1x5x1x8xf32>, %k: tensor<1x5x1x8xf32>, %v: tensor<1x5x1x8xf32>, %g: tensor<1x5x1x8xf32>, %b: tensor<1x5x1xf32>, %d: tensor<1x5x1x8xf32>)
    -> (tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1xf32>) {
  %dq, %dk, %dv, %dg, %db = attnres.kda_backward %q, %k, %v, %g, %b, %d
      : tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1xf32>, tensor<1x5x1x8xf32>
  attnres.return %dq, %dk, %dv, %dg, %db : tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1x8xf32>, tensor<1x5x1xf32>
}

// Other kernels stay as they are.
// CHECK-LABEL: attnres.kernel @other
// CHECK: arith.negf
attnres.kernel @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.negf %x : tensor<8xf32>
  attnres.return %y : tensor<8xf32>
}
