// RUN: attnres-opt %s --attnres-tile-matmul=isa=avx512-bf16+dot-bf16 | FileCheck %s
// RUN: attnres-opt %s --attnres-tile-matmul=isa=avx512-bf16 | FileCheck %s --check-prefix=FLAG
// Numbers: unit/passes/TileMatmulTest.cpp

// Eight rows and two vectors of columns for each of sixteen pairs of k: eight
// pairs of A and two vectors of B are loaded for sixteen dot products.
// CHECK-LABEL: attnres.kernel @linear
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-256: x86vector.avx512.dot
// CHECK-NOT: x86vector.avx512.dot
// CHECK: return
// That a processor has the instruction does not make it fast.
// FLAG-LABEL: attnres.kernel @linear
// FLAG-NOT: dpbf16ps
// FLAG: vector.fma
attnres.kernel @linear(%x: tensor<512x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<512x256xbf16> {
  %y = attnres.linear %x, %w : tensor<512x256xbf16>, tensor<256x256xbf16>
  attnres.return %y : tensor<512x256xbf16>
}

// A weight gradient. Rows of both operands are interleaved in pairs as they
// lie: nothing is transposed.
// CHECK-LABEL: attnres.kernel @gradient
// CHECK-NOT: vector.shuffle {{.*}} : vector<16xi32>
// CHECK: x86vector.avx512.dot
// CHECK: return
attnres.kernel @gradient(%g: tensor<512x256xbf16>, %x: tensor<512x128xbf16>) -> tensor<256x128xf32> {
  %w = attnres.matmul %g, %x {transpose_lhs} : tensor<512x256xbf16>, tensor<512x128xbf16> -> tensor<256x128xf32>
  attnres.return %w : tensor<256x128xf32>
}

// Products of f32 and of few rows do without.
// CHECK-LABEL: attnres.kernel @f32
// CHECK-NOT: dpbf16ps
// CHECK: return
attnres.kernel @f32(%g: tensor<512x256xf32>, %x: tensor<512x128xf32>) -> tensor<256x128xf32> {
  %w = attnres.matmul %g, %x {transpose_lhs} : tensor<512x256xf32>, tensor<512x128xf32> -> tensor<256x128xf32>
  attnres.return %w : tensor<256x128xf32>
}

// CHECK-LABEL: attnres.kernel @skinny
// CHECK-NOT: dpbf16ps
// CHECK: return
attnres.kernel @skinny(%x: tensor<4x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<4x256xbf16> {
  %y = attnres.linear %x, %w : tensor<4x256xbf16>, tensor<256x256xbf16>
  attnres.return %y : tensor<4x256xbf16>
}
