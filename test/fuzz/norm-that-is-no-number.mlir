// OP-1: the scale of a norm that is no number is none.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-decompose
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %sums = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %norm, %scale = attnres.clip_scale %sums {max_norm = 1.0 : f64} : tensor<2xf32>
  return %norm, %scale : tensor<f32>, tensor<f32>
}
