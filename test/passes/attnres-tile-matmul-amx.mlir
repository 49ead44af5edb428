// RUN: attnres-opt %s --attnres-tile-matmul="isa=avx512-bf16+amx-bf16 threads=2" | FileCheck %s
// RUN: attnres-opt %s --attnres-tile-matmul="isa=avx512-bf16+amx-bf16 threads=8" | FileCheck %s --check-prefix=EIGHT
// RUN: attnres-opt %s --attnres-tile-matmul="isa=avx512" | FileCheck %s --check-prefix=AVX512

// Operands in f32: six products of their pieces, each of four tiles, in one
// kernel, cut for as many threads as asked for.
// CHECK-LABEL: attnres.kernel @linear
// CHECK-SAME: grid 2
// CHECK-COUNT-24: "llvm.x86.tdpbf16ps"
// CHECK-NOT: "llvm.x86.tdpbf16ps"
// CHECK: "llvm.x86.tilerelease"
// EIGHT-LABEL: attnres.kernel @linear
// EIGHT-SAME: grid 8
// AVX512-LABEL: attnres.kernel @linear
// AVX512-NOT: llvm.x86
// AVX512: vector.fma
attnres.kernel @linear(%x: tensor<512x256xf32>, %w: tensor<256x256xf32>) -> tensor<512x256xf32> {
  %y = attnres.linear %x, %w : tensor<512x256xf32>, tensor<256x256xf32>
  attnres.return %y : tensor<512x256xf32>
}

// In bf16, one.
// CHECK-LABEL: attnres.kernel @gradient
// CHECK-COUNT-4: "llvm.x86.tdpbf16ps"
// CHECK-NOT: "llvm.x86.tdpbf16ps"
// CHECK: "llvm.x86.tilerelease"
attnres.kernel @gradient(%g: tensor<512x256xbf16>, %x: tensor<512x128xbf16>) -> tensor<256x128xf32> {
  %w = attnres.matmul %g, %x {transpose_lhs} : tensor<512x256xbf16>, tensor<512x128xbf16> -> tensor<256x128xf32>
  attnres.return %w : tensor<256x128xf32>
}
