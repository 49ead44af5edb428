// Extents that were never set are no shape, and their product overflows, which a
// build with sanitizers sees.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-flatten
func.func @main(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %shape = tensor.empty() : tensor<2xindex>
  %y = tensor.reshape %x(%shape) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
