// MLIR lets nine elements become one without dimensions: they have no meaning.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-flatten
func.func @main(%x: tensor<3x3xf32>) -> tensor<f32> {
  %0 = tensor.collapse_shape %x [] : tensor<3x3xf32> into tensor<f32>
  return %0 : tensor<f32>
}
