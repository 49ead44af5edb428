// A pass on functions goes on to the next one where one failed: an error of the
// first is none of the second.
// RUN: attnres-fuzz %s
// PIPELINE: func.func(attnres-recompute)
func.func @unknown_bytes(%x: tensor<?x4xf32>) -> (tensor<f32> {attnres.name = "loss"}, tensor<?x4xf32>) {
  %y = attnres.gelu %x : tensor<?x4xf32>
  %loss = attnres.sum_squares %y : tensor<?x4xf32>
  %dx = attnres.gelu_backward %y, %y : tensor<?x4xf32>
  return %loss, %dx : tensor<f32>, tensor<?x4xf32>
}
func.func @known_bytes(%x: tensor<3x4xf32>) -> (tensor<f32> {attnres.name = "loss"}, tensor<3x4xf32>) {
  %y = attnres.gelu %x : tensor<3x4xf32>
  %loss = attnres.sum_squares %y : tensor<3x4xf32>
  %dx = attnres.gelu_backward %y, %y : tensor<3x4xf32>
  return %loss, %dx : tensor<f32>, tensor<3x4xf32>
}
