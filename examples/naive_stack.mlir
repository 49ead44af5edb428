// A stack of five sublayers written out by hand, in the naive form: before each
// sublayer a depth attention over the input and all earlier outputs, and one
// more at the end. Nothing says "stack" here. --attnres-two-phase finds from the
// source lists which mixtures can share a pass over their sources.
//
// RUN: attnres-opt %s --attnres-two-phase | FileCheck %s
// RUN: attnres-opt %s --attnres-two-phase=group-size=3 | FileCheck %s --check-prefix=THREE
// RUN: attnres-opt %s --attnres-two-phase --remarks-filter=attnres-two-phase --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: attnres-opt %s --attnres-to-cpu=isa=avx2 | FileCheck %s --check-prefix=KERNELS

// The first two mixtures read too few sources to gain. The others form pairs:
// one batched depth attention for both, one merge for the second.
//
// CHECK:     depth_attention {{.*}}sources(%arg0)
// CHECK:     depth_attention {{.*}}sources(%arg0, %{{[0-9]+}})
// CHECK:     %[[A:[a-z0-9_]+]]:2, %[[LA:[a-z0-9_]+]]:2 = attnres.depth_attention queries(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) {{.*}}sources(%arg0, %{{[0-9]+}}, %{{[0-9]+}})
// CHECK:     attnres.linear %[[A]]#0
// CHECK:     depth_merge %[[A]]#1, %[[LA]]#1
// CHECK:     depth_attention queries(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) {{.*}}sources(%arg0, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}})
// CHECK:     depth_merge
// CHECK-NOT: depth_

// Groups of three, where the compiler does not choose. The third member of a
// group merges two sources.
//
// THREE: depth_attention queries(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}) {{.*}}sources(%arg0)
// THREE: depth_merge {{.*}}sources(%{{[0-9]+}})
// THREE: depth_merge {{.*}}sources(%{{[0-9]+}}, %{{[0-9]+}})
// THREE: depth_attention queries(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}})

// The bytes that the mixtures move for each token, counted.
//
// REMARK: Group {{.*}}Queries=2, SharedSources=3
// REMARK: Group {{.*}}Queries=2, SharedSources=5
// REMARK: Total {{.*}}BytesPerTokenAfter=776, BytesPerTokenBefore=888

// KERNELS: func.func @main
// KERNELS: attnres.launch {{.*}}result_buffers
// KERNELS: attnres.kernel

func.func @main(
    %x: tensor<2x8xf32>,
    %q0: tensor<8xf32>, %g0: tensor<8xf32>,
    %q1: tensor<8xf32>, %g1: tensor<8xf32>,
    %q2: tensor<8xf32>, %g2: tensor<8xf32>,
    %q3: tensor<8xf32>, %g3: tensor<8xf32>,
    %q4: tensor<8xf32>, %g4: tensor<8xf32>,
    %q5: tensor<8xf32>, %g5: tensor<8xf32>,
    %w0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %w3: tensor<8x8xf32>, %w4: tensor<8x8xf32>) -> tensor<2x8xf32> {
  %h0, %lse0 = attnres.depth_attention queries(%q0) gains(%g0) sources(%x) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %v0 = attnres.linear %h0, %w0 : tensor<2x8xf32>, tensor<8x8xf32>
  %h1, %lse1 = attnres.depth_attention queries(%q1) gains(%g1) sources(%x, %v0) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %v1 = attnres.linear %h1, %w1 : tensor<2x8xf32>, tensor<8x8xf32>
  %h2, %lse2 = attnres.depth_attention queries(%q2) gains(%g2) sources(%x, %v0, %v1) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %v2 = attnres.linear %h2, %w2 : tensor<2x8xf32>, tensor<8x8xf32>
  %h3, %lse3 = attnres.depth_attention queries(%q3) gains(%g3) sources(%x, %v0, %v1, %v2) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %v3 = attnres.linear %h3, %w3 : tensor<2x8xf32>, tensor<8x8xf32>
  %h4, %lse4 = attnres.depth_attention queries(%q4) gains(%g4) sources(%x, %v0, %v1, %v2, %v3) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  %v4 = attnres.linear %h4, %w4 : tensor<2x8xf32>, tensor<8x8xf32>
  %y, %lse5 = attnres.depth_attention queries(%q5) gains(%g5) sources(%x, %v0, %v1, %v2, %v3, %v4) {eps = 1.0e-8 : f64} : tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
