// RUN: attnres-opt %s --attnres-interpret
// Written by test/reference/interpret_cases.py.

// Ordinary residuals.
func.func @st2_off() {
  %x = arith.constant dense<[[-1.875, 0.25, -1.625, -1.25], [0.0, -0.625, -0.125, -1.625], [0.5, 0.5, -1.125, 0.375]]> : tensor<3x4xf32>
  %w0 = arith.constant dense<[[-1.75, 1.125, -0.125, -0.375], [-0.125, 1.625, 1.0, 0.5], [-0.125, -0.75, -1.75, 1.25], [-0.375, 0.125, 0.25, 0.75]]> : tensor<4x4xf32>
  %w1 = arith.constant dense<[[1.875, 1.0, -0.5, -1.625], [-0.625, -0.25, -1.375, -0.125], [-2.0, 0.375, -1.0, -0.375], [1.625, 0.125, -0.75, 0.875]]> : tensor<4x4xf32>
  %w2 = arith.constant dense<[[1.375, 0.125, 0.75, -0.25], [-1.625, 1.75, 1.125, 1.125], [0.625, -1.0, 1.125, 1.625], [0.625, 0.875, 0.0, 1.625]]> : tensor<4x4xf32>
  %y = attnres.stack %x off : tensor<3x4xf32> {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w0 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w1 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w2 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }
  %want_y = arith.constant dense<[[1.6679931640625000e+01, -2.3709228515625000e+01, -1.7536621093750000e+00, 4.8002929687500000e+00], [7.9916992187500000e+00, -8.2126464843750000e+00, -6.1042480468750000e+00, -1.0675048828125000e+01], [-4.2382812500000000e-01, -3.3046875000000000e+00, 6.2890625000000000e-01, -5.6250000000000000e-01]]> : tensor<3x4xf64>
  %wide_y = arith.extf %y : tensor<3x4xf32> to tensor<3x4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x4xf64>
  return
}

// Every output is a source; a final mixture. Also ST-5.
func.func @st3_full() {
  %x = arith.constant dense<[[-1.875, 0.25, -1.625, -1.25], [0.0, -0.625, -0.125, -1.625], [0.5, 0.5, -1.125, 0.375]]> : tensor<3x4xf32>
  %w0 = arith.constant dense<[[-1.75, 1.125, -0.125, -0.375], [-0.125, 1.625, 1.0, 0.5], [-0.125, -0.75, -1.75, 1.25], [-0.375, 0.125, 0.25, 0.75]]> : tensor<4x4xf32>
  %w1 = arith.constant dense<[[1.875, 1.0, -0.5, -1.625], [-0.625, -0.25, -1.375, -0.125], [-2.0, 0.375, -1.0, -0.375], [1.625, 0.125, -0.75, 0.875]]> : tensor<4x4xf32>
  %w2 = arith.constant dense<[[1.375, 0.125, 0.75, -0.25], [-1.625, 1.75, 1.125, 1.125], [0.625, -1.0, 1.125, 1.625], [0.625, 0.875, 0.0, 1.625]]> : tensor<4x4xf32>
  %q0 = arith.constant dense<[-0.5, 1.0, -1.625, 1.0]> : tensor<4xf32>
  %q1 = arith.constant dense<[1.25, -2.0, 1.75, 1.75]> : tensor<4xf32>
  %q2 = arith.constant dense<[-0.5, -1.875, -1.0, -1.375]> : tensor<4xf32>
  %q3 = arith.constant dense<[1.75, 1.25, -1.75, -0.75]> : tensor<4xf32>
  %g0 = arith.constant dense<[0.625, -1.875, -1.5, 0.75]> : tensor<4xf32>
  %g1 = arith.constant dense<[1.875, -1.125, -0.5, -1.375]> : tensor<4xf32>
  %g2 = arith.constant dense<[0.25, 1.25, -0.125, -0.5]> : tensor<4xf32>
  %g3 = arith.constant dense<[0.75, 1.875, 1.75, 1.5]> : tensor<4xf32>
  %y = attnres.stack %x full eps(9.7656250000000000e-04) queries(%q0, %q1, %q2, %q3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) gains(%g0, %g1, %g2, %g3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) : tensor<3x4xf32> {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w0 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w1 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w2 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }
  %want_y = arith.constant dense<[[2.9149672903822985e+00, -1.9163707020315139e+00, -5.8799107776255770e+00, 2.1696089035533235e+00], [1.6677091581934558e+00, 2.6148117337765409e-01, 3.1689000808090850e-01, -1.4103769776563577e+00], [5.0270471824956620e-01, 5.0237627958360453e-01, -1.1196726738376788e+00, 3.7953469246577892e-01]]> : tensor<3x4xf64>
  %wide_y = arith.extf %y : tensor<3x4xf32> to tensor<3x4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x4xf64>
  return
}

