// An index outside what it chooses from is an error of the program (G-11). What
// kernels are made of still reads and writes inside.
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret

func.func @el1_embedding() {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %t = arith.constant dense<[2, 3, -1]> : tensor<3xi64>
  %x = attnres.embedding %t, %w : tensor<3xi64>, tensor<3x2xf32>
  %want = arith.constant dense<[[5.0, 6.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf32>
  attnres.expect_close %x, %want {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<3x2xf32>
  return
}

func.func @ca2_cache_write() {
  %c = arith.constant dense<0.0> : tensor<2x3x1xf32>
  %x = arith.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = arith.constant dense<[-1, 2]> : tensor<2xi64>
  %y = attnres.cache_write %c, %x at(%s) : tensor<2x3x1xf32>, tensor<2x2x1xf32>, tensor<2xi64>
  %want = arith.constant dense<[[[1.0], [2.0], [0.0]], [[0.0], [3.0], [4.0]]]> : tensor<2x3x1xf32>
  attnres.expect_close %y, %want {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<2x3x1xf32>
  return
}

func.func @se2_select_token() {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %i = arith.constant dense<[-7, 3]> : tensor<2xi64>
  %y = attnres.select_token %x at(%i) : tensor<2x3xf32>, tensor<2xi64>
  %want = arith.constant dense<[[1.0], [6.0]]> : tensor<2x1xf32>
  attnres.expect_close %y, %want {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<2x1xf32>
  return
}
