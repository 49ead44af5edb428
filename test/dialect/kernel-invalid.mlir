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
  // expected-error @below {{'attnres.launch' op expected a kernel named @k}}
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

// A signature on values that a launch cannot pass.
// expected-error @below {{'attnres.kernel' op expected argument 1 to be a tensor of static shape or a list of them, got 'f32'}}
attnres.kernel @k : (tensor<8xf32>, f32) -> tensor<8xf32>

// -----

// A shape that is not known.
// expected-error @below {{'attnres.kernel' op expected result 0 to be a tensor of static shape or a list of them, got 'tensor<?xf32>'}}
attnres.kernel @k : (tensor<8xf32>) -> tensor<?xf32>

// -----

// Attributes of arguments.
// expected-error @below {{'attnres.kernel' op expected no attributes of arguments and results}}
"attnres.kernel"() <{sym_name = "k", function_type = (tensor<8xf32>) -> (), arg_attrs = [{attnres.name = "x"}]}> ({}) : () -> ()

// -----

// One entry of inplace for each result.
// expected-error @below {{'attnres.kernel' op expected inplace with 1 entries, one for each result, got 2}}
attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [0, 0]

// -----

// Arguments of inplace.
// expected-error @below {{'attnres.kernel' op expected the entries of inplace to be arguments from 0 to 0 or -1, got 1}}
attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [1]

// -----

// Arguments of inplace, from below.
// expected-error @below {{'attnres.kernel' op expected the entries of inplace to be arguments from 0 to 0 or -1, got -2}}
attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> inplace [-2]

// -----

// Types of inplace.
// expected-error @below {{'attnres.kernel' op expected result 0 of the type of the argument that it takes over, 'tensor<9xf32>', got 'tensor<9xbf16>'}}
attnres.kernel @k : (tensor<9xf32>) -> tensor<9xbf16> inplace [0]

// -----

// A list over a tensor.
// expected-error @below {{'attnres.kernel' op expected result 0 of the type of the argument that it takes over, 'tensor<9xf32>', got '!attnres.list<tensor<9xf32>>'}}
attnres.kernel @k : (tensor<9xf32>) -> !attnres.list<tensor<9xf32>> inplace [0]

// -----

// One memory for two results.
// expected-error @below {{'attnres.kernel' op expected one result to take over argument 0, got two}}
attnres.kernel @k : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) inplace [0, 0]

// -----

// Costs.
// expected-error @below {{'attnres.kernel' op attribute 'flops' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> flops -1

// -----

// Work items.
// expected-error @below {{'attnres.kernel' op attribute 'grid' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
attnres.kernel @k : () -> tensor<9xf32> grid -1 scratch 0 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// A grid without scratch.
// expected-error @below {{'attnres.kernel' op expected a grid and scratch, or neither}}
attnres.kernel @k : () -> tensor<9xf32> grid 1 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// Scratch without a grid.
// expected-error @below {{'attnres.kernel' op expected a grid and scratch, or neither}}
attnres.kernel @k : () -> tensor<9xf32> scratch 64

// -----

// Scratch for the tensors of lists that there are none of.
// expected-error @below {{'attnres.kernel' op expected scratch for each tensor of a list only of code that takes lists}}
attnres.kernel @k : () -> tensor<9xf32> grid 1 scratch 0 per_item 4 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// Code that takes no memory for a result.
// expected-error @below {{'attnres.kernel' op expected code to take memory for 2 arguments and results, got 1}}
attnres.kernel @k : (tensor<9xf32>) -> tensor<9xf32> grid 1 scratch 0 code(%x: memref<9xf32>) {
  attnres.return
}

// -----

// Memory of another shape.
// expected-error @below {{'attnres.kernel' op expected code to take memory of 'tensor<9xf32>' as its argument 0, got 'memref<8xf32>'}}
attnres.kernel @k : () -> tensor<9xf32> grid 1 scratch 0 code(%x: memref<8xf32>) {
  attnres.return
}

// -----

// A body that is code takes no tensors.
// expected-error @below {{'attnres.kernel' op expected code to take memory of 'tensor<9xf32>' as its argument 0, got 'tensor<9xf32>'}}
attnres.kernel @k : () -> tensor<9xf32> grid 1 scratch 0 code(%x: tensor<9xf32>) {
  attnres.return
}

// -----

// A block of another signature.
// expected-error @below {{'attnres.kernel' op expected a block that takes the arguments of '(tensor<9xf32>) -> ()'}}
"attnres.kernel"() <{sym_name = "k", function_type = (tensor<9xf32>) -> ()}> ({
^bb0(%x: tensor<8xf32>):
  attnres.return
}) : () -> ()

// -----

// Code without a body.
// expected-error @below {{'attnres.kernel' op expected code with a body}}
attnres.kernel @k : (tensor<9xf32>) -> () grid 1 scratch 0 code()

// -----

// What a kernel returns.
attnres.kernel @k(%x: tensor<9xf32>) -> tensor<8xf32> {
  // expected-error @below {{'attnres.return' op expected operands of the kernel's result types 'tensor<8xf32>', got 'tensor<9xf32>'}}
  attnres.return %x : tensor<9xf32>
}

// -----

// What code returns.
attnres.kernel @k : () -> tensor<f32> grid 1 scratch 0 code(%x: memref<f32>) {
  %e = tensor.empty() : tensor<f32>
  // expected-error @below {{'attnres.return' op expected no operands at the end of code, got 1}}
  attnres.return %e : tensor<f32>
}

// -----

// An end that is none of kernels.
// expected-error @below {{'attnres.kernel' op expected a body that ends with attnres.return}}
attnres.kernel @k() {
  llvm.unreachable
}

// -----

// Operand groups.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand groups, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A list as a single tensor.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 1 to be a list}}
  attnres.launch @k(%q, %v) operand_groups [-1, -1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A single tensor as a list.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Too few operands.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected more than 2 operands}}
  attnres.launch @k(%q, %v) operand_groups [-1, 2] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Too many operands.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operands, got 3}}
  attnres.launch @k(%q, %v, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Type of an operand.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %u: tensor<4x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected operand 1 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %u) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Result groups.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result groups, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A list of results.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result group 0 to be a single tensor}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Type of a result.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected result 0 of type 'tensor<3x8xf32>', got 'tensor<4x8xf32>'}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// A buffer for each operand.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 2 operand buffers, got 1}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {operand_buffers = [#attnres.buffer<argument 0>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// A buffer for each result.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{'attnres.launch' op expected 1 result buffers, got 0}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = []} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Offset of a buffer.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected an offset of at least 0, got -64}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<workspace + -64>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Kind of a buffer.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
func.func @test(%q: tensor<8xf32>, %v: tensor<3x8xf32>) {
  // expected-error @below {{expected argument, result, workspace or constant, got stack}}
  attnres.launch @k(%q, %v) operand_groups [-1, 1] result_groups [-1] {result_buffers = [#attnres.buffer<stack>]} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

// Index of a buffer.
attnres.kernel @k : (tensor<8xf32>, !attnres.list<tensor<3x8xf32>>) -> tensor<3x8xf32>
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
