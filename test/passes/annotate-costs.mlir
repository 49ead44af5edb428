// RUN: attnres-opt --attnres-annotate-costs %s | FileCheck %s

// 2 * 6 rows * 8 outputs * 4 inputs
// CHECK: attnres.kernel @linear({{.*}}flops 384 {
attnres.kernel @linear(%x: tensor<2x3x4xf32>, %w: tensor<8x4xf32>) -> tensor<2x3x8xf32> {
  %y = attnres.linear %x, %w : tensor<2x3x4xf32>, tensor<8x4xf32>
  attnres.return %y : tensor<2x3x8xf32>
}

// CHECK: attnres.kernel @transposed({{.*}}flops 384 {
attnres.kernel @transposed(%dy: tensor<2x3x8xf32>, %x: tensor<2x3x4xf32>) -> tensor<8x4xf32> {
  %dw = attnres.matmul %dy, %x {transpose_lhs} : tensor<2x3x8xf32>, tensor<2x3x4xf32> -> tensor<8x4xf32>
  attnres.return %dw : tensor<8x4xf32>
}

// 2 * (5 * 5 * 4 heads pairs) * (8 + 8), and half of that when causal
// CHECK: attnres.kernel @attention({{.*}}flops 3200 {
attnres.kernel @attention(%q: tensor<1x5x4x8xf32>, %k: tensor<1x5x2x8xf32>) -> tensor<1x5x4x8xf32> {
  %o, %lse = attnres.attention %q, %k, %k : tensor<1x5x4x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>
  attnres.return %o : tensor<1x5x4x8xf32>
}
// CHECK: attnres.kernel @causal({{.*}}flops 1600 {
attnres.kernel @causal(%q: tensor<1x5x4x8xf32>, %k: tensor<1x5x2x8xf32>) -> tensor<1x5x4x8xf32> {
  %o, %lse = attnres.attention %q, %k, %k {causal} : tensor<1x5x4x8xf32>, tensor<1x5x2x8xf32>, tensor<1x5x2x8xf32>
  attnres.return %o : tensor<1x5x4x8xf32>
}

// CHECK: attnres.kernel @norm({{.*}}flops 0 {
attnres.kernel @norm(%x: tensor<2x3x4xf32>, %w: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %y = attnres.rms_norm %x, %w {eps = 1.0e-6 : f64} : tensor<2x3x4xf32>, tensor<4xf32>
  attnres.return %y : tensor<2x3x4xf32>
}

// CHECK: func.func @main{{.*}}-> tensor<2x3x4xf32> {
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  return %x : tensor<2x3x4xf32>
}
