// RUN: attnres-opt --attnres-annotate-costs %s | FileCheck %s

// 2 * 6 rows * 8 outputs * 4 inputs
// CHECK: func.func @linear{{.*}}attnres.flops = 384 : i64
func.func @linear(%x: tensor<2x3x4xf32>, %w: tensor<8x4xf32>) -> tensor<2x3x8xf32> attributes {attnres.kernel} {
  %y = attnres.linear %x, %w : tensor<2x3x4xf32>, tensor<8x4xf32>
  return %y : tensor<2x3x8xf32>
}

// CHECK: func.func @transposed{{.*}}attnres.flops = 384 : i64
func.func @transposed(%dy: tensor<2x3x8xf32>, %x: tensor<2x3x4xf32>) -> tensor<8x4xf32> attributes {attnres.kernel} {
  %dw = attnres.matmul %dy, %x {transpose_lhs} : tensor<2x3x8xf32>, tensor<2x3x4xf32> -> tensor<8x4xf32>
  return %dw : tensor<8x4xf32>
}

// 2 * (5 * 5 * 4 heads pairs) * (8 + 8), and half of that when causal
// CHECK: func.func @attention{{.*}}attnres.flops = 3200 : i64
func.func @attention(%q: tensor<1x5x4x8xf32>, %k: tensor<1x5x2x8xf32>) -> tensor<1x5x4x8xf32> attributes {attnres.kernel} {
  %o, %lse = attnres.attention %q, %k, %k : tensor<1x5x4x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>
  return %o : tensor<1x5x4x8xf32>
}
// CHECK: func.func @causal{{.*}}attnres.flops = 1600 : i64
func.func @causal(%q: tensor<1x5x4x8xf32>, %k: tensor<1x5x2x8xf32>) -> tensor<1x5x4x8xf32> attributes {attnres.kernel} {
  %o, %lse = attnres.attention %q, %k, %k {causal} : tensor<1x5x4x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>
  return %o : tensor<1x5x4x8xf32>
}

// CHECK: func.func @norm{{.*}}attnres.flops = 0 : i64
func.func @norm(%x: tensor<2x3x4xf32>, %w: tensor<4xf32>) -> tensor<2x3x4xf32> attributes {attnres.kernel} {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<2x3x4xf32>, tensor<4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK: func.func @main{{.*}}-> tensor<2x3x4xf32> {
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  return %x : tensor<2x3x4xf32>
}