// The last source is the result.
func.func @st5_full_no_final() {
  %x = arith.constant dense<[[-1.875, 0.25, -1.625, -1.25], [0.0, -0.625, -0.125, -1.625], [0.5, 0.5, -1.125, 0.375]]> : tensor<3x4xf32>
  %w0 = arith.constant dense<[[-1.75, 1.125, -0.125, -0.375], [-0.125, 1.625, 1.0, 0.5], [-0.125, -0.75, -1.75, 1.25], [-0.375, 0.125, 0.25, 0.75]]> : tensor<4x4xf32>
  %w1 = arith.constant dense<[[1.875, 1.0, -0.5, -1.625], [-0.625, -0.25, -1.375, -0.125], [-2.0, 0.375, -1.0, -0.375], [1.625, 0.125, -0.75, 0.875]]> : tensor<4x4xf32>
  %w2 = arith.constant dense<[[1.375, 0.125, 0.75, -0.25], [-1.625, 1.75, 1.125, 1.125], [0.625, -1.0, 1.125, 1.625], [0.625, 0.875, 0.0, 1.625]]> : tensor<4x4xf32>
  %q0 = arith.constant dense<[-0.5, 1.0, -1.625, 1.0]> : tensor<4xf32>
  %q1 = arith.constant dense<[1.25, -2.0, 1.75, 1.75]> : tensor<4xf32>
  %q2 = arith.constant dense<[-0.5, -1.875, -1.0, -1.375]> : tensor<4xf32>
  %g0 = arith.constant dense<[0.625, -1.875, -1.5, 0.75]> : tensor<4xf32>
  %g1 = arith.constant dense<[1.875, -1.125, -0.5, -1.375]> : tensor<4xf32>
  %g2 = arith.constant dense<[0.25, 1.25, -0.125, -0.5]> : tensor<4xf32>
  %y = attnres.stack %x full eps(9.7656250000000000e-04) queries(%q0, %q1, %q2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) gains(%g0, %g1, %g2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) : tensor<3x4xf32> {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w0 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w1 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w2 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }
  %want_y = arith.constant dense<[[2.7949512773265472e+00, -1.4742167205928347e+01, 4.1753319205771362e+00, 4.3180255280179294e+00], [-8.5993912553799734e-01, -5.9479263867909147e+00, -1.7970352629169719e+00, -3.8118052828105311e+00], [1.0696933016408365e+00, 2.0086799608505856e+00, 2.0143607471988276e+00, 5.0964479183368894e-01]]> : tensor<3x4xf64>
  %wide_y = arith.extf %y : tensor<3x4xf32> to tensor<3x4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x4xf64>
  return
}

