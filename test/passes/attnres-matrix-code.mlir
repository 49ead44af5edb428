// RUN: attnres-opt %s --attnres-matrix-code | FileCheck %s
// RUN: attnres-opt %s --attnres-matrix-code=target=sm_90a | FileCheck %s --check-prefix=SM90
// RUN: not attnres-opt %s --attnres-matrix-code=target=sm_1 2>&1 | FileCheck %s --check-prefix=NONE
// Numbers: unit/nvptx/MatrixProductTest.cpp
// Numbers: unit/nvptx/MatrixAttentionTest.cpp

// NONE: unknown GPU 'sm_1'

// CHECK-LABEL: attnres.kernel @product : (tensor<70x64xbf16>, tensor<96x64xbf16>) -> tensor<70x96xbf16>
// CHECK-SAME: blocks<[4, 1, 1] of [128, 1, 1]
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.wait.group
// CHECK: nvvm.barrier0
// CHECK: nvvm.ldmatrix
// CHECK: nvvm.mma.sync
// CHECK: llvm.store
// SM90-LABEL: attnres.kernel @product
// SM90: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
attnres.kernel @product(%x: tensor<70x64xbf16>, %w: tensor<96x64xbf16>) -> tensor<70x96xbf16> {
  %y = attnres.linear %x, %w : tensor<70x64xbf16>, tensor<96x64xbf16>
  attnres.return %y : tensor<70x96xbf16>
}

// The attribute says how it is cut.
// CHECK-LABEL: attnres.kernel @tiles
// CHECK-SAME: blocks<[10, 1, 1] of [64, 1, 1]
// CHECK-SAME: attnres.tiles
attnres.kernel @tiles(%x: tensor<70x64xbf16>, %w: tensor<96x64xbf16>) -> tensor<70x96xbf16>
    attributes {attnres.tiles = array<i64: 16, 96, 1, 2, 2, 2>} {
  %y = attnres.linear %x, %w : tensor<70x64xbf16>, tensor<96x64xbf16>
  attnres.return %y : tensor<70x96xbf16>
}

// CHECK-LABEL: attnres.kernel @attention :
// CHECK: nvvm.mma.sync
attnres.kernel @attention(%q: tensor<1x5x2x8xf32>, %k: tensor<1x5x2x8xf32>, %v: tensor<1x5x2x8xf32>) -> tensor<1x5x2x8xf32> {
  %o, %l = attnres.attention %q, %k, %v {causal} : tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>
  attnres.return %o : tensor<1x5x2x8xf32>
}

// Heads of more than 256 have no such code.
// CHECK-LABEL: attnres.kernel @wide(
// CHECK: attnres.attention
attnres.kernel @wide(%q: tensor<1x5x1x300xf32>, %k: tensor<1x5x1x300xf32>, %v: tensor<1x5x1x300xf32>) -> tensor<1x5x1x300xf32> {
  %o, %l = attnres.attention %q, %k, %v : tensor<1x5x1x300xf32>, tensor<1x5x1x300xf32>, tensor<1x5x1x300xf32>
  attnres.return %o : tensor<1x5x1x300xf32>
}
