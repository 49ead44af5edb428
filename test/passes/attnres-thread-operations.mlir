// RUN: attnres-opt %s --attnres-thread-operations | FileCheck %s
// Numbers: end_to_end/EmulatorTest.cpp

// CHECK-LABEL: attnres.kernel @linear : (tensor<9x5xbf16>, tensor<70x5xbf16>, tensor<70xf32>) -> tensor<9x70xbf16>
// CHECK-SAME: blocks<[5, 1, 1] of [128, 1, 1]> scratch 0
// CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (f32) {
// CHECK: math.fma
// CHECK: arith.addf %[[SUM]]
// CHECK: memref.store {{.*}} : memref<9x70xbf16, 1>
attnres.kernel @linear(%x: tensor<9x5xbf16>, %w: tensor<70x5xbf16>, %b: tensor<70xf32>) -> tensor<9x70xbf16> {
  %y = attnres.linear %x, %w bias(%b) : tensor<9x5xbf16>, tensor<70x5xbf16>, tensor<70xf32>
  attnres.return %y : tensor<9x70xbf16>
}

// A column is a thread's, which adds its rows in order.
// CHECK-LABEL: attnres.kernel @sums : (tensor<5x24xf32>) -> tensor<24xf32> blocks<[1, 1, 1] of [128, 1, 1]>
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: memref.store
attnres.kernel @sums(%x: tensor<5x24xf32>) -> tensor<24xf32> {
  %s = attnres.sum_rows %x : tensor<5x24xf32>
  attnres.return %s : tensor<24xf32>
}

// One warp sums in f64.
// CHECK-LABEL: attnres.kernel @clip
// CHECK-SAME: blocks<[1, 1, 1] of [32, 1, 1] lists [0]>
// CHECK: arith.addf {{.*}} : f64
// CHECK: nvvm.shfl.sync bfly
// CHECK: math.sqrt {{.*}} : f64
attnres.kernel @clip(%s: !attnres.list<tensor<3xf32>>) -> (tensor<f32>, tensor<f32>) {
  %norm, %scale = attnres.clip_scale %s {max_norm = 1.0 : f64} : !attnres.list<tensor<3xf32>>
  attnres.return %norm, %scale : tensor<f32>, tensor<f32>
}

// What has partial sums is a row kernel.
// CHECK-LABEL: attnres.kernel @partial(
// CHECK: attnres.sum_rows
attnres.kernel @partial(%x: tensor<40x24xf32>) -> tensor<5x24xf32> {
  %s = attnres.sum_rows %x {partials = 5 : i64} : tensor<40x24xf32>
  attnres.return %s : tensor<5x24xf32>
}