// Blocks of two and a remainder. Also ST-5.
func.func @st4_block() {
  %x = arith.constant dense<[[-1.875, 0.25, -1.625, -1.25], [0.0, -0.625, -0.125, -1.625], [0.5, 0.5, -1.125, 0.375]]> : tensor<3x4xf32>
  %w0 = arith.constant dense<[[-1.75, 1.125, -0.125, -0.375], [-0.125, 1.625, 1.0, 0.5], [-0.125, -0.75, -1.75, 1.25], [-0.375, 0.125, 0.25, 0.75]]> : tensor<4x4xf32>
  %w1 = arith.constant dense<[[1.875, 1.0, -0.5, -1.625], [-0.625, -0.25, -1.375, -0.125], [-2.0, 0.375, -1.0, -0.375], [1.625, 0.125, -0.75, 0.875]]> : tensor<4x4xf32>
  %w2 = arith.constant dense<[[1.375, 0.125, 0.75, -0.25], [-1.625, 1.75, 1.125, 1.125], [0.625, -1.0, 1.125, 1.625], [0.625, 0.875, 0.0, 1.625]]> : tensor<4x4xf32>
  %w3 = arith.constant dense<[[-0.75, -0.5, 0.75, 0.375], [0.625, 1.75, -1.375, 0.0], [-1.625, -2.0, -0.375, -0.75], [0.0, -0.125, -0.875, 0.125]]> : tensor<4x4xf32>
  %w4 = arith.constant dense<[[0.625, -0.5, -1.5, -0.25], [1.5, 0.125, 0.625, 0.875], [0.125, -1.125, 0.875, -1.5], [-0.625, -1.25, 0.125, -1.375]]> : tensor<4x4xf32>
  %q0 = arith.constant dense<[-0.5, 1.0, -1.625, 1.0]> : tensor<4xf32>
  %q1 = arith.constant dense<[1.25, -2.0, 1.75, 1.75]> : tensor<4xf32>
  %q2 = arith.constant dense<[-0.5, -1.875, -1.0, -1.375]> : tensor<4xf32>
  %q3 = arith.constant dense<[1.75, 1.25, -1.75, -0.75]> : tensor<4xf32>
  %q4 = arith.constant dense<[1.25, -0.5, 0.5, 0.5]> : tensor<4xf32>
  %q5 = arith.constant dense<[-1.375, -1.125, 1.25, 1.0]> : tensor<4xf32>
  %g0 = arith.constant dense<[0.625, -1.875, -1.5, 0.75]> : tensor<4xf32>
  %g1 = arith.constant dense<[1.875, -1.125, -0.5, -1.375]> : tensor<4xf32>
  %g2 = arith.constant dense<[0.25, 1.25, -0.125, -0.5]> : tensor<4xf32>
  %g3 = arith.constant dense<[0.75, 1.875, 1.75, 1.5]> : tensor<4xf32>
  %g4 = arith.constant dense<[0.5, 1.0, -0.625, 1.875]> : tensor<4xf32>
  %g5 = arith.constant dense<[1.75, -1.125, 1.375, 0.875]> : tensor<4xf32>
  %y = attnres.stack %x block sublayers_per_block(2) eps(9.7656250000000000e-04) queries(%q0, %q1, %q2, %q3, %q4, %q5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) gains(%g0, %g1, %g2, %g3, %g4, %g5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) : tensor<3x4xf32> {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w0 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w1 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w2 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w3 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w4 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }
  %want_y = arith.constant dense<[[1.4076579417604382e+00, -3.9658496370323970e-01, 6.0622823493788380e-01, 1.0185561425712881e+00], [3.3876764951208442e+00, -2.5319533487090258e+00, 8.1980456592187121e+00, 8.1875105362769460e+00], [8.0439610554466701e-01, 4.5813774442427304e+00, 2.1859697112488119e+00, 3.9132784369253280e+00]]> : tensor<3x4xf64>
  %wide_y = arith.extf %y : tensor<3x4xf32> to tensor<3x4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x4xf64>
  return
}

