func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %z = arith.addf %x, %y : tensor<2xf32>
  return %z : tensor<2xf32>
}
