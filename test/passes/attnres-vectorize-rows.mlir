// RUN: attnres-opt %s --attnres-vectorize-rows=isa=avx2 --split-input-file | FileCheck %s
// Numbers: unit/compile/CompiledMeaningTest.cpp

// A chain of row operations becomes one loop over the rows of an item: 40 rows
// are 3 items, the value between the operations stays in scratch, and what is
// known of the kernel stays known.
// CHECK-LABEL: attnres.kernel @chain : (tensor<40x24xf32>, tensor<24xf32>) -> tensor<40x24xf32> inplace [0] flops 0 grid 3 scratch 128
// CHECK-SAME: code(%[[X:.*]]: memref<40x24xf32>, %[[W:.*]]: memref<24xf32>, %[[Y:.*]]: memref<40x24xf32>, %[[S:.*]]: memref<?xi8>, %[[B:.*]]: index, %[[E:.*]]: index) {
// CHECK: memref.view %[[S]]
// CHECK: scf.for %{{.*}} = %[[B]] to %[[E]]
// CHECK: scf.for
// CHECK: vector.load {{.*}} : memref<40x24xf32>
// CHECK: math.sqrt
// CHECK: vector.store {{.*}} : memref<40x24xf32>
// CHECK: attnres.return
attnres.kernel @chain(%x: tensor<40x24xf32>, %w: tensor<24xf32>) -> tensor<40x24xf32> inplace [0] flops 0 {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<40x24xf32>, tensor<24xf32>
  %z = arith.mulf %y, %x : tensor<40x24xf32>
  attnres.return %z : tensor<40x24xf32>
}

// -----

// An item for each partial sum, however many rows the target would like: 40
// rows in 5 ranges.
// CHECK-LABEL: attnres.kernel @partial_sums
// CHECK-SAME: grid 5
attnres.kernel @partial_sums(%x: tensor<40x24xf32>) -> tensor<5x24xf32> {
  %s = attnres.sum_rows %x {partials = 5 : i64} : tensor<40x24xf32>
  attnres.return %s : tensor<5x24xf32>
}

// -----

// Partial sums that disagree on the ranges stay what they are.
// CHECK-LABEL: attnres.kernel @disagree(
// CHECK: attnres.sum_rows
attnres.kernel @disagree(%x: tensor<40x24xf32>) -> (tensor<5x24xf32>, tensor<4x24xf32>) {
  %s = attnres.sum_rows %x {partials = 5 : i64} : tensor<40x24xf32>
  %t = attnres.sum_rows %x {partials = 4 : i64} : tensor<40x24xf32>
  attnres.return %s, %t : tensor<5x24xf32>, tensor<4x24xf32>
}

// -----

// A list has scratch for each of its tensors.
// CHECK-LABEL: attnres.kernel @list
// CHECK-SAME: grid 1 scratch {{[0-9]+}} per_item {{[0-9]+}} code(%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: !llvm.ptr,
attnres.kernel @list(%q: tensor<8xf32>, %g: tensor<8xf32>, %v: !attnres.list<tensor<3x8xf32>>) -> (tensor<3x8xf32>, tensor<3xf32>) {
  %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v) {eps = 1.0e-8 : f64}
      : (tensor<8xf32>, tensor<8xf32>, !attnres.list<tensor<3x8xf32>>)
  attnres.return %h, %lse : tensor<3x8xf32>, tensor<3xf32>
}

// -----

// Rows of different numbers, results that are returned twice or are arguments,
// and what is no row operation: others may know what to do.
// CHECK-LABEL: attnres.kernel @two_numbers(
attnres.kernel @two_numbers(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>) -> (tensor<3x4xf32>, tensor<5x4xf32>) {
  %a = arith.negf %x : tensor<3x4xf32>
  %b = arith.negf %y : tensor<5x4xf32>
  attnres.return %a, %b : tensor<3x4xf32>, tensor<5x4xf32>
}
// CHECK-LABEL: attnres.kernel @twice(
attnres.kernel @twice(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %a = arith.negf %x : tensor<3x4xf32>
  attnres.return %a, %a : tensor<3x4xf32>, tensor<3x4xf32>
}
// CHECK-LABEL: attnres.kernel @argument(
attnres.kernel @argument(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  attnres.return %x : tensor<3x4xf32>
}
// CHECK-LABEL: attnres.kernel @no_rows(
attnres.kernel @no_rows(%x: tensor<3x4xf32>, %w: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %y = attnres.linear %x, %w : tensor<3x4xf32>, tensor<5x4xf32>
  attnres.return %y : tensor<3x5xf32>
}
// CHECK-LABEL: attnres.kernel @declared : (tensor<3x4xf32>) -> tensor<3x4xf32>
attnres.kernel @declared : (tensor<3x4xf32>) -> tensor<3x4xf32>
