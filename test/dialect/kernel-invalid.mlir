// RUN: attnres-opt %s --split-input-file --verify-diagnostics

// Tile.
func.func @test(%m: tensor<6x8xf32>) {
  // expected-error @below {{expected a positive tile, got 0}}
  attnres.pack %m {tile = 0 : i64} : tensor<6x8xf32>
  return
}

// -----

// No tile.
func.func @test(%m: tensor<6x8xf32>) {
  // expected-error @below {{expected tile}}
  attnres.pack %m : tensor<6x8xf32>
  return
}

// -----

// Rank of lhs.
func.func @test(%z: tensor<f32>, %p: tensor<2x8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected lhs of rank at least 1, got 'tensor<f32>'}}
  attnres.matmul_packed %z, %p : tensor<f32>, tensor<2x8x4xf32> -> tensor<3x7xf32>
  return
}

// -----

// Rank of panels.
func.func @test(%v: tensor<3x8xf32>, %p2: tensor<8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected panels of rank 3, got 'tensor<8x4xf32>'}}
  attnres.matmul_packed %v, %p2 : tensor<3x8xf32>, tensor<8x4xf32> -> tensor<3x7xf32>
  return
}

// -----

// Number of panels.
func.func @test(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected panels that hold 9 columns, got 'tensor<2x8x4xf32>'}}
  attnres.matmul_packed %v, %p : tensor<3x8xf32>, tensor<2x8x4xf32> -> tensor<3x9xf32>
  return
}

// -----

// Inner dimensions.
func.func @test(%v: tensor<3x8xf32>, %p7: tensor<2x7x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected equal inner dimensions, got 8 and 7}}
  attnres.matmul_packed %v, %p7 : tensor<3x8xf32>, tensor<2x7x4xf32> -> tensor<3x7xf32>
  return
}

// -----

// Bias.
func.func @test(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>, %q: tensor<8xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected bias of type 'tensor<7xf32>', got 'tensor<8xf32>'}}
  attnres.matmul_packed %v, %p bias(%q) : tensor<3x8xf32>, tensor<2x8x4xf32>, tensor<8xf32> -> tensor<3x7xf32>
  return
}

// -----

// Shape of the result.
func.func @test(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected result of shape [3, 7], got 'tensor<4x7xf32>'}}
  attnres.matmul_packed %v, %p : tensor<3x8xf32>, tensor<2x8x4xf32> -> tensor<4x7xf32>
  return
}

// -----

// Init.
func.func @test(%v: tensor<3x8xf32>, %p: tensor<2x8x4xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.matmul_packed' op expected init of type 'tensor<3x7xf32>', got 'tensor<4x8xf32>'}}
  attnres.matmul_packed %v, %p init(%u) : tensor<3x8xf32>, tensor<2x8x4xf32>, tensor<4x8xf32> -> tensor<3x7xf32>
  return
}

// -----

// Kernel.
func.func @test(%q: tensor<8xf32>) {
  // expected-error @below {{'attnres.launch' op expected a function named @k}}
  attnres.launch @k(%q) operand_groups [-1] result_groups [] : (tensor<8xf32>) -> ()
  return
}

// -----

// A function that is no kernel.
func.func private @k(tensor<8xf32>)
func.func @test(%q: tensor<8xf32>) {
  // expected-error @below {{'attnres.launch' op expected @k to be a kernel}}
  attnres.launch @k(%q) operand_groups [-1] result_groups [] : (tensor<8xf32>) -> ()
  return
}

// -----

// Operand groups.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand groups, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A list as a single tensor.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 1 to be a list}}
  attnres.launch @k(%q, %v) operand_groups [-1, -1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A single tensor as a list.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Too few operands.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected more than 2 operands}}
  attnres.launch @k(%q, %v) operand_groups [-1, 2] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Too many operands.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operands, got 3}}
  attnres.launch @k(%q, %v, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Type of an operand.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand 1 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %u) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Result groups.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result groups, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A list of results.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Type of a result.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result 0 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// A buffer for each operand.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand buffers, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A buffer for each result.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result buffers, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = []} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Offset of a buffer.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected an offset of at least 0, got -64}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<workspace + -64>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Kind of a buffer.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected argument, result, workspace or constant, got stack}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<stack>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Index of a buffer.
func.func private @k(tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32> attributes {attnres.kernel}
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected no argument -1}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<argument -1>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Equal types of an expectation.
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.expect_close' op failed to verify that all of {actual, expected} have same type}}
  "attnres.expect_close"(%q, %v) {atol = 0.0 : f64, rtol = 0.0 : f64} : (tensor<8xf32>, tensor<3x8xf32>) -> ()
  return
}
