// No slice lies inside a dimension of size 0.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-decompose
func.func @main(%x: tensor<2x3x1x0xf32>, %k: tensor<0x5x2x4xf32>) -> (tensor<2x3x1x0xf32>, tensor<0x5x2x4xf32>) {
  %y = attnres.rope %x {theta = 1.0e4 : f64} : tensor<2x3x1x0xf32>
  %z = attnres.rope %k {theta = 1.0e4 : f64} : tensor<0x5x2x4xf32>
  return %y, %z : tensor<2x3x1x0xf32>, tensor<0x5x2x4xf32>
}
