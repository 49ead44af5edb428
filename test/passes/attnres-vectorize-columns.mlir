// RUN: attnres-opt %s --attnres-vectorize-columns=isa=avx2 | FileCheck %s
// Numbers: unit/compile/CompiledMeaningTest.cpp

// An item owns 64 columns and adds the rows from first to last; the last one
// has a mask.
// CHECK-LABEL: attnres.kernel @sum_rows : (tensor<3x7x100xf32>) -> tensor<100xf32> grid 2 scratch 0
// CHECK-SAME: code(%[[X:.*]]: memref<3x7x100xf32>, %[[Y:.*]]: memref<100xf32>,
// CHECK: vector.create_mask
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
// CHECK: arith.addf {{.*}} : vector<64xf32>
// CHECK: attnres.return
attnres.kernel @sum_rows(%x: tensor<3x7x100xf32>) -> tensor<100xf32> {
  %s = attnres.sum_rows %x : tensor<3x7x100xf32>
  attnres.return %s : tensor<100xf32>
}

// No mask for whole blocks.
// CHECK-LABEL: attnres.kernel @whole : (tensor<7x128xf32>) -> tensor<128xf32> grid 2
// CHECK-NOT: vector.create_mask
// CHECK: attnres.return
attnres.kernel @whole(%x: tensor<7x128xf32>) -> tensor<128xf32> {
  %s = attnres.sum_rows %x : tensor<7x128xf32>
  attnres.return %s : tensor<128xf32>
}

// A token outside the table counts as token 0, as in the lookup.
// CHECK-LABEL: attnres.kernel @embedding : (tensor<2x4xi64>, tensor<2x4x32xf32>) -> tensor<5x32xf32> grid 1
// CHECK: arith.cmpi ult
// CHECK: arith.select
attnres.kernel @embedding(%t: tensor<2x4xi64>, %g: tensor<2x4x32xf32>) -> tensor<5x32xf32> {
  %d = attnres.embedding_backward %t, %g {vocab_size = 5 : i64} : tensor<2x4xi64>, tensor<2x4x32xf32>
  attnres.return %d : tensor<5x32xf32>
}

// One item, sums in f64.
// CHECK-LABEL: attnres.kernel @mean : (tensor<2x4xf32>, tensor<2x4xi64>) -> tensor<f32> grid 1
// CHECK: arith.extf {{.*}} : f32 to f64
// CHECK: arith.divf {{.*}} : f64
// CHECK: arith.truncf {{.*}} : f64 to f32
attnres.kernel @mean(%x: tensor<2x4xf32>, %t: tensor<2x4xi64>) -> tensor<f32> {
  %y = attnres.live_mean %x, %t : tensor<2x4xf32>, tensor<2x4xi64>
  attnres.return %y : tensor<f32>
}

// Lists of sums, however long.
// CHECK-LABEL: attnres.kernel @clip : (!attnres.list<tensor<3xf32>>, tensor<f32>) -> (tensor<f32>, tensor<f32>) grid 1
// CHECK-SAME: code(%[[L:.*]]: !llvm.ptr,
// CHECK: llvm.load %[[L]] : !llvm.ptr -> i64
// CHECK: math.sqrt {{.*}} : f64
attnres.kernel @clip(%l: !attnres.list<tensor<3xf32>>, %s: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %norm, %scale = attnres.clip_scale %l, %s {max_norm = 2.0 : f64} : !attnres.list<tensor<3xf32>>, tensor<f32>
  attnres.return %norm, %scale : tensor<f32>, tensor<f32>
}

// Partial sums are for row kernels.
// CHECK-LABEL: attnres.kernel @partial(
// CHECK: attnres.sum_rows
attnres.kernel @partial(%x: tensor<70x8xf32>) -> tensor<5x8xf32> {
  %s = attnres.sum_rows %x {partials = 5 : i64} : tensor<70x8xf32>
  attnres.return %s : tensor<5x8xf32>
}
