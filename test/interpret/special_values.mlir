// Numbers at the edge of their types.
// RUN: attnres-opt %s --attnres-interpret

// NaN in a score shows in the mixture.
func.func @nan_score() {
  %v = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %q = arith.constant dense<[0x7FC00000, 0.0]> : tensor<2xf32>
  %o, %lse = attnres.depth_attention queries(%q) gains(%q) sources(%v, %v) {eps = 1.0e-3 : f64} : tensor<1x2xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<1x2xf32>
  attnres.expect_close %o, %nan {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<1x2xf32>
  return
}

// A signed boolean is 0 or -1.
func.func @booleans() {
  %a = arith.constant dense<[false, true]> : tensor<2xi1>
  %b = arith.constant dense<[true, true]> : tensor<2xi1>
  %max = arith.maxsi %a, %b : tensor<2xi1>
  %min = arith.minsi %a, %b : tensor<2xi1>
  attnres.expect_close %max, %a {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<2xi1>
  attnres.expect_close %min, %b {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<2xi1>
  return
}

// The smallest integer has no negative.
func.func @smallest() {
  %a = arith.constant dense<-9223372036854775808> : tensor<1xi64>
  %b = arith.constant dense<-1> : tensor<1xi64>
  %q = arith.divsi %a, %b : tensor<1xi64>
  attnres.expect_close %q, %a {atol = 0.0 : f64, rtol = 0.0 : f64} : tensor<1xi64>
  return
}

// A row that is not finite leaves the others alone.
func.func @g1_nan_stays_in_its_row() {
  %x = arith.constant dense<[[0x7FC00000, 1.0], [3.0, -3.0], [0x7F800000, 2.0]]> : tensor<3x2xf32>
  %w = arith.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %y = attnres.rms_norm %x, %w {eps = 0.0 : f64} : tensor<3x2xf32>, tensor<2xf32>
  %row = tensor.extract_slice %y[1, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<1x2xf32>
  %want = arith.constant dense<[[2.0, -1.0]]> : tensor<1x2xf32>
  attnres.expect_close %row, %want {atol = 1.0e-12 : f64, rtol = 0.0 : f64} : tensor<1x2xf32>
  return
}
