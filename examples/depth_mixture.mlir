// One depth attention, small enough to compute by hand.
//
// RUN: attnres-opt %s --attnres-interpret -o /dev/null
// RUN: attnres-opt %s --attnres-decompose --attnres-interpret -o /dev/null
//
// RMS(v0) = (1, 1) and RMS(v1) = (1, -1). The query (0, ln 3 / 2) gives the
// scores ln 3 / 2 and -ln 3 / 2. So the weights are 3/4 and 1/4, the mixture
// is 3/4 (2, 2) + 1/4 (3, -3), and the log-sum-exp is ln(4 / sqrt 3).

func.func @da1_mixture() {
  %v0 = arith.constant dense<[[2.0, 2.0]]> : tensor<1x2xf32>
  %v1 = arith.constant dense<[[3.0, -3.0]]> : tensor<1x2xf32>
  %query = arith.constant dense<[0.0, 0.54930614]> : tensor<2xf32>
  %gain = arith.constant dense<1.0> : tensor<2xf32>
  %h, %lse = attnres.depth_attention queries(%query) gains(%gain) sources(%v0, %v1) {eps = 0.0 : f64} : tensor<1x2xf32>
  %want = arith.constant dense<[[2.25, 0.75]]> : tensor<1x2xf32>
  attnres.expect_close %h, %want {atol = 0.0 : f64, rtol = 1.0e-6 : f64} : tensor<1x2xf32>
  %want_lse = arith.constant dense<0.83698822> : tensor<1xf32>
  attnres.expect_close %lse, %want_lse {atol = 0.0 : f64, rtol = 1.0e-6 : f64} : tensor<1xf32>
  return
}
