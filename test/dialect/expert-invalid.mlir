// RUN: attnres-opt %s --split-input-file --verify-diagnostics

// More experts than there are.
func.func @test(%l: tensor<3x4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'attnres.router' op expected top_k in [1, 4], got 5}}
  attnres.router %l, %b {top_k = 5 : i64} : tensor<3x4xf32>, tensor<4xf32>
  return
}

// -----

// None.
func.func @test(%l: tensor<3x4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'attnres.router' op expected top_k in [1, 4], got 0}}
  attnres.router %l, %b {top_k = 0 : i64} : tensor<3x4xf32>, tensor<4xf32>
  return
}

// -----

// A bias for each expert.
func.func @test(%l: tensor<3x4xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{'attnres.router' op expected bias of shape [4], got [5]}}
  attnres.router %l, %b {top_k = 2 : i64} : tensor<3x4xf32>, tensor<5xf32>
  return
}

// -----

// Rows of the choices.
func.func @test(%l: tensor<3x4xf32>, %e: tensor<2x2xi64>, %g: tensor<2x2xf32>) {
  // expected-error @below {{'attnres.router_backward' op expected experts of shape [3, 2], got [2, 2]}}
  attnres.router_backward %l, %e, %g : tensor<3x4xf32>, tensor<2x2xi64>, tensor<2x2xf32>
  return
}

// -----

// All experts chosen: there is no cutoff.
func.func @test(%l: tensor<3x4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'attnres.balance_bias' op expected top_k in [1, 3], got 4}}
  attnres.balance_bias %l, %b {top_k = 4 : i64} : tensor<3x4xf32>, tensor<4xf32>
  return
}

// -----

// Width of the rows.
func.func @test(%x: tensor<3x4xf32>, %w: tensor<2x6x5xf32>, %e: tensor<3x2xi64>) {
  // expected-error @below {{'attnres.grouped_linear' op expected weight of shape [E, N, 4], got 'tensor<2x6x5xf32>'}}
  attnres.grouped_linear %x, %w, %e : tensor<3x4xf32>, tensor<2x6x5xf32>, tensor<3x2xi64>
  return
}

// -----

// No matrix.
func.func @test(%x: tensor<3x4xf32>, %w: tensor<0x6x4xf32>, %e: tensor<3x2xi64>) {
  // expected-error @below {{'attnres.grouped_linear' op expected weight of shape [E, N, 4], got 'tensor<0x6x4xf32>'}}
  attnres.grouped_linear %x, %w, %e : tensor<3x4xf32>, tensor<0x6x4xf32>, tensor<3x2xi64>
  return
}

// -----

// Rows of the choices.
func.func @test(%x: tensor<4x5xf32>, %w: tensor<2x6x5xf32>, %e: tensor<3x2xi64>) {
  // expected-error @below {{'attnres.grouped_linear' op expected x with the rows of experts 'tensor<3x2xi64>', or the same without the last dimension, got 'tensor<4x5xf32>'}}
  attnres.grouped_linear %x, %w, %e : tensor<4x5xf32>, tensor<2x6x5xf32>, tensor<3x2xi64>
  return
}

// -----

// No matrix.
func.func @test(%x: tensor<3x4xf32>, %e: tensor<3x2xi64>) {
  // expected-error @below {{'attnres.grouped_weight_grad' op expected at least 1 matrix, got 0}}
  attnres.grouped_weight_grad %x, %x, %e {matrices = 0 : i64} : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x2xi64>
  return
}

// -----

// Weights of the choices.
func.func @test(%x: tensor<3x2x4xf32>, %w: tensor<3x3xf32>) {
  // expected-error @below {{'attnres.combine_experts' op expected weights of shape [3, 2], got [3, 3]}}
  attnres.combine_experts %x weights(%w) : tensor<3x2x4xf32>, tensor<3x3xf32>
  return
}

// -----

// Gradient of the sum.
func.func @test(%x: tensor<3x2x4xf32>, %w: tensor<3x2xf32>) {
  // expected-error @below {{'attnres.combine_experts_backward' op expected output gradient of type 'tensor<3x4xf32>', got 'tensor<3x2x4xf32>'}}
  attnres.combine_experts_backward %x, %w, %x : tensor<3x2x4xf32>, tensor<3x2xf32>, tensor<3x2x4xf32>
  return
}

// -----

// Bounds.
func.func @test(%x: tensor<3x4xf32>) {
  // expected-error @below {{'attnres.situ_glu' op expected a finite positive up_bound, got 0.000000e+00}}
  attnres.situ_glu %x, %x {up_bound = 0.0 : f64} : tensor<3x4xf32>
  return
}
