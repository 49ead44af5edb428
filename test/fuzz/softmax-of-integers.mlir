// The interpreter has no softmax of integers, and says so.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-interpret
func.func @main(%x: tensor<2x5x3xi64>, %y: tensor<2x5x3xi64>) {
  %0 = linalg.softmax dimension(2) ins(%x : tensor<2x5x3xi64>) outs(%y : tensor<2x5x3xi64>) -> tensor<2x5x3xi64>
  return
}
