// Kernels that are loops over memory have no evaluation; launching one in the
// interpreter is an error, not a crash.
// RUN: attnres-fuzz %s
// PIPELINE: attnres-to-cpu{isa=avx2},attnres-interpret{function=main}
func.func @main() -> tensor<2x3xf32> {
  %x = arith.constant dense<1.0> : tensor<2x3xf32>
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %y = attnres.linear %x, %w : tensor<2x3xf32>, tensor<3x3xf32>
  return %y : tensor<2x3xf32>
}
