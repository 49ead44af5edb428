// What no kernel is made of stays, and the end of the stage says so.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-lower-tensors{function=main}
func.func @main(%x: tensor<2x5x3xi64>, %y: tensor<2x5x3xi64>) {
  %0 = linalg.softmax dimension(2) ins(%x : tensor<2x5x3xi64>) outs(%y : tensor<2x5x3xi64>) -> tensor<2x5x3xi64>
  return
}
