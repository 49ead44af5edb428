// RUN: attnres-opt %s --attnres-vectorize-rows=isa=avx2 | FileCheck %s
// RUN: attnres-opt %s --attnres-vectorize-rows=isa=avx512 | FileCheck %s --check-prefix=AVX512
// RUN: not attnres-opt %s --attnres-vectorize-rows=isa=mmx 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: unknown isa 'mmx'

// 20 rows of 70 columns are two items. Four registers at a time are summed, then
// one by one, the last six columns under a mask; so are the results.
// CHECK-LABEL: func.func @norm(
// CHECK-SAME: memref<20x70xbf16>, %{{.*}}: memref<70xf32>, %{{.*}}: memref<20x70xbf16>, %{{.*}}: memref<?xi8>
// CHECK-SAME: attnres.grid = 2 : i64
// CHECK: vector.load {{.*}} vector<32xbf16>
// CHECK: arith.extf {{.*}} : vector<32xbf16> to vector<32xf32>
// CHECK: math.fma {{.*}} : vector<32xf32>
// CHECK: vector.create_mask
// CHECK: vector.maskedload {{.*}} vector<8xbf16>
// CHECK: math.sqrt
// CHECK: arith.truncf {{.*}} : vector<32xf32> to vector<32xbf16>
// CHECK: vector.maskedstore
// CHECK-NOT: attnres.rms_norm
// AVX512-LABEL: func.func @norm(
// AVX512: vector.load {{.*}} vector<64xbf16>
func.func @norm(%x: tensor<20x70xbf16>, %w: tensor<70xf32>) -> tensor<20x70xbf16> attributes {attnres.kernel} {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<20x70xbf16>, tensor<70xf32>
  return %y : tensor<20x70xbf16>
}

// What stays inside is a row of f32, once for all rows.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: attnres.scratch_bytes = 64 : i64
// CHECK: memref.view %{{.*}} : memref<?xi8> to memref<16xf32>
// CHECK-NOT: arith.truncf {{.*}} to vector<16xbf16>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: vector.store {{.*}} : memref<16xf32>
func.func @chain(%x: tensor<3x16xbf16>, %u: tensor<3x16xbf16>) -> tensor<3x16xbf16> attributes {attnres.kernel} {
  %s = arith.addf %x, %u : tensor<3x16xbf16>
  %y = attnres.gelu %s : tensor<3x16xbf16>
  return %y : tensor<3x16xbf16>
}

// One kernel for any number of sources.
// CHECK-LABEL: func.func @list(
// CHECK-SAME: !llvm.ptr
// CHECK-SAME: attnres.scratch_bytes_per_item
func.func @list(%q: tensor<8xf32>, %g: tensor<8xf32>, %v: !attnres.list<tensor<2x8xf32>>)
    -> (tensor<2x8xf32>, tensor<2xf32>) attributes {attnres.kernel} {
  %h, %lse = attnres.depth_attention queries(%q) gains(%g) sources(%v) {eps = 1.0e-8 : f64}
    : (tensor<8xf32>, tensor<8xf32>, !attnres.list<tensor<2x8xf32>>)
  return %h, %lse : tensor<2x8xf32>, tensor<2xf32>
}
