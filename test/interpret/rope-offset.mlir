// RUN: attnres-opt %s --attnres-interpret
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret
// RUN: attnres-opt %s --attnres-rope-tables --attnres-interpret

// Of two positions, -1 and 0: one radian backwards, and nothing.
func.func @ro1_negative_offset() {
  %x = arith.constant dense<[[[[0.5, 1.5]], [[0.5, 1.5]]]]> : tensor<1x2x1x2xf32>
  %y = attnres.rope %x {theta = 1.0e4 : f64, offset = -1 : i64} : tensor<1x2x1x2xf32>
  // 0.5 cos(1) + 1.5 sin(1), 1.5 cos(1) - 0.5 sin(1)
  %want = arith.constant dense<[[[[1.5323576, 0.3897180]], [[0.5, 1.5]]]]> : tensor<1x2x1x2xf32>
  attnres.expect_close %y, %want {atol = 2.0e-7 : f64, rtol = 2.0e-7 : f64} : tensor<1x2x1x2xf32>
  return
}
