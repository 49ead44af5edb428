// Indices have no width in bits, and still need memory between forward and
// backward.
// RUN: attnres-fuzz %s
// PIPELINE: func.func(attnres-recompute{budget-bytes=0})
func.func @main(%x: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<f32> {attnres.name = "loss"}, tensor<4xindex>) {
  %j = arith.index_cast %i : tensor<4xi64> to tensor<4xindex>
  %loss = attnres.sum_squares %x : tensor<4xf32>
  %k = arith.addi %j, %j : tensor<4xindex>
  return %loss, %k : tensor<f32>, tensor<4xindex>
}
