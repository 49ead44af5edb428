// RUN: attnres-opt %s --attnres-matrix-code | FileCheck %s
// RUN: attnres-opt %s --attnres-matrix-code=target=sm_90a | FileCheck %s --check-prefix=SM90
// RUN: not attnres-opt %s --attnres-matrix-code=target=sm_1 2>&1 | FileCheck %s --check-prefix=NONE
// Numbers: unit/nvptx/MatrixProductTest.cpp
// Numbers: unit/nvptx/MatrixAttentionTest.cpp
// Numbers: unit/nvptx/GroupedProductTest.cpp
// Numbers: unit/nvptx/ConvolutionKernelTest.cpp
// Numbers: unit/nvptx/KdaKernelTest.cpp

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

// Six matrices, whose rows three blocks share.
// CHECK-LABEL: attnres.kernel @experts :
// CHECK-SAME: blocks<[18, 1, 1] of [128, 1, 1]
// CHECK: nvvm.vote.sync ballot
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.mma.sync
attnres.kernel @experts(%x: tensor<2x11x8xf32>, %w: tensor<6x16x8xf32>, %e: tensor<2x11x2xi64>) -> tensor<2x11x2x16xf32> {
  %y = attnres.grouped_linear %x, %w, %e : tensor<2x11x8xf32>, tensor<6x16x8xf32>, tensor<2x11x2xi64>
  attnres.return %y : tensor<2x11x2x16xf32>
}

// CHECK-LABEL: attnres.kernel @expert_gradients :
// CHECK-SAME: blocks<[6, 1, 1] of [128, 1, 1]
// CHECK: nvvm.vote.sync ballot
// CHECK: nvvm.mma.sync
attnres.kernel @expert_gradients(%l: tensor<2x11x2x16xf32>, %r: tensor<2x11x8xf32>, %e: tensor<2x11x2xi64>) -> tensor<6x16x8xf32> {
  %y = attnres.grouped_weight_grad %l, %r, %e {matrices = 6 : i64} : tensor<2x11x2x16xf32>, tensor<2x11x8xf32>, tensor<2x11x2xi64>
  attnres.return %y : tensor<6x16x8xf32>
}

// A block for each text.
// CHECK-LABEL: attnres.kernel @convolution :
// CHECK-SAME: blocks<[2, 1, 1] of [32, 1, 1]
// CHECK: scf.for
attnres.kernel @convolution(%x: tensor<2x11x16xf32>, %w: tensor<16x4xf32>) -> tensor<2x11x16xf32> {
  %y = attnres.short_convolution %x, %w : tensor<2x11x16xf32>, tensor<16x4xf32>
  attnres.return %y : tensor<2x11x16xf32>
}

// Runs of all texts are added by the block that comes last.
// CHECK-LABEL: attnres.kernel @convolution_gradients :
// CHECK-SAME: scratch 512
// CHECK: llvm.atomicrmw uinc_wrap
attnres.kernel @convolution_gradients(%x: tensor<2x11x16xf32>, %w: tensor<16x4xf32>, %g: tensor<2x11x16xf32>) -> (tensor<2x11x16xf32>, tensor<16x4xf32>) {
  %dx, %dw = attnres.short_convolution_backward %x, %w, %g : tensor<2x11x16xf32>, tensor<16x4xf32>, tensor<2x11x16xf32>
  attnres.return %dx, %dw : tensor<2x11x16xf32>, tensor<16x4xf32>
}

// A block for each head of a text.
// CHECK-LABEL: attnres.kernel @delta :
// CHECK-SAME: blocks<[8, 1, 1] of [32, 1, 1]
// CHECK: nvvm.mma.sync
attnres.kernel @delta(%q: tensor<2x11x2x8xf32>, %v: tensor<2x11x4x6xf32>, %g: tensor<2x11x4x8xf32>, %b: tensor<2x11x4xf32>) -> tensor<2x11x4x6xf32> {
  %o, %s = attnres.kda %q, %q, %v, %g, %b : tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>, tensor<2x11x4x6xf32>, tensor<2x11x4x8xf32>, tensor<2x11x4xf32>
  attnres.return %o : tensor<2x11x4x6xf32>
}

// A block for each of two texts and four value heads; the two that read a key
// add their gradients of it in scratch memory.
// CHECK-LABEL: attnres.kernel @delta_backward :
// CHECK-SAME: blocks<[8, 1, 1] of [32, 1, 1]
// CHECK: nvvm.mma.sync
// CHECK: llvm.atomicrmw uinc_wrap
attnres.kernel @delta_backward(%q: tensor<2x11x2x8xf32>, %v: tensor<2x11x4x6xf32>, %g: tensor<2x11x4x8xf32>, %b: tensor<2x11x4xf32>) -> (tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>) {
  %dq, %dk, %dv, %dg, %db = attnres.kda_backward %q, %q, %v, %g, %b, %v : tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>, tensor<2x11x4x6xf32>, tensor<2x11x4x8xf32>, tensor<2x11x4xf32>, tensor<2x11x4x6xf32>
  attnres.return %dq, %dk : tensor<2x11x2x8xf32>, tensor<2x11x2x8xf32>
}
