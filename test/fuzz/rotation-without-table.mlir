// Rows have no code for angles.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-form-kernels,attnres-vectorize-rows{isa=avx2}
func.func @main(%s: tensor<6xi64>, %x: tensor<6x5x3x8xf32>) -> tensor<6x5x3x8xf32> {
  %y = attnres.rope %x start(%s) {positions = 96 : i64, theta = 1.0e2 : f64} : tensor<6x5x3x8xf32>, tensor<6xi64>
  return %y : tensor<6x5x3x8xf32>
}
