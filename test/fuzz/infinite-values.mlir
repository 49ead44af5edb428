// SA-9: an infinite value that no query sees is nothing to compare.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-decompose
func.func @main(%q: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %v = arith.constant dense<[[[[1.0, 2.0]], [[0x7F800000, 0x7FC00000]]]]> : tensor<1x2x1x2xf32>
  %two = tensor.concat dim(1) %q, %q : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x1x2xf32>
  %o, %lse = attnres.attention %two, %two, %v {causal} : tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>
  %first = tensor.extract_slice %o[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x2xf32> to tensor<1x1x1x2xf32>
  return %first : tensor<1x1x1x2xf32>
}
