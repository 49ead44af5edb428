// RUN: attnres-opt %s --split-input-file --verify-diagnostics

// Weights of other channels.
func.func @test(%x: tensor<2x5x3xf32>, %w: tensor<4x4xf32>) {
  // expected-error @below {{'attnres.short_convolution' op expected weight of shape [3, 4], got [4, 4]}}
  attnres.short_convolution %x, %w : tensor<2x5x3xf32>, tensor<4x4xf32>
  return
}

// -----

// No weights.
func.func @test(%x: tensor<2x5x3xf32>, %w: tensor<3x0xf32>) {
  // expected-error @below {{'attnres.short_convolution' op expected at least 1 weight for each channel, got 0}}
  attnres.short_convolution %x, %w : tensor<2x5x3xf32>, tensor<3x0xf32>
  return
}

// -----

// Rank.
func.func @test(%x: tensor<5x3xf32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{'attnres.short_convolution' op expected x of rank 3, got 'tensor<5x3xf32>'}}
  attnres.short_convolution %x, %w : tensor<5x3xf32>, tensor<3x4xf32>
  return
}

// -----

// Length of the tail.
func.func @test(%x: tensor<2x5x3xf32>, %w: tensor<3x4xf32>, %t: tensor<2x4x3xf32>) {
  // expected-error @below {{'attnres.short_convolution' op expected tail of type 'tensor<2x3x3xf32>', got 'tensor<2x4x3xf32>'}}
  attnres.short_convolution %x, %w tail(%t) : tensor<2x5x3xf32>, tensor<3x4xf32>, tensor<2x4x3xf32>
  return
}

// -----

// Dynamic shape.
func.func @test(%x: tensor<2x?x3xf32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{'attnres.short_convolution' op expected static shapes, got 'tensor<2x?x3xf32>'}}
  attnres.short_convolution %x, %w : tensor<2x?x3xf32>, tensor<3x4xf32>
  return
}

// -----

// Gradient of another type.
func.func @test(%x: tensor<2x5x3xf32>, %w: tensor<3x4xf32>, %g: tensor<2x4x3xf32>) {
  // expected-error @below {{'attnres.short_convolution_backward' op expected output gradient of type 'tensor<2x5x3xf32>', got 'tensor<2x4x3xf32>'}}
  attnres.short_convolution_backward %x, %w, %g : tensor<2x5x3xf32>, tensor<3x4xf32>, tensor<2x4x3xf32>
  return
}

// -----

// Negative width.
func.func @test(%x: tensor<2x5x3xf32>) {
  // expected-error @below {{'attnres.convolution_tail' op expected a width that is not negative, got -1}}
  attnres.convolution_tail %x {width = -1 : i64} : tensor<2x5x3xf32>
  return
}

// -----

// A length for each text.
func.func @test(%x: tensor<2x5x3xf32>, %n: tensor<3xi64>) {
  // expected-error @below {{'attnres.convolution_tail' op expected length of shape [2], got [3]}}
  attnres.convolution_tail %x length(%n) {width = 3 : i64} : tensor<2x5x3xf32>, tensor<3xi64>
  return
}

// -----

// Rank.
func.func @test(%x: tensor<f32>) {
  // expected-error @below {{'attnres.l2_norm' op expected x of rank at least 1, got 'tensor<f32>'}}
  attnres.l2_norm %x {eps = 1.0e-6 : f64} : tensor<f32>
  return
}

// -----

// Heads.
func.func @test(%x: tensor<5x7xf32>, %a: tensor<2xf32>, %b: tensor<7xf32>) {
  // expected-error @below {{'attnres.kda_gate' op expected the number of heads to divide that of channels, got 2 and 7}}
  attnres.kda_gate %x, %a, %b : tensor<5x7xf32>, tensor<2xf32>, tensor<7xf32>
  return
}

// -----

