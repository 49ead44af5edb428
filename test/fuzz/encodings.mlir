// Encodings are no part of programs; operations on them stay as they are.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-decompose
func.func @main(%x: tensor<3x4xf32, "encoding">, %w: tensor<4xf32>) -> (tensor<3x4xf32, "encoding">, tensor<4xf32>) {
  %y = attnres.gelu %x : tensor<3x4xf32, "encoding">
  %s = attnres.sum_rows %y : tensor<3x4xf32, "encoding">
  return %y, %s : tensor<3x4xf32, "encoding">, tensor<4xf32>
}
