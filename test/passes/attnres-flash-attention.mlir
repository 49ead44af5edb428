// RUN: attnres-opt %s --attnres-flash-attention=isa=avx512 | FileCheck %s
// RUN: attnres-opt %s --attnres-flash-attention=isa=avx2 | FileCheck %s --check-prefix=AVX2
// RUN: attnres-opt %s --attnres-flash-attention=isa=generic | FileCheck %s --check-prefix=GENERIC
// No memory of queries x keys, 61 x 67 and padded, exists anywhere.
// RUN: attnres-opt %s --attnres-flash-attention=isa=avx512 | not grep -E "memref<[0-9x]*(61x67|67x61|64x96|96x64|96x96)"
// RUN: not attnres-opt %s --attnres-flash-attention=isa=mmx 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: sed 's/block_keys = 32/block_keys = 40/' %s > %t.mlir
// RUN: not attnres-opt %t.mlir --attnres-flash-attention=isa=avx2 2>&1 | FileCheck %s --check-prefix=ODD
// Numbers: unit/passes/FlashAttentionTest.cpp

// UNKNOWN: error: unknown isa 'mmx'
// ODD: error: 'attnres.kernel' op 'attnres.block_keys': expected a multiple of 16, got 40 : i64

// Forward: 6 heads, one item each. The register tile is 12 x 32, or 6 x 16.
// CHECK-LABEL: attnres.kernel @forward :
// CHECK-SAME: grid 6 scratch
// CHECK-SAME: memref<2x61x3x40xf32>, %{{.*}}: memref<2x67x1x40xf32>, %{{.*}}: memref<2x67x1x20xf32>
// CHECK-SAME: memref<2x61x3x20xf32>, %{{.*}}: memref<2x61x3xf32>
// CHECK-SAME: memref<?xi8>, %{{.*}}: index, %{{.*}}: index)
// CHECK-COUNT-12: math.fma {{.*}} : vector<32xf32>
// CHECK-NOT: attnres.attention
// AVX2-LABEL: attnres.kernel @forward :
// AVX2-COUNT-6: math.fma {{.*}} : vector<16xf32>
// GENERIC-LABEL: attnres.kernel @forward :
// GENERIC-COUNT-4: math.fma {{.*}} : vector<8xf32>
attnres.kernel @forward(%q: tensor<2x61x3x40xf32>, %k: tensor<2x67x1x40xf32>, %v: tensor<2x67x1x20xf32>)
    -> (tensor<2x61x3x20xf32>, tensor<2x61x3xf32>) {
  %o, %lse = attnres.attention %q, %k, %v {causal}
    : tensor<2x61x3x40xf32>, tensor<2x67x1x40xf32>, tensor<2x67x1x20xf32>
  attnres.return %o, %lse : tensor<2x61x3x20xf32>, tensor<2x61x3xf32>
}

// A result that does not leave the kernel is not written; one tensor may be
// several operands.
// CHECK-LABEL: attnres.kernel @only_output
// CHECK-SAME: code(%[[X:[^:]*]]: memref<1x7x2x16xbf16>, %[[O:[^:]*]]: memref<1x7x2x16xbf16>, %{{[^:]*}}: memref<?xi8>
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: vector.store %{{.*}}, %[[O]]
// CHECK-NOT: memref.store
// CHECK: attnres.return
attnres.kernel @only_output(%x: tensor<1x7x2x16xbf16>) -> tensor<1x7x2x16xbf16> {
  %o, %lse = attnres.attention %x, %x, %x {scale = 0.5 : f64}
    : tensor<1x7x2x16xbf16>, tensor<1x7x2x16xbf16>, tensor<1x7x2x16xbf16>
  attnres.return %o : tensor<1x7x2x16xbf16>
}

// Blocks that somebody chose: so many scores of each row of a strip, and a register between rows.
// AVX2-LABEL: attnres.kernel @chosen
// AVX2: memref<4x6x40xf32>
attnres.kernel @chosen(%x: tensor<1x70x2x16xf32>) -> tensor<1x70x2x16xf32>
    attributes {attnres.block_keys = 32 : i64} {
  %o, %lse = attnres.attention %x, %x, %x : tensor<1x70x2x16xf32>, tensor<1x70x2x16xf32>, tensor<1x70x2x16xf32>
  attnres.return %o : tensor<1x70x2x16xf32>
}

// Backward: an item for each of the 2 key heads, which sums its 3 query heads.
// Five products: S, dV, dS, dK, dQ.
// CHECK-LABEL: attnres.kernel @backward :
// CHECK-SAME: grid 2
// CHECK-COUNT-60: math.fma {{.*}} : vector<32xf32>
// CHECK-NOT: attnres.attention_backward
attnres.kernel @backward(%q: tensor<2x61x3x32xf32>, %k: tensor<2x67x1x32xf32>, %v: tensor<2x67x1x32xf32>,
                    %o: tensor<2x61x3x32xf32>, %lse: tensor<2x61x3xf32>, %do: tensor<2x61x3x32xf32>,
                    %dlse: tensor<2x61x3xf32>)
    -> (tensor<2x61x3x32xf32>, tensor<2x67x1x32xf32>, tensor<2x67x1x32xf32>) {
  %dq, %dk, %dv = attnres.attention_backward %q, %k, %v, %o, %lse, %do lse_grad(%dlse) {causal}
    : tensor<2x61x3x32xf32>, tensor<2x67x1x32xf32>, tensor<2x67x1x32xf32>, tensor<2x61x3x32xf32>,
      tensor<2x61x3xf32>, tensor<2x61x3x32xf32>, tensor<2x61x3xf32>
  attnres.return %dq, %dk, %dv : tensor<2x61x3x32xf32>, tensor<2x67x1x32xf32>, tensor<2x67x1x32xf32>
}

// Functions that are no kernels, and kernels of several operations, stay.
// CHECK-LABEL: func.func @not_a_kernel(
// CHECK: attnres.attention
func.func @not_a_kernel(%x: tensor<1x7x2x16xf32>) -> tensor<1x7x2x16xf32> {
  %o, %lse = attnres.attention %x, %x, %x
    : tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>
  return %o : tensor<1x7x2x16xf32>
}

// CHECK-LABEL: attnres.kernel @two_operations(
// CHECK: attnres.attention
// CHECK: attnres.attention
attnres.kernel @two_operations(%x: tensor<1x7x2x16xf32>) -> tensor<1x7x2x16xf32> {
  %o, %lse = attnres.attention %x, %x, %x
    : tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>
  %p, %lse_p = attnres.attention %o, %x, %x
    : tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>
  attnres.return %p : tensor<1x7x2x16xf32>
}

// Rows of several texts: a group of queries begins at the tile of the first key
// that any of them sees.
// CHECK-LABEL: attnres.kernel @documents :
// CHECK-SAME: memref<1x61xi64>
// CHECK: memref.load {{.*}} : memref<1x61xi64>
// CHECK: arith.minsi
// CHECK-NOT: attnres.attention
attnres.kernel @documents(%q: tensor<1x61x1x40xf32>, %d: tensor<1x61xi64>) -> (tensor<1x61x1x40xf32>, tensor<1x61x1xf32>) {
  %o, %lse = attnres.attention %q, %q, %q documents(%d) {causal}
    : tensor<1x61x1x40xf32>, tensor<1x61x1x40xf32>, tensor<1x61x1x40xf32>, tensor<1x61xi64>
  attnres.return %o, %lse : tensor<1x61x1x40xf32>, tensor<1x61x1xf32>
}