// A bound above 0.
func.func @test(%x: tensor<5x6xf32>, %a: tensor<2xf32>, %b: tensor<6xf32>) {
  // expected-error @below {{'attnres.kda_gate' op expected a finite negative lower_bound, got 5.000000e+00}}
  attnres.kda_gate %x, %a, %b {lower_bound = 5.0 : f64} : tensor<5x6xf32>, tensor<2xf32>, tensor<6xf32>
  return
}

// -----

// No partial sums.
func.func @test(%x: tensor<5x6xf32>, %a: tensor<2xf32>, %b: tensor<6xf32>) {
  // expected-error @below {{'attnres.kda_gate_backward' op expected at least 1 partial sum, got 0}}
  attnres.kda_gate_backward %x, %a, %b, %x {partials = 0 : i64} : tensor<5x6xf32>, tensor<2xf32>, tensor<6xf32>, tensor<5x6xf32>
  return
}

// -----

// KD-2: value heads.
func.func @test(%q: tensor<1x3x2x4xf32>, %v: tensor<1x3x3x5xf32>, %g: tensor<1x3x3x4xf32>, %b: tensor<1x3x3xf32>) {
  // expected-error @below {{'attnres.kda' op expected the number of heads to divide that of value heads, got 2 and 3}}
  attnres.kda %q, %q, %v, %g, %b
    : tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x3x5xf32>, tensor<1x3x3x4xf32>, tensor<1x3x3xf32>
  return
}

// -----

// A decay for each value head.
func.func @test(%q: tensor<1x3x2x4xf32>, %v: tensor<1x3x4x5xf32>, %g: tensor<1x3x2x4xf32>, %b: tensor<1x3x4xf32>) {
  // expected-error @below {{'attnres.kda' op expected decay of shape [1, 3, 4, 4], got [1, 3, 2, 4]}}
  attnres.kda %q, %q, %v, %g, %b
    : tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x4x5xf32>, tensor<1x3x2x4xf32>, tensor<1x3x4xf32>
  return
}

// -----

// The state is keys by values.
func.func @test(%q: tensor<1x3x1x4xf32>, %v: tensor<1x3x1x5xf32>, %g: tensor<1x3x1x4xf32>, %b: tensor<1x3x1xf32>,
                %s: tensor<1x1x5x4xf32>) {
  // expected-error @below {{'attnres.kda' op expected state of shape [1, 1, 4, 5], got [1, 1, 5, 4]}}
  attnres.kda %q, %q, %v, %g, %b state(%s)
    : tensor<1x3x1x4xf32>, tensor<1x3x1x4xf32>, tensor<1x3x1x5xf32>, tensor<1x3x1x4xf32>, tensor<1x3x1xf32>, tensor<1x1x5x4xf32>
  return
}

// -----

// One element type.
func.func @test(%q: tensor<1x3x1x4xf32>, %v: tensor<1x3x1x5xbf16>, %g: tensor<1x3x1x4xf32>, %b: tensor<1x3x1xf32>) {
  // expected-error @below {{'attnres.kda' op expected v of type 'tensor<1x3x1x5xf32>', got 'tensor<1x3x1x5xbf16>'}}
  attnres.kda %q, %q, %v, %g, %b
    : tensor<1x3x1x4xf32>, tensor<1x3x1x4xf32>, tensor<1x3x1x5xbf16>, tensor<1x3x1x4xf32>, tensor<1x3x1xf32>
  return
}

// -----

// The gradient of the output.
func.func @test(%q: tensor<1x3x1x4xf32>, %v: tensor<1x3x1x5xf32>, %b: tensor<1x3x1xf32>) {
  // expected-error @below {{'attnres.kda_backward' op expected output gradient of type 'tensor<1x3x1x5xf32>', got 'tensor<1x3x1x4xf32>'}}
  attnres.kda_backward %q, %q, %v, %q, %b, %q
    : tensor<1x3x1x4xf32>, tensor<1x3x1x4xf32>, tensor<1x3x1x5xf32>, tensor<1x3x1x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1x4xf32>
  return
}