// A mixture for each pair of sublayers.
func.func @st6_static() {
  %x = arith.constant dense<[[-1.875, 0.25, -1.625, -1.25], [0.0, -0.625, -0.125, -1.625], [0.5, 0.5, -1.125, 0.375]]> : tensor<3x4xf32>
  %w0 = arith.constant dense<[[-1.75, 1.125, -0.125, -0.375], [-0.125, 1.625, 1.0, 0.5], [-0.125, -0.75, -1.75, 1.25], [-0.375, 0.125, 0.25, 0.75]]> : tensor<4x4xf32>
  %w1 = arith.constant dense<[[1.875, 1.0, -0.5, -1.625], [-0.625, -0.25, -1.375, -0.125], [-2.0, 0.375, -1.0, -0.375], [1.625, 0.125, -0.75, 0.875]]> : tensor<4x4xf32>
  %w2 = arith.constant dense<[[1.375, 0.125, 0.75, -0.25], [-1.625, 1.75, 1.125, 1.125], [0.625, -1.0, 1.125, 1.625], [0.625, 0.875, 0.0, 1.625]]> : tensor<4x4xf32>
  %w3 = arith.constant dense<[[-0.75, -0.5, 0.75, 0.375], [0.625, 1.75, -1.375, 0.0], [-1.625, -2.0, -0.375, -0.75], [0.0, -0.125, -0.875, 0.125]]> : tensor<4x4xf32>
  %a0 = arith.constant dense<[-1.375]> : tensor<1xf32>
  %a1 = arith.constant dense<[-0.5, 1.25]> : tensor<2xf32>
  %y = attnres.stack %x static weights(%a0, %a1 : tensor<1xf32>, tensor<2xf32>) : tensor<3x4xf32> {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w0 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w1 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w2 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w3 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v : tensor<3x4xf32>
  }
  %want_y = arith.constant dense<[[1.2829144816069041e+01, -4.3495345934611152e+01, 1.4270119826993126e+01, 8.6131449311506625e+00], [-2.3491981219394820e+00, -8.8503123237204893e+00, 7.8590638988332895e+00, -5.2441844493515095e+00], [1.4496614285807108e+00, -8.3896741084813051e+00, 6.5452765589295572e+00, -1.0691555295669533e-01]]> : tensor<3x4xf64>
  %wide_y = arith.extf %y : tensor<3x4xf32> to tensor<3x4xf64>
  attnres.expect_close %wide_y, %want_y {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x4xf64>
  return
}

// Sublayers yield more than their outputs.
func.func @st10_others() {
  %x = arith.constant dense<[[-1.875, 0.25, -1.625, -1.25], [0.0, -0.625, -0.125, -1.625], [0.5, 0.5, -1.125, 0.375]]> : tensor<3x4xf32>
  %w0 = arith.constant dense<[[-1.75, 1.125, -0.125, -0.375], [-0.125, 1.625, 1.0, 0.5], [-0.125, -0.75, -1.75, 1.25], [-0.375, 0.125, 0.25, 0.75]]> : tensor<4x4xf32>
  %w1 = arith.constant dense<[[1.875, 1.0, -0.5, -1.625], [-0.625, -0.25, -1.375, -0.125], [-2.0, 0.375, -1.0, -0.375], [1.625, 0.125, -0.75, 0.875]]> : tensor<4x4xf32>
  %c = arith.constant dense<[0.625, -1.875, -1.5, 0.75]> : tensor<4xf32>
  %y:3 = attnres.stack %x off : tensor<3x4xf32> others(tensor<4x4xf32>, tensor<4xf32>) {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w0 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v, %w1 : tensor<3x4xf32>, tensor<4x4xf32>
  }, {
  ^bb0(%h: tensor<3x4xf32>):
    %v = attnres.linear %h, %w1 : tensor<3x4xf32>, tensor<4x4xf32>
    attnres.yield %v, %c : tensor<3x4xf32>, tensor<4xf32>
  }
  %want_y_0 = arith.constant dense<[[8.5937500000000000e+00, -1.8535156250000000e+00, -4.5312500000000000e+00, 4.0039062500000000e-01], [2.7304687500000000e+00, 5.0390625000000000e-01, 2.9687500000000000e-01, -4.8847656250000000e+00], [7.8125000000000000e-03, -1.1171875000000000e+00, -3.5156250000000000e-01, 1.5625000000000000e-01]]> : tensor<3x4xf64>
  %wide_y_0 = arith.extf %y#0 : tensor<3x4xf32> to tensor<3x4xf64>
  attnres.expect_close %wide_y_0, %want_y_0 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<3x4xf64>
  %want_y_1 = arith.constant dense<[[1.8750000000000000e+00, 1.0000000000000000e+00, -5.0000000000000000e-01, -1.6250000000000000e+00], [-6.2500000000000000e-01, -2.5000000000000000e-01, -1.3750000000000000e+00, -1.2500000000000000e-01], [-2.0000000000000000e+00, 3.7500000000000000e-01, -1.0000000000000000e+00, -3.7500000000000000e-01], [1.6250000000000000e+00, 1.2500000000000000e-01, -7.5000000000000000e-01, 8.7500000000000000e-01]]> : tensor<4x4xf64>
  %wide_y_1 = arith.extf %y#1 : tensor<4x4xf32> to tensor<4x4xf64>
  attnres.expect_close %wide_y_1, %want_y_1 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<4x4xf64>
  %want_y_2 = arith.constant dense<[6.2500000000000000e-01, -1.8750000000000000e+00, -1.5000000000000000e+00, 7.5000000000000000e-01]> : tensor<4xf64>
  %wide_y_2 = arith.extf %y#2 : tensor<4xf32> to tensor<4xf64>
  attnres.expect_close %wide_y_2, %want_y_2 {atol = 9.9999999999999998e-13 : f64, rtol = 9.9999999999999998e-13 : f64} : tensor<4xf64>
  return
}
